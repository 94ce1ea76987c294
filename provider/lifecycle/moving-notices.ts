import { noun, type Resource } from "../schema/resource";
import type { Options } from "./declared-claims";
import { describeOwner } from "./errors";
import type { Move } from "./journal";

/** The same for all records that another resource moves away from. */
export const MADE_AGAIN = "another resource moves away from it, and then it is made again";

/** What becomes of a record before the one that would adopt it is made. */
export function madeAgain(by: string | undefined, move: Move): string {
  return `${describeOwner(by)} moves away from it: it is ${move === "renamed" ? "renamed" : "deleted"} first, and then made again`;
}

/** A record stays for one that declares its key, and is not known yet to have it. */
export function keptFor(by: string | undefined, key: string): { text: string; groupKey: string } {
  return {
    text: `is kept, since ${describeOwner(by)}, which waits for another resource, declares its ${key} and may have it; if it has not, give it adopt: true`,
    groupKey: `is kept, since a resource that waits for another declares its ${key} and may have it`,
  };
}

/** Nobody can tell whether a resource that waits for others moves away from a record before that is taken over. */
export function unlessMoved(text: string, by: string | undefined): { text: string; groupKey: string } {
  return {
    text: `${text}, unless ${describeOwner(by)}, which waits for another resource, has moved away from it before: then it is made again`,
    groupKey: "will be taken over, unless a resource that waits for another has moved away from it before",
  };
}

/** The engine advises to remove a flag that most programs do not have, since it is set for them. */
export function protectionHint(resource: Resource, { protect }: Pick<Options, "protect">): string {
  return protect
    ? `; Pulumi refuses that while the ${noun(resource)} is protected, as it is by default: to do it all the same, give it the option protect: false`
    : "";
}
