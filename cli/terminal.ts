/** How far a piece of work is, for the person who waits for it. */
export interface Progress {
  /** So many more parts of it are done. */
  advance(count: number): void;
  /** It has ended, one way or the other. */
  end(): void;
}

/** Where progress is shown: a terminal, or what is read later. */
export interface Terminal {
  /** A terminal, or nothing where the words go to a file or another program. */
  readonly stream: NodeJS.WritableStream | undefined;
  print(line: string): void;
}

/** Shows the progress of work in so many parts: a bar that goes when it ends, or one line where there is no terminal. */
export async function progress(what: string, total: number, { stream, print }: Terminal): Promise<Progress> {
  if (stream === undefined) {
    print(`${what} ${total} ...`);
    return { advance: () => {}, end: () => {} };
  }
  const { Presets, SingleBar } = await import("cli-progress");
  const bar = new SingleBar(
    {
      stream,
      format: `${what} {bar} {value}/{total}`,
      clearOnComplete: true,
      // The command may end by a signal in the middle, and the terminal is then as it was.
      gracefulExit: false,
      linewrap: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { advance: (count) => bar.increment(count), end: () => bar.stop() };
}
