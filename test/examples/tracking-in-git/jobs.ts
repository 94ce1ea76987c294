import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../../tools/root.mjs";

export const EXAMPLE = join(ROOT, "examples", "tracking-in-git");
export const GITHUB = ".github/workflows/tracking.yml";
export const GITLAB = ".gitlab-ci.yml";

/** The jobs of the example, which GitHub and GitLab call by the same names; on GitHub, `doctor` is a step of `drift`. */
export type Job = "preview" | "up" | "drift" | "accept" | "doctor" | "correct";

interface Workflow {
  concurrency: object;
  permissions: object;
  jobs: Record<
    Exclude<Job, "doctor">,
    { if: string; environment?: string; env: Variables; permissions?: object; steps: Step[] }
  >;
}
interface Step {
  uses?: string;
  run?: string;
  with?: object;
  "continue-on-error"?: boolean;
}
interface Pipeline
  extends Record<
    Job,
    {
      rules: object[];
      before_script?: string[];
      script: string[];
      after_script?: string[];
      resource_group?: string;
      artifacts?: { paths: string[] };
      variables?: Variables;
    }
  > {
  default: { interruptible: boolean; before_script: string[]; image: { name: string } };
}
type Variables = Record<string, string>;

export const workflowText = readFileSync(join(EXAMPLE, GITHUB), "utf8");
export const workflow: Workflow = parse(workflowText);
export const pipeline: Pipeline = parse(readFileSync(join(EXAMPLE, GITLAB), "utf8"));

/** The shell commands of a job on GitLab, and those that follow even if one of them fails. */
export function gitlabScripts(job: Job): { script: string[]; after: string[] } {
  const { before_script = pipeline.default.before_script, script, after_script = [] } = pipeline[job];
  return { script: [...before_script, ...script], after: after_script };
}

/** All of them. */
export function gitlabCommands(job: Job): string[] {
  const { script, after } = gitlabScripts(job);
  return [...script, ...after];
}
