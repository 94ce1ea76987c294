/** Shortens what Python prints of an exception: the engine passes it on, 60 to 80 lines of the SDK with paths of the machine. */
import { basename, isAbsolute, relative } from "node:path";

const BEGIN = /^Traceback \(most recent call last\):$/;
const NEXT = /^(During handling of the above exception|The above exception was the direct cause)/;
const FRAME = /^\s+File "(?<file>.+)", line (?<line>\d+)/;
/** Files that are not the program's, beside those without a whole path: installed packages, Python's own, and what Pulumi starts. */
const FOREIGN = /[\\/](site-packages|dist-packages|python[\d.]+|pulumi-language-python-exec)([\\/]|$)/i;

/** The innermost line of the program in the frames of a traceback, such as `__main__.py:35: return {}[name]`, or undefined. */
function ownLine(frames: readonly string[]): string | undefined {
  return frames
    .map((text, at) => {
      const { file = "", line } = FRAME.exec(text)?.groups ?? {};
      if (!isAbsolute(file) || FOREIGN.test(file)) return undefined;
      const inFolder = relative(process.cwd(), file);
      const shown = inFolder.startsWith("..") || isAbsolute(inFolder) ? basename(file) : inFolder;
      return `${shown}:${line}: ${frames[at + 1]?.trim() ?? ""}`;
    })
    .findLast((found) => found !== undefined);
}

/** What a text has of one traceback: the program's line, and what follows the frames, which begins with the exception. */
interface Traceback {
  readonly own: string | undefined;
  readonly exception: readonly string[];
}

/** Splits a text into what stands before its first traceback, and its tracebacks. */
function split(text: string): { readonly before: readonly string[]; readonly tracebacks: Traceback[] } {
  const lines = text.split("\n").filter((line) => !NEXT.test(line));
  const starts = lines.flatMap((line, at) => (BEGIN.test(line.trim()) ? [at] : []));
  const tracebacks = starts.map((start, nth) => {
    const part = lines.slice(start + 1, starts[nth + 1]);
    const end = part.findIndex((line) => /^\S/.test(line));
    const frames = end < 0 ? part : part.slice(0, end);
    return { own: ownLine(frames), exception: part.slice(frames.length) };
  });
  return { before: lines.slice(0, starts[0]), tracebacks };
}

/** Leaves of each traceback the line of the program, and the exception. */
export function withoutTracebacks(text: string): string {
  const { before, tracebacks } = split(text);
  if (tracebacks.length === 0) return text;
  return [...before, ...tracebacks.flatMap(({ own = [], exception }) => [own, exception].flat())].join("\n");
}

/** A message of a preview, as far as it is read here. */
interface Printed {
  readonly severity?: string;
  readonly message: string;
}

/**
 * Makes one message of all lines that a program prints on standard error, each of which is a message for the engine. If the
 * provider refuses a resource, Pulumi stops the program, and its SDK for Python prints tracebacks without any line of the program,
 * to the last `KeyboardInterrupt`: they are left out, since the refusal is a message too.
 */
export function joinOutput<T extends Printed>(messages: readonly T[]): T[] {
  const isOutput = ({ severity }: Printed) => severity === "info#err";
  const [first] = messages.filter(isOutput);
  if (first === undefined) return [...messages];
  const lines = messages.filter(isOutput).map(({ message }) => message.trimEnd());
  const { before, tracebacks } = split(lines.join("\n"));
  const isStopped = tracebacks.length > 0 && tracebacks.every(({ own }) => own === undefined);
  const text = isStopped && messages.some(({ severity }) => severity === "error") ? before : lines;
  return messages.flatMap((each) => {
    if (each === first) return text.length === 0 ? [] : [{ ...each, message: text.join("\n") }];
    return isOutput(each) ? [] : [each];
  });
}
