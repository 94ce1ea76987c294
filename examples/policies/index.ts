import { PolicyPack, validateResourceOfType } from "@pulumi/policy";
import { Website } from "pulumi-tracking";

new PolicyPack("tracking", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "no-public-statistics",
      description: "Nobody outside may see a website's statistics.",
      validateResource: validateResourceOfType(Website, ({ domain, privacy }, _args, report) => {
        if (privacy === "public") report(`The statistics page of ${domain} must not be public.`);
      }),
    },
    {
      name: "protected-websites",
      description: "Statistics are deleted with their website, so every website is protected.",
      validateResource: validateResourceOfType(Website, ({ domain }, { opts }, report) => {
        if (!opts.protect) report(`${domain} must be protected: remove its option protect: false.`);
      }),
    },
    {
      name: "no-passwords",
      description: "The password of a statistics page is set on the service, and never in a program.",
      validateResource: validateResourceOfType(Website, ({ domain, password }, _args, report) => {
        if (password !== undefined) report(`${domain} must not have a password in the program.`);
      }),
    },
  ],
});
