import { unmarshal } from "../../provider/hosts/marshal";
import { parseUrn } from "../../provider/hosts/urn";
import { changedFields } from "../../provider/schema/compare";
import type { Resource, Values } from "../../provider/schema/resource";
import { resourceOfType } from "../look/held";
import { naturalOrder } from "../natural-order";
import { isHidden } from "../pulumi/hidden";
import type { EngineStep, StackResource } from "../pulumi/json-output";
import type { FinishedPreview } from "../pulumi/preview";

/** What someone changed of one resource on the service. */
export interface Drift {
  readonly resource: Resource;
  readonly name: string;
  readonly urn: string;
  /** What the program says. */
  readonly declared: Values;
  /** What someone set, by argument; empty for a record that is gone. */
  readonly values: Values;
  /** Likewise, but the program has changed these arguments too, since the last `up`: which of the two counts, a person says. */
  readonly contested: Values;
  /**
   * Secrets that the program gives and the service has no more, such as the password of a website that someone made public. Left
   * there, the next `up` would set it again.
   */
  readonly dropped: readonly string[];
  readonly isDeleted: boolean;
}

/** The values that a preview shows. It hides secrets. */
function shownValues({ inputs, outputs }: Pick<StackResource, "inputs" | "outputs"> = {}): Values {
  const values = Object.entries(unmarshal({ ...inputs, ...outputs }));
  return Object.fromEntries(values.filter(([, value]) => !isHidden(value)));
}

/** The values of `one`, of which the other shows a value too: else a secret would look like a change. */
function comparable(resource: Resource, one: Values, other: Values): Values {
  const names = Object.keys(resource.inputs).filter((name) => !(name in one) || name in other);
  return Object.fromEntries(names.map((name) => [name, one[name]]));
}

function driftOf(step: EngineStep, before: ReadonlyMap<string, StackResource>): Drift[] {
  const { op, oldState, newState } = step;
  const resource = newState && resourceOfType(newState.type);
  if (newState === undefined || resource === undefined) return [];
  const declared = shownValues(newState);
  const about = { resource, urn: newState.urn, name: parseUrn(newState.urn).name, declared };
  // A refresh does not find it, and so the program creates it.
  if (op === "create" && before.has(newState.urn))
    return [{ ...about, values: {}, contested: {}, dropped: [], isDeleted: true }];
  const refreshed = oldState && before.get(oldState.urn);
  if (refreshed === undefined || !/^(update|replace)$/.test(op)) return [];
  const found = shownValues(oldState);
  const known = comparable(resource, shownValues(refreshed), found);
  const byOthers = changedFields(resource, known, comparable(resource, found, known));
  const unlike = changedFields(resource, comparable(resource, found, declared), declared);
  const byProgram = changedFields(resource, comparable(resource, known, declared), declared);
  const isIn = (name: string, state?: StackResource) => state?.inputs?.[name] !== undefined;
  const dropped = Object.keys(resource.inputs).filter(
    (name) =>
      resource.inputs[name]?.secret && isIn(name, refreshed) && !isIn(name, oldState) && isIn(name, newState),
  );
  const changed = byOthers.filter((name) => unlike.includes(name));
  const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, found[name]]));
  const values = valuesOf(changed.filter((name) => !byProgram.includes(name)));
  const contested = valuesOf(changed.filter((name) => byProgram.includes(name)));
  if (changed.length + dropped.length === 0) return [];
  return [{ ...about, values, contested, dropped, isDeleted: false }];
}

/** What a preview after a refresh shows that someone changed or deleted, and that the next `up` would undo. */
export function driftIn({ steps, refreshed }: Pick<FinishedPreview, "steps" | "refreshed">): Drift[] {
  const before = new Map(refreshed.flatMap(({ oldState }) => (oldState ? [[oldState.urn, oldState]] : [])));
  const all = steps.flatMap((step) => driftOf(step, before));
  // The engine's order changes from run to run.
  return all.toSorted((one, other) => naturalOrder(one.urn, other.urn));
}
