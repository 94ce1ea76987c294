#!/usr/bin/env node
/**
 * The plugin's one file, which is two programs. The engine starts it with an address, or with nothing to attach to it later, and
 * gets the provider. A person starts it with a command, `pulumi plugin run tracking doctor`, and gets the command line.
 */
import { isStartedByPulumi } from "./config";

const [first = ""] = process.argv.slice(2);

async function runCommand(): Promise<void> {
  // `pulumi plugin run` keeps Ctrl-C for itself: all that a plugin notices of it is that its input ends.
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
