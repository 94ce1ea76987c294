import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explainFailure } from "./explain-failure";
import { jsonIn, preview, shapeOf } from "./json-output";
import { violationsIn } from "./policies";
import { withTemporaryFolder } from "./process";
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

/** Whether a message is the engine's last line, which adds nothing. */
function isPreviewFailed({ message }: { readonly message: string }): boolean {
  return /^(error: )?preview failed\s*$/.test(message);
}

/** Runs `pulumi preview` and reads what it says, even if it fails. */
export async function runPreview(
  stack: Stack,
  { args: more = [], env, keepsOptions = false }: PreviewOptions = {},
) {
  return withTemporaryFolder(async (folder) => {
    const log = join(folder, "events.json");
    const refresh = keepsOptions ? [] : ["--refresh=false"];
    const args = ["preview", "--json", "--show-sames", "--event-log", log, ...refresh, ...more];
    // The engine has an event log only among its commands for debugging.
    const running = { env: { ...env, PULUMI_DEBUG_COMMANDS: "true" }, keepsOptions };
    const finished = await stack.run(args, running);
    const printed = jsonIn(finished.stdout);
    const { steps, diagnostics } = shapeOf("pulumi preview", preview, printed ?? {});
    return {
      ...finished,
      /** Why it could not begin. */
      failure: printed === undefined ? explainFailure(args, finished) : undefined,
      /** What the next `up` does by the program. */
      steps: steps.filter(({ op }) => op !== "refresh"),
      /**
       * What a refresh before that looked at. An option of the command, the project or a provider asks for it, and it has a
       * step for each resource of the stack: taken for the program's, it would declare what the program has dropped.
       */
      refreshed: steps.filter(({ op }) => op === "refresh"),
      diagnostics: diagnostics.filter((each) => !isPreviewFailed(each)),
      /** What the policies of the stack say. */
      violations: existsSync(log) ? violationsIn(readFileSync(log, "utf8")) : [],
    };
  });
}

/** What a preview printed, and how it ended. */
export type FinishedPreview = Awaited<ReturnType<typeof runPreview>>;
