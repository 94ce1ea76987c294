import { unmarshal } from "../../provider/hosts/marshal";
import { PROTECTION } from "../../provider/hosts/native/spelling";
import { parseUrn } from "../../provider/hosts/urn";
import { ADOPTED } from "../../provider/lifecycle/check";
import { describeRecord } from "../../provider/lifecycle/errors";
import { MORE } from "../../provider/notices";
import { changedFields } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { fieldOf, isUnknown, noun, type Resource, type Values } from "../../provider/schema/resource";
import { varietyName } from "../list/listing";
import { withoutFrames } from "../pulumi/explain-failure";
import type { EnginePreview, StackResource } from "../pulumi/json-output";
import { isHidden, isPreviewFailed } from "../pulumi/preview";
import { sanitized } from "../sanitized";
import { protectionOf, resourceOfType } from "../stack-records";

/** What a change does to resources, the worst first, each with its heading. */
export const parts = {
  deleted: "Deleted",
  replaced: "Replaced",
  public: "Becomes public",
  unprotected: "No longer protected",
  changed: "Changed",
  adopted: "Adopted",
  created: "Created",
  imported: "Imported",
  others: "Resources of other packages that are deleted or replaced",
} as const;
export type Part = keyof typeof parts;

/** What a change does to one resource. */
export interface Change {
  readonly part: Part;
  /** Such as `website`; for another package's, its type. */
  readonly type: string;
  /** Its domain or name; for another package's, its name. */
  readonly key: string;
  /** The provider of its resource: one account. */
  readonly provider?: string | undefined;
  /** Its key after that, if it is known. */
  readonly next?: string | undefined;
  /** Its fields, each with the old and the new value. */
  readonly fields: readonly string[];
  /** What else people should know; has no value in it. */
  readonly remark?: string | undefined;
}

/** What the engine's preview means. */
export interface Changes {
  readonly changes: readonly Change[];
  /** The operations on resources of other packages, one for each. */
  readonly others: readonly string[];
  /** Why the preview failed, each error by its lines. */
  readonly errors: readonly (readonly string[])[];
}

type Step = EnginePreview["steps"][number];

/** What changes nothing, and the steps of a replacement beside the one that names it. What a refresh finds is an update. */
const SILENT = /^(same|read|refresh|discard|.+-replaced|.+-replacement)$/;

export function changesOf({ steps, diagnostics }: EnginePreview): Changes {
  // The engine writes the severity before what a plugin says, which names arguments in two spellings.
  const said = diagnostics.map(({ message }) => message.trim().replace(/^warning: | \(in Python \w+\)/g, ""));
  const others: string[] = [];
  const changes = withLeftovers(steps).flatMap((step) => {
    const state = step.newState ?? step.oldState;
    const resource = state && resourceOfType(state.type);
    const lifted = resource === undefined ? [] : liftedProtection(step, resource);
    if (state === undefined || SILENT.test(step.op)) return lifted;
    if (resource !== undefined) return [...ours(step, resource, said), ...lifted];
    // A component is no record of anybody, and a provider shows in its resources.
    if (state.custom !== true || state.type.startsWith("pulumi:")) return [];
    others.push(step.op);
    const { type, name } = parseUrn(state.urn);
    const isLoss = /delete|replace/.test(step.op);
    return isLoss ? [{ part: "others" as const, type, key: name, fields: [], remark: `${step.op}d` }] : [];
  });
  const errors = diagnostics
    .filter(({ severity, message }) => severity === "error" && !isPreviewFailed(message))
    .map(({ message }) =>
      withoutFrames(message)
        .trim()
        .replace(/^(error: )?(Preview failed: )?/, ""),
    )
    .map((message) => message.split(/\s*\n\s*/));
  // The engine's order is another one each time.
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = withFates(changes).toSorted((a, b) => compare(a.key, b.key));
  return sanitized({ changes: sorted, others, errors });
}

/** What an earlier run has replaced and not deleted: its step belongs to no replacement, and deletes it. */
function withLeftovers(steps: readonly Step[]): Step[] {
  const idOf = ({ urn, oldState }: Step) => JSON.stringify([urn, oldState?.id]);
  const replaced = new Set(steps.filter(({ op }) => op === "replace").map(idOf));
  return steps.map((each) =>
    each.op === "delete-replaced" && !replaced.has(idOf(each)) ? { ...each, op: "delete" } : each,
  );
}

/** What becomes of a record that leaves one resource, and that another declares. */
const OTHERS =
  'another resource declares it, which stops the "up": give that one the option aliases if it is the same, else adopt: true';
const FATES: Partial<Record<Part, string>> = {
  created: OTHERS,
  replaced: OTHERS,
  adopted: "the record stays, since another resource adopts it",
};

function withFates(changes: readonly Change[]): Change[] {
  const nameOf = ({ type, provider }: Change, key?: string) => JSON.stringify([type, key, provider]);
  const isOther = ({ part, key, next }: Change) =>
    next !== undefined && (part !== "replaced" || next !== key);
  const declaring = changes.filter((each) => each.part in FATES && isOther(each));
  const fates = new Map(declaring.map((each) => [nameOf(each, each.next), FATES[each.part]]));
  return changes.map((each) =>
    /deleted|replaced/.test(each.part)
      ? { ...each, remark: fates.get(nameOf(each, each.key)) ?? each.remark }
      : each,
  );
}

/** What a step does to a resource of ours. */
function ours({ op, oldState, newState }: Step, resource: Resource, said: readonly string[]): Change[] {
  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const { provider } = newState ?? oldState ?? {};
  const of = (values: Values, part: Part, fields: readonly string[], remark?: string) => [
    {
      part,
      type: noun(resource),
      key: keyOf(resource, values),
      next: isKnown(news[resource.key]) ? keyOf(resource, news) : undefined,
      provider,
      fields,
      remark,
    },
  ];
  if (newState === undefined) {
    const cause = oldState?.delete ? ['an earlier "up" replaced it'] : [];
    return of(olds, "deleted", cause, fateOf(resource, oldState));
  }
  const notices = noticesOn(describeRecord({ resource, values: news }), said);
  const others = notices.filter((notice) => !TOLD.test(notice));
  const isNew = oldState === undefined || op === "replace";
  const adoption = isNew ? adoptionOf(resource, news, notices, said) : undefined;
  const adopted = (more: readonly string[] = []) => [
    ...(adoption === undefined ? [] : of(news, "adopted", [adoption, ...more])),
    ...(opens(resource, news, adoption) ? of(news, "public", first(resource, news)) : []),
  ];
  if (oldState === undefined) {
    if (adoption !== undefined) return adopted(others);
    return of(news, op === "import" ? "imported" : "created", [...first(resource, news), ...others]);
  }
  const { changed, fields } = difference(op, resource, olds, news);
  const secrets = Object.keys(resource.inputs).filter((name) => notices.includes(`its ${name} changes`));
  fields.push(...secrets.map((name) => `${name} (secret)`), ...others);
  if (op === "replace") return [...of(olds, "replaced", fields, fateOf(resource, oldState)), ...adopted()];
  const isPublic =
    changed.some((name) => isAnnounced(resource, name, olds, news)) || notices.some(isOfOpening);
  const remark = fields.length === 0 ? "an option of its resource, or a secret" : undefined;
  return of(news, isPublic ? "public" : "changed", fields, remark);
}

/** What differs, each with the old and the new value. The engine hides both of a secret. */
function difference(op: string, resource: Resource, olds: Values, news: Values) {
  const isReadable = (name: string) => ![olds, news].some((each) => isHidden(each[name]));
  // What needs a new record is never sent in an update: someone has changed it on the service.
  const isSent = (name: string) => op === "replace" || !fieldOf(resource, name).replaces;
  const [before, after] = [olds, news].map((each) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => isReadable(name))),
  ) as [Values, Values];
  const changed = changedFields(resource, before, after).filter(isSent);
  const next = (name: string) => news[name] ?? fieldOf(resource, name).clearsTo;
  const fields = changed.map((name) => `${name} ${shown(olds[name])} → ${shown(next(name))}`);
  const names = Object.keys(resource.inputs);
  const hidden = names.filter((name) => isHidden(olds[name]) !== isHidden(news[name]));
  return { changed, fields: [...fields, ...hidden.map((name) => `${name} (secret)`)] };
}

/** What becomes of a record that is deleted. */
function fateOf({ deletesWith }: Resource, state?: StackResource): string | undefined {
  if (state?.retainOnDelete === true) return "the record stays on the service";
  // The engine does not ask the provider before it does it.
  const isGuarded = state !== undefined && protectionOf(state) === PROTECTION;
  return (
    deletesWith &&
    `its ${deletesWith} are deleted${isGuarded ? `, unless its ${PROTECTION} refuses that` : ""}`
  );
}

/** What keeps a record, if its resource is deleted. */
function keeperOf(state: StackResource): string | undefined {
  return protectionOf(state) ?? (state.retainOnDelete ? "retainOnDelete" : undefined);
}

/** The protection that a record loses whose delete takes more with it. For the engine, an option is no change. */
function liftedProtection({ op, oldState, newState }: Step, resource: Resource): Change[] {
  if (resource.deletesWith === undefined || newState === undefined || /replace/.test(op)) return [];
  const protection = oldState && keeperOf(oldState);
  if (protection === undefined || keeperOf(newState) !== undefined) return [];
  const key = keyOf(resource, valuesOf(newState));
  return [{ part: "unprotected", type: noun(resource), key, fields: [`${protection} true → false`] }];
}

/** What is known of the record that a new resource adopts, if it may adopt one. */
function adoptionOf(
  { key }: Resource,
  { adopt, [key]: name }: Values,
  notices: readonly string[],
  said: readonly string[],
): string | undefined {
  const named = notices.find((each) => each.startsWith("exists already"));
  if (named !== undefined || adopt !== true) return named;
  if (isKnown(name) && !said.includes(MORE + ADOPTED)) return undefined;
  return "if it exists, which the preview shows for some only; otherwise it is created";
}

/** What is said of a new record. */
function first(resource: Resource, news: Values): string[] {
  const variety = varietyName(resource);
  return variety === undefined ? [] : [`${variety} ${shown(news[variety])}`];
}

/** Whether an adoption changes a word so that it is announced. */
function opens(resource: Resource, news: Values, adoption = ""): boolean {
  const variety = varietyName(resource) ?? "";
  return adoption.includes(`${variety} changes`) && isAnnounced(resource, variety, {}, news);
}

/** Whether a change to this word is announced, as that of a page that becomes public. */
function isAnnounced(resource: Resource, name: string, olds: Values, news: Values): boolean {
  const { words, notice } = fieldOf(resource, name);
  return words !== undefined && notice?.(olds[name], news[name], name) !== undefined;
}

/** What a line says without the provider's notice. */
const TOLD = /^exists already|^its \w+ (changes|will be emptied)$|^\w+ becomes | becomes public$/;

function isOfOpening(notice: string): boolean {
  return notice.endsWith(" becomes public");
}

/** Whether a preview knows this value, and shows it. */
function isKnown(value: unknown): boolean {
  return !isUnknown(value) && !isHidden(value);
}

function keyOf(resource: Resource, values: Values): string {
  const { [resource.key]: key = "" } = values;
  return isUnknown(key) ? UNKNOWN_TEXT : String(key);
}

function valuesOf({ inputs, outputs }: Pick<StackResource, "inputs" | "outputs"> = {}): Values {
  return unmarshal({ ...inputs, ...outputs });
}

/** What the provider says about a record, without its name. */
function noticesOn(subject: string, said: readonly string[]): string[] {
  const own = said.filter((line) => line.startsWith(subject)).map((line) => line.slice(subject.length));
  return own.flatMap((rest) => /^(?: \(id .*?\))?(?::| (?=exists|is )) ?(.+)$/s.exec(rest)?.[1] ?? []);
}

const UNKNOWN_TEXT = "(known after up)";

function shown(value: unknown): string {
  return isUnknown(value) ? UNKNOWN_TEXT : value === undefined ? "(not managed)" : format(undefined, value);
}
