import type { Declarations } from "./declarations";
import type { Event } from "./journal";

/** How far the run is, for those who wait until it is known who holds what. */
export class Progress {
  /** A resource was refused, or failed, so that who is not checked by now may never be. */
  anyRefused = false;
  private hurry = false;
  /** Those who ask the service for the sake of a check. */
  private readonly asking = new Set<string>();

  constructor(
    private readonly program: Declarations,
    private readonly isAlive: (writer: string) => boolean,
  ) {}

  add({ is }: Event, writer: string): void {
    if (is === "hurry") this.hurry = true;
    else if (is === "refused") this.anyRefused = true;
    else if (is === "asks") this.asking.add(writer);
    else if (is === "answered") this.asking.delete(writer);
  }

  /** Whether it is known which record each resource has that waits for no other, or nobody can wait for that. */
  isSettled(): boolean {
    return (this.hurry && !this.anyRefused) || !this.program.anyAwaited();
  }

  /** Whether a check is under way, so that nothing follows from a silence. */
  isAsking(): boolean {
    return [...this.asking].some(this.isAlive);
  }
}
