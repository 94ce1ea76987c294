import { inOneLine } from "../../provider/api/api";
import { endpoint } from "../../provider/config";
import { ADVICE } from "../../provider/lifecycle/advice";
import { adviceFor, describeStanding } from "../../provider/lifecycle/standing";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import type { HeldRecord } from "../look/held";
import { type Differing, verifyAccount } from "../look/service";
import { type Account, type Accounts, identityOf } from "./accounts";
import { readable, refuse } from "./read-account";

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

/**
 * Verifies that the accounts are those of the stack, by the records that it holds. Throws if its own can't be read, or may be
 * another one: an import from the wrong account makes its records the stack's, and from then on nothing shows that the API key
 * is wrong. What became of a single record is for the doctor to say.
 *
 * @returns the records of the stack that the service has otherwise or not at all, and the failures of explicit providers'
 *   accounts, by `identityOf`
 */
export async function verifyAccounts(held: readonly HeldRecord[], accounts: Accounts) {
  const unreadAccounts = new Map<string, unknown>();
  const identity = ({ resource, provider }: HeldRecord) => identityOf(resource, accounts.of(provider));
  const differing: Differing[] = [];
  for (const group of groupsBy(held, identity)) {
    const [{ resource, provider }] = group;
    try {
      differing.push(...(await differingIn(accounts.of(provider), group)));
    } catch (failure) {
      const isOwn = identity(group[0]) === identityOf(resource, accounts.own);
      if (isOwn || !(failure instanceof CommandFailure)) refuse(failure);
      unreadAccounts.set(identity(group[0]), failure);
    }
  }
  return { differing, unreadAccounts };
}
