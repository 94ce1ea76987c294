import type { Diagnostics } from "./diagnostics";

/** A value of a file; `at` is its offset into the text, for messages. */
export type Node = Scalar | Sequence | Mapping;

/** A number is its text as written: `0123` and `1e5` name pixels as well as words do. */
export interface Scalar {
  readonly at: number;
  readonly value: string | boolean | null;
  /** It was meant otherwise, and that has been told. */
  readonly reported?: true;
  /** It stands in quotes. */
  readonly quoted?: true;
  /** It begins with `*`, and there is no anchor of that name. */
  readonly danglingAlias?: true;
}

export interface Sequence {
  readonly at: number;
  readonly entries: readonly Node[];
}

export interface Mapping {
  readonly at: number;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  /** The place of its name. */
  readonly at: number;
  readonly name: string;
  readonly node: Node;
}

/** The members of what may be left out, or left empty. */
export function membersOf(
  node: Node | undefined,
  owner: string,
  diagnostics: Diagnostics,
  example = "",
): Mapping["members"] {
  if (node === undefined || ("value" in node && (node.value === null || node.reported))) return new Map();
  if ("members" in node) return node.members;
  diagnostics.add(
    node.at,
    `${owner} must be a mapping: names, each with a value${example && `, such as ${example}`}`,
  );
  return new Map();
}
