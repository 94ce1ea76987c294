import { ignoresProtection } from "../../provider/config";
import { unmarshal } from "../../provider/hosts/marshal";
import { isDefaultProvider, PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { changedFields } from "../../provider/schema/compare";
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
import { isHidden } from "../pulumi/hidden";
import type { EngineStep, StackResource } from "../pulumi/json-output";
import type { FinishedPreview } from "../pulumi/preview";
import { describeMove } from "./move";

/**
 * What the next `up` does to resources, the worst first, each with its heading. `recreated`: the program has the record under
 * another name or parent, so Pulumi would delete it and create it again. `missing`: someone deleted the record on the service, and
 * the `up` creates it again.
 */
export const kinds = {
  recreated: "Renamed or moved without an alias",
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

/** What a change does to one argument, or to an option that protects a record. */
export interface FieldChange {
  readonly name: string;
  /** Its definition; absent if the service does not have it, as `protect`. */
  readonly field?: Resource["inputs"][string] | undefined;
  /** The value in state, after a refresh if there was one; undefined if it is not managed. */
  readonly before: unknown;
  /** What the `up` makes of it. */
  readonly after: unknown;
  /** Someone has changed it on the service, as the refresh has found: the value in state before that. */
  readonly drift?: { readonly from: unknown } | undefined;
  /** The engine shows neither value. */
  readonly isHidden?: boolean;
}

/** What a change does to one resource. */
export interface Change {
  readonly kind: ChangeKind;
  readonly urn: string;
  /** Such as `website`; for another package's, its type. */
  readonly type: string;
  /** Its domain or name; for another package's, its name. */
  readonly key: string;
  /** Its arguments; of a new record those that a reader has to know. */
  readonly fields: readonly FieldChange[];
  /** What else the steps show, without a value. */
  readonly remark?: string | undefined;
  /** What is deleted with the record, such as `statistics`, if nothing is known to keep that. */
  readonly loses?: string | undefined;
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

/**
 * A resource's provider: its URN, but one text for all of the stack's own. Each version of the package has one of those,
 * `default_0_1_0`, and an update of the package beside a rename would hide that.
 */
function providerOf(state: StackResource): string {
  const urn = providerUrn(state);
  const { type, name } = parseUrn(urn);
  return isDefaultProvider(name, {}) ? type : urn;
}

/** A record of ours by its provider and its id. Of two providers, nothing shows that they use one account. */
function recordOf(state: StackResource): string | undefined {
  const resource = resourceOfType(state.type);
  return resource && state.id ? scopedId(resource, providerOf(state), state.id) : undefined;
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
  /** The URNs of the resources with an error, such as those that the engine protects. */
  readonly refused: ReadonlySet<string>;
}

function adoptionOf(values: Values): string | undefined {
  return values.adopt === true ? "if one exists, it is adopted" : undefined;
}

export const UNKNOWN_TEXT = "(known after up)";

/** The arguments of a new record, without those that have their defaults: a page with a password has reports by e-mail. */
function fieldsOfNew(resource: Resource, values: Values): FieldChange[] {
  const isNoted = (name: string) => {
    const { [name]: value } = values;
    const { default: usual, canonical } = fieldOf(resource, name);
    if (name === resource.key || value === undefined) return false;
    const isKnown = !isUnknown(value) && !isHidden(value);
    return (
      name === varietyName(resource) ||
      !(isKnown && usual !== undefined && canonical(value) === canonical(usual))
    );
  };
  return Object.entries(resource.inputs)
    .filter(([name]) => isNoted(name))
    .map(([name, field]) => ({
      name,
      field,
      before: undefined,
      after: values[name],
      isHidden: name !== varietyName(resource) && isHidden(values[name]),
    }));
}

function keyOf(resource: Resource, values: Values): string {
  const { [resource.key]: key = "" } = values;
  return isUnknown(key) ? UNKNOWN_TEXT : String(key);
}

/** The change by which a stack gets a record: it is created, imported, or created again since a refresh does not find it. */
function creation({ op, newState }: EngineStep, resource: Resource, { beforeRefresh }: OtherSteps): Change {
  const news = valuesOf(newState);
  const urn = newState?.urn ?? "";
  const about = { type: noun(resource), urn, key: keyOf(resource, news) };
  if (op === "import") return { ...about, kind: "imported", fields: fieldsOfNew(resource, news) };
  const remark = adoptionOf(news);
  if (!beforeRefresh.has(urn))
    return { ...about, kind: "created", fields: fieldsOfNew(resource, news), remark };
  const loss = resource.deletesWith ? `, without its ${resource.deletesWith}` : "";
  const again = `someone deleted it, and "pulumi up" creates it${loss}`;
  return { ...about, kind: "missing", fields: [], remark: [again, remark].filter(Boolean).join("; ") };
}

/**
 * What differs. Of a secret the engine shows neither value.
 *
 * @param before the values before a refresh, which found `olds`: what differs between the two, someone changed on the service
 */
function difference(resource: Resource, olds: Values, news: Values, before: Values = olds): FieldChange[] {
  const names = Object.keys(resource.inputs);
  const readable = (values: Values, other: Values) =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => !isHidden(values[name]) && !isHidden(other[name])),
    );
  const changedBetween = (one: Values, other: Values) =>
    changedFields(resource, readable(one, other), readable(other, one));
  const changed = changedBetween(olds, news);
  const changedByOthers = changedBetween(before, olds);
  const changeOfField = (name: string): FieldChange => {
    const field = fieldOf(resource, name);
    return { name, field, before: olds[name], after: news[name] ?? field.clearsTo };
  };
  return [
    ...changed.map((name) => ({
      ...changeOfField(name),
      drift: changedByOthers.includes(name) ? { from: before[name] } : undefined,
    })),
    ...names
      .filter((name) => isHidden(olds[name]) !== isHidden(news[name]))
      .map((name) => ({ ...changeOfField(name), isHidden: true })),
  ];
}

/** What becomes of the record of a resource that is deleted or replaced, in words, and what is lost. */
function fateOf(
  resource: Resource,
  state: StackResource,
  { adoptedKeys, keepers, refused, isReplaced }: OtherSteps & { readonly isReplaced: boolean },
): { readonly words?: string; readonly loses?: string | undefined } {
  if (state.retainOnDelete === true) return { words: "the record stays on the service" };
  const holder = isReplaced ? undefined : keepers.get(recordOf(state) ?? "");
  if (holder !== undefined) return { words: `stays: "${holder}" has it` };
  if (resource.deletesWith === undefined) return {};
  const isAdopted = adoptedKeys.has(canonicalKey(resource, valuesOf(state)) ?? "");
  const unless = isAdopted ? ", unless another resource adopts the record" : "";
  const isProtectedByPlugin = hasProtection(state) && !ignoresProtection();
  const ownProtection = isProtectedByPlugin ? PROTECTION : undefined;
  const refusal = state.protect === true && refused.has(state.urn) ? "protect" : ownProtection;
  const fate =
    refusal === undefined
      ? `its ${resource.deletesWith} are deleted`
      : `"pulumi up" will refuse it, by ${refusal}`;
  const isLost = refusal === undefined && !isAdopted;
  return { words: `${fate}${unless}`, loses: isLost ? resource.deletesWith : undefined };
}

/** The option or argument that keeps a record when its resource is deleted. */
function keepingOption(state: StackResource): string | undefined {
  return protectionOf(state) ?? (state.retainOnDelete ? "retainOnDelete" : undefined);
}

/** The change of a website that loses its protection. For the engine, an option is no change: it would show none. */
function liftedProtection({ op, oldState, newState }: EngineStep, resource: Resource): Change[] {
  if (resource.deletesWith === undefined || newState === undefined || /replace|import|recreate/.test(op))
    return [];
  const protection = oldState && keepingOption(oldState);
  if (protection === undefined || keepingOption(newState) !== undefined) return [];
  const key = keyOf(resource, valuesOf(newState));
  const fields = [{ name: protection, before: true, after: false }];
  return [{ kind: "unprotected", urn: newState.urn, type: noun(resource), key, fields }];
}

/** How an update changes `deletionProtection`, unless the record is listed as no longer protected. */
function protectionChange(step: EngineStep, resource: Resource): FieldChange[] {
  const [before, after] = [step.oldState, step.newState].map((state) => state && hasProtection(state));
  const isListed = liftedProtection(step, resource).length > 0;
  return step.op !== "update" || before === after || isListed ? [] : [{ name: PROTECTION, before, after }];
}

/** What a step does to a resource of ours. */
function changeOf(step: EngineStep, resource: Resource, otherSteps: OtherSteps): Change {
  const { op, oldState, newState } = step;
  // Created or imported.
  if (oldState === undefined) return creation(step, resource, otherSteps);

  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const { urn } = newState ?? oldState;
  const change = (
    values: Values,
    kind: ChangeKind,
    fields: Change["fields"],
    remark?: string,
    loses?: string,
  ): Change => {
    return { kind, urn, type: noun(resource), key: keyOf(resource, values), fields, remark, loses };
  };

  // Deleted.
  const { words, loses } = fateOf(resource, oldState, { ...otherSteps, isReplaced: op === "replace" });
  if (newState === undefined) {
    const cause = oldState.delete ? 'an earlier "up" replaced it' : undefined;
    return change(olds, "deleted", [], [cause, words].filter(Boolean).join("; "), loses);
  }

  // Created again, replaced, or changed.
  const before = otherSteps.beforeRefresh.get(oldState.urn);
  const fields = [
    ...difference(resource, olds, news, before && valuesOf(before)),
    ...protectionChange(step, resource),
  ];
  if (op === "recreate") return change(news, "recreated", fields, describeMove(oldState, newState));
  if (op === "replace")
    return change(olds, "replaced", fields, [words, adoptionOf(news)].filter(Boolean).join("; "), loses);
  const remark = fields.length === 0 ? "an option of its resource, or a secret" : undefined;
  return change(news, op === "import" ? "imported" : "changed", fields, remark);
}

/** Whether an update changes no field: none differs, and there is no secret, which might. */
function changesNoField({ oldState, newState }: EngineStep, resource: Resource): boolean {
  const [olds, news] = [valuesOf(oldState), valuesOf(newState)];
  const hasSecret = Object.keys(resource.inputs).some((name) => isHidden(news[name]));
  return !hasSecret && difference(resource, olds, news).length === 0;
}

/** A record by its key, if the preview shows that. */
function keyInProvider(state: StackResource): string | undefined {
  const resource = resourceOfType(state.type);
  const values = valuesOf(state);
  const key = resource && !isHidden(values[resource.key]) ? canonicalKey(resource, values) : undefined;
  return resource && key !== undefined ? scopedId(resource, providerOf(state), key) : undefined;
}

/**
 * Makes one step of a delete and a create of one record: the program has `shop.example` as "support", which was "help" in the last
 * `up`.
 */
function withRecreations(steps: readonly EngineStep[]): EngineStep[] {
  const deletes = new Map<string | undefined, EngineStep>();
  for (const step of steps)
    if (step.op === "delete" && step.oldState?.delete !== true && step.oldState)
      deletes.set(keyInProvider(step.oldState), step);
  deletes.delete(undefined);
  const joined = new Set<EngineStep>();
  const withBoth = steps.map((step): EngineStep => {
    const isNew = step.op === "create" && adoptedKey(step).length === 0;
    const gone = isNew && step.newState ? deletes.get(keyInProvider(step.newState)) : undefined;
    if (gone?.oldState === undefined) return step;
    joined.add(gone);
    return { ...step, op: "recreate", oldState: gone.oldState };
  });
  return withBoth.filter((step) => !joined.has(step));
}

/** What a step does to a resource of another package. */
function changeOfForeign({ op }: EngineStep, state: StackResource): Change[] {
  // A component is no record of any service, and a provider's change shows in its resources.
  if (state.custom !== true || state.type.startsWith("pulumi:") || !/^(delete|replace)$/.test(op)) return [];
  const { type, name: key } = parseUrn(state.urn);
  const remark = state.retainOnDelete ? "no longer managed" : `${op}d`;
  return [{ kind: "foreign", urn: state.urn, type, key, fields: [], remark }];
}

/** What a step does to a resource of ours, with the protection that it loses. */
function changesOfOurs(step: EngineStep, resource: Resource, otherSteps: OtherSteps): Change[] {
  const lifted = liftedProtection(step, resource);
  const changesOptionsOnly = step.op === "update" && lifted.length > 0 && changesNoField(step, resource);
  return SILENT.test(step.op) || changesOptionsOnly
    ? lifted
    : [changeOf(step, resource, otherSteps), ...lifted];
}

/** What the engine's steps do. */
export function changesOf({
  steps,
  refreshed,
  diagnostics,
}: Pick<FinishedPreview, "steps" | "refreshed" | "diagnostics">): Change[] {
  const otherSteps = {
    adoptedKeys: new Set(steps.flatMap(adoptedKey)),
    keepers: new Map(steps.flatMap(keptRecord)),
    beforeRefresh: new Map(refreshed.flatMap(stateBeforeRefresh)),
    refused: new Set(diagnostics.flatMap(({ severity, urn }) => (severity === "error" && urn) || [])),
  };
  const changes = withRecreations(withPendingDeletes(steps)).flatMap((step): Change[] => {
    const state = step.newState ?? step.oldState;
    if (state === undefined) return [];
    const resource = resourceOfType(state.type);
    return resource ? changesOfOurs(step, resource, otherSteps) : changeOfForeign(step, state);
  });
  // The engine's order changes from run to run.
  return changes.toSorted((a, b) => naturalOrder(a.key, b.key));
}
