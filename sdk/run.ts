import * as pulumi from "@pulumi/pulumi";
import { ledgerAt } from "../provider/hosts/run-file";
import type { Ledger } from "../provider/lifecycle";
import { addressOf } from "./internals";

const ledgers = new WeakMap<object, Ledger>();

/**
 * Returns the ledger of the engine's run, which this process shares with its providers, or `undefined` without an engine, as
 * in a unit test. A program that runs Pulumi itself may have several runs.
 */
export function runLedger(): Ledger | undefined {
  const engine: object | undefined = pulumi.runtime.getEngine();
  if (engine === undefined) return undefined;
  const ledger = ledgers.get(engine) ?? ledgerAt(addressOf(engine));
  ledgers.set(engine, ledger);
  return ledger;
}
