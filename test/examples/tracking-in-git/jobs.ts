import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../../tools/root.mjs";

export const EXAMPLE = join(ROOT, "examples", "tracking-in-git");
export const GITHUB = ".github/workflows/tracking.yml";
export const GITLAB = ".gitlab-ci.yml";

/** The jobs of the example, which GitHub and GitLab call by the same names. */
export const JOBS = ["preview", "up", "drift"] as const;
export type Job = (typeof JOBS)[number];

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | boolean>;
}
interface Workflow {
  concurrency: object;
  jobs: Record<Job, { if: string; steps: Step[] }>;
}
interface Pipeline extends Record<Job, { rules: object[]; script: string[]; resource_group?: string }> {
  default: { interruptible: boolean; before_script: string[] };
}

export const workflowText = readFileSync(join(EXAMPLE, GITHUB), "utf8");
export const workflow: Workflow = parse(workflowText);
export const pipeline: Pipeline = parse(readFileSync(join(EXAMPLE, GITLAB), "utf8"));

/** The shell commands of a job on GitLab. */
export function gitlabCommands(job: Job): string[] {
  return [...pipeline.default.before_script, ...pipeline[job].script];
}

/** The same on GitHub, with the command that Pulumi's action runs. */
export function githubCommands(job: Job): string[] {
  return workflow.jobs[job].steps.flatMap(({ uses = "", run, with: inputs = {} }) => {
    if (run !== undefined) return run;
    if (!uses.startsWith("pulumi/actions@")) return [];
    const { command, "stack-name": stack, "comment-on-pr": _, message, ...flags } = inputs;
    const commit = String(message).replace(/\$\{\{ github\.sha \}\}/, "$$CI_COMMIT_SHA");
    return [
      `pulumi ${command} --stack ${stack} --non-interactive`,
      ...(command === "up" ? ["--yes --skip-preview"] : []),
      ...(message === undefined ? [] : [`--message "${commit}"`]),
      ...Object.keys(flags).map((name) => `--${name}`),
    ].join(" ");
  });
}
