import type { EmulatorClient, Fault, FaultReply } from "../../emulator";
import type { Declared, Stack } from "./stack";

/** What a fault can reach. */
export interface Scene {
  readonly control: EmulatorClient;
  readonly stack: Stack;
  readonly type: Declared["type"];
  /** Path of the collection. */
  readonly path: string;
  /** What the program declares: one resource. */
  readonly declared: Declared;
  /** Sets a fault on requests of this method, to the collection (POST) or to one record. */
  strike(method: string, fault?: Omit<Fault, "match">, match?: Partial<Fault["match"]>): Promise<void>;
  /** Puts in a record with the declared key, as someone else would. */
  insert(key?: string): Promise<{ id: number }>;
}

/** One way in which things go wrong, and what must come of it. */
export interface Row {
  /** Its group in the catalogue and its number. */
  readonly id: string;
  readonly title: string;
  /** The command that it strikes. Before all but `create`, the record has been made without a fault. */
  readonly verb: "create" | "update" | "refresh" | "destroy";
  /** The only resource that can have this fault. */
  readonly only?: Declared["type"];
  readonly settings?: Readonly<Record<string, string>>;
  /** Lists are behind, so that the provider has to wait for them. */
  readonly lags?: true;
  /** Declared in addition to, or instead of, what every row declares. */
  readonly args?: Declared["args"];
  /** Makes the service misbehave. */
  arrange(scene: Scene): Promise<unknown>;
  /** What becomes of it by itself before the command is run again. Faults have been cleared by then. */
  after?(scene: Scene): Promise<unknown>;
  /** Of the one record: how many of them the service has after the fault (1 by default). */
  readonly stored?: number;
  /** What the stack keeps: its id (`kept` by default), or nothing. */
  readonly state?: "kept" | "nothing";
  /** What the message says; left out, the command must succeed. */
  readonly message?: RegExp;
  /** What the message asks for before the second `up`; nothing by default. */
  readonly remedy?: "adopt" | "remove others";
  /** How often POST is sent at most while it strikes; 1 by default. */
  readonly posts?: number;
}

/** An answer in the service's place, as JSON. */
export function json(status: number, body: object = {}, headers: Record<string, string> = {}): FaultReply {
  return { status, body: body as never, headers };
}

/** Strikes every request that reads. */
export function all(scene: Scene, fault: Omit<Fault, "match">): Promise<void> {
  return scene.strike("GET", fault, { path: "/api/v1/*", times: 0 });
}
