import type { Resource } from "../../provider/schema/resource";

/** The section of a file, and the member of what `declareFrom` returns, that holds a type's resources. */
export type SectionName<T extends string> = `${Uncapitalize<T>}s`;

/** The same, as text: `websites` of `Website`. */
export function sectionName({ type }: Resource): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}s`;
}
