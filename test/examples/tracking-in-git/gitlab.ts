import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { run } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";
import type { Job } from "./job";

const FILE = join(ROOT, "examples", "tracking-in-git", ".gitlab-ci.yml");
const LINTER = join(ROOT, "node_modules", "gitlab-ci-local", "dist", "index.js");
/** A function that the linter needs and Node.js 20 does not have yet. */
const UNION = "Set.prototype.union ??= function (other) { return new Set([...this, ...other]); }";
const OLDER = `data:text/javascript,${encodeURIComponent(UNION)}`;

interface Pipeline {
  default: { before_script: string[] };
  [job: string]: { script?: string[]; before_script?: string[] };
}
export const pipeline: Pipeline = parse(readFileSync(FILE, "utf8"));

/** The predefined variables of an event on the default branch. */
export type Variables = Readonly<Record<string, string>>;

/**
 * The jobs that GitLab runs with these variables, according to the linter, which first validates the file against
 * GitLab's schema.
 */
export async function gitlabJobs(variables: Variables, file = FILE): Promise<Job[]> {
  return (await listed(variables, file))
    .filter(({ when }) => when !== "never")
    .map(({ name }) => ({
      name,
      env: variables,
      commands: [...pipeline.default.before_script, ...(pipeline[name]?.script ?? [])],
    }));
}

async function listed(variables: Variables, file: string): Promise<{ name: string; when: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), "gitlab-"));
  try {
    cpSync(file, join(folder, ".gitlab-ci.yml"));
    await run("git", ["init", "--quiet", "--initial-branch", "main"], { cwd: folder });
    const set = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
    const args = ["--import", OLDER, LINTER, "--list-json", ...set];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: process.env });
    return JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
