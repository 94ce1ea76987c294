import type { Logger } from "../../api/client";
import { sanitize } from "../../api/redact";

/** What the engine shows of this process: lines of the one stream as news, of the other for those who look closer. */
export const log: Logger = {
  warn: (text) => console.log(sanitize(text)),
  debug: (text) => console.error(sanitize(text)),
};

// The engine's host prints the errors of check, diff, read and delete a second time, as `${error}: ${error.stack}`.
// Of ours, which have neither, that leaves a colon.
const { error: printError } = console;
console.error = (...words: unknown[]) => {
  if (words[0] !== ": ") printError(...words);
};
