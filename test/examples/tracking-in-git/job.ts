/** The shell commands of one job that a CI service runs for an event. */
export interface Job {
  readonly name: string;
  /** The environment that it adds. */
  readonly env: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}
