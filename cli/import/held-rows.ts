import { inOneLine } from "../../provider/api/api";
import { endpoint } from "../../provider/config";
import { ADVICE } from "../../provider/lifecycle/advice";
import { adviceFor, describeStanding } from "../../provider/lifecycle/standing";
import { noun } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import type { HeldRecord } from "../look/held";
import { type Differing, verifyAccount } from "../look/service";
import { type Account, type Accounts, identityOf } from "./accounts";
import { failedRow, readable } from "./read-account";
import type { PlanRow } from "./row";

/** Returns the records of one account whose ids do not lead to them. Throws if it may be another account. */
async function differingIn(
  account: Account,
  held: readonly [HeldRecord, ...HeldRecord[]],
): Promise<readonly Differing[]> {
  const kinds = groupsBy(held, ({ resource }) => resource.type);
  const { parts, doubt } = await verifyAccount((options) =>
    Promise.all(
      kinds.map((kind) => {
        const [{ resource }] = kind;
        return readable(resource, account, (records) => records.verify(resource, kind, options));
      }),
    ),
  );
  const [doubtOfKind] = parts.flatMap(({ doubts }) => doubts);
  const reason = doubt ?? doubtOfKind;
  if (reason === undefined) return parts.flatMap(({ differing }) => differing);
  const [fact, advice] =
    typeof reason === "string" ? [reason, ADVICE.importAgain] : [describeStanding(reason), adviceFor(reason)];
  const { key, baseUrl } = endpoint(held[0].resource.service, account.source).labels;
  throw new CommandFailure(fact, `Check ${key} and ${baseUrl}. If they are right, ${inOneLine(advice)}`);
}

/** A record that is gone has no row: a refresh finds that. */
function differingRow({ standing }: Differing): PlanRow[] {
  if (standing === undefined || standing.status === "missing") return [];
  const text = `${describeStanding(standing)}. If the base URL and the key are right, ${inOneLine(adviceFor(standing))}.`;
  return [{ kind: standing.status, text, isOpen: true }];
}

/**
 * Rows for the records that the stack holds and the service has otherwise: such a record may have another id now, or its id
 * may be another record's. `unreadAccounts` has the failures of explicit providers' accounts, by `identityOf`.
 *
 * Throws if the stack's own account can't be read, or may be another one: an import from the wrong account makes its records
 * the stack's, and from then on nothing shows that the API key is wrong.
 *
 * @param isReported whether the import is about a record
 */
export async function heldRows(
  held: readonly HeldRecord[],
  accounts: Accounts,
  isReported: (record: HeldRecord) => boolean,
) {
  const rows: PlanRow[] = [];
  const unreadAccounts = new Map<string, unknown>();
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
      unreadAccounts.set(identity(group[0]), failure);
      if (group.some(isReported)) rows.push(row);
    }
  }
  return { rows, unreadAccounts };
}
