import { check as validate } from "../schema/check";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { shown } from "../schema/wire";
import { candidate } from "./adopt";
import { named, Problem, reasonOf } from "./problem";
import type { Say, World } from "./world";

/** What only the program knows of a resource's options, and people need to hear about. */
export interface Options {
  /** The record stays when the resource goes. */
  readonly retained: boolean;
}

/**
 * Validates a program's arguments and fills in defaults; says what people should know before the change. `olds`
 * is empty for a new record. It is pure but for the look that `adopt` asks for.
 */
export async function check(
  resource: Resource,
  { say, world }: { say: Say; world: () => World },
  { olds, news, options }: { olds: Values; news: Values; options: Options },
): Promise<{ values: Values; failures: readonly string[] }> {
  const { values, failures } = validate(resource, olds, news);
  if (failures.length > 0) return { values, failures };
  announceChanges(resource, say, olds, values, options);
  if (values.adopt !== true || olds[resource.key] !== undefined || isUnknown(values[resource.key]))
    return { values, failures };
  const problem = await announceAdoption(resource, say, world, values);
  return { values, failures: problem === undefined ? [] : [problem] };
}

function announceChanges(resource: Resource, say: Say, olds: Values, news: Values, options: Options): void {
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [before, after] = [olds[name], news[name]];
    if (isUnknown(after)) continue;
    const clause = field.notice?.(before, after, name);
    if (clause !== undefined) say(named(resource, news), clause, clause);
    const replaced =
      field.replaces && before !== undefined && field.canonical(before) !== field.canonical(after);
    if (replaced && resource.guards !== undefined && !options.retained)
      say(
        named(resource, olds),
        `${name} becomes ${shown(field, after)}, and the ${resource.guards} of ${shown(field, before)} will be deleted with it`,
        `${name} changes, and the ${resource.guards} of the old one will be deleted with it`,
      );
  }
}

/** Says which record will be taken over; a sentence comes back where it can't be. */
async function announceAdoption(
  resource: Resource,
  say: Say,
  world: () => World,
  args: Values,
): Promise<string | undefined> {
  try {
    const existing = await candidate(resource, world(), args);
    if (existing === undefined) return undefined;
    const { found, differs } = existing;
    const change = differs.length === 0 ? "nothing changes on it" : `${differs.join(", ")} will change on it`;
    say(
      named(resource, args),
      `exists already (id ${found.id}) and will be taken over; ${change}`,
      "exists already and will be taken over",
    );
  } catch (error) {
    if (error instanceof Problem) return error.message;
    say(
      named(resource, args),
      `it is not known whether it exists already and would be taken over: looking for it failed: ${reasonOf(error)}`,
      `it is not known which of the ${noun(resource)}s exist already and would be taken over: looking for them failed`,
    );
  }
  return undefined;
}
