import { join } from "node:path";
import { type Running, start } from "../../tools/child.mjs";
import type { World } from "./world";

/** Starts the installed `pulumi-tracking import`; `env` is laid over the project's own, and `show` gets what it prints. */
export function importing(
  { project }: World,
  args: readonly string[],
  {
    env = {},
    cwd = project.folder,
    group = false,
    show,
  }: { env?: NodeJS.ProcessEnv; cwd?: string; group?: boolean; show?: (text: string) => void } = {},
): Running {
  const command = join(project.folder, "node_modules", "pulumi-tracking", "dist", "cli", "main.js");
  return start(process.execPath, [command, "import", ...args], {
    cwd,
    env: { ...project.env, ...env },
    group,
    show,
  });
}

/** TypeScript that a strict compiler has to pass, with the imported part in a file of its own. */
export const strict = {
  "Pulumi.yaml": "name: fresh\nmain: program/index.ts\nruntime: nodejs\n",
  "program/tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" },
    files: ["index.ts"],
  }),
};

/** For a program that has been compiled strictly before: by the preview with which an import ends. */
export const compiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** Each form of an import: the file to write, and the program that takes it. */
export const forms = {
  ts: { out: join("program", "tracking.ts"), program: 'import "./tracking";\n' },
  yaml: {
    out: join("program", "tracking.yaml"),
    program: 'import * as tracking from "pulumi-tracking";\ntracking.declareFrom("tracking.yaml");\n',
  },
};
