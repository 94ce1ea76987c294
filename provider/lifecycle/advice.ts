/** The command that imports what the program declares and the stack lacks. It finds records by keys, never by ids. */
export const IMPORT = "npx pulumi-tracking import --declared --apply";

const LET_GO =
  'declare it with the option retainOnDelete: true and run "pulumi up", then remove it and run "pulumi up" again';

/**
 * What several messages advise, in the words of all of them. Each is one way that leads out; rare ways stand in the guide's
 * section that it names.
 */
export const ADVICE = {
  /** Drops a resource from state whatever depends on it, and keeps its record on the service. */
  letGo: LET_GO,
  /** Drops a resource whose record the service does not show. */
  drop: `drop it from state with "pulumi state delete --force URN". If others depend on it, Pulumi refuses that: then ${LET_GO}`,
  /** Gives resources the records that have their keys, after the service has given these other ids. */
  importAgain: `drop each such resource from state with "pulumi state delete --force URN", then run "${IMPORT}" and "pulumi up". "When the service has given records other ids" in docs/guide.md has the order`,
  /** Creates several records again. A refresh skips what a replacement has deleted, so that stays in state. */
  recreate:
    'the records are gone: drop each from state with "pulumi refresh --target URN", one at a time, or if it stays there, with "pulumi state delete --force URN"; in a stack that holds nothing else, drop all with "pulumi state delete --all --force". Then "pulumi up" creates them again',
} as const;
