import { format } from "../schema/format";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { type Hint, type Violation, validateResource } from "../schema/validate";
import { assertAvailable, findAdoptable } from "./adopt";
import type { Claims } from "./claims";
import type { Context } from "./context";
import type { Options } from "./declared-claims";
import { describeOwner, describeRecord, LifecycleError, reasonOf } from "./errors";

/** Tells people what they should know, once all that is needed for saying it right is known. */
export type Say = (subject: string, tell: () => { readonly text: string; readonly alike: string }) => void;

/** Why a resource is refused: by its arguments, or by what there is beside them. */
export type Rejection = Violation | { readonly text: string };

/** What a check needs beside the arguments. */
interface Surroundings {
  readonly resource: Resource;
  readonly say: Say;
  readonly context: () => Context;
  readonly claims: Claims | undefined;
  /** Which argument was meant by one that there is not. */
  readonly hint?: Hint;
}

/** A program's arguments beside those of before, which are empty for a new record. */
interface Arguments {
  readonly olds: Values;
  readonly news: Values;
  readonly options: Options;
}

/**
 * Validates a program's arguments and fills in defaults; says what people should know before the change. `olds`
 * is empty for a new record. It is pure but for the look that `adopt` asks for, and for telling the run that the
 * resource is declared: `claims` is nothing where settings are missing.
 */
export async function check(
  surroundings: Surroundings,
  { olds, news, options }: Arguments,
): Promise<{ values: Values; failures: readonly Rejection[] }> {
  const { resource, claims, hint } = surroundings;
  const { values, failures } = validateResource(resource, olds, news, hint);
  const refusal = failures.length > 0 ? undefined : claims?.check(olds, values, options);
  if (failures.length > 0 || refusal !== undefined) {
    claims?.refused();
    const text = `${describeRecord({ resource, values })} ${refusal}`;
    return { values, failures: refusal === undefined ? failures : [{ text }] };
  }
  announceChanges(surroundings, { olds, news: values, options });
  if (values.adopt !== true || olds[resource.key] !== undefined || isUnknown(values[resource.key]))
    return { values, failures };
  const problem = await announceAdoption(surroundings, values);
  if (problem === undefined) return { values, failures: [] };
  claims?.refused();
  return { values, failures: [{ text: problem }] };
}

function announceChanges({ resource, say }: Surroundings, { olds, news, options }: Arguments): void {
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [before, after] = [olds[name], news[name]];
    if (isUnknown(after)) continue;
    const clause = field.notice?.(before, after, name);
    if (clause !== undefined)
      say(describeRecord({ resource, values: news }), () => ({ text: clause, alike: clause }));
    const replaced =
      field.replaces && before !== undefined && field.canonical(before) !== field.canonical(after);
    if (replaced && resource.deletesWith !== undefined && !options.retained)
      say(describeRecord({ resource, values: olds }), () => ({
        text: `${name} becomes ${format(field, after)}, and the ${resource.deletesWith} of ${format(field, before)} will be deleted with it${protectionHint(resource, options)}`,
        alike: `${name} changes, and the ${resource.deletesWith} of the old one will be deleted with it${protectionHint(resource, options)}`,
      }));
  }
}

/** The engine advises to remove a flag that most programs do not have, since it is set for them. */
function protectionHint(resource: Resource, options: Options): string {
  return options.protect
    ? `; Pulumi refuses that while the ${noun(resource)} is protected, as it is by default: to do it all the same, give it the option protect: false`
    : "";
}

/** Says which record will be taken over; a sentence comes back where it can't be. */
async function announceAdoption(
  { resource, say, context }: Surroundings,
  args: Values,
): Promise<string | undefined> {
  try {
    const { claims } = context();
    const existing = await findAdoptable(context(), args);
    if (existing === undefined) return undefined;
    const { found, id, differs } = existing;
    const standing = claims.standing(id, args);
    if (standing.is === "gone") return undefined;
    assertAvailable(context(), args, id, standing);
    claims.wants(args);
    const change = differs.length === 0 ? "nothing changes on it" : `${differs.join(", ")} will change on it`;
    say(describeRecord({ resource, values: args }), () => {
      // Who moves away from it may be checked later.
      const now = claims.standing(id, args);
      if (now.is === "moving")
        return {
          text: `exists already (id ${id}), and ${describeOwner(now.by)} moves away from it: it is ${now.move === "renamed" ? "renamed" : "deleted"} first, and then made anew`,
          alike: "exists already, and is made anew after another resource has moved away from it",
        };
      return {
        text: `exists already (id ${found.id}) and will be taken over; ${change}`,
        alike: "exists already and will be taken over",
      };
    });
  } catch (error) {
    if (error instanceof LifecycleError) return error.message;
    const text = `it is not known whether it exists already and would be taken over: looking for it failed: ${reasonOf(error)}`;
    const alike = `it is not known which of the ${noun(resource)}s exist already and would be taken over: looking for them failed`;
    say(describeRecord({ resource, values: args }), () => ({ text, alike }));
  }
  return undefined;
}
