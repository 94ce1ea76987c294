/**
 * Options of `pulumi` that a person set for every command and that say where a stack is and what applies to it. The others
 * change what a command covers or prints: with `PULUMI_OPTION_TARGET`, a preview would not show all that the program declares.
 */
const PLACE = /^PULUMI_OPTION_(STACK|CWD|CONFIG|CONFIG_FILE|CONFIG_PATH|ENV|POLICY_PACK|POLICY_PACK_CONFIG)$/;

/** What changes what `--json` prints, or refuses it. */
const OTHER_OUTPUT = /^PULUMI_(ENABLE_STREAMING_JSON_PREVIEW|OPTION_OUTPUT)$/;

/**
 * The environment of a `pulumi` command: this process's, with additional variables.
 *
 * @param keepsOptions the command is a person's own, and takes every `PULUMI_OPTION_…`
 */
export function pulumiEnvironment(
  more: Readonly<Record<string, string>> = {},
  { keepsOptions = false } = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !OTHER_OUTPUT.test(name) && (keepsOptions || PLACE.test(name) || !/^PULUMI_OPTION_/.test(name)),
  );
  return { ...Object.fromEntries(kept), ...more };
}

/** Whether a person's own preview is to find no changes: by its options, or else by the environment, as `pulumi` reads both. */
export function expectsNoChanges(options: readonly string[]): boolean {
  const given = options.findLast((option) => /^--expect-no-changes(=|$)/.test(option));
  const [, value = "true"] = given?.split("=") ?? [
    "",
    process.env.PULUMI_OPTION_EXPECT_NO_CHANGES ?? "false",
  ];
  return /^(true|1)$/i.test(value);
}

/** Whether `pulumi plugin run` started this process: it gives its plugin an address of its own. */
export function isStartedByPulumi(): boolean {
  return process.env.PULUMI_RPC_TARGET !== undefined;
}
