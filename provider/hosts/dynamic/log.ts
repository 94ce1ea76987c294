import type { Logger } from "../../api/client";
import { sanitize } from "../../api/redact";

/** The engine shows lines of standard output as messages, and lines of standard error as details. */
export const log: Logger = {
  warn: (text) => console.log(sanitize(text)),
  debug: (text) => console.error(sanitize(text)),
};

// The engine's host prints errors of check, diff, read and delete again, as `${error}: ${error.stack}`. Ours have
// neither, so only a colon is left.
const { error: printError } = console;
console.error = (...words: unknown[]) => {
  if (words[0] !== ": ") printError(...words);
};
