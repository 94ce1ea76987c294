import { sanitize } from "../../provider/api/redact";
import { unmarshal } from "../../provider/hosts/marshal";
import { parseUrn } from "../../provider/hosts/urn";
import { groupsBy } from "../alike";
import { resourceOfType } from "../look/held";
import { naturalOrder } from "../natural-order";
import { withoutFrames } from "../pulumi/explain-failure";
import { describeViolation, isMandatory } from "../pulumi/policies";
import type { FinishedPreview } from "../pulumi/preview";
import { joinOutput } from "../pulumi/tracebacks";

/** A message of the engine, the provider, the program or a policy. */
export interface Message {
  readonly isError: boolean;
  readonly lines: readonly string[];
  /** The names in the program of the resources that it is about. */
  readonly names: readonly string[];
}

/** A message before it is counted. */
interface Said {
  readonly isError: boolean;
  readonly urn: string;
  readonly text: string;
}

/**
 * Returns how a message reads of any resource: without the URN, the key and the id of its own. Of 19 websites, Pulumi says 19 times
 * that one "cannot be deleted because it is protected".
 */
function generalizer({ steps }: Pick<FinishedPreview, "steps">): (said: Said) => string {
  const own = new Map(
    steps.flatMap(({ oldState, newState }) =>
      [oldState, newState].flatMap((state): [string, string[]][] => {
        const resource = state && resourceOfType(state.type);
        if (state === undefined || resource === undefined) return [];
        const { [resource.key]: key } = unmarshal({ ...state.inputs, ...state.outputs });
        return [[state.urn, [JSON.stringify(key) ?? "", state.id ? `(id ${state.id})` : ""]]];
      }),
    ),
  );
  return ({ isError, urn, text }) => {
    const parts = [urn, ...(own.get(urn) ?? [])].filter(Boolean);
    return `${isError} ${parts.reduce((general, part) => general.replaceAll(part, "…"), text)}`;
  };
}

/** The messages, each once: the first of those that are alike, with the names of all. */
function counted(said: readonly Said[], general: (said: Said) => string): Message[] {
  return groupsBy(said, (each) => (each.text === "" ? undefined : general(each))).map((group) => {
    const [{ isError, text }] = group;
    const urns = new Set(group.map(({ urn }) => urn).filter(Boolean));
    const names = [...urns].map((urn) => sanitize(parseUrn(urn).name)).toSorted(naturalOrder);
    return { isError, lines: text.split(/\s*\n\s*/).map(sanitize), names };
  });
}

/**
 * Returns all messages of a preview word for word, without stack frames, each once; errors first.
 *
 * @param stderr what a preview that failed printed beside its JSON; empty if it did not fail
 */
export function messagesOf(
  preview: Pick<FinishedPreview, "diagnostics" | "steps">,
  stderr: string,
): Message[] {
  const diagnosed = joinOutput(preview.diagnostics).filter(({ severity }) => severity !== "debug");
  const said = [...diagnosed, { severity: "error", message: stderr }]
    .toSorted((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"))
    .map(({ severity, message, ...about }) => {
      const { urn = "" } = "urn" in about ? about : {};
      // Node.js prints its frames line by line, and the engine makes a message of each.
      return { isError: severity === "error", urn, text: withoutFrames(`\n${message}`).trim() };
    });
  return counted(said, generalizer(preview));
}

/** Returns what the policies of the stack say, without the resources in it; those that refuse are errors. */
export function policiesOf(preview: Pick<FinishedPreview, "violations" | "steps">): Message[] {
  const said = preview.violations.map((violation) => ({
    isError: isMandatory(violation),
    urn: violation.resourceUrn,
    text: describeViolation({ ...violation, resourceUrn: "" }),
  }));
  return counted(said, generalizer(preview));
}
