import { ignoresProtection } from "../../provider/config";
import { unmarshal } from "../../provider/hosts/marshal";
import { PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { changedFields } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { fieldOf, isUnknown, noun, type Resource, type Values } from "../../provider/schema/resource";
import {
  hasProtection,
  protectionOf,
  providerUrn,
  resourceOfType,
  scopedId,
  varietyName,
} from "../look/held";
import { naturalOrder } from "../natural-order";
import type { EngineStep, StackResource } from "../pulumi/json-output";
import type { FinishedPreview } from "../pulumi/preview";
import { isHidden } from "../pulumi/program";
import { sanitized } from "../sanitized";

/**
 * What the next `up` does to resources, the worst first, each with its heading. `missing`: someone deleted the record on the
 * service, and the `up` creates it again.
 */
export const kinds = {
  deleted: "Deleted",
  replaced: "Replaced",
  missing: "Deleted on the service",
  unprotected: "No longer protected",
  changed: "Changed",
  created: "Created",
  imported: "Imported",
  foreign: "Deleted or replaced of other packages",
} as const;
export type ChangeKind = keyof typeof kinds;

/** What a change does to one resource. */
export interface Change {
  readonly kind: ChangeKind;
  /** Such as `website`; for another package's, its type. */
  readonly type: string;
  /** Its domain or name; for another package's, its name. */
  readonly key: string;
  /** Its fields, each with the old and the new value. */
  readonly fields: readonly string[];
  /** What else the steps show, without a value. */
  readonly remark?: string | undefined;
}

/**
 * Steps without a line of their own: no changes, and those of a replacement beside its `replace`. What a refresh finds is an
 * `update`.
 */
const SILENT = /^(same|read|refresh|discard|.+-replaced|.+-replacement)$/;

/**
 * Makes a `delete` of the delete of what an earlier run replaced: the engine calls it a part of a replacement
 * (`delete-replaced`), which this run does not have.
 */
function withPendingDeletes(steps: readonly EngineStep[]): EngineStep[] {
  // With an alias, only the old state has the same URN in both steps.
  const idOf = ({ oldState }: EngineStep) => JSON.stringify([oldState?.urn, oldState?.id]);
  const replaced = new Set(steps.filter(({ op }) => op === "replace").map(idOf));
  return steps.map((step) =>
    step.op === "delete-replaced" && !replaced.has(idOf(step)) ? { ...step, op: "delete" } : step,
  );
}

function valuesOf({ inputs, outputs }: Pick<StackResource, "inputs" | "outputs"> = {}): Values {
  return unmarshal({ ...inputs, ...outputs });
}

/** The domain or name by which a new resource adopts a record. */
function adoptedKey({ op, newState }: EngineStep): string[] {
  const resource = newState && resourceOfType(newState.type);
  const values = valuesOf(newState);
  const isAdopting = resource && values.adopt === true && /^(create|replace)$/.test(op);
  return isAdopting ? [canonicalKey(resource, values) ?? ""] : [];
}

/** A record of ours by its provider and its id. Of two providers, nothing shows that they use one account. */
function recordOf(state: StackResource): string | undefined {
  const resource = resourceOfType(state.type);
  return resource && state.id ? scopedId(resource, providerUrn(state), state.id) : undefined;
}

/** The record that a resource keeps or imports, and the resource's name. */
function keptRecord({ op, oldState, newState }: EngineStep): [string, string][] {
  if (newState === undefined || !/^(same|update|import)$/.test(op)) return [];
  // In a preview, only the old state of a resource that stays has its id.
  const record = recordOf({ ...oldState, ...newState });
  return record === undefined ? [] : [[record, parseUrn(newState.urn).name]];
}

/** The state of a resource before it was refreshed. */
function stateBeforeRefresh({ oldState }: EngineStep): [string, StackResource][] {
  return oldState ? [[oldState.urn, oldState]] : [];
}

/** What the other steps of a preview show. */
interface OtherSteps {
  /** The domains and names by which they adopt. */
  readonly adoptedKeys: ReadonlySet<string>;
  /** The names of the resources that keep or import a record, by record. */
  readonly keepers: ReadonlyMap<string, string>;
  /** The states before a refresh, by URN; empty without one. */
  readonly beforeRefresh: ReadonlyMap<string, StackResource>;
}

function adoptionOf(values: Values): string | undefined {
  return values.adopt === true ? "if one exists, it is adopted" : undefined;
}

const UNKNOWN_TEXT = "(known after up)";

function textOf(value: unknown): string {
  return isUnknown(value) ? UNKNOWN_TEXT : value === undefined ? "(not managed)" : format(undefined, value);
}

/** What is shown of a new record beside its key: `privacy "public"`. */
function varietyOf(resource: Resource, values: Values): string[] {
  const variety = varietyName(resource);
  return variety === undefined ? [] : [`${variety} ${textOf(values[variety])}`];
}

function keyOf(resource: Resource, values: Values): string {
  const { [resource.key]: key = "" } = values;
  return isUnknown(key) ? UNKNOWN_TEXT : String(key);
}

/** The change by which a stack gets a record: it is created, imported, or created again since a refresh does not find it. */
function creation({ op, newState }: EngineStep, resource: Resource, { beforeRefresh }: OtherSteps): Change {
  const news = valuesOf(newState);
  const about = { type: noun(resource), key: keyOf(resource, news) };
  if (op === "import") return { ...about, kind: "imported", fields: varietyOf(resource, news) };
  const remark = adoptionOf(news);
  if (!beforeRefresh.has(newState?.urn ?? ""))
    return { ...about, kind: "created", fields: varietyOf(resource, news), remark };
  const loss = resource.deletesWith ? `, without its ${resource.deletesWith}` : "";
  const again = `someone deleted it, and "pulumi up" creates it${loss}`;
  return { ...about, kind: "missing", fields: [], remark: [again, remark].filter(Boolean).join("; ") };
}

/**
 * What differs, each with its old and its new value. Of a secret the engine shows neither.
 *
 * @param before the values before a refresh, which found `olds`: what differs between the two, someone changed on the service
 */
function difference(resource: Resource, olds: Values, news: Values, before: Values = olds): string[] {
  const names = Object.keys(resource.inputs);
  const isReadable = (name: string) => !isHidden(olds[name]) && !isHidden(news[name]);
  const readableOf = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isReadable(name)));
  const changed = changedFields(resource, readableOf(olds), readableOf(news));
  const changedByOthers = changedFields(resource, readableOf(before), readableOf(olds));
  const next = (name: string) => textOf(news[name] ?? fieldOf(resource, name).clearsTo);
  // For a new domain, the provider's own message says what becomes of the record.
  const consequence = (name: string) =>
    fieldOf(resource, name).replaces ? "" : `, and "pulumi up" sets ${next(name)}`;
  return [
    ...changed.map((name) =>
      changedByOthers.includes(name)
        ? `${name}: someone set ${textOf(olds[name])}${consequence(name)}`
        : `${name} ${textOf(olds[name])} → ${next(name)}`,
    ),
    ...names
      .filter((name) => isHidden(olds[name]) !== isHidden(news[name]))
      .map((name) => `${name} (secret)`),
  ];
}

/** What becomes of the record of a resource that is deleted or replaced. */
function fateOf(
  resource: Resource,
  state: StackResource,
  { adoptedKeys, keepers, isReplaced }: OtherSteps & { readonly isReplaced: boolean },
): string | undefined {
  if (state.retainOnDelete === true) return "the record stays on the service";
  const holder = isReplaced ? undefined : keepers.get(recordOf(state) ?? "");
  if (holder !== undefined) return `stays: "${holder}" has it`;
  if (resource.deletesWith === undefined) return undefined;
  const isAdopted = adoptedKeys.has(canonicalKey(resource, valuesOf(state)) ?? "");
  const unless = isAdopted ? ", unless another resource adopts the record" : "";
  const isRefused = !isReplaced && hasProtection(state) && !ignoresProtection();
  const fate = isRefused
    ? `"pulumi up" will refuse it, by ${PROTECTION}`
    : `its ${resource.deletesWith} are deleted`;
  return `${fate}${unless}`;
}

/** The option or argument that keeps a record when its resource is deleted. */
function keepingOption(state: StackResource): string | undefined {
  return protectionOf(state) ?? (state.retainOnDelete ? "retainOnDelete" : undefined);
}

/** The change of a website that loses its protection. For the engine, an option is no change: it would show none. */
function liftedProtection({ op, oldState, newState }: EngineStep, resource: Resource): Change[] {
  if (resource.deletesWith === undefined || newState === undefined || /replace|import/.test(op)) return [];
  const protection = oldState && keepingOption(oldState);
  if (protection === undefined || keepingOption(newState) !== undefined) return [];
  const key = keyOf(resource, valuesOf(newState));
  return [{ kind: "unprotected", type: noun(resource), key, fields: [`${protection} true → false`] }];
}

/** How an update changes `deletionProtection`, unless the record is listed as no longer protected. */
function protectionChange(step: EngineStep, resource: Resource): string[] {
  const [before, after] = [step.oldState, step.newState].map((state) => state && hasProtection(state));
  const isListed = liftedProtection(step, resource).length > 0;
  return step.op !== "update" || before === after || isListed ? [] : [`${PROTECTION} ${before} → ${after}`];
}

/** What a step does to a resource of ours. */
function changeOf(step: EngineStep, resource: Resource, otherSteps: OtherSteps): Change {
  const { op, oldState, newState } = step;
  // Created or imported.
  if (oldState === undefined) return creation(step, resource, otherSteps);

  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const change = (values: Values, kind: ChangeKind, fields: readonly string[], remark?: string): Change => {
    return { kind, type: noun(resource), key: keyOf(resource, values), fields, remark };
  };

  // Deleted.
  const fate = fateOf(resource, oldState, { ...otherSteps, isReplaced: op === "replace" });
  if (newState === undefined)
    return change(olds, "deleted", oldState.delete ? ['an earlier "up" replaced it'] : [], fate);

  // Replaced or changed.
  const before = otherSteps.beforeRefresh.get(oldState.urn);
  const fields = [
    ...difference(resource, olds, news, before && valuesOf(before)),
    ...protectionChange(step, resource),
  ];
  if (op === "replace")
    return change(olds, "replaced", fields, [fate, adoptionOf(news)].filter(Boolean).join("; "));
  const remark = fields.length === 0 ? "an option of its resource, or a secret" : undefined;
  return change(news, op === "import" ? "imported" : "changed", fields, remark);
}

/** Whether an update changes no field: none differs, and there is no secret, which might. */
function changesNoField({ oldState, newState }: EngineStep, resource: Resource): boolean {
  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const hasSecret = Object.keys(resource.inputs).some((name) => isHidden(news[name]));
  return !hasSecret && difference(resource, olds, news).length === 0;
}

/** What the engine's steps do. */
export function changesOf({ steps, refreshed }: Pick<FinishedPreview, "steps" | "refreshed">): Change[] {
  const otherSteps = {
    adoptedKeys: new Set(steps.flatMap(adoptedKey)),
    keepers: new Map(steps.flatMap(keptRecord)),
    beforeRefresh: new Map(refreshed.flatMap(stateBeforeRefresh)),
  };
  const changes = withPendingDeletes(steps).flatMap((step): Change[] => {
    const state = step.newState ?? step.oldState;
    const resource = state && resourceOfType(state.type);
    // Of ours.
    if (resource !== undefined) {
      const lifted = liftedProtection(step, resource);
      const changesOptionsOnly = step.op === "update" && lifted.length > 0 && changesNoField(step, resource);
      return SILENT.test(step.op) || changesOptionsOnly
        ? lifted
        : [changeOf(step, resource, otherSteps), ...lifted];
    }
    // Of other packages. A component is no record of any service, and a provider's change shows in its resources.
    if (state?.custom !== true || state.type.startsWith("pulumi:") || !/^(delete|replace)$/.test(step.op))
      return [];
    const { type, name: key } = parseUrn(state.urn);
    const remark = state.retainOnDelete ? "no longer managed" : `${step.op}d`;
    return [{ kind: "foreign", type, key, fields: [], remark }];
  });
  // The engine's order changes from run to run.
  return sanitized(changes.toSorted((a, b) => naturalOrder(a.key, b.key)));
}
