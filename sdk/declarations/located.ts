import type { Mistake } from "../../provider/schema/validate";
import type { FileMistake, Members, Place } from "./document";

/** What validation says, at its place in the file. */
export type Located = FileMistake & Pick<Mistake, "argument" | "lenient">;

/**
 * Finds the places of what validation says of a mapping.
 *
 * @param names what the mapping may have
 * @param path the mapping's path, empty for the whole file
 * @param holder the place of what lacks a member, if one can be missing
 */
export function located(
  mistakes: readonly Mistake[],
  members: Members,
  names: object,
  path: string,
  holder?: Place,
): Located[] {
  // What is missing may be there under a mistyped name.
  const isMisnamed = [...members.keys()].some((name) => !Object.hasOwn(names, name));
  const lacking = isMisnamed ? undefined : holder;
  return mistakes.flatMap(({ argument, index = -1, lenient, text: message }) => {
    const member = members.get(argument);
    const origin = member?.from ?? path;
    const at = (at: Place, of = origin, text = message) => {
      const label = of === "" ? "" : `${of}: `;
      return { at, text: label + text, argument, ...(lenient && { lenient }) };
    };
    if (member === undefined) return lacking === undefined ? [] : at(lacking);
    const entry = member.node.entries?.[index];
    if (Object.hasOwn(names, argument))
      return at((entry ?? member.node).at, entry?.list === undefined ? origin : `lists.${entry.list}`);
    // What follows the name may be a secret.
    const word = argument.replace(/[\s:=].*/s, "") || "the name, and plain spaces before it";
    return at(member.at, origin, word === argument ? message : `write a colon and a space after ${word}`);
  });
}
