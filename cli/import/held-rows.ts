import { endpoint } from "../../provider/config";
import { describeNone } from "../../provider/lifecycle/account-guard";
import { ADVICE } from "../../provider/lifecycle/advice";
import { adviceFor, describeStanding } from "../../provider/lifecycle/standing";
import { noun } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import type { HeldRecord } from "../look/held";
import type { Differing } from "../look/service";
import { type Account, type Accounts, identityOf } from "./accounts";
import { failedRow, readable } from "./read-account";
import type { Row } from "./row";

/**
 * Returns the records of one account whose ids do not lead to them. Throws if it may be another account: as for the provider,
 * one record that is there, of any kind, shows that it is not.
 */
async function differingIn(account: Account, held: readonly HeldRecord[]): Promise<readonly Differing[]> {
  const kinds = groupsBy(held, ({ resource }) => resource.type);
  const verify = (options?: { isRightAccount: boolean }) =>
    Promise.all(
      kinds.map((kind) => {
        const [{ resource }] = kind;
        return readable(resource, account, (records) => records.verify(resource, kind, options));
      }),
    );
  const verified = await verify();
  const differing = verified.flatMap((kind) => kind.differing);
  const doubtOfKind = verified.find(({ doubt }) => doubt !== undefined)?.doubt;
  const standings = differing.flatMap(({ standing }) => standing ?? []);
  if (differing.length < held.length || standings.some(({ status }) => status === "renamed")) {
    if (doubtOfKind === undefined) return differing;
    return (await verify({ isRightAccount: true })).flatMap((kind) => kind.differing);
  }
  const another = standings.find(({ record }) => record);
  const areGone = standings.every(({ status }) => status === "missing");
  const doubt = doubtOfKind ?? (areGone ? describeNone(held.length, 0) : undefined);
  const service = kinds[0]?.[0].resource.service;
  if (service === undefined || (another === undefined && doubt === undefined)) return differing;
  const { key, baseUrl } = endpoint(service, account.source).labels;
  const [fact, advice] = another
    ? [describeStanding(another), adviceFor(another)]
    : [doubt ?? "", ADVICE.importAgain];
  throw new CommandFailure(fact, `Check ${key} and ${baseUrl}. If they are right, ${advice}`);
}

/** A record that is gone has no row: a refresh finds that. */
function differingRow({ standing }: Differing): Row[] {
  if (standing === undefined || standing.status === "missing") return [];
  const text = `${describeStanding(standing)}. If the base URL and the key are right, ${adviceFor(standing)}.`;
  return [{ kind: standing.status, text, isOpen: true }];
}

/**
 * Rows for the records that the stack holds and the service has otherwise: such a record may have another id now, or its id
 * may be another record's. `unread` has the failures of explicit providers' accounts, by `identityOf`.
 *
 * Throws if the stack's own account can't be read, or may be another one: an import from the wrong account makes its records
 * the stack's, and from then on nothing shows that the key is wrong.
 *
 * @param isReported whether the import is about a record
 */
export async function heldRows(
  held: readonly HeldRecord[],
  accounts: Accounts,
  isReported: (record: HeldRecord) => boolean,
) {
  const rows: Row[] = [];
  const unread = new Map<string, unknown>();
  const identity = ({ resource, provider }: HeldRecord) => identityOf(resource, accounts.of(provider));
  for (const group of groupsBy(held, identity)) {
    const [{ resource, provider }] = group;
    try {
      const differing = await differingIn(accounts.of(provider), group);
      rows.push(...differing.filter((record) => isReported(record.held)).flatMap(differingRow));
    } catch (failure) {
      const nouns = new Set(group.map((record) => `${noun(record.resource)}s`));
      const what = `${[...nouns].join(" and ")} that the stack holds`;
      const row = failedRow(failure, {
        what,
        isOwn: identity(group[0]) === identityOf(resource, accounts.own),
      });
      unread.set(identity(group[0]), failure);
      if (group.some(isReported)) rows.push(row);
    }
  }
  return { rows, unread };
}
