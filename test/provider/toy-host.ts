import { createApi } from "../../provider/api/client";
import { ledgerAt } from "../../provider/hosts/run-file";
import { PartialFailure } from "../../provider/lifecycle";
import { Notices } from "../../provider/notices";
import { Refusals } from "../../provider/refusals";
import { type Resource, UNKNOWN, type Values } from "../../provider/schema/resource";
import { createSession, type Host, type Session } from "../../provider/session";

/** What a line may ask for, with its arguments. */
const verbs = {
  check: (session: Session, ...given: Parameters<Session["check"]>) => session.check(...given),
  diff: (session: Session, id: string, olds: Values, news: Values) => session.diff(id, olds, news),
  create: (session: Session, args: Values) => session.create(args),
  read: (session: Session, id: string, state: Values) => session.read(id, state),
  update: (session: Session, id: string, olds: Values, news: Values) => session.update(id, olds, news),
  delete: (session: Session, id: string, state: Values) => session.delete(id, state),
};

/** The values of a line, and a line of values. */
export const fromLine = (text: string): unknown =>
  JSON.parse(text, (_, value) => (value?.unknown === true ? UNKNOWN : value));
export const toLine = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each) => (each === UNKNOWN ? { unknown: true } : each));

/** What a session needs of any host. */
export function bareHost(print: (text: string) => void): Host {
  const log = { warn: print, debug: print };
  return {
    log,
    notices: new Notices(print),
    refusals: new Refusals(),
    ledger: ledgerAt(undefined, () => {}),
    running: {},
    connect: (endpoint) => createApi(endpoint, log),
  };
}

/**
 * A host that is no engine: it is given a line for each call, such as `Website delete ["7", {}]`, and gives back
 * `done` or `failed`, with what came of it. All it knows of a resource is that there is one.
 *
 * @param print gets what it says by the way
 */
export function toyHost(
  resources: readonly Resource[],
  settings: Readonly<Record<string, string>>,
  print: (text: string) => void,
): (line: string) => Promise<string> {
  const host = bareHost(print);
  const sessions = new Map(resources.map((resource) => [resource.type, createSession(resource, host)]));
  for (const session of sessions.values()) session.configure({ get: (key) => settings[key] });

  return async (line) => {
    const [, type = "", verb = "", given = "[]"] = /^(\w+) (\w+) (.*)$/s.exec(line) ?? [];
    const session = sessions.get(type);
    if (session === undefined || !Object.hasOwn(verbs, verb)) return `failed ${toLine({ message: line })}`;
    try {
      const call: (session: Session, ...args: never[]) => Promise<unknown> =
        verbs[verb as keyof typeof verbs];
      return `done ${toLine(await call(session, ...(fromLine(given) as never[])))}`;
    } catch (error) {
      const { message } = error as Error;
      return `failed ${toLine(error instanceof PartialFailure ? { message, id: error.id, state: error.state } : { message })}`;
    }
  };
}
