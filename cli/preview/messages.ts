import { sanitize } from "../../provider/api/redact";
import { groupsBy } from "../alike";
import { withoutFrames } from "../pulumi/explain-failure";
import type { EnginePreview } from "../pulumi/json-output";
import { isPreviewFailed } from "../pulumi/program";

/** What the engine, the provider or the program says in a preview. */
export interface Message {
  readonly isError: boolean;
  readonly lines: readonly string[];
}

/**
 * All that a preview says, word for word but for stack frames, each once; errors first.
 *
 * @param failure what a preview that failed printed beside its JSON
 */
export function messagesOf({ diagnostics }: Pick<EnginePreview, "diagnostics">, failure: string): Message[] {
  const said = diagnostics.filter(
    ({ severity, message }) => severity !== "debug" && !isPreviewFailed(message),
  );
  const all = [...said, { severity: "error", message: failure }]
    .toSorted((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"))
    .map(({ severity, message }) => {
      const lines = withoutFrames(message)
        .trim()
        .split(/\s*\n\s*/);
      return { isError: severity === "error", lines: lines.map(sanitize) };
    });
  return groupsBy(all, ({ lines }) => lines.join("\n") || undefined).map(([first]) => first);
}
