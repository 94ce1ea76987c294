import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";

/** Names that a generated variable can't have. */
const RESERVED = new Set([
  ...(
    "arguments await break case catch class const continue debugger default delete do else enum eval export " +
    "extends false finally for function if implements import in instanceof interface let new null package " +
    "private protected public return static super switch this throw true try typeof undefined var void while " +
    "with yield tracking lists"
  ).split(" "),
  ...catalogue.map(pluralName),
]);

/** The same in Python. */
const PYTHON_RESERVED = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from global if import in " +
    "is lambda nonlocal not or pass raise return try while with yield match case type tracking"
  ).split(" "),
);

/** Gives each resource and variable a name of its own, whatever the records are called. */
export class UniqueNames {
  private readonly taken: Set<string>;

  /** @param taken names already in use */
  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** A name for the resource of this domain or name: letters, digits and single hyphens. */
  forResource(key: string): string {
    const plain = key
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase()
      .slice(0, 60);
    return this.claim(plain === "" ? "record" : plain, "-");
  }

  /** A name for a variable: the same in camel case. */
  forVariable(name: string): string {
    const camel = name.replace(/-+(.)/g, (_, letter: string) => letter.toUpperCase());
    const valid = /^[A-Za-z]/.test(camel) ? camel : `the${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
    return this.claim(RESERVED.has(valid) ? `${valid}Record` : valid, "");
  }

  /** A name for a variable in Python. */
  forPython(name: string): string {
    const snake = name.replaceAll("-", "_");
    const valid = /^[A-Za-z]/.test(snake) ? snake : `the_${snake}`;
    return this.claim(PYTHON_RESERVED.has(valid) ? `${valid}_record` : valid, "_");
  }

  private claim(name: string, joint: string): string {
    let unique = name;
    for (let count = 2; this.taken.has(unique); count += 1) unique = `${name}${joint}${count}`;
    this.taken.add(unique);
    return unique;
  }
}
