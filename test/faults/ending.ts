/** The outcome of a command: the number of its steps, and the messages of those that failed. */
export interface Ended {
  readonly steps: readonly string[];
  readonly errors: readonly string[];
  /** The lines that the provider printed. */
  readonly said: readonly string[];
}

/** A running command: collects its steps and failures. */
export class Ending {
  readonly steps: string[] = [];
  readonly errors: string[] = [];

  /** A step that fails does not stop the others. */
  async attempt(step: () => Promise<void>): Promise<void> {
    await step().catch((error: unknown) => {
      this.errors.push(error instanceof Error ? error.message : String(error));
    });
  }
}
