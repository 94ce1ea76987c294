import { capitalized } from "../provider/api/api";

/** A command failed: what happened, and what to do, a line each. Ends the program with status 1. */
export class CommandFailure extends Error {
  override name = "CommandFailure";

  /**
   * @param title what happened to what, as a sentence without a full stop
   * @param advice what to do, likewise; it is printed with a capital letter
   * @param details what the title is about, such as the names of resources: a line each, between the two
   */
  constructor(
    readonly title: string,
    readonly advice: string,
    readonly details: readonly string[] = [],
  ) {
    const what = details.length === 0 ? title : `${title}: ${details.join("; ")}`;
    super(`${what}. ${capitalized(advice)}.`);
  }

  /** As a person sees it on a terminal. */
  get lines(): readonly string[] {
    const { title, advice, details } = this;
    const end = details.length === 0 ? "." : ":";
    return [`${title}${end}`, ...details.map((detail) => `  ${detail}`), `${capitalized(advice)}.`];
  }
}
