/**
 * What `@pulumi/pulumi` has, and its types do not declare. Only this file reads it, so that a release which renames a
 * field breaks one place; `test/install/versions.test.ts` tries each on the oldest and the newest release that are promised.
 */
import * as pulumi from "@pulumi/pulumi";

function fieldOf<T>(value: unknown, name: string): T | undefined {
  return Reflect.get(Object(value), name);
}

/** The type token of a resource. Whoever asks may have any value. */
export function typeOf(value: unknown): string | undefined {
  return fieldOf(value, "__pulumiType");
}

/** The parent of a resource: of one without a parent in the program, the stack. */
export function parentOf(resource: pulumi.Resource): pulumi.Resource | undefined {
  return fieldOf(resource, "__parentResource");
}

/** The resources whose parent this is. */
export function childrenOf(resource: pulumi.Resource): ReadonlySet<pulumi.Resource> {
  return fieldOf(resource, "__childResources") ?? new Set();
}

/** Whether a resource is protected, by its own option or its parent's; `undefined` if neither says so. */
export function isProtected(resource: pulumi.Resource): boolean | undefined {
  return fieldOf(resource, "__protect");
}

/** Whether an output's value is known, which in a preview it may not be. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (await fieldOf<Promise<boolean>>(output, "isKnown")) ?? true;
}

/** The resources that an output's value comes from. */
export async function sourcesOf(output: pulumi.Output<unknown>): Promise<readonly pulumi.Resource[]> {
  const sources = fieldOf<() => Promise<Set<pulumi.Resource>>>(output, "allResources");
  return [...((await sources?.call(output)) ?? [])];
}

/** Whether a key of the stack's config is encrypted; `undefined` if this SDK does not say. */
export function isConfigSecret(key: string): boolean | undefined {
  return fieldOf<(key: string) => boolean>(pulumi.runtime, "isConfigSecret")?.(key);
}

/** Whether a unit test of the program runs it, and answers in the engine's place. */
export function isMocked(): boolean {
  const monitor: object = pulumi.runtime.getMonitor() ?? {};
  return "mocks" in monitor;
}

/** The address of the engine that runs this program, such as `127.0.0.1:41235`. */
export function addressOf(engine: object): string {
  const { getChannel } = engine as { getChannel(): { getTarget(): string } };
  return getChannel.call(engine).getTarget().replace(/^dns:/, "");
}
