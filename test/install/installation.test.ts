import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import type { PackageManager } from "../../tools/installation.mjs";
import { ensureNode } from "../../tools/npm-package.mjs";
import { createProject, type ProjectOptions } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { LEAN } from "../engine/fresh-project";
import { KEY } from "../engine/harness";
import { service } from "../service";

const template = (file: string) => readFileSync(join(ROOT, "templates", "typescript", file), "utf8");
/** The version that templates, examples and README name. */
const RANGE = JSON.parse(template("package.json")).dependencies["@pulumi/pulumi"];

const DECLARED = 'new tracking.Website("shop", { domain: "shop.example.com" }, { protect: false });';
const TYPESCRIPT = {
  "index.ts": `import * as tracking from "pulumi-tracking";\n${DECLARED}\n`,
  "tsconfig.json": template("tsconfig.json"),
};
const JAVASCRIPT = { "index.js": `const tracking = require("pulumi-tracking");\n${DECLARED}\n` };
const BELOW = {
  "infra/index.js": JAVASCRIPT["index.js"],
  "Pulumi.yaml": "name: fresh\nruntime: nodejs\nmain: infra/index.js\n",
};
const MODULE = {
  "index.mjs": `import * as tracking from "pulumi-tracking";\n${DECLARED}\n`,
  "Pulumi.yaml": "name: fresh\nruntime: nodejs\nmain: index.mjs\n",
};

/** In which Node.js strips the types itself. */
const STRIPPED = {
  "package.json": JSON.stringify({ name: "fresh", private: true, type: "module" }),
  "index.ts": `import * as tracking from "pulumi-tracking";\nexport const { domain }: tracking.Website = ${DECLARED}\n`,
  "Pulumi.yaml": "name: fresh\nmain: index.ts\nruntime: { name: nodejs, options: { typescript: false } }\n",
};

/** What npm has installed once for all such projects. */
const BY_NPM = { like: inject("installed") };
const installedBy = (packageManager: PackageManager) => ({
  packageManager,
  tarball: inject("tarball"),
  pulumiVersion: RANGE,
});

// walk.test.ts has a program in TypeScript with npm and one with pnpm, versions.test.ts one in JavaScript with npm, and every
// test of test/engine one in a subfolder, below its packages.
it.each<[string, string, ProjectOptions, Record<string, string>]>([
  ["yarn 1", "in TypeScript", installedBy("yarn 1"), TYPESCRIPT],
  ["yarn", "in JavaScript", installedBy("yarn"), JAVASCRIPT],
  ["bun", "as an ES module", installedBy("bun"), MODULE],
  ["npm", "in a subfolder that has its packages", BY_NPM, BELOW],
  ["npm", "in TypeScript as ES modules", BY_NPM, STRIPPED],
])(
  "a program installed with %s, %s, creates a website and destroys it",
  async (_by, _kind, packages, files) => {
    const { url, control } = await service({ apiKey: KEY });
    const project = await createProject({ files, ...packages });
    onTestFinished(() => project.remove());
    if (files === BELOW)
      for (const each of ["package.json", "node_modules"])
        await rename(join(project.folder, each), join(project.folder, "infra", each));
    const PATH = [await ensureNode("24"), project.env.PATH].join(delimiter);
    const env = { PATH, TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url };
    await project.pulumi(["up", "--yes", "--skip-preview"], { env });
    expect(control.websites()).toMatchObject([{ domain: "shop.example.com" }]);
    await project.pulumi(["destroy", "--yes", "--skip-preview"], { env: { ...env, ...LEAN } });
    expect(control.websites()).toEqual([]);
  },
);
