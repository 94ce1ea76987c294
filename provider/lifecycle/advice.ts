/** The command that imports what the program declares and the stack lacks. It finds records by keys, never by ids. */
export const IMPORT = "npx pulumi-tracking import --declared --apply";

/**
 * Where the pages are, for those who install by npm. In a release's archive they are beside the plugin's file, wherever that is:
 * `tools/plugin/bundle.mjs` puts an expression here, as it puts the command of those who have the archive.
 */
const PAGES = "node_modules/pulumi-tracking/docs/";
export const GUIDE = `${PAGES}guide.md`;

/** Names a section of the guide, or of another page, which has the rare ways and those of several steps. */
export const inGuide = (section: string, page = "guide.md") => `"${section}" in ${PAGES}${page}`;

/** Drops a resource from state, and keeps its record on the service. A child's URN has a `$`, hence the quotes. */
const STATE_DELETE = `run "pulumi state delete --force 'URN'"`;
const URN_SHOWN = '("pulumi stack --show-urns" prints the URN)';

/**
 * What to do if two resources of a program want one record, which the first has. Someone may have given its pixel the name that the
 * other one declares: only a refresh finds that, so that the same command gives the name back.
 */
export const adviceForSecond = (owner: string): readonly string[] => [
  "Declare it in one resource only",
  `If you are renaming or removing ${owner}, do that first: run "pulumi up --refresh" without this resource, then with it`,
];

/** What to do if a resource wants a record that another one has not left yet. */
export const adviceToWait = (second: string) => `Run "pulumi up --refresh" without ${second}, then with it`;

/** What to do if a service sends no such field, as an old version that says `url` for `domain`. */
export const adviceForOld = (field: string) =>
  `ask the service's operator for a version whose API sends a ${field}, and run the same command again`;

/** What several messages advise, in the words of all of them. Each is one way that leads out; rare ways stand in the guide. */
export const ADVICE = {
  /** Drops a resource whose record the service does not show. */
  drop: `${STATE_DELETE} ${URN_SHOWN}`,
  /** Gives resources the records that have their keys, after the service has given these other ids. */
  importAgain: [
    `${STATE_DELETE} for each such resource ${URN_SHOWN}, then "${IMPORT}"`,
    `If others depend on it, see ${inGuide("When the service has given records other ids")}`,
  ],
  /** Drops one of two resources that have one record in state. Of a website, Pulumi would refuse the delete. */
  dropSecond: `Remove one of the two from the program, and ${STATE_DELETE} for it ${URN_SHOWN}; the record stays on the service`,
  /** Drops several records that are gone. A refresh skips what a replacement has deleted, so that stays in state. */
  dropGone:
    "the records are gone: drop each from state with \"pulumi refresh --target 'URN'\", one at a time",
  /** The same, faster, and for what such a refresh keeps. */
  dropMany: `For many, or one that stays, see ${inGuide("When all records are gone")}`,
} as const;
