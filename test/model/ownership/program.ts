import type { Resource, Values } from "../../../provider/schema/resource";

/** A resource as the program of one run declares it. */
export interface Line {
  /** Its place in the program, which is not its name. */
  readonly slot: number;
  /** Another version is another name: without `alias` it is another resource. */
  readonly version: number;
  readonly alias: boolean;
  readonly key: number;
  readonly variant: number;
  readonly provider: number;
  readonly adopt: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly retainOnDelete: boolean;
  /** The engine is told to replace it, and asks the provider nothing about that. */
  readonly forced: boolean;
  /** It is asked for only once the one before it is done, as with `dependsOn`. */
  readonly waits: boolean;
}

/** All that a program may declare, and whether it does so in one run. */
export type Program = readonly (Line & { readonly there: boolean })[];

/** Something goes wrong with one request of a run: the so many-th of its method. */
export interface Fault {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly nth: number;
  /** Its answer is lost, or it never came there; nobody can tell which. */
  readonly is: "lost" | "never came";
}

/** Another stack, or a person, does something: after a list was answered, or before a POST is done. */
export interface Act {
  readonly after: "list" | "post";
  readonly nth: number;
  readonly does: "plant" | "drop";
  readonly key: number;
}

/** A process is killed before, or after, the service does a request that changes something. */
export interface Crash {
  readonly who: "engine" | "provider";
  readonly nth: number;
  readonly done: boolean;
}

/** Somebody gives the record of one key another one. */
export interface Drift {
  readonly from: number;
  readonly to: number;
}

/** One run of the program. */
export interface Command {
  readonly lines: readonly Line[];
  /** The engine asks for the last one first. */
  readonly reversed: boolean;
  /** The engine is left to the names of which this says so; to all, where there is none. */
  readonly targets: readonly boolean[] | undefined;
  readonly crash: Crash | undefined;
  readonly faults: readonly Fault[];
  readonly acts: readonly Act[];
  /** What is on the service is read first. */
  readonly refresh: boolean;
  /** What somebody has done before. */
  readonly drift: Drift | undefined;
  /** The so many-th question of a run is answered after longer than anybody waits. */
  readonly slow: number | undefined;
}

/** What the second provider is to the first: of the same account, by another key or address of it, or of another service. */
export type Second = "same" | "other key" | "other address" | "apart";

/** What a service does with a second record of a key. */
export type Duplicates = "refused" | "500" | "answered" | "allowed";

/** All that happens to one stack. */
export interface Story {
  readonly type: "Website" | "Pixel";
  readonly second: Second;
  readonly duplicates: Duplicates;
  /** How long each request, and each step of the engine, takes. */
  readonly pace: number;
  /** The keys of records that are there and that nobody has declared. */
  readonly planted: readonly number[];
  readonly commands: readonly Command[];
}

/** So few places and keys that resources meet. */
export const SLOTS = 4;
export const KEYS = 3;

export function nameOf({ slot, version }: Pick<Line, "slot" | "version">): string {
  return `r${slot}-${version}`;
}

/** Whether the engine is to see to the resource of this name. */
export function isTarget({ targets }: Command, { slot, version }: Pick<Line, "slot" | "version">): boolean {
  return targets === undefined || targets[2 * slot + version] === true;
}

/** The service of a provider. */
export function placeOf({ second }: Story, provider: number): number {
  return second === "apart" ? provider : 0;
}

/** Where a resource's key, and what an update changes, stand in its arguments. */
export function argsOf({ type }: Resource, { key, variant }: Pick<Line, "key" | "variant">): Values {
  return type === "Website"
    ? { domain: `k${key}.example.com`, privacy: "private", emailReports: false, excludeBots: variant === 0 }
    : { name: `k${key}`, type: "bing", value: `v${variant}` };
}

/** Whether two providers speak of one account, as far as their settings say. */
export function isSameAccount({ second }: Pick<Story, "second">, one: number, other: number): boolean {
  return one === other || second === "same";
}

/** The key that a text, such as a domain, has in it. */
export function keyIn(text: unknown): number {
  return Number(/\d+/.exec(String(text))?.[0]);
}
