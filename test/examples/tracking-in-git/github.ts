import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../../tools/root.mjs";
import type { Job } from "./job";

const FILE = ".github/workflows/tracking.yml";

/** The text of the workflow. */
export const workflow = readFileSync(join(ROOT, "examples", "tracking-in-git", FILE), "utf8");
export const place = FILE;

/** A run's contexts by name: `github`, `secrets`. */
export type Contexts = Readonly<Record<string, unknown>>;

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | boolean>;
}
interface Workflow {
  env: Record<string, string>;
  concurrency: { "cancel-in-progress": boolean };
  jobs: Record<string, { if: string; steps: Step[] }>;
}

export const parsed: Workflow = parse(workflow);

/** The jobs that the workflow runs in these contexts, as shell commands. */
export function githubJobs(contexts: Contexts): Job[] {
  const entries = Object.entries(parsed.env).map(([name, text]) => [name, filled(text, contexts)]);
  return Object.entries(parsed.jobs)
    .filter(([, { if: condition }]) => holds(condition, contexts))
    .map(([name, { steps }]) => ({
      name,
      env: Object.fromEntries(entries),
      commands: steps.flatMap((step) => command(step, contexts)),
    }));
}

/** Actions that only a runner can do, and that are not needed here: the repository and Node.js are present. */
const RUNNER = /^actions\/(checkout|setup-node)@v\d+$/;

function command({ uses = "", run, with: inputs = {} }: Step, contexts: Contexts): string[] {
  if (run !== undefined) return [filled(run, contexts)];
  if (RUNNER.test(uses)) return [];
  if (!/^pulumi\/actions@v6$/.test(uses)) throw new Error(`Nobody knows what ${uses} does.`);
  const { command: verb, "stack-name": stack, ...rest } = inputs;
  const flags = Object.entries(rest).flatMap(([name, value]) => flag(name, filled(String(value), contexts)));
  const yes = verb === "up" ? ["--yes", "--skip-preview"] : [];
  return [["pulumi", verb, "--stack", stack, "--non-interactive", ...yes, ...flags].join(" ")];
}

/** The command-line options that the action derives from an input, according to its documentation. */
function flag(name: string, value: string): string[] {
  // Only writes a comment with the command's output.
  if (name === "comment-on-pr") return [];
  if (["refresh", "expect-no-changes", "diff"].includes(name)) return value === "true" ? [`--${name}`] : [];
  if (name === "message") return [`--message ${JSON.stringify(value)}`];
  throw new Error(`pulumi/actions has no input ${name} that is known here.`);
}

/** A condition of comparisons that must all hold. */
function holds(condition: string, contexts: Contexts): boolean {
  return condition.split(" && ").every((comparison) => {
    const [left = "", right = ""] = comparison.split(" == ");
    return resolved(left, contexts) === resolved(right, contexts);
  });
}

function filled(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression) => String(resolved(expression, contexts)));
}

function resolved(expression: string, contexts: Contexts): unknown {
  const text = /^'(.*)'$/.exec(expression)?.[1];
  if (text !== undefined) return text;
  return expression.split(".").reduce<unknown>((value, name) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      throw new Error(`There is no ${expression} in this run.`);
    return Reflect.get(value, name);
  }, contexts);
}
