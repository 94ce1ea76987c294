import { version } from "../../package.json";
import { inOneLine } from "../../provider/api/api";
import type { Logger } from "../../provider/api/client";
import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { varietyName } from "../look/held";
import { type Drift, look, type Problem, problems, type RecordRow } from "../look/look";
import type { OpenStack } from "../look/stacks";
import { naturalOrder } from "../natural-order";
import { Stack } from "../pulumi/stack";
import { sanitized } from "../sanitized";
import type { StackOptions } from "../stack-options";
import { idleStack, unreadService } from "../unread";

/** Stands for a value that is secret in a stack. */
const HIDDEN = "(secret)";

/** A resource that manages a record. */
export interface Manager {
  readonly stack: string;
  /** Its name in the program. */
  readonly resource: string;
  readonly urn: string;
}

/** A website or a pixel, on the service or only in a stack. */
export interface ListRow {
  /** The resource's type, such as `Website`. */
  readonly type: string;
  /** Absent if the service sent none. */
  readonly id?: string | undefined;
  /** Its domain or name. */
  readonly key: string;
  /** Its privacy or its type. */
  readonly variety: string;
  /** The service's address. */
  readonly baseUrl: string;
  readonly managedBy: readonly Manager[];
  /** The engine, or the plugin, refuses to delete it. */
  readonly protected: boolean;
  readonly drift: readonly Drift[];
  /** The arguments whose value in state is of another type. */
  readonly unreadable: readonly string[];
  /** What may need attention; of all but drift, doctor says what to do. */
  readonly problems: readonly Problem[];
}

/** What `pulumi-tracking list --json` prints. No text in it has a secret or a control character. */
export interface Listing {
  /** Increases when a reader of the previous shape would no longer understand this one. */
  readonly format: 1;
  readonly version: string;
  /** The stacks that were read; empty if only the environment was. */
  readonly stacks: readonly string[];
  /** What is doubtful about all of it, such as a list that may be incomplete. */
  readonly notes: readonly string[];
  /** Those that need attention first. */
  readonly records: readonly ListRow[];
}

/** The stacks that an error is about, before its text. */
function prefixOf(stacks: readonly string[]): string {
  return stacks.length === 0 ? "" : `Stack${stacks.length > 1 ? "s" : ""} ${stacks.join(", ")}: `;
}

function listRow(row: RecordRow): ListRow {
  const { resource, id, baseUrl, values, holders } = row;
  const isSecret = (name: string) => holders.some(({ secrets }) => secrets.includes(name));
  const textOf = (name: string | undefined) => {
    if (name === undefined || values[name] == null) return "";
    return isSecret(name) ? HIDDEN : String(values[name]);
  };
  const drift = row.drift.map(({ argument, state, service }) =>
    isSecret(argument) ? { argument, state: HIDDEN, service: HIDDEN } : { argument, state, service },
  );
  return {
    type: resource.type,
    id,
    key: textOf(resource.key),
    variety: textOf(varietyName(resource)),
    baseUrl,
    managedBy: holders.map(({ stack, name, urn }) => ({ stack, resource: name, urn })),
    protected: holders.some(({ isProtected }) => isProtected),
    drift,
    unreadable: row.unreadable,
    problems: row.problems,
  };
}

/** Orders rows: those with problems first, the worst at the top; then by domain or name. */
function inOrder(rows: readonly ListRow[]): ListRow[] {
  const rank = ({ problems: [worst] }: ListRow) =>
    worst === undefined ? problems.length : problems.indexOf(worst);
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      naturalOrder(b.type, a.type) ||
      naturalOrder(a.key, b.key) ||
      naturalOrder(a.id ?? "", b.id ?? ""),
  );
}

/** Lists every record of the account, and who manages it. Writes nothing. */
export async function listRecords(
  options: StackOptions,
  folder: string,
  logger: Logger,
  open: OpenStack = (name) => new Stack(name),
): Promise<Listing> {
  const { stacks, unreadStacks, usesEnvironment, mistakes, idleStacks, answers, rows } = await look(
    options,
    folder,
    logger,
    open,
    ({ endpoint }) => catalogue.some(({ service }) => service === endpoint.service),
  );
  // A record of a stack that can't be read would look as if nobody managed it.
  const [firstUnread] = usesEnvironment ? [] : unreadStacks;
  if (firstUnread !== undefined) throw firstUnread.failure;
  for (const { title, advice, stacks: names } of mistakes)
    throw new CommandFailure(`${prefixOf(names)}${title}`, inOneLine(advice));
  for (const answer of answers)
    if (answer.error !== undefined) {
      const { message, remedy } = unreadService(answer.error, answer);
      throw new CommandFailure(`${prefixOf(answer.stacks)}${message}`, remedy);
    }
  for (const stack of answers.length === 0 ? idleStacks : []) {
    const { message, remedy } = idleStack(stack);
    throw new CommandFailure(message, remedy);
  }
  return sanitized({
    format: 1,
    version,
    stacks: stacks.map(({ name }) => name),
    notes: [
      ...answers.flatMap(({ doubts }) => doubts),
      ...answers
        .flatMap(({ lists }) => lists.filter(({ isComplete }) => !isComplete))
        .map(({ resource }) => `The service's list of ${pluralName(resource)} may be incomplete`),
    ],
    records: inOrder(rows.map(listRow)),
  });
}
