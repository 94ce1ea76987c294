import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  type Dialect,
  dialectNames,
  type Emulator,
  type EmulatorOptions,
  type MarketDialect,
  marketDialectNames,
  parseSeed,
  type Seed,
  startEmulator,
} from "../../emulator";
import { CommandFailure } from "../failure";
import { shellQuote } from "../shell-quote";
import { emulatorHelp } from "./help";

/** The command's options, as they were typed. */
export interface EmulatorCommandOptions {
  port: string;
  apiKey: string;
  dialect: string;
  /** Requests and seconds, such as `60/60`; false for no limit. */
  rateLimit?: string | false;
  /** Path of a JSON file. */
  seed?: string;
}

/** Adds `pulumi-tracking emulator`, which runs until it is interrupted. */
export function addEmulatorCommand(program: Command): void {
  program
    .command("emulator")
    .description("Run the service on this machine, for demos and tests.")
    .option("--port <port>", "port to listen on; 0 takes any free one", "0")
    .option("--api-key <key>", "the key that opens it", "local-key")
    .option(
      "--dialect <names>",
      "how it speaks: one dialect of each kind below, separated by a comma",
      "reference",
    )
    .option(
      "--rate-limit <requests/seconds>",
      "how many requests a key may send in how many seconds (default: 60/60)",
    )
    .option("--no-rate-limit", "let a key send as many requests as it likes")
    .option("--seed <file>", "JSON file of what is there from the start, as described below")
    .addHelpText("after", emulatorHelp)
    .action(async (typed: EmulatorCommandOptions, command: Command) => {
      const emulator = await startFromOptions(typed);
      const interrupted = untilInterrupted();
      command.configureOutput().writeOut?.(announcement(emulator, typed.apiKey));
      await interrupted;
      await emulator.close();
    });
}

/** Starts an emulator as the options say. Rejects with a `CommandFailure` where they make no sense. */
export async function startFromOptions({
  port,
  apiKey,
  dialect,
  rateLimit,
  seed,
}: EmulatorCommandOptions): Promise<Emulator> {
  const options: EmulatorOptions = {
    port: portOf(port),
    apiKey: keyOf(apiKey),
    ...dialectsOf(dialect),
    ...(rateLimit === undefined
      ? {}
      : { rateLimit: rateLimit === false ? rateLimit : parseRateLimit(rateLimit) }),
    ...(seed === undefined ? {} : { seed: await seedIn(seed) }),
  };
  return startEmulator(options).catch((error: unknown) => {
    throw error instanceof Error && "code" in error && typeof error.code === "string"
      ? new CommandFailure(
          `Port ${port} cannot be used (${error.code})`,
          "Choose another with --port, or leave it out for any free one.",
        )
      : error;
  });
}

/** What a user needs to know of a running emulator: where it is, and how to point a program at it. */
export function announcement({ url }: Emulator, apiKey: string): string {
  const key = shellQuote(apiKey);
  return [
    `The emulator listens at ${url} until it is interrupted (Ctrl-C).`,
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

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CommandFailure(`${shellQuote(text)} is not a port`, "Give --port a number from 0 to 65535.");
}

function keyOf(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new CommandFailure(
    "The key is empty or cannot be sent",
    "Give --api-key printable ASCII without blanks.",
  );
}

/** `spec` is the marketplace's dialect anyway, so the name is taken to mean websites and pixels. */
function dialectsOf(text: string): { dialect?: Dialect; marketDialect?: MarketDialect } {
  const names = text.split(",").map((name) => name.trim());
  const dialects = dialectNames.filter((name) => names.includes(name));
  const marketDialects = marketDialectNames.filter((name) => name !== "spec" && names.includes(name));
  const unknown = names.find((name) => ![...dialects, ...marketDialects].some((each) => each === name));
  const [dialect, twice] = dialects;
  const [marketDialect, marketTwice] = marketDialects;
  if (unknown === undefined && twice === undefined && marketTwice === undefined)
    return { ...(dialect && { dialect }), ...(marketDialect && { marketDialect }) };
  throw new CommandFailure(
    unknown === undefined
      ? `${shellQuote(text)} names two dialects of one kind`
      : `There is no dialect ${shellQuote(unknown)}`,
    `Give --dialect one of ${dialectNames.join(", ")}, and for the marketplace one of ${marketDialectNames.join(", ")}.`,
  );
}

function parseRateLimit(text: string): { requests: number; seconds: number } {
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (requests !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  throw new CommandFailure(
    `${shellQuote(text)} is not a rate limit`,
    "Give --rate-limit requests and seconds, such as 60/60.",
  );
}

async function seedIn(file: string): Promise<Seed> {
  const json = await readFile(file, "utf8").catch((error: Error) => {
    throw new CommandFailure(
      `The seed file cannot be read: ${error.message}`,
      "Give --seed the path of a JSON file.",
    );
  });
  try {
    return parseSeed(json);
  } catch (error) {
    throw new CommandFailure(
      `The seed file ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      "Correct it, or leave out --seed.",
    );
  }
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
