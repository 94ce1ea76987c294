/** What a CI service does for one event, as the shell commands of one job. */
export interface Job {
  readonly name: string;
  /** What it sets, beside what the machine has. */
  readonly env: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}
