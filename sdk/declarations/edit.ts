/** Writes what someone changed on the service into the files that declare it. */
import { RunError } from "@pulumi/pulumi/errors";
import { fieldOf, type Resource } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { ChangedFiles, type Edit, idOf } from "./changed-files";
import type { Declaration } from "./declaration";
import type { TextFile } from "./document";
import { Unfit } from "./draft";
import { readDeclarations } from "./file";

export { type Edit, idOf } from "./changed-files";

/** What became of them. */
export interface Edited<E extends Edit = Edit> {
  readonly texts: readonly TextFile[];
  /** What can't be changed in place, with those values alone: a person has to do it. */
  readonly unfit: readonly E[];
  /** The file and line of a declaration. */
  placeOf(edit: Pick<Edit, "resource" | "name">): string | undefined;
}

/** What files declare, by path. */
export function declarationsIn(
  files: readonly TextFile[],
  catalogue: readonly Resource[],
): Map<string, Declaration> {
  const all = readDeclarations(
    files,
    catalogue,
    () => "",
    () => {},
  );
  return new Map(all.map((declaration) => [idOf(declaration), declaration]));
}

/**
 * Files whose lists and defaults are shared, with the changes made in place: all other bytes stay. A value that does not fit
 * leaves the others.
 *
 * @throws {RunError} if the files have mistakes
 */
export function editDeclarations<E extends Edit>(
  files: readonly TextFile[],
  catalogue: readonly Resource[],
  edits: readonly E[],
): Edited<E> {
  const before = declarationsIn(files, catalogue);
  const unchanged = new ChangedFiles(files, catalogue);
  // As many as fit: if not all do, one half and then the other.
  const fitting = (chosen: Fit, more: readonly Piece[]): Fit => {
    const pieces = [...chosen.pieces, ...more];
    const texts = changedTexts(files, catalogue, joined(edits, pieces), before);
    if (texts !== undefined) return { pieces, texts };
    if (more.length < 2) return chosen;
    const half = Math.ceil(more.length / 2);
    return fitting(fitting(chosen, more.slice(0, half)), more.slice(half));
  };
  const pieces = edits.flatMap(piecesOf);
  const able = pieces.filter(
    (piece) => isAsDeclared(piece, before.get(idOf(piece.edit))) && isDeclarable(piece),
  );
  const { pieces: fit, texts } = fitting({ pieces: [], texts: files }, able);
  const done = new Set(fit);
  const unfit = joined(
    edits,
    pieces.filter((piece) => !done.has(piece)),
  );
  return { texts, unfit, placeOf: (edit) => unchanged.placeOf(edit) };
}

/** Values that fit together, and the files with them. */
interface Fit {
  readonly pieces: readonly Piece[];
  readonly texts: readonly TextFile[];
}

/** One value of an edit, or a whole declaration that goes. */
interface Piece {
  readonly edit: Edit;
  readonly argument?: string;
}

function piecesOf(edit: Edit): Piece[] {
  if (edit.isDeleted) return [{ edit }];
  return Object.keys(edit.values).map((argument) => ({ edit, argument }));
}

/** The edits with the values that are among these. */
function joined<E extends Edit>(edits: readonly E[], pieces: readonly Piece[]): E[] {
  const groups = new Map<Edit, Piece[]>();
  for (const piece of pieces) groups.set(piece.edit, [...(groups.get(piece.edit) ?? []), piece]);
  return edits.flatMap((edit) => {
    const names = groups.get(edit)?.flatMap(({ argument }) => argument ?? []);
    if (names === undefined) return [];
    return { ...edit, values: Object.fromEntries(names.map((name) => [name, edit.values[name]])) };
  });
}

function isAsDeclared(
  { edit: { resource, declared }, argument }: Piece,
  before: Declaration | undefined,
): boolean {
  if (before === undefined || declared === undefined || argument === undefined) return before !== undefined;
  return (
    canonicalOf(resource, argument, declared[argument]) ===
    canonicalOf(resource, argument, before.values[argument])
  );
}

/** Whether a file may have the value: a newer server may have one that no program can declare. */
function isDeclarable({ edit: { resource, values }, argument }: Piece): boolean {
  if (argument === undefined || values[argument] === undefined) return true;
  const { mistakes } = validateResource(resource, {}, { [argument]: values[argument] });
  return !mistakes.some((mistake) => mistake.argument === argument && !mistake.lenient);
}

/** The files after these changes. Undefined if one is not possible, or the files would not say what they should. */
function changedTexts(
  files: readonly TextFile[],
  catalogue: readonly Resource[],
  edits: readonly Edit[],
  before: ReadonlyMap<string, Declaration>,
): readonly TextFile[] | undefined {
  const changed = new ChangedFiles(files, catalogue);
  let after: ReadonlyMap<string, Declaration>;
  try {
    changed.apply(edits, before);
    after = declarationsIn(changed.texts(), catalogue);
  } catch (error) {
    if (error instanceof Unfit || error instanceof RunError) return undefined;
    throw error;
  }
  const byId = new Map(edits.map((edit) => [idOf(edit), edit]));
  const ids = [...before.keys(), ...after.keys()];
  const areRight = ids.every((id) => isRight(byId.get(id), before.get(id), after.get(id)));
  return areRight ? changed.texts() : undefined;
}

function isRight(edit: Edit | undefined, before?: Declaration, after?: Declaration): boolean {
  if (edit?.isDeleted) return after === undefined;
  if (before === undefined || after === undefined) return false;
  const { resource } = before;
  const same = (name: string) => {
    const wanted = edit?.values[name] ?? before.values[name];
    return canonicalOf(resource, name, after.values[name]) === canonicalOf(resource, name, wanted);
  };
  return (
    Object.keys(resource.inputs).every(same) &&
    JSON.stringify(before.options) === JSON.stringify(after.options) &&
    before.values.adopt === after.values.adopt
  );
}

/** By this text, two values are the same to every service; one that is omitted is the default. */
function canonicalOf(resource: Resource, name: string, value: unknown): string | undefined {
  const field = fieldOf(resource, name);
  const given = value ?? field.default;
  return given === undefined ? undefined : field.canonical(given);
}
