#!/usr/bin/env node
import { declareDoctor } from "./doctor";
import { declareEmulator } from "./emulator";
import { declareImport } from "./import";
import { run } from "./program";

/** Every command of the program, in the order in which its help shows them. */
const commands = [declareImport, declareDoctor, declareEmulator];

void run(commands, process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
