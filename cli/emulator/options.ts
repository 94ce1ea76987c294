import { readFile } from "node:fs/promises";
import {
  type Dialect,
  dialectNames,
  type EmulatorOptions,
  type MarketDialect,
  marketDialectNames,
  parseSeed,
  type Seed,
} from "../../emulator";
import { CommandFailure } from "../failure";
import { shellQuote } from "../shell-quote";

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

/** Reads the typed options. Rejects with a `CommandFailure` if they are invalid. */
export async function parseOptions(typed: EmulatorCommandOptions): Promise<EmulatorOptions> {
  const { port, apiKey, dialect, rateLimit, seed } = typed;
  return {
    port: parsePort(port),
    apiKey: parseKey(apiKey),
    ...parseDialects(dialect),
    ...(rateLimit !== undefined && { rateLimit: rateLimit === false ? false : parseRateLimit(rateLimit) }),
    ...(seed !== undefined && { seed: await readSeed(seed) }),
  };
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
