/** A line that people should read before they let a change happen. */
export interface Notice {
  /** What it is about, such as `website shop.example.com`. */
  readonly subject: string;
  /** What will happen to it. */
  readonly text: string;
  /** The same for several at once; notices that share it are alike. */
  readonly alike: string;
}

const MANY = 10;
const QUIET = 50;

/**
 * Prints notices, one line each; more than ten alike become one. To see how many there are it waits for a moment
 * without a further one, and whoever gives a notice waits until it is printed, so that none is lost when the
 * process ends.
 */
export class Notices {
  private waiting: Notice[] = [];
  private printed: Promise<void> | undefined;
  private last = 0;

  constructor(private readonly print: (line: string) => void) {}

  /** Resolves once the notice is printed. */
  say(notice: Notice): Promise<void> {
    this.waiting.push(notice);
    this.last = Date.now();
    this.printed ??= this.settle();
    return this.printed;
  }

  private async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET; quiet = Date.now() - this.last)
      await new Promise((resolve) => setTimeout(resolve, QUIET - quiet));
    const all = this.waiting;
    this.waiting = [];
    this.printed = undefined;
    for (const line of linesOf(all)) this.print(line);
  }
}

/** The lines for a set of notices. */
export function linesOf(notices: readonly Notice[]): string[] {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) groups.set(notice.alike, [...(groups.get(notice.alike) ?? []), notice]);
  return [...groups].flatMap(([alike, group]) => {
    if (group.length <= MANY) return [...new Set(group.map(({ subject, text }) => `${subject}: ${text}`))];
    const first = group.slice(0, 3).map(({ subject }) => subject);
    return [`${group.length} times: ${alike} (${first.join(", ")}, ...)`];
  });
}
