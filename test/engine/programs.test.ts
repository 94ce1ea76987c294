import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createProject } from "../../tools/project.mjs";
import type { PackageManager } from "../../tools/template.mjs";
import { cases, KEY, useHarness } from "./harness";

const world = useHarness();

const CALL = 'new tracking.Website("shop", { domain: "shop.example.com" }, { protect: false });';
const REQUIRE = `const tracking = require("pulumi-tracking");\nexports.domain = ${CALL.slice(0, -1)}.domain;\n`;
const manifest = (more: object) => JSON.stringify({ name: "fresh", private: true, ...more });

/** One program in all the ways in which people write it. */
const programs: { says: string; files: Record<string, string>; packagesIn?: string }[] = [
  {
    says: "in TypeScript",
    files: {
      "index.ts": [
        'import * as pulumi from "@pulumi/pulumi";',
        'import * as tracking from "pulumi-tracking";',
        'const args: tracking.WebsiteArgs = { domain: pulumi.concat("shop", ".example.com"), privacy: tracking.Privacy.Private };',
        'const shop: tracking.Website = new tracking.Website("shop", args, { protect: false });',
        "export const domain: pulumi.Output<string> = shop.domain;",
        "export const ips: pulumi.Output<string[] | undefined> = shop.excludeIps;",
      ].join("\n"),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" },
        files: ["index.ts"],
      }),
    },
  },
  { says: "in JavaScript", files: { "index.js": REQUIRE } },
  {
    says: "as an ES module",
    files: {
      "package.json": manifest({ type: "module" }),
      "index.js": `import * as tracking from "pulumi-tracking";\nimport { Privacy } from "pulumi-tracking";\nexport const domain = ${CALL.slice(0, -1)}.domain;\nexport const privacy = Privacy.Private;\n`,
    },
  },
  {
    says: "in a subfolder, its packages above it",
    files: {
      "Pulumi.yaml": "name: fresh\nruntime: nodejs\nmain: infra\n",
      "infra/index.js": REQUIRE,
    },
  },
];

describe.each([
  ["npm", programs],
  // `upgrade.test.ts` has one in JavaScript with pnpm.
  ["pnpm", programs.filter(({ says }) => says !== "in JavaScript")],
] as const)("a program installed with %s", (packageManager, tried) => {
  it.each(cases(tried))("%s creates a website and destroys it", (_says, program) =>
    liveOnce({ ...program, packageManager }),
  );
});

describe("a program in TypeScript with no compiler of its own", () => {
  it("compiles with the one that Pulumi brings", () =>
    liveOnce({
      files: {
        "package.json": manifest({}),
        "index.ts": [
          'import * as pulumi from "@pulumi/pulumi";',
          'import * as tracking from "pulumi-tracking";',
          'const shop = new tracking.Website("shop", { domain: pulumi.output("shop.example.com") }, { protect: false });',
          "export const domain: pulumi.Output<string> = shop.domain;",
          "export const found = tracking.getWebsitesOutput({}, { dependsOn: [shop] }).apply((all) => all.map((each) => each.domain));",
        ].join("\n"),
      },
      packageManager: "npm",
    }));
});

describe("a program in a subfolder", () => {
  it("may have its packages there", () =>
    liveOnce({
      files: {
        "Pulumi.yaml": "name: fresh\nruntime: nodejs\nmain: infra/index.js\n",
        "infra/index.js": REQUIRE,
      },
      packagesIn: "infra",
      packageManager: "npm",
    }));
});

async function liveOnce({
  files,
  packagesIn,
  packageManager,
}: {
  files: Record<string, string>;
  packagesIn?: string;
  packageManager: PackageManager;
}): Promise<void> {
  const project = await createProject({ files, packageManager, tarball: inject("tarball") });
  onTestFinished(() => project.remove());
  if (packagesIn !== undefined)
    for (const each of ["package.json", "node_modules"])
      await rename(join(project.folder, each), join(project.folder, packagesIn, each));
  const env = { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: world.service.url };
  await project.pulumi(["up", "--yes", "--skip-preview"], { env });
  expect(await world.service.websites()).toMatchObject([{ domain: "shop.example.com", privacy: 1 }]);
  const { deployment } = await project.state();
  const stack = deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  expect(stack?.outputs).toMatchObject({ domain: "shop.example.com" });
  expect(deployment.resources?.find(({ urn }) => String(urn).endsWith("::shop"))).toMatchObject({
    outputs: { __provider: 'exports.handler = () => require("pulumi-tracking/host").Website' },
  });
  await project.pulumi(["destroy", "--yes", "--skip-preview"], { env });
  expect(await world.service.websites()).toEqual([]);
}
