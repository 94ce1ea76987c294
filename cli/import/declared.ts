import { tokenOf } from "../../provider/hosts/token";
import { catalogue } from "../../provider/resources";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import { changed, type Found, ids, mayHaveKey, pick, shown, withKey } from "../../provider/schema/wire";
import { CutOff } from "../account";
import type { Entry, ImportFile, Planned } from "../pulumi/answers";
import { nameOf } from "../pulumi/urn";
import { entryOf, stateOf } from "./entry";
import type { Holdings } from "./holdings";
import { placeOf, withAncestors } from "./place";
import type { Preview } from "./preview";

/** What `import --declared` came to. */
export interface Matched {
  readonly file: ImportFile;
  readonly count: number;
  /** One line for each declared record that a person should know of. */
  readonly lines: readonly string[];
}

/** The accounts that the providers of the program open. */
export interface Accounts {
  /** Where the service of a resource is. */
  address(resource: Resource, planned: Planned): string | undefined;
  /** Records among which are all that have a key; rejects with a `CutOff` where the service can't tell. */
  find(resource: Resource, planned: Planned, key: unknown): Promise<readonly Found[]>;
}

/** Finds the records that the program declares and the stack does not hold. */
export async function matchDeclared(
  preview: Preview,
  holdings: Holdings,
  accounts: Accounts,
): Promise<Matched> {
  const lines: string[] = [];
  const entries: Entry[] = [];
  const owners = new Map<string, string>();
  for (const resource of catalogue)
    for (const planned of preview.creates.filter(({ type }) => type === tokenOf(resource))) {
      const declared = pick(resource, planned.inputs ?? {});
      const label = `${noun(resource)} ${shown(undefined, declared[resource.key])}`;
      const address = accounts.address(resource, planned);
      const records = await accounts.find(resource, planned, declared[resource.key]).catch(orCutOff);
      if (records instanceof CutOff) {
        lines.push(`${label}: ${records.problem}, so it is not imported`);
        continue;
      }
      const candidates = withKey(resource, declared[resource.key], records);
      const free = candidates.filter((each) => holdings.holderOf(resource, address, each) === undefined);
      const [found] = free;
      const place = placeOf(preview.file, planned);
      if (free.length !== 1 || found?.id === undefined || place === undefined) {
        lines.push(
          `${label}: ${whyNone(resource, address, { candidates, free }, holdings, records, declared)}`,
        );
        continue;
      }
      const identity = `${resource.type} ${address} ${found.id}`;
      const owner = owners.get(identity);
      if (owner !== undefined) {
        lines.push(`${label}: the program declares its record (id ${found.id}) twice; "${owner}" has it`);
        continue;
      }
      owners.set(identity, nameOf(planned.urn));
      const state = stateOf(resource, found, declared);
      entries.push(entryOf(resource, place, found.id, state));
      lines.push(...differences(resource, label, found.id, state, declared));
    }
  return { file: withAncestors(preview.file, entries), count: entries.length, lines };
}

function orCutOff(error: unknown): CutOff {
  if (error instanceof CutOff) return error;
  throw error;
}

/** Why a declared record can't be imported: it is another's, one of several, another site, or not there. */
function whyNone(
  resource: Resource,
  address: string | undefined,
  { candidates, free }: { candidates: readonly Found[]; free: readonly Found[] },
  holdings: Holdings,
  records: readonly Found[],
  declared: Values,
): string {
  if (free.length > 1)
    return `there are several (${ids(free)}), so none is imported; delete those that are not wanted`;
  const [taken] = candidates;
  const holder = taken && holdings.holderOf(resource, address, taken);
  if (taken !== undefined && holder !== undefined)
    return `its record (id ${taken.id}) is held by "${nameOf(holder.urn)}" already and is passed over; declare it once`;
  const near = records.find((each) => mayHaveKey(resource, declared[resource.key], each));
  return near === undefined
    ? "is not on the service; the next up creates it"
    : `is not on the service, which has ${shown(undefined, near.values[resource.key])} (id ${near.id}); ` +
        `if that is the same one, declare it in this spelling`;
}

/** What the next `up` will send, since the record is not, or not known to be, as declared. */
function differences(resource: Resource, label: string, id: string, state: Values, news: Values): string[] {
  const names = changed(resource, state, news);
  if (names.length === 0) return [];
  const clauses = names.map((name) => {
    const field = resource.inputs[name];
    return state[name] === undefined
      ? `${name} (the service does not say what it is)`
      : `${name} from ${shown(field, state[name])} to ${shown(field, news[name])}`;
  });
  return [`${label} (id ${id}): the next up changes ${clauses.join(", ")}`];
}
