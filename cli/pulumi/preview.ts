import { groupsBy } from "../alike";
import { withProgress } from "../progress";
import { printedPreview } from "./events";
import { explainFailure } from "./explain-failure";
import type { EnginePreview } from "./json-output";
import type { Stack } from "./stack";

export interface PreviewOptions {
  /** Further options of `pulumi preview`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * It is a person's own preview: the options of the project and of the environment count. Any other shows the whole program
   * without a refresh, whatever they say.
   */
  readonly keepsOptions?: boolean;
}

/**
 * Whether a message is for people: neither the engine's last line, which adds nothing, nor one for debugging, which may hold a secret
 * that the program has in clear.
 */
function isForPeople({ severity, message }: EnginePreview["diagnostics"][number]): boolean {
  return severity !== "debug" && !/^(error: )?preview failed\s*$/.test(message);
}

/** Runs `pulumi preview` and reads what it says, even if it fails. */
export async function runPreview(
  stack: Stack,
  { args: more = [], env, keepsOptions = false }: PreviewOptions = {},
) {
  const refresh = keepsOptions ? [] : ["--refresh=false"];
  const args = ["preview", "--json", "--show-sames", ...refresh, ...more];
  // Only its events have the policies. In a file, by --event-log, they would hold the program's secrets, in debug messages.
  const streaming = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const running = { env: { ...env, ...streaming }, keepsOptions };
  const { code, ...printed } = await withProgress("pulumi preview is running", () =>
    stack.run(args, running),
  );
  const read = printedPreview(printed.stdout);
  const { steps = [], diagnostics = [], violations = [] } = read ?? {};
  return {
    code,
    stderr: printed.stderr,
    /** Why it could not begin. */
    failure: read === undefined ? explainFailure(args, printed) : undefined,
    /** What the next `up` does by the program. */
    steps: steps.filter(({ op }) => op !== "refresh"),
    /**
     * What a refresh before that looked at. An option of the command, the project or a provider asks for it, and it has a step
     * for each resource of the stack: taken for the program's, it would declare what the program has dropped.
     */
    refreshed: steps.filter(({ op }) => op === "refresh"),
    diagnostics: diagnostics.filter(isForPeople),
    /** What the policies of the stack say, each once. */
    violations: groupsBy(violations, (each) => JSON.stringify(each)).map(([first]) => first),
  };
}

/** What a preview printed, and how it ended. */
export type FinishedPreview = Awaited<ReturnType<typeof runPreview>>;
