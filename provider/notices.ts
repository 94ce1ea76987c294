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
const QUIET = 200;
/** The same where more are known to come, from an engine that may be slow. */
const PATIENT = 3000;

/**
 * Collects notices and prints them, one line each; more than ten alike become one. They are printed when
 * somebody knows that no more will come, else after a moment without a further one.
 */
export class Notices {
  private waiting: (() => Notice)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly print: (line: string) => void) {}

  /** @param notice made when it is printed, since what comes after may change what is to be said */
  add(notice: () => Notice): void {
    this.waiting.push(notice);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), QUIET);
  }

  /** Further ones are known to come, and are worth waiting for. */
  expect(): void {
    if (this.waiting.length === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PATIENT);
  }

  /** Prints all that is waiting. */
  flush(): void {
    clearTimeout(this.timer);
    const lines = linesOf(this.waiting.map((notice) => notice()));
    this.waiting = [];
    for (const line of lines) this.print(line);
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
