import type { ImportRun } from "./run";

/** Shows the progress of work in `total` parts: a line that counts and is cleared, or one that stays without a terminal. */
export function progress(what: string, total: number, run: Pick<ImportRun, "stream" | "print">) {
  const { stream, print } = run;
  if (stream === undefined) print(`${what} ${total} ...`);
  // The first column, and the rest of the line erased.
  const show = (text: string) => void stream?.write(`\r\u001b[K${text}`);
  const update = (count: number) => show(`${what} ${count}/${total} ...`);
  update(0);
  return { update, end: () => show("") };
}
