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

/** The command's options, as typed. */
export interface EmulatorCommandOptions {
  port: string;
  apiKey: string;
  dialect: string;
  /** Requests per seconds, such as `60/60`; false for no limit. */
  rateLimit?: string | false;
  /** Path of a JSON file. */
  seed?: string;
}

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
export async function startFromOptions({
  port,
  apiKey,
  dialect,
  rateLimit,
  seed,
}: EmulatorCommandOptions): Promise<Emulator> {
  const options: EmulatorOptions = {
    port: parsePort(port),
    apiKey: parseKey(apiKey),
    ...parseDialects(dialect),
    ...(rateLimit === undefined
      ? {}
      : { rateLimit: rateLimit === false ? rateLimit : parseRateLimit(rateLimit) }),
    ...(seed === undefined ? {} : { seed: await readSeed(seed) }),
  };
  return startEmulator(options).catch((error: unknown) => {
    throw error instanceof Error && "code" in error && typeof error.code === "string"
      ? new CommandFailure(
          `Port ${port} can't be used (${error.code})`,
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

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CommandFailure(`${shellQuote(text)} is not a port`, "Give --port a number from 0 to 65535");
}

function parseKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new CommandFailure(
    "The key is empty or can't be sent",
    "Give --api-key printable ASCII without spaces",
  );
}

/** `spec` is the marketplace's default dialect anyway, so the name means that of websites and pixels. */
function parseDialects(text: string): { dialect?: Dialect; marketDialect?: MarketDialect } {
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
      : `Unknown dialect ${shellQuote(unknown)}`,
    `Give --dialect one of ${dialectNames.join(", ")}, and for the marketplace one of ${marketDialectNames.join(", ")}`,
  );
}

function parseRateLimit(text: string): { requests: number; seconds: number } {
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (requests !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  throw new CommandFailure(
    `${shellQuote(text)} is not a rate limit`,
    "Give --rate-limit requests and seconds, such as 60/60",
  );
}

async function readSeed(file: string): Promise<Seed> {
  const json = await readFile(file, "utf8").catch((error: Error) => {
    throw new CommandFailure(
      `The seed file can't be read: ${error.message}`,
      "Give --seed the path of a JSON file",
    );
  });
  try {
    return parseSeed(json);
  } catch (error) {
    throw new CommandFailure(
      `The seed file ${file} can't be used: ${error instanceof Error ? error.message : String(error)}`,
      "Correct it, or omit --seed",
    );
  }
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
