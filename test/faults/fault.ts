import type { EmulatorClient, Fault, FaultReply } from "../service";
import type { Declared, Stack } from "./stack";

/** What a fault can control. */
export interface Scene {
  readonly control: EmulatorClient;
  readonly stack: Stack;
  readonly type: Declared["type"];
  /** Path of the collection. */
  readonly path: string;
  /** The program's one resource. */
  readonly declared: Declared;
  /** Sets a fault on requests of this method, to the collection (POST) or to one record. */
  strike(method: string, fault?: Omit<Fault, "match">, match?: Partial<Fault["match"]>): void;
  /** Adds a record with the declared key, as someone else would. */
  insert(): { id: number };
}

/** One fault, and its required outcome. */
export interface Row {
  /** Its group in the catalogue and its number. */
  readonly id: string;
  readonly title: string;
  /** The command that it affects. Before all but `create`, the record has been created without a fault. */
  readonly verb: "create" | "update" | "refresh" | "destroy";
  /** The only resource that can have this fault. */
  readonly only?: Declared["type"];
  readonly settings?: Readonly<Record<string, string>>;
  /** Declared in addition to, or instead of, what every row declares. */
  readonly args?: Declared["args"];
  /** Makes the service misbehave. */
  arrange(scene: Scene): unknown;
  /** What happens before the command runs again, after all faults are cleared. */
  after?(scene: Scene): unknown;
  /** How many records the service has after the fault (1 by default). */
  readonly stored?: number;
  /** What state keeps: the id (`kept`) or nothing, which is the default if the service has no record. */
  readonly state?: "kept" | "nothing";
  /** The message; without it, the command must succeed. */
  readonly message?: RegExp;
  /** What the message asks for before the second `up`; nothing by default. */
  readonly remedy?: "adopt";
  /** How often POST may be sent during the fault; 1 by default. */
  readonly posts?: number;
}

/** A row whose command is that of its whole group. */
export type Unplaced = Omit<Row, "verb">;

/** Rows that affect one command. */
export function during(verb: Row["verb"], rows: readonly Unplaced[]): Row[] {
  return rows.map((row) => ({ verb, ...row }));
}

/** Rows whose outcome does not depend on the kind of record, as of a lost answer: each is tried on one kind, in turn. */
export function onOneKind(rows: readonly Row[]): Row[];
export function onOneKind(rows: readonly Unplaced[]): Unplaced[];
export function onOneKind(rows: readonly Unplaced[]): Unplaced[] {
  return rows.map((row, at) => ({ only: at % 2 === 0 ? "Website" : "Pixel", ...row }));
}

/** A JSON answer instead of the service's. */
export function json(status: number, body: object = {}, headers: Record<string, string> = {}): FaultReply {
  return { status, body: body as never, headers };
}

/** JSON to the letter, as `json` could not write it. */
export function text(status: number, body: string): FaultReply {
  return { status, headers: { "content-type": "application/json" }, body };
}

/** A redirect to another address. */
export function redirect(status: number, location: string): FaultReply {
  return { status, headers: { location }, body: "" };
}

/** Affects every request that reads. */
export function all(scene: Scene, fault: Omit<Fault, "match">): void {
  scene.strike("GET", fault, { path: "/api/v1/*", times: 0 });
}
