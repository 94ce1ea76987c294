import { describeOwner } from "./errors";
import type { Move } from "./journal";

/** The same for all records that another resource moves away from. */
export const MADE_AGAIN = "another resource moves away from it, and then it is made again";

/** What becomes of a record before the one that would adopt it is made. */
export function madeAgain(by: string | undefined, move: Move): string {
  return `${describeOwner(by)} moves away from it: it is ${move === "renamed" ? "renamed" : "deleted"} first, and then made again`;
}

/** Nobody can tell whether a resource that waits for others moves away from a record before that is taken over. */
export function unlessMoved(text: string, by: string | undefined): { text: string; groupKey: string } {
  return {
    text: `${text}, unless ${describeOwner(by)}, which waits for another resource, has moved away from it before: then it is made again`,
    groupKey: "will be taken over, unless a resource that waits for another has moved away from it before",
  };
}
