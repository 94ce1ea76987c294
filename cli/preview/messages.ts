import { sanitize } from "../../provider/api/redact";
import { groupsBy } from "../alike";
import { withoutFrames } from "../pulumi/explain-failure";
import type { EnginePreview } from "../pulumi/json-output";

/** A message of the engine, the provider or the program. */
export interface Message {
  readonly isError: boolean;
  readonly lines: readonly string[];
}

/**
 * Returns all messages of a preview word for word, without stack frames, each once; errors first.
 *
 * @param stderr what a preview that failed printed beside its JSON; empty if it did not fail
 */
export function messagesOf({ diagnostics }: Pick<EnginePreview, "diagnostics">, stderr: string): Message[] {
  const diagnosed = diagnostics.filter(({ severity }) => severity !== "debug");
  const messages = [...diagnosed, { severity: "error", message: stderr }]
    .toSorted((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"))
    .map(({ severity, message }) => {
      const lines = withoutFrames(message)
        .trim()
        .split(/\s*\n\s*/);
      return { isError: severity === "error", lines: lines.map(sanitize) };
    });
  return groupsBy(messages, ({ lines }) => lines.join("\n") || undefined).map(([first]) => first);
}
