import { unmarshal } from "../../provider/hosts/marshal";
import { PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { changedFields } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { fieldOf, isUnknown, noun, type Resource, type Values } from "../../provider/schema/resource";
import { protectionOf, providerUrn, resourceOfType, varietyName } from "../look/held";
import type { EnginePreview, StackResource } from "../pulumi/json-output";
import { isHidden, isShown } from "../pulumi/program";
import { sanitized } from "../sanitized";

/** What a change does to resources, the worst first, each with its heading. */
export const parts = {
  deleted: "Deleted",
  replaced: "Replaced",
  unprotected: "No longer protected",
  changed: "Changed",
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
  /** Its fields, each with the old and the new value. */
  readonly fields: readonly string[];
  /** What else the steps show; has no value in it. */
  readonly remark?: string | undefined;
}

/** What the engine's steps do. */
export type Changes = ReturnType<typeof changesOf>;

type Step = EnginePreview["steps"][number];

/** What a step needs of the others: which resources are deleted, and which records new ones get, and whether by adopting. */
interface Context {
  readonly gone: ReadonlySet<string | undefined>;
  readonly taken: ReadonlyMap<string, boolean>;
}

/** What changes nothing, and the steps of a replacement beside the one that names it. What a refresh finds is an update. */
const SILENT = /^(same|read|refresh|discard|.+-replaced|.+-replacement)$/;

export function changesOf({ steps }: Pick<EnginePreview, "steps">) {
  const context = {
    gone: new Set(steps.flatMap(({ op, oldState }) => (op === "delete" ? oldState?.urn : []))),
    taken: new Map(steps.flatMap(takenBy)),
  };
  // The operations on resources of other packages, one for each.
  const others: string[] = [];
  const changes = withLeftovers(steps).flatMap((step): Change[] => {
    const state = step.newState ?? step.oldState;
    const resource = state && resourceOfType(state.type);
    const isSilent = SILENT.test(step.op);
    if (resource !== undefined)
      return [...(isSilent ? [] : [ours(step, resource, context)]), ...liftedProtection(step, resource)];
    // A component is no record of anybody, and a provider shows in its resources.
    if (isSilent || state?.custom !== true || state.type.startsWith("pulumi:")) return [];
    others.push(step.op);
    if (!/delete|replace/.test(step.op)) return [];
    const { type, name: key } = parseUrn(state.urn);
    const remark = state.retainOnDelete ? "no longer managed" : `${step.op}d`;
    return [{ part: "others", type, key, fields: [], remark }];
  });
  // The engine's order is another one each time.
  const { compare } = new Intl.Collator("en", { numeric: true });
  return sanitized({ changes: changes.toSorted((a, b) => compare(a.key, b.key)), others });
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

/** The record that a resource gets, if its key is known. One that is replaced for another reason keeps its key. */
function takenBy({ op, oldState, newState }: Step): [string, boolean][] {
  const key = scopedKey(newState);
  if (key === undefined || !/^(create|replace)$/.test(op) || key === scopedKey(oldState)) return [];
  return [[key, valuesOf(newState).adopt === true]];
}

/** A record as its provider sees it, if its key is known. */
function scopedKey(state: StackResource | undefined): string | undefined {
  const resource = state && resourceOfType(state.type);
  const values = valuesOf(state);
  if (state === undefined || resource === undefined || !isShown(values[resource.key])) return undefined;
  return JSON.stringify([resource.type, canonicalKey(resource, values), providerUrn(state)]);
}

/** What a step does to a resource of ours. */
function ours(step: Step, resource: Resource, context: Context): Change {
  const { op, oldState, newState } = step;
  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const of = (values: Values, part: Part, fields: readonly string[], remark?: string): Change => {
    return { part, type: noun(resource), key: keyOf(resource, values), fields, remark };
  };
  const lost = oldState && fateOf(resource, oldState, context);
  if (newState === undefined)
    return of(olds, "deleted", oldState?.delete ? ['an earlier "up" replaced it'] : [], lost);
  const adopts = news.adopt === true ? "if one exists, it is adopted" : undefined;
  if (oldState === undefined) {
    const variety = varietyName(resource);
    const first = variety === undefined ? [] : [`${variety} ${shown(news[variety])}`];
    return of(news, op === "import" ? "imported" : "created", first, op === "create" ? adopts : undefined);
  }
  const fields = difference(resource, olds, news);
  if (op === "replace") return of(olds, "replaced", fields, [lost, adopts].filter(Boolean).join("; "));
  const remark = fields.length === 0 ? "an option of its resource, or a secret" : undefined;
  return of(news, op === "import" ? "imported" : "changed", fields, remark);
}

/** What differs, each with the old and the new value. The engine hides both of a secret. */
function difference(resource: Resource, olds: Values, news: Values): string[] {
  const names = Object.keys(resource.inputs);
  const isReadable = (name: string) => !isHidden(olds[name]) && !isHidden(news[name]);
  const shownOf = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isReadable(name)));
  const changed = changedFields(resource, shownOf(olds), shownOf(news));
  const next = (name: string) => news[name] ?? fieldOf(resource, name).clearsTo;
  return [
    ...changed.map((name) => `${name} ${shown(olds[name])} → ${shown(next(name))}`),
    ...names
      .filter((name) => isHidden(olds[name]) !== isHidden(news[name]))
      .map((name) => `${name} (secret)`),
  ];
}

/** What becomes of a record that its resource leaves. */
function fateOf(
  { deletesWith }: Resource,
  state: StackResource,
  { gone, taken }: Context,
): string | undefined {
  const isAdopted = taken.get(scopedKey(state) ?? "");
  if (isAdopted) return "the record stays, since another resource adopts it";
  if (isAdopted === false)
    return 'another resource declares it, which stops the "up": give that one the option aliases if it is the same, else adopt: true';
  if (state.retainOnDelete === true) return "the record stays on the service";
  if (state.deletedWith && gone.has(state.deletedWith))
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
