/** Operations that are performed later than they are answered. */
export class LateCommits {
  readonly #waiting = new Set<() => void>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Keeps an operation until `release()`, or for this many milliseconds. */
  keep(commit: () => void, afterMs: number | undefined): void {
    this.#waiting.add(commit);
    if (afterMs === undefined) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#waiting.delete(commit)) commit();
    }, afterMs);
    this.#timers.add(timer);
  }

  /** Performs all of them, in order of arrival, and returns their number. */
  release(): number {
    const commits = [...this.#waiting];
    this.drop();
    for (const commit of commits) commit();
    return commits.length;
  }

  /** Drops all of them. */
  drop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
  }
}
