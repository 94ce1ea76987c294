import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { flatten } from "../../../tools/declarations/flatten.mjs";

/** What becomes of a file of declarations. */
async function flat(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-flatten-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "index.d.ts");
  await writeFile(file, text);
  await flatten(file);
  return readFile(file, "utf8");
}

const DEFINED = `import { URL, URLSearchParams } from "node:url";
declare const goal: {
  /** Its title. */
  title: { of: URL; given: true };
  /**
   * How much.
   * In words.
   */
  count: { of: URLSearchParams; given: false };
};
declare class Resource { id: string }
type Of<F> = { [K in keyof F]: F[K] extends { of: URL } ? string : number };
type Optional<F> = { readonly [K in keyof F]?: F[K] };
`;

describe("flattened", () => {
  test("an interface gets the members of its base type with their JSDoc, and the base type is removed", async () => {
    const text = await flat(`${DEFINED}
/** The arguments of a goal. */
interface GoalArgs extends Optional<Of<typeof goal>> {}
export type { GoalArgs };
`);
    expect(text).toBe(`/** The arguments of a goal. */
export interface GoalArgs {
    /** Its title. */
    readonly title?: string;
    /**
     * How much.
     * In words.
     */
    readonly count?: number;
}
export {};
`);
  });

  test("a constant that constructs the interface of its name becomes a class", async () => {
    const text = await flat(`${DEFINED}
interface Maker<T> {
  /** @param name what it is called */
  new (name: string, title?: string): T;
  /** Whether it is one. */
  isInstance(value: unknown): value is T;
}
/**
 * What a site is for.
 *
 * @class
 */
declare const Goal: Maker<Goal>;
interface Goal extends Resource, Of<typeof goal> {}
export { Goal };
`);
    expect(text).toBe(`declare class Resource { id: string }
/**
 * What a site is for.
 */
export declare class Goal extends Resource {
    /** Whether it is one. */
    static isInstance(value: unknown): value is Goal;
    /** Its title. */
    title: string;
    /**
     * How much.
     * In words.
     */
    count: number;
    /**
     * What a site is for.
     *
     * @param name what it is called
     */
    constructor(name: string, title?: string);
}
export {};
`);
  });

  test("other types stay, with those that they need and no more", async () => {
    const text = await flat(`import { Agent } from "node:http";
import { Server } from "node:net";
type Args<T> = { [K in keyof T]: T[K] };
interface Unused { Agent: string }
interface Kept extends Args<{ a: 1 }> {}
declare function listen(args: Named, agent: Agent): Kept;
interface Named { Server: Kept }
export { listen };
`);
    expect(text).toBe(`import { Agent } from "node:http";
interface Kept {
    a: 1;
}
export declare function listen(args: Named, agent: Agent): Kept;
interface Named { Server: Kept }
export {};
`);
  });

  test("a file in which nothing is derived stays as it is", async () => {
    const text = "interface A { a: 1 }\ninterface B { b: 2 }\nexport type { A };\n";
    expect(await flat(text)).toBe(text);
  });
});
