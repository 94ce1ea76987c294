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
  /** The resource that it is about, if the engine says so: of our notices it does not in the dynamic form. */
  readonly urn: string;
  readonly text: string;
}

/** A resource of ours, as messages name it. */
interface Named {
  readonly urn: string;
  /** Its domain or name in quotes, and its id: those in state, and those of the program. */
  readonly parts: Set<string>;
}

/**
 * Returns how a message reads of any resource, and of which it is: without the URN, the key and the id of its own. Of 19 websites,
 * Pulumi says 19 times that one "cannot be deleted because it is protected". The key of a second resource stays: to take "b.example"
 * over from one website and from another one are two messages.
 */
function generalizer({ steps }: Pick<FinishedPreview, "steps">) {
  const byUrn = new Map<string, Named>();
  const byKey = new Map<string, Named>();
  for (const state of steps.flatMap(({ oldState, newState }) => [oldState, newState])) {
    const resource = state && resourceOfType(state.type);
    if (state === undefined || resource === undefined) continue;
    const named = byUrn.get(state.urn) ?? { urn: state.urn, parts: new Set() };
    byUrn.set(state.urn, named);
    if (state.id) named.parts.add(`(id ${state.id})`);
    const { [resource.key]: key } = unmarshal({ ...state.inputs, ...state.outputs });
    if (typeof key !== "string") continue;
    named.parts.add(JSON.stringify(key));
    byKey.set(JSON.stringify(key), named);
  }
  return ({ isError, urn, text }: Said) => {
    const quotes = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    // A notice without a URN names its own resource first.
    const first = quotes.find((quoted) => byKey.has(quoted)) ?? "";
    const named = urn === "" ? byKey.get(first) : byUrn.get(urn);
    const parts = [urn, ...(named?.parts ?? [])].filter(Boolean);
    const general = parts.reduce((shortened, part) => shortened.replaceAll(part, "…"), text);
    return { general: `${isError} ${general}`, name: parseUrn(urn || (named?.urn ?? "")).name };
  };
}

/**
 * The messages, each once: of those that are alike the one of the first name, with the names of all.
 *
 * @param textOf what is shown of those that are alike
 */
function counted<T extends Said>(
  said: readonly T[],
  generalize: ReturnType<typeof generalizer>,
  textOf: (first: T, names: readonly string[]) => string = ({ text }) => text,
): Message[] {
  const all = said.map((each) => ({ each, ...generalize(each) }));
  return groupsBy(all, ({ each, general }) => (each.text === "" ? undefined : general)).map((group) => {
    const [{ each }] = group.toSorted((a, b) => naturalOrder(a.name, b.name)) as typeof group;
    const names = [...new Set(group.map(({ name }) => name).filter(Boolean))].toSorted(naturalOrder);
    const lines = textOf(each, names).split(/\s*\n\s*/);
    return { isError: each.isError, lines: lines.map(sanitize), names: names.map(sanitize) };
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
  const said = [...joinOutput(preview.diagnostics), { severity: "error", message: stderr }]
    .toSorted((one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"))
    .map(({ severity, message, ...about }) => {
      const { urn = "" } = "urn" in about ? about : {};
      // Node.js prints its frames line by line, and the engine makes a message of each.
      return { isError: severity === "error", urn, text: withoutFrames(`\n${message}`).trim() };
    });
  return counted(said, generalizer(preview));
}

/** Returns what the policies of the stack say, with the resources in it; those that refuse are errors. */
export function policiesOf(preview: Pick<FinishedPreview, "violations" | "steps">): Message[] {
  const said = preview.violations.map((violation) => ({
    violation,
    isError: isMandatory(violation),
    urn: violation.resourceUrn,
    text: describeViolation(violation, []),
  }));
  return counted(said, generalizer(preview), ({ violation }, names) => describeViolation(violation, names));
}
