/**
 * What the engine's process for dynamic resources loads. It is not for programs.
 *
 * @module pulumi-tracking/host
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Catalogue } from "../../resources";

type Provider = Required<dynamic.ResourceProvider>;

const CALLS = ["configure", "check", "diff", "create", "read", "update", "delete"] as const;

/** The `__provider` code in every website's state loads this export, so its name can never change. */
export const Website = provider("Website");
/** The `__provider` code in every pixel's state loads this export, so its name can never change. */
export const Pixel = provider("Pixel");

/** A resource's provider. Its errors have no stack trace, because the engine would print it. */
function provider(type: Catalogue[number]["type"]): Provider {
  const calls = CALLS.map((name) => {
    const call = async (...values: unknown[]) => {
      try {
        return await Reflect.apply((await load())[type][name], undefined, values);
      } catch (error) {
        throw Object.assign(error as Error, { stack: "", toString: () => "" });
      }
    };
    return [name, call];
  });
  // Every call has the parameters and the answer of the host's call.
  return Object.fromEntries(calls) as Provider;
}

/** The rest of the package. The first call loads it, so that a missing part is reported in one sentence. */
async function load() {
  try {
    return (await import("./host.js")).hosts;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Error(
      `pulumi-tracking is not completely installed in this project (${reason}): run "npm ci", or your package manager's install, then the same command again`,
    );
  }
}

// The engine's host prints errors of check, diff, read and delete again, as `${error}: ${error.stack}`. Ours have
// neither, so only a colon is left.
const { error: printError } = console;
console.error = (...words: unknown[]) => {
  if (words[0] !== ": ") printError(...words);
};
