import { unmarshal } from "../../provider/hosts/marshal";
import { PROTECTION } from "../../provider/hosts/native/spelling";
import { parseUrn } from "../../provider/hosts/urn";
import { changedFields } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { fieldOf, isUnknown, noun, type Resource, type Values } from "../../provider/schema/resource";
import { varietyName } from "../list/listing";
import { withoutFrames } from "../pulumi/explain-failure";
import type { EnginePreview, StackResource } from "../pulumi/json-output";
import { isHidden, isPreviewFailed, isShown } from "../pulumi/preview";
import { sanitized } from "../sanitized";
import { protectionOf, providerUrn, resourceOfType } from "../stack-records";
import { Notices } from "./notices";

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

/** A record as a provider sees it, and as the service does. */
interface Place {
  readonly ofProvider: string;
  readonly ofService: string | undefined;
}

/** What a change does to one resource. */
export interface Change {
  readonly part: Part;
  /** Such as `website`; for another package's, its type. */
  readonly type: string;
  /** Its domain or name; for another package's, its name. */
  readonly key: string;
  /** The records that its resource leaves, and has then, as far as they are known. */
  readonly leaves?: Place | undefined;
  readonly gets?: Place | undefined;
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

/** What a step needs of the others. */
interface Context {
  readonly notices: Notices;
  /** The URNs of the resources that are deleted. */
  readonly gone: ReadonlySet<string>;
}

/** A step on a resource of ours, the values before and after it, and what the provider says of the record. */
interface Seen {
  readonly step: Step;
  readonly resource: Resource;
  readonly olds: Values;
  readonly news: Values;
  readonly said: readonly string[];
}

/** What changes nothing, and the steps of a replacement beside the one that names it. What a refresh finds is an update. */
const SILENT = /^(same|read|refresh|discard|.+-replaced|.+-replacement)$/;

export function changesOf({ steps, diagnostics }: EnginePreview): Changes {
  const gone = new Set(
    steps.flatMap(({ op, oldState }) => (op === "delete" && oldState ? oldState.urn : [])),
  );
  const context = { notices: new Notices(diagnostics), gone };
  const others: string[] = [];
  const changes = withLeftovers(steps).flatMap((step) => {
    const state = step.newState ?? step.oldState;
    const resource = state && resourceOfType(state.type);
    const isSilent = SILENT.test(step.op);
    if (resource !== undefined)
      return [...(isSilent ? [] : ours(step, resource, context)), ...liftedProtection(step, resource)];
    // A component is no record of anybody, and a provider shows in its resources.
    if (isSilent || state?.custom !== true || state.type.startsWith("pulumi:")) return [];
    others.push(step.op);
    return foreign(step.op, state);
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

/** What becomes of another package's resource, if it is lost. */
function foreign(op: string, { urn, retainOnDelete }: StackResource): Change[] {
  const { type, name: key } = parseUrn(urn);
  const remark = retainOnDelete ? "no longer managed" : `${op}d`;
  return /delete|replace/.test(op) ? [{ part: "others", type, key, fields: [], remark }] : [];
}

/** What an earlier run has replaced and not deleted: its step belongs to no replacement, and deletes it. */
function withLeftovers(steps: readonly Step[]): Step[] {
  // With an alias, only the old state has the old URN in both.
  const idOf = ({ oldState }: Step) => JSON.stringify([oldState?.urn, oldState?.id]);
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
  adopted: "the record stays, since it is adopted",
};

function withFates(changes: readonly Change[]): Change[] {
  const fates = new Map<string | undefined, string | undefined>();
  for (const { part, leaves, gets } of changes) {
    if (gets === undefined || !(part in FATES)) continue;
    // One that is replaced for another reason keeps its key.
    if (part !== "replaced" || gets.ofProvider !== leaves?.ofProvider)
      fates.set(gets.ofProvider, FATES[part]);
    if (gets.ofService !== undefined)
      fates.set(gets.ofService, `${FATES.adopted}, if its provider has this account`);
  }
  return changes.map((each) => {
    const { ofProvider, ofService } = each.leaves ?? {};
    const isLeft = /deleted|replaced/.test(each.part) && each.leaves !== undefined;
    return isLeft ? { ...each, remark: fates.get(ofProvider) ?? fates.get(ofService) ?? each.remark } : each;
  });
}

/** What a line says without the provider's notice. */
const TOLD = /^exists already|^its \w+ (changes|will be emptied)$|^\w+ becomes | becomes public$/;

/** What a step does to a resource of ours. */
function ours(step: Step, resource: Resource, { notices, gone }: Context): Change[] {
  const { op, oldState, newState } = step;
  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const said = notices.on(resource, news);
  const seen = { step, resource, olds, news, said };
  const adoption = adoptionIn(seen, notices.mayAdoptOthers);
  const places = {
    leaves: placeOf(resource, oldState, oldState?.id),
    gets: placeOf(resource, newState, adoption?.id),
  };
  const of = (values: Values, part: Part, fields: readonly string[], remark?: string): Change => {
    return { part, type: noun(resource), key: keyOf(resource, values), ...places, fields, remark };
  };
  const fate = oldState && fateOf(resource, oldState, gone);
  if (newState === undefined)
    return [of(olds, "deleted", oldState?.delete ? ['an earlier "up" replaced it'] : [], fate)];
  const begins = first(resource, news);
  const warnings = said.filter((notice) => !TOLD.test(notice));
  const opened = opens(resource, news, adoption?.text.join()) ? [of(news, "public", begins)] : [];
  const adopted = adoption && [of(news, "adopted", [...adoption.text, ...warnings]), ...opened];
  const created = () => [of(news, op === "import" ? "imported" : "created", [...begins, ...warnings])];
  if (oldState === undefined) return adopted ?? created();
  const { part, fields } = difference(seen);
  const all = [...fields, ...warnings];
  if (part === "replaced") return [of(olds, part, all, fate), ...(adopted ?? [])];
  return [of(news, part, all, all.length === 0 ? "an option of its resource, or a secret" : undefined)];
}

/** What differs, each with the old and the new value. The engine hides both of a secret. */
function difference({ step: { op }, resource, olds, news, said }: Seen): { part: Part; fields: string[] } {
  const names = Object.keys(resource.inputs);
  const isReadable = (name: string) => !isHidden(olds[name]) && !isHidden(news[name]);
  // What needs a new record is never sent in an update: someone has changed it on the service.
  const isSent = (name: string) => op === "replace" || !fieldOf(resource, name).replaces;
  const shownOf = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isReadable(name)));
  const changed = changedFields(resource, shownOf(olds), shownOf(news)).filter(isSent);
  const next = (name: string) => news[name] ?? fieldOf(resource, name).clearsTo;
  const fields = changed.map((name) => `${name} ${shown(olds[name])} → ${shown(next(name))}`);
  const isSecret = (name: string) =>
    said.includes(`its ${name} changes`) || isHidden(olds[name]) !== isHidden(news[name]);
  fields.push(...names.filter(isSecret).map((name) => `${name} (secret)`));
  const isPublic =
    changed.some((name) => isAnnounced(resource, name, olds, news)) ||
    said.some((notice) => notice.endsWith(" becomes public"));
  const named: Record<string, Part> = { replace: "replaced", import: "imported" };
  return { part: named[op] ?? (isPublic ? "public" : "changed"), fields };
}

/** The record of a resource, if its key is known. */
function placeOf(
  resource: Resource,
  state: StackResource | undefined,
  id: string | undefined,
): Place | undefined {
  const values = valuesOf(state);
  if (state === undefined || !isShown(values[resource.key])) return undefined;
  const record = [resource.type, canonicalKey(resource, values)];
  const ofService = id === undefined ? undefined : JSON.stringify([...record, id]);
  return { ofProvider: JSON.stringify([...record, "of", providerUrn(state)]), ofService };
}

/** What becomes of a record that is deleted. */
function fateOf(
  { deletesWith }: Resource,
  state: StackResource,
  gone: ReadonlySet<string>,
): string | undefined {
  if (state.retainOnDelete === true) return "the record stays on the service";
  if (gone.has(state.deletedWith ?? ""))
    return "the record stays, unless what it is deletedWith takes it along";
  // The engine does not ask the provider before it does it.
  const unless = protectionOf(state) === PROTECTION ? `, unless its ${PROTECTION} refuses that` : "";
  return deletesWith && `its ${deletesWith} are deleted${unless}`;
}

/** What keeps a record, if its resource is deleted. */
function keeperOf(state: StackResource): string | undefined {
  return protectionOf(state) ?? (state.retainOnDelete ? "retainOnDelete" : undefined);
}

/** The protection that a record loses whose delete takes more with it. For the engine, an option is no change. */
function liftedProtection({ op, oldState, newState }: Step, resource: Resource): Change[] {
  if (resource.deletesWith === undefined || newState === undefined || /replace|import/.test(op)) return [];
  const protection = oldState && keeperOf(oldState);
  if (protection === undefined || keeperOf(newState) !== undefined) return [];
  const key = keyOf(resource, valuesOf(newState));
  return [{ part: "unprotected", type: noun(resource), key, fields: [`${protection} true → false`] }];
}

/** What is known of the record that a new resource adopts, if it may adopt one. */
function adoptionIn(
  { step: { op, oldState }, resource, news, said }: Seen,
  mayAdoptOthers: boolean,
): { readonly text: readonly string[]; readonly id?: string | undefined } | undefined {
  if (news.adopt !== true || (oldState !== undefined && op !== "replace")) return undefined;
  const text = said.find((each) => each.startsWith("exists already"));
  if (text !== undefined) return { text: [text], id: /^exists already \(id (.*?)\)/.exec(text)?.[1] };
  if (isShown(news[resource.key]) && !mayAdoptOthers) return undefined;
  const doubt = "if it exists, which this preview does not show; otherwise it is created";
  return { text: [doubt, ...first(resource, news)] };
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

function keyOf(resource: Resource, values: Values): string {
  const { [resource.key]: key = "" } = values;
  return isUnknown(key) ? UNKNOWN_TEXT : String(key);
}

function valuesOf({ inputs, outputs }: Pick<StackResource, "inputs" | "outputs"> = {}): Values {
  return unmarshal({ ...inputs, ...outputs });
}

const UNKNOWN_TEXT = "(known after up)";

function shown(value: unknown): string {
  return isUnknown(value) ? UNKNOWN_TEXT : value === undefined ? "(not managed)" : format(undefined, value);
}
