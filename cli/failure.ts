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
    super(`${problem}. ${capitalized(remedy)}.`);
  }
}

/** A text that begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
