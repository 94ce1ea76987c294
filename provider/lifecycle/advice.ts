/** The command that imports what the program declares and the stack lacks. It finds records by keys, never by ids. */
export const IMPORT = "npx pulumi-tracking import --declared --apply";

/**
 * Where the pages are, for those who install by npm. In a release's archive the plugin has them beside its file:
 * `tools/plugin/bundle.mjs` puts that place here, as it does with the command.
 */
const PAGES = "node_modules/pulumi-tracking/docs/";
export const GUIDE = `${PAGES}guide.md`;

/** Names a section of the guide, or of another page, which has the rare ways and those of several steps. */
export const inGuide = (section: string, page = "guide.md") => `"${section}" in ${PAGES}${page}`;

const OTHER_IDS = inGuide("When the service has given records other ids");

/** What several messages advise, in the words of all of them. Each is one way that leads out; rare ways stand in the guide. */
export const ADVICE = {
  /** Drops a resource from state whatever depends on it, and keeps its record on the service. */
  letGo:
    'declare it with the option retainOnDelete: true and run "pulumi up", then remove it and run "pulumi up" again',
  /** Drops a resource whose record the service does not show. */
  drop: `drop it from state with "pulumi state delete --force URN"; if others depend on it, see ${OTHER_IDS}`,
  /** Gives resources the records that have their keys, after the service has given these other ids. */
  importAgain: `drop each such resource from state with "pulumi state delete --force URN", and import it again: ${OTHER_IDS}`,
  /** Creates several records again. A refresh skips what a replacement has deleted, so that stays in state. */
  recreate:
    'the records are gone: drop each from state with "pulumi refresh --target URN", one at a time, and "pulumi up" creates them again',
  /** The same, faster, and for what such a refresh keeps. */
  recreateMany: `For many, or one that stays, see ${inGuide("When all records are gone")}`,
} as const;
