import type { Command } from "commander";
import { type Emulator, startEmulator } from "../../emulator";
import { CommandFailure } from "../failure";
import { shellQuote } from "../shell-quote";
import { emulatorHelp } from "./help";
import { type EmulatorCommandOptions, parseOptions } from "./options";

/** Adds `pulumi-tracking emulator`, which runs until it is interrupted. */
export function addEmulatorCommand(program: Command): void {
  program
    .command("emulator")
    .description("Run a local service, for demos and tests.")
    .option("--port <port>", "port to listen on; 0 chooses a free one", "0")
    .option("--api-key <key>", "accepted API key", "local-key")
    .option("--dialect <names>", "server dialect: one of each kind below, separated by a comma", "reference")
    .option(
      "--rate-limit <requests/seconds>",
      "requests allowed per key in this many seconds (default: 60/60)",
    )
    .option("--no-rate-limit", "allow any number of requests")
    .option("--seed <file>", "JSON file of initial records, as described below")
    .addHelpText("after", emulatorHelp)
    .action(async (typed: EmulatorCommandOptions, command: Command) => {
      const emulator = await startFromOptions(typed);
      const interrupted = untilInterrupted();
      command.configureOutput().writeOut?.(announcement(emulator, typed.apiKey));
      await interrupted;
      await emulator.close();
    });
}

/** Starts an emulator with these options. Rejects with a `CommandFailure` if they are invalid. */
export async function startFromOptions(typed: EmulatorCommandOptions): Promise<Emulator> {
  return startEmulator(await parseOptions(typed)).catch((error: unknown) => {
    throw error instanceof Error && "code" in error && typeof error.code === "string"
      ? new CommandFailure(
          `Port ${typed.port} can't be used (${error.code})`,
          "Choose another with --port, or omit it for any free one",
        )
      : error;
  });
}

/** What a user needs to know: the emulator's address, and how to use it from a program. */
export function announcement({ url }: Emulator, apiKey: string): string {
  const key = shellQuote(apiKey);
  return [
    `The emulator listens at ${url} until you press Ctrl-C.`,
    "",
    "To use it from the selected stack:",
    `  pulumi config set --secret tracking:apiKey ${key}`,
    ...["analytics", "data", "market"].map((name) => `  pulumi config set tracking:${name}BaseUrl ${url}`),
    "",
    "Or from this shell:",
    `  export TRACKING_API_KEY=${key}`,
    ...["ANALYTICS", "DATA", "MARKET"].map((name) => `  export TRACKING_${name}_BASE_URL=${url}`),
    "",
  ].join("\n");
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
