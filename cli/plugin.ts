#!/usr/bin/env node
/**
 * The plugin's one file. The engine starts it with its address, or to attach to it with nothing, and gets the provider. Who
 * names a command gets the command line, without npm.
 */
import { isStartedByPulumi } from "./config";

const [first = ""] = process.argv.slice(2);

async function runCommand(): Promise<void> {
  // Pulumi takes Ctrl-C for itself, and leaves a plugin with nothing but an input that ends.
  if (isStartedByPulumi()) {
    process.stdin.once("end", () => process.kill(process.pid, "SIGINT")).resume();
    process.stdin.unref();
  }
  try {
    await import("./main.js");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error(
      "This copy of the plugin has no command line: run npx pulumi-tracking where the npm package is installed, or take the plugin from a release's archive.",
    );
    process.exitCode = 1;
  }
}

void (/^([a-z]+|--help|--version)$/.test(first) ? runCommand() : import("../provider/hosts/native/main.js"));
