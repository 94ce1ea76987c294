#!/usr/bin/env node
/** The command `pulumi-tracking`: one folder for each command, `look` for what there is now, and `pulumi` for the engine. */
import { notify, run } from "./command-line";
import { commands } from "./commands";

// A reader may end first, as `head` does. The work goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    // A full disk. What is left to say may be lost with it.
    if (stream === process.stdout) notify(`error: the output can't be written (${message})`);
    process.exitCode = 1;
  });

/** Resolves when the command has ended. */
export const ended = run(commands, process.argv.slice(2)).then((status) => {
  process.exitCode ||= status;
});
