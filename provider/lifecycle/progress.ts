import type { Declarations } from "./declarations";
import type { Event } from "./journal";

/** How far the run is, for those who wait until it is known who holds what. */
export class Progress {
  /** A resource was refused, or failed, so that who is not checked by now may never be. */
  anyRefused = false;
  private hurry = false;
  /** How many requests of each process others wait for. */
  private readonly asking = new Map<string, number>();

  constructor(
    private readonly program: Declarations,
    private readonly isAlive: (writer: string) => boolean,
  ) {}

  add({ is }: Event, writer: string): void {
    if (is === "hurry") this.hurry = true;
    else if (is === "refused") this.anyRefused = true;
    else if (is === "asks") this.asking.set(writer, (this.asking.get(writer) ?? 0) + 1);
    else if (is === "answered") this.asking.set(writer, (this.asking.get(writer) ?? 0) - 1);
  }

  /** Whether it is known which record each resource has that waits for no other, or nobody can wait for that. */
  isSettled(): boolean {
    return (this.hurry && !this.anyRefused) || !this.program.anyAwaited();
  }

  /** Whether a request is under way that others wait for, so that nothing follows from a silence. */
  isAsking(): boolean {
    return [...this.asking].some(([writer, requests]) => requests > 0 && this.isAlive(writer));
  }
}
