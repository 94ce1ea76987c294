/** What a command came to: how many steps it had, and what it had to say of those that failed. */
export interface Ended {
  readonly steps: readonly string[];
  readonly errors: readonly string[];
  /** The lines that the provider printed. */
  readonly said: readonly string[];
}

/** A command on its way: collects what it does and what fails. */
export class Ending {
  readonly steps: string[] = [];
  readonly errors: string[] = [];

  /** A step that fails does not keep the others from their end. */
  async attempt(step: () => Promise<void>): Promise<void> {
    await step().catch((error: unknown) => {
      this.errors.push(error instanceof Error ? error.message : String(error));
    });
  }
}
