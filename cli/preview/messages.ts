import { sanitize } from "../../provider/api/redact";
import { unmarshal } from "../../provider/hosts/marshal";
import { parseUrn } from "../../provider/hosts/urn";
import { groupsBy } from "../alike";
import { resourceOfType } from "../look/held";
import { naturalOrder } from "../natural-order";
import { withoutFrames } from "../pulumi/explain-failure";
import type { StackResource } from "../pulumi/json-output";
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
  /** The resource that it is about, if the engine says so: of our notices it does not in the dynamic form. */
  readonly urn: string;
  readonly text: string;
}

/**
 * Returns how a message reads of any resource, and of which it is: without the URN, the key and the id of its own. Of 19 websites,
 * Pulumi says 19 times that one "cannot be deleted because it is protected".
 */
function generalizer({ steps }: Pick<FinishedPreview, "steps">) {
  const states = steps.flatMap(({ oldState, newState }) => [oldState, newState]);
  const own = new Map(
    states.flatMap((state): [string, StackResource][] => {
      const resource = state && resourceOfType(state.type);
      if (state === undefined || resource === undefined) return [];
      const { [resource.key]: key } = unmarshal({ ...state.inputs, ...state.outputs });
      return [[JSON.stringify(key) ?? "", state]];
    }),
  );
  return ({ isError, urn, text }: Said) => {
    const found: StackResource[] = [];
    const withoutKeys = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
      const state = own.get(quoted);
      if (state !== undefined) found.push(state);
      return state === undefined ? quoted : "…";
    });
    const [state] = found;
    const parts = [urn, ...found.map(({ id }) => (id === undefined ? "" : `(id ${id})`))].filter(Boolean);
    const general = parts.reduce((shortened, part) => shortened.replaceAll(part, "…"), withoutKeys);
    return { general: `${isError} ${general}`, name: parseUrn(urn || (state?.urn ?? "")).name };
  };
}

/** The messages, each once: of those that are alike the one of the first name, with the names of all. */
function counted(said: readonly Said[], generalize: ReturnType<typeof generalizer>): Message[] {
  const all = said.map((each) => ({ ...each, ...generalize(each) }));
  return groupsBy(all, ({ text, general }) => (text === "" ? undefined : general)).map((group) => {
    const [{ isError, text }] = group.toSorted((a, b) => naturalOrder(a.name, b.name)) as typeof group;
    const names = [...new Set(group.map(({ name }) => name).filter(Boolean))].toSorted(naturalOrder);
    return { isError, lines: text.split(/\s*\n\s*/).map(sanitize), names: names.map(sanitize) };
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
