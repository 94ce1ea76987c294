import type * as pulumi from "@pulumi/pulumi";

export declare class Website extends pulumi.CustomResource {
  constructor(name: string, args: Record<string, unknown>, opts?: pulumi.CustomResourceOptions);
}
