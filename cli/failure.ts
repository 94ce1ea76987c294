/** What a command could not do, and what can be done about it, in one line. Ends the program with status 1. */
export class CommandFailure extends Error {
  override name = "CommandFailure";

  /**
   * @param problem what happened, to what
   * @param remedy what to do, as a whole sentence
   */
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${problem}. ${remedy}`);
  }
}

/** A command has said all there is to say, and ends the program with this status. */
export class ExitStatus extends Error {
  override name = "Verdict";

  constructor(readonly code: number) {
    super(`status ${code}`);
  }
}
