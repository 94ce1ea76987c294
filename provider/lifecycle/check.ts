import { format } from "../schema/format";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { type Hint, type Violation, validateResource } from "../schema/validate";
import { assertAvailable, findAdoptable } from "./adopt";
import type { Claims } from "./claims";
import type { Context } from "./context";
import type { Options } from "./declared-claims";
import { describeRecord, LifecycleError, reasonOf } from "./errors";
import { hasKey } from "./existing";
import { keptFor, MADE_AGAIN, madeAgain, protectionHint, unlessMoved } from "./moving-notices";

/** A line that people should read before they let a change happen. */
export interface Notice {
  /** What it is about, such as `website "shop.example.com"`. */
  readonly subject: string;
  /** What will happen to it. */
  readonly text: string;
  /** The same for several records; notices that share it are alike. */
  readonly groupKey: string;
}

/** Tells people what they should know. */
export type Notify = (notice: Notice) => void;

/** Why a resource is refused: by its arguments, or by what there is beside them. */
export type Rejection = Violation | { readonly text: string };

/** What a check needs beside the arguments. */
interface CheckContext {
  readonly resource: Resource;
  readonly notify: Notify;
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
  checkContext: CheckContext,
  { olds, news, options }: Arguments,
): Promise<{ values: Values; failures: readonly Rejection[] }> {
  const { resource, claims, hint } = checkContext;
  const { values, failures } = validateResource(resource, olds, news, hint);
  const refusal = failures.length > 0 ? undefined : claims?.check(olds, values, options);
  if (failures.length > 0 || refusal !== undefined) {
    claims?.refused();
    const text = `${describeRecord({ resource, values })} ${refusal}`;
    return { values, failures: refusal === undefined ? failures : [{ text }] };
  }
  announceChanges(checkContext, { olds, news: values, options });
  const vacated = claims?.vacates(olds, values, options);
  if (vacated !== undefined)
    checkContext.notify({
      subject: describeRecord({ resource, values: olds }),
      ...(vacated.waits
        ? unlessMoved("will be taken over", options.name)
        : {
            text: `is not taken over after all: ${madeAgain(options.name, vacated.move)}`,
            groupKey: `is not taken over after all: ${MADE_AGAIN}`,
          }),
    });
  if (values.adopt !== true || olds[resource.key] !== undefined || isUnknown(values[resource.key]))
    return { values, failures };
  const problem = await announceAdoption(checkContext, values);
  if (problem === undefined) return { values, failures: [] };
  claims?.refused();
  return { values, failures: [{ text: problem }] };
}

function announceChanges(
  { resource, notify, claims }: CheckContext,
  { olds, news, options }: Arguments,
): void {
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [before, after] = [olds[name], news[name]];
    if (isUnknown(after)) continue;
    const clause = field.notice?.(before, after, name);
    if (clause !== undefined)
      notify({ subject: describeRecord({ resource, values: news }), text: clause, groupKey: clause });
    const replaced =
      field.replaces && before !== undefined && field.canonical(before) !== field.canonical(after);
    if (!replaced || options.retained) continue;
    const subject = describeRecord({ resource, values: olds });
    const heir = claims?.leftTo(olds, news);
    if (heir?.adopts === false) notify({ subject, ...keptFor(heir.name, name) });
    else if (heir === undefined && resource.deletesWith !== undefined)
      notify({
        subject,
        text: `${name} becomes ${format(field, after)}, and the ${resource.deletesWith} of ${format(field, before)} will be deleted with it${protectionHint(resource, options)}`,
        groupKey: `${name} changes, and the ${resource.deletesWith} of the old one will be deleted with it${protectionHint(resource, options)}`,
      });
  }
}

/** Says which record will be taken over; a sentence comes back where it can't be. */
async function announceAdoption(
  { resource, notify, context }: CheckContext,
  args: Values,
): Promise<string | undefined> {
  try {
    const { claims } = context();
    const existing = await claims.asking(() => findAdoptable(context(), args));
    if (existing === undefined) return undefined;
    const { found, id, differs } = existing;
    const standing = claims.standing(id, args);
    if (standing.is === "gone") return undefined;
    // A list of before may show a key that its resource has given up since.
    if (standing.is === "held" && !(await hasKey(context(), args, id))) return undefined;
    assertAvailable(context(), args, id, standing);
    claims.wants(args);
    const change = differs.length === 0 ? "nothing changes on it" : `${differs.join(", ")} will change on it`;
    const subject = describeRecord({ resource, values: args });
    if (standing.is === "moving" && standing.waits)
      notify({ subject, ...unlessMoved(`exists already (id ${id}) and will be taken over`, standing.by) });
    else if (standing.is === "moving")
      notify({
        subject,
        text: `exists already (id ${id}), and ${madeAgain(standing.by, standing.move)}`,
        groupKey: `exists already, and ${MADE_AGAIN}`,
      });
    else
      notify({
        subject,
        text: `exists already (id ${found.id}) and will be taken over; ${change}`,
        groupKey: "exists already and will be taken over",
      });
  } catch (error) {
    if (error instanceof LifecycleError) return error.message;
    const text = `it is not known whether it exists already and would be taken over: looking for it failed: ${reasonOf(error)}`;
    const groupKey = `it is not known which of the ${noun(resource)}s exist already and would be taken over: looking for them failed`;
    notify({ subject: describeRecord({ resource, values: args }), text, groupKey });
  }
  return undefined;
}
