export interface Terminal {
  /** The terminal, or nothing if output goes to a file or another program. */
  readonly stream: NodeJS.WritableStream | undefined;
  print(line: string): void;
}

/** Shows the progress of work in `total` parts: a bar that is cleared at the end, or one line without a terminal. */
export async function progress(what: string, total: number, { stream, print }: Terminal) {
  if (stream === undefined) {
    print(`${what} ${total} ...`);
    return { update: (_count: number) => {}, end: () => {} };
  }
  const { Presets, SingleBar } = await import("cli-progress");
  const bar = new SingleBar(
    {
      stream,
      format: `${what} {bar} {value}/{total}`,
      clearOnComplete: true,
      // A signal may end the command at any time, so the bar changes no setting of the terminal.
      gracefulExit: false,
      linewrap: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { update: (count: number) => bar.update(count), end: () => bar.stop() };
}
