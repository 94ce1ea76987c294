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
      validateResource: validateResourceOfType(Website, ({ domain }, { opts, props, type }, report) => {
        // In other languages than TypeScript, an argument protects it, which is true if it is omitted.
        const isByArgument = type === "tracking:index:Website" && props.deletionProtection !== false;
        if (!opts.protect && !isByArgument)
          report(
            `${domain} must be protected: remove its option protect: false in TypeScript, or its argument deletionProtection: false (in Python deletion_protection=False) in other languages.`,
          );
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
