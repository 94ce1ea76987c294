/**
 * What the engine's process for dynamic resources loads. It is not for programs.
 *
 * @module pulumi-tracking/host
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Catalogue } from "../../resources";

type Provider = Required<dynamic.ResourceProvider>;

/** The calls of the engine. It has no others for dynamic providers. */
const CALLS = ["configure", "check", "diff", "create", "read", "update", "delete"] as const;

/** The rest of the package, once the first call has loaded it. */
let hosts: typeof import("./host").hosts | undefined;

/** Loads the rest of the package, or reports a missing part with what to run. */
async function load() {
  try {
    return (await import("./host.js")).hosts;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Error(
      `pulumi-tracking is not completely installed in this project (${reason})\nRun "npm ci", or your package manager's install, then the same command again`,
    );
  }
}

/** A resource's provider. Its errors have no stack trace, because the engine would print it. */
function provider(type: Catalogue[number]["type"]): Provider {
  const calls = CALLS.map((name) => {
    const call = async (...values: unknown[]) => {
      try {
        // `configure` comes first, but the engine's process does not wait for it: a call that found the package loaded before
        // `configure` goes on would have no settings.
        hosts ??= await load();
        return await Reflect.apply(hosts[type][name], undefined, values);
      } catch (error) {
        throw Object.assign(error as Error, { stack: "", toString: () => "" });
      }
    };
    return [name, call];
  });
  // Every call has the parameters and the answer of the host's call.
  return Object.fromEntries(calls) as Provider;
}

/** The `__provider` code in every website's state loads this export, so its name can never change. */
export const Website = provider("Website");
/** The `__provider` code in every pixel's state loads this export, so its name can never change. */
export const Pixel = provider("Pixel");

// Pulumi's process for dynamic providers prints errors of check, diff, read and delete a second time, as
// `${error}: ${error.stack}` (`cmd/dynamic-provider/index.ts`, up to 3.276; pulumi/pulumi#10093 asks for less noise). Ours have
// neither, so only a colon is left.
const { error: printError } = console;
console.error = (...words: unknown[]) => {
  if (words[0] !== ": ") printError(...words);
};
