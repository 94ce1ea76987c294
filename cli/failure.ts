/** A command failed: what happened, and what to do, in one line. Ends the program with status 1. */
export class CommandFailure extends Error {
  override name = "CommandFailure";

  /**
   * @param problem what happened to what, as a sentence without a full stop
   * @param remedy what to do, likewise; it begins with a capital letter when it is printed
   */
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${problem}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`);
  }
}
