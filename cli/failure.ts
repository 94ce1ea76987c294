/** A text that begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A command failed: what happened, and what to do, in one line. Ends the program with status 1. */
export class CommandFailure extends Error {
  override name = "CommandFailure";

  /**
   * @param title what happened to what, as a sentence without a full stop
   * @param advice what to do, likewise; it is printed with a capital letter
   */
  constructor(
    readonly title: string,
    readonly advice: string,
  ) {
    super(`${title}. ${capitalized(advice)}.`);
  }
}
