#!/usr/bin/env node
/**
 * The plugin's one file. The engine starts it with its address, or to attach to it with nothing, and gets the provider. Who
 * names a command gets the command line, without npm.
 */
const [first = ""] = process.argv.slice(2);

void (/^([a-z]+|--help|--version)$/.test(first)
  ? import("./main.js")
  : import("../provider/hosts/native/main.js"));
