import { endpoint } from "../../provider/config";
import { describeNone } from "../../provider/lifecycle/account-guard";
import { adviceFor, describeStanding, READOPT } from "../../provider/lifecycle/standing";
import { noun } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import type { HeldRecord } from "../look/held";
import type { Differing } from "../look/service";
import { type Account, type Accounts, identityOf } from "./accounts";
import { failedRow, readable } from "./read-account";
import type { Row } from "./row";

/** What became of the records of one account. Throws if it may be another one: as for the provider, one record proves it. */
async function compareGroup(group: readonly HeldRecord[], account: Account): Promise<readonly Differing[]> {
  const kinds = groupsBy(group, ({ resource }) => resource.type);
  const compare = (isRight: boolean) =>
    Promise.all(
      kinds.map((kind) => {
        const [{ resource }] = kind;
        return readable(resource, account, (records) => records.compare(resource, kind, isRight));
      }),
    );
  const all = await compare(false);
  const doubtful = all.find(({ doubt }) => doubt !== undefined)?.doubt;
  const differing = all.flatMap((each) => each.differing);
  const standings = differing.flatMap(({ standing }) => standing ?? []);
  if (differing.length < group.length || standings.some(({ status }) => status === "renamed"))
    return doubtful === undefined ? differing : (await compare(true)).flatMap((each) => each.differing);
  const another = standings.find(({ record }) => record);
  const areGone = standings.every(({ status }) => status === "missing");
  const doubt = doubtful ?? (areGone ? describeNone(group.length, 0) : undefined);
  const service = kinds[0]?.[0].resource.service;
  if (service === undefined || (another === undefined && doubt === undefined)) return differing;
  const { key, baseUrl } = endpoint(service, account.source).labels;
  const [fact, way] = another ? [describeStanding(another), adviceFor(another)] : [doubt ?? "", READOPT];
  throw new CommandFailure(fact, `Check ${key} and ${baseUrl}. If they are right, ${way}`);
}

/** What became of a record of the stack; nothing of one that is gone, which a refresh finds. */
function differenceRow({ standing }: Differing): Row[] {
  if (standing === undefined || standing.status === "missing") return [];
  const text = `${describeStanding(standing)}. If the base URL and the key are right, ${adviceFor(standing)}.`;
  return [{ kind: standing.status, text, isOpen: true }];
}

/**
 * Compares what the stack holds with the services: a record may have another id now, and its id may be another record's.
 * Throws if the stack's own account can't be read, or may be another one: once its records are imported, nothing would show
 * that any more. `unread` says the same of other accounts.
 *
 * @param isShown whether what became of a record is told
 */
export async function compareHeld(
  held: readonly HeldRecord[],
  accounts: Accounts,
  isShown: (each: HeldRecord) => boolean = () => true,
) {
  const rows: Row[] = [];
  const unread = new Map<string, unknown>();
  const scopeOf = ({ resource, provider }: HeldRecord) => identityOf(resource, accounts.of(provider));
  for (const group of groupsBy(held, scopeOf)) {
    const [{ resource, provider }] = group;
    const scope = scopeOf(group[0]);
    try {
      const differing = await compareGroup(group, accounts.of(provider));
      rows.push(...differing.filter((each) => isShown(each.held)).flatMap(differenceRow));
    } catch (failure) {
      const nouns = new Set(group.map((each) => `${noun(each.resource)}s`));
      const what = `${[...nouns].join(" and ")} that the stack holds`;
      const row = failedRow(failure, scope === identityOf(resource, accounts.own), what);
      unread.set(scope, failure);
      if (group.some(isShown)) rows.push(row);
    }
  }
  return { rows, unread };
}
