import type { Source } from "../../provider/config";
import { tokenOf } from "../../provider/hosts/token";
import { catalogue } from "../../provider/resources";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import { changed, type Found, ids, matching, pick, shown } from "../../provider/schema/wire";
import { type Entry, entryOf, type ImportFile, stateOf } from "./entry";
import type { Planned, Preview } from "./preview";

/** What `import --declared` came to. */
export interface Matched {
  readonly file: ImportFile;
  /** URNs of what the program protects. */
  readonly protect: readonly string[];
  readonly count: number;
  /** One line for each declared record that a person should know of. */
  readonly lines: readonly string[];
}

/** Reads the records of the account that a provider opens; no provider stands for the stack's own. */
export type Read = (resource: Resource, provider: string | undefined) => Promise<readonly Found[]>;

/** Finds the records that the program declares and the stack does not hold. */
export async function matchDeclared(preview: Preview, read: Read): Promise<Matched> {
  const lines: string[] = [];
  const protect: string[] = [];
  const entries = new Map<string, Entry>();
  const used = new Set<string>();
  for (const resource of catalogue)
    for (const planned of preview.creates.filter(({ type }) => type === tokenOf(resource))) {
      const provider = explicitProvider(planned);
      const declared = pick(resource, planned.inputs ?? {});
      const key = declared[resource.key];
      const label = `${noun(resource)} ${shown(undefined, key)}`;
      const candidates = matching(resource, key, await read(resource, provider));
      const [found] = candidates;
      const place = placeOf(preview.file, planned);
      if (candidates.length !== 1 || found?.id === undefined || place === undefined) {
        lines.push(`${label}: ${open(candidates)}`);
        continue;
      }
      const owner = `${resource.type} ${provider ?? ""} ${found.id}`;
      if (used.has(owner)) {
        lines.push(`${label}: the program declares its record (id ${found.id}) twice; the first has it`);
        continue;
      }
      used.add(owner);
      const state = stateOf(resource, found, declared);
      entries.set(planned.urn, entryOf(resource, place, found.id, state));
      if (planned.protect) protect.push(planned.urn);
      lines.push(...differences(resource, label, found.id, state, declared));
    }
  return { file: fileOf(preview, entries), protect, count: entries.size, lines };
}

function open(candidates: readonly Found[]): string {
  return candidates.length > 1
    ? `there are several (${ids(candidates)}), so none is imported; delete those that are not wanted`
    : "is not on the service; the next up creates it";
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

/** The URN of an explicit provider. */
export function explicitProvider({ provider }: Pick<Planned, "provider">): string | undefined {
  const urn = provider?.slice(0, provider.lastIndexOf("::"));
  return urn === undefined || /::default(_[^:]*)?$/.test(urn) ? undefined : urn;
}

/** The name, parent and provider that the engine writes for it. */
function placeOf({ resources }: ImportFile, { urn, type }: Planned): Entry | undefined {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const alike = resources.filter((each) => each.type === type && (each.logicalName ?? each.name) === name);
  if (alike.length < 2) return pickPlace(alike[0]);
  const parent = urn.split("::")[2]?.split("$").slice(0, -1).at(-1);
  return pickPlace(
    alike.find((each) => resources.find((other) => other.name === each.parent)?.type === parent) ?? alike[0],
  );
}

function pickPlace(entry: Entry | undefined): Entry | undefined {
  if (entry === undefined) return undefined;
  const { type, name, logicalName, parent, provider } = entry;
  return {
    type,
    name,
    ...(logicalName && { logicalName }),
    ...(parent && { parent }),
    ...(provider && { provider }),
  };
}

/** The matched records, with the components and providers that they stand under. */
function fileOf({ file }: Preview, matched: ReadonlyMap<string, Entry>): ImportFile {
  const entries = [...matched.values()];
  const needed = new Set(entries.flatMap(({ parent, provider }) => [parent, provider]));
  const above: Entry[] = [];
  for (const entry of [...file.resources].reverse())
    if (needed.has(entry.name) && !entry.type.startsWith("pulumi-nodejs:dynamic/")) {
      above.unshift(entry);
      if (entry.parent !== undefined) needed.add(entry.parent);
      if (entry.provider !== undefined) needed.add(entry.provider);
    }
  return { ...file, resources: [...above, ...entries] };
}

/** An explicit provider's settings out of its inputs, secrets opened. */
export function sourceOf(inputs: Readonly<Record<string, unknown>>): Source {
  return { get: (key) => textOf(inputs[`tracking:${key}`]) };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("plaintext" in value)) return undefined;
  const plain: unknown = JSON.parse(String(value.plaintext));
  return typeof plain === "string" ? plain : undefined;
}
