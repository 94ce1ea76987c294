import type { core } from "zod";
import { format } from "../../provider/schema/format";
import { suggest } from "../../provider/schema/suggest";
import { correction, type Violation } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import type { Node } from "./document";
import { EXTENSION_SECTION, type FileField, LIST_NAME_RULE, LISTS, secretAdvice } from "./schema";
import type { Mistake } from "./syntax";

/** A mistake in a value, unless its record has that value already, which only the provider's `check` knows. */
export interface DeferredMistake extends Mistake, Omit<Violation, "text"> {
  /** The resource's path in the file. */
  readonly path: string;
}

/** One place of a file, and what may be written there. */
interface Spot {
  /** The offset of its name; if it is missing, of what should contain it. */
  readonly at: number;
  readonly node: Node | undefined;
  readonly field: FileField;
}

/** The schema's findings in a file, as sentences with their places. */
export function contentMistakes(file: Node, field: FileField): (Mistake | DeferredMistake)[] {
  const root: Spot = { at: 0, node: file, field };
  const spotAt = (names: readonly string[]) => names.reduce(inside, root);
  return field.validator(zod()).safeParse(file.value).error?.issues.flatMap(sentencesOf) ?? [];

  function sentencesOf(issue: core.$ZodIssue): (Mistake | DeferredMistake)[] {
    const names = issue.path.filter((each) => typeof each === "string");
    const [section, key = "", argument = ""] = names;
    const path = `${section}.${key}`;
    const owner = spotAt(names.slice(0, -1));
    const spot = spotAt(names);
    const { at, node, field } = spot;
    const label = [names.slice(0, 2).join("."), ...names.slice(2)].join(": ");
    if (node === undefined) {
      const siblings = spotAt(names.slice(0, 1)).node?.members;
      const given = [...(owner.node?.members?.keys() ?? [])];
      // It may be beside its resource, or have a mistyped name.
      if (siblings?.has(argument) || given.some((each) => !hasMember(owner, each))) return [];
    }
    // The rule that the resource breaks, and the argument that requires it.
    const broken = issue.code === "custom" ? issue.params : undefined;
    const rule: Violation | undefined = broken?.rule;
    if (rule || field.secret) {
      const text = rule?.text ?? `${argument} is a secret and must not be in the file`;
      const advice = field.secret ? `: ${secretAdvice(path, argument)}` : "";
      const place = node ?? owner.node?.members?.get(broken?.cause)?.node;
      const mistake = { at: place?.at ?? at, text: `${path}: ${text}${advice}` };
      return [rule ? { ...mistake, path, argument, breaks: "rule" } : mistake];
    }
    if (issue.code === "unrecognized_keys")
      return issue.keys.flatMap((name) => unknownName(names, label && `${label}: `, name));
    if (issue.code === "invalid_key") return [{ at, text: `${label}: ${LIST_NAME_RULE}` }];
    if (node === undefined) return [{ at, text: `${label} is missing: it must be ${field.expected}` }];
    if (node.members === undefined && hasMember(spot, key))
      return [{ at, text: `${key} is an argument: indent this line further than the name of its resource` }];
    const part = node.entries?.[Number(issue.path.at(-1))] ?? node;
    const whose = part.list === undefined ? label : `${LISTS}.${part.list}: ${argument}`;
    // Text in place of a mapping may contain a secret, and a list or mapping may be too large to be shown.
    const isShown = Object(part.value) !== part.value && !field.members && !field.each;
    // What corrects a list is a list, which can't stand in place of an entry.
    const hint = () =>
      part === node ? correction(field, part.value) : suggest(String(part.value), field.words ?? []);
    const shown = isShown ? `, not ${format(undefined, part.value)}${hint()}` : "";
    const text = `${whose || "the file"} must be ${field.expected}${shown}`;
    const isDeferred = field.lenient && typeof node.value === "string";
    return [{ at: part.at, text, ...(isDeferred && { path, argument, breaks: "argument" }) }];
  }

  function unknownName(names: readonly string[], label: string, name: string): Mistake[] {
    const spot = spotAt(names);
    if (spot === root && EXTENSION_SECTION.test(name)) return [];
    // What follows may be a secret.
    const [word = ""] = /^[^\s:=]*/.exec(name) ?? [];
    const at = spot.node?.members?.get(name)?.at ?? spot.at;
    if (hasMember(spot, word)) return [{ at, text: `write one colon and a space after ${word}` }];
    const known = Object.keys(spot.field.members ?? {});
    const hint = homeOf(word, names) ?? (suggest(word, known) || `; allowed: ${known.join(", ")}`);
    return [{ at, text: `${label}${JSON.stringify(word)} is not allowed here${hint}` }];
  }

  /** Where a misplaced name belongs. */
  function homeOf(name: string, path: readonly string[]): string | undefined {
    const resource = spotAt(path.slice(0, 2));
    if (hasMember(resource, name))
      return "; it is an argument: write it directly below the name of its resource";
    if (hasMember(inside(resource, "options"), name))
      return '; it is a resource option: write it under "options"';
    return name === "import" ? '; run "npx pulumi-tracking import --declared --apply" instead' : undefined;
  }
}

/** What a mapping has under a name; any other value has no further places. */
function inside(spot: Spot, name: string): Spot {
  const { members, each } = spot.field;
  const field = members?.[name] ?? each;
  const member = spot.node?.members?.get(name);
  return field === undefined ? spot : { at: member?.at ?? spot.at, node: member?.node, field };
}

function hasMember({ field }: Spot, name = ""): boolean {
  return Object.hasOwn(field.members ?? {}, name);
}
