/** Runs the local service of `emulator`. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import {
  dialectNames,
  type Emulator,
  type EmulatorOptions,
  marketDialectNames,
  parseSeed,
  startEmulator,
} from "../../emulator";
import { parseHeaders } from "../../provider/config/parse";
import { CommandFailure } from "../failure";
import { shellQuote } from "../shell-quote";

interface Options extends Pick<EmulatorOptions, "seed" | "headers"> {
  readonly port: number;
  readonly apiKey: string;
  readonly dialect?: Pick<EmulatorOptions, "dialect" | "marketDialect">;
}

const AFTER_HELP = `
Dialects, the first by default. Websites and pixels:
  ${dialectNames.join(", ")}
The marketplace:
  ${marketDialectNames.join(", ")}

A seed file has "websites", "pixels", "account", "items" and "purchases", each
optional, with the fields of the service's answers, but a password as text:
  {"websites":[{"domain":"shop.example","privacy":2,"password":"local"}]}

Example: npx pulumi-tracking emulator --port 4004 --dialect newer,loose
Exit codes: 0 interrupted, 1 it can't start, 2 invalid arguments.`;

/** What a user needs to know: the emulator's address, and how to use it from a program. */
function announcement({ url }: Emulator, { apiKey, headers }: Options): string {
  const key = shellQuote(apiKey);
  const front = headers && shellQuote(JSON.stringify(headers));
  return [
    `The emulator listens at ${url} until you press Ctrl-C.`,
    "",
    "To use it from the selected stack:",
    `  pulumi config set --secret tracking:apiKey ${key}`,
    ...["analytics", "data", "market"].map((name) => `  pulumi config set tracking:${name}BaseUrl ${url}`),
    ...(front ? [`  pulumi config set --secret tracking:headers ${front}`] : []),
    "",
    "Or from this shell:",
    `  export TRACKING_API_KEY=${key}`,
    ...["ANALYTICS", "DATA", "MARKET"].map((name) => `  export TRACKING_${name}_BASE_URL=${url}`),
    ...(front ? [`  export TRACKING_HEADERS=${front}`] : []),
    "",
  ].join("\n");
}

/** `spec` is the marketplace's default dialect anyway, so the name means that of websites and pixels. */
function parseDialects(text: string): Options["dialect"] {
  const names = text.split(",").map((name) => name.trim());
  const dialect = dialectNames.find((name) => names.includes(name));
  const marketDialect = marketDialectNames.find((name) => name !== "spec" && names.includes(name));
  if (names.every((name) => name === dialect || name === marketDialect))
    return { ...(dialect && { dialect }), ...(marketDialect && { marketDialect }) };
  throw new InvalidArgumentError(
    `Give one of ${dialectNames.join(", ")}, and for the marketplace one of ${marketDialectNames.join(", ")}.`,
  );
}

function parseFront(text: string): EmulatorOptions["headers"] {
  const parsed = parseHeaders(text);
  if ("value" in parsed) return parsed.value;
  throw new InvalidArgumentError(`Give ${parsed.expected}.`);
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 0 to 65535.");
}

function parseSeedFile(file: string): EmulatorOptions["seed"] {
  try {
    return parseSeed(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** Adds `pulumi-tracking emulator`, which runs until it is interrupted. */
export function addEmulatorCommand(program: Command): void {
  program
    .command("emulator")
    .description("Run a local service, for demos and tests.")
    .option("--port <port>", "port to listen on; 0 is any free one", parsePort, 0)
    .option("--api-key <key>", "accepted API key", "local-key")
    .option("--dialect <names>", "server dialects, one of each kind below", parseDialects)
    .option("--headers <json>", "headers that a front server demands, as in tracking:headers", parseFront)
    .option("--seed <file>", "JSON file of initial records, as below", parseSeedFile)
    .addHelpText("after", AFTER_HELP)
    .action(async ({ port, dialect, ...options }: Options) => {
      const settings = { ...options, ...dialect, port };
      const emulator = await startEmulator(settings).catch((error: Error) => {
        const advice = "Choose another with --port, or omit it for any free one";
        throw new CommandFailure(`The emulator can't start on port ${port}: ${error.message}`, advice);
      });
      const interrupted = Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
      process.stdout.write(announcement(emulator, { ...options, port }));
      await interrupted;
      await emulator.close();
    });
}
