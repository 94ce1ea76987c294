import { setTimeout } from "node:timers/promises";
import { type Api, linesOf } from "./api/api";
import { createApi, type Logger } from "./api/client";
import { prepare } from "./api/http";
import { isSecret, registerSecret, sanitizeLines } from "./api/redact";
import {
  assertAgreed,
  type Command,
  type Endpoint,
  endpoint,
  isImporting,
  SettingError,
  type SettingMistake,
  type SettingsSource,
} from "./config";
import {
  AccountGuard,
  assertReadable,
  type Context,
  check,
  create,
  describeRecord,
  diff,
  diffWithNotices,
  type Ledger,
  type LifecycleError,
  PartialFailure,
  questionIfAlone,
  type RecordInState,
  ResourceLedger,
  read,
  remember,
  remove,
  update,
} from "./lifecycle";
import { Notices } from "./notices";
import { RecordReader } from "./records/reader";
import { noun, type Resource, type Values } from "./schema/resource";

/** What all sessions of a process share in one run. */
export class RunState {
  readonly notices: Notices;
  /** The engine's command, as far as the calls to this process's sessions reveal it. */
  command: Command | undefined;
  /** The advice of errors, as far as it was printed. */
  readonly advice = new Set<string>();
  private readonly guards = new Map<string, AccountGuard>();

  /**
   * @param ledger which resource has which record, in all processes of the run
   * @param signal ends every wait for a service
   */
  constructor(
    readonly log: Logger,
    readonly ledger: Ledger,
    private readonly signal?: AbortSignal,
  ) {
    this.notices = new Notices(log.warn);
  }

  /** The guard of an account. Services with the same address and key share it. */
  guard({ account }: Endpoint): AccountGuard {
    const guard = this.guards.get(account) ?? new AccountGuard();
    this.guards.set(account, guard);
    return guard;
  }

  /** Creates the client of a service. */
  connect(endpoint: Endpoint): Api {
    return createApi(endpoint, this.log, this.signal);
  }
}

/** What the calls of a session share: its settings, and how each ends. */
class Connection {
  private source: SettingsSource = { get: () => undefined };
  private connected: { readonly context: Context; readonly target: Endpoint } | undefined;

  constructor(
    private readonly resource: Resource,
    readonly run: RunState,
  ) {}

  configure(settings: SettingsSource): void {
    this.source = settings;
    this.connected = undefined;
  }

  /** Notes which command this is. One that has declared a resource, or read one by `get`, is an `up` or a preview, whatever follows. */
  noteCommand(command: Command): void {
    if (this.run.command !== "up") this.run.command = command;
  }

  /**
   * Created by the first call that needs it, because `configure` must not throw. Throws a `SettingError` if the look-ups of
   * the program's own process use another account than the resources that it declares. A refresh declares none: after a
   * new key, "pulumi up --refresh" refreshes with the key of the last up (pulumi/pulumi#13860), and would refuse the program
   * that has the new one.
   *
   * @param hidden this resource, with what the program marks as secret
   */
  contextOf(hidden: Resource): Context {
    const { resource, run } = this;
    if (this.connected === undefined) {
      const target = endpoint(resource.service, this.source, undefined, () => run.command);
      const api = run.connect(target);
      const context: Context = {
        resource,
        api,
        records: new RecordReader(api, resource),
        guard: run.guard(target),
        accountAdvice: target.accountAdvice,
        ledger: new ResourceLedger(run.ledger, resource, target),
        warn: (notice) => run.notices.add(notice),
        sleep: (milliseconds) => setTimeout(milliseconds),
        clock: () => performance.now(),
      };
      this.connected = { context, target };
    }
    if (run.command === "up") assertAgreed(this.connected.target, run.ledger.settings);
    return { ...this.connected.context, resource: hidden };
  }

  /** Missing or wrong settings, so that a preview shows them. */
  get mistakes(): readonly SettingMistake[] {
    try {
      this.contextOf(this.resource);
      return [];
    } catch (error) {
      if (error instanceof SettingError) return error.mistakes;
      throw error;
    }
  }

  /** The resource with each field as secret that has a secret text in these values because the program marks it so. */
  private withMarkedSecrets(valueSets: readonly Values[]): Resource {
    const { inputs } = this.resource;
    const marked = Object.entries(inputs)
      .filter(([name, field]) => !field.secret && valueSets.some(({ [name]: value }) => isSecret(value)))
      .map(([name, field]) => [name, { ...field, secret: true }]);
    if (marked.length === 0) return this.resource;
    return { ...this.resource, inputs: { ...inputs, ...Object.fromEntries(marked) } };
  }

  /** Runs one call, after registering the secrets in its values. Rethrows an error as lines without secrets. */
  readonly cleanly = async <T>(
    valueSets: readonly Values[],
    call: (resource: Resource) => Promise<T>,
  ): Promise<T> => {
    for (const [name, field] of Object.entries(this.resource.inputs))
      for (const { [name]: value } of valueSets)
        if (field.secret && typeof value === "string") registerSecret(value);
    try {
      return await call(this.withMarkedSecrets(valueSets));
    } catch (error) {
      const message = sanitizeLines(this.withAdviceOnce(linesOf(error)));
      throw error instanceof PartialFailure
        ? new PartialFailure(error.id, error.state, [message])
        : new Error(message);
    }
  };

  /** A rejected key, a missing setting or another account stops every resource: only the first error has the advice. */
  withAdviceOnce([title = "", ...lines]: readonly string[]): readonly string[] {
    const advice = lines.join("\n");
    const isKnown = this.run.advice.has(advice);
    this.run.advice.add(advice);
    return isKnown ? [title] : [title, ...lines];
  }
}

/** Returns the reason why a record must not be replaced or deleted, or undefined. */
type Refusal = () => LifecycleError | undefined;

async function checkArguments(
  connection: Connection,
  resource: Resource,
  olds: Values,
  news: Values,
  urn?: string,
) {
  connection.noteCommand("up");
  const { run, mistakes } = connection;
  const { values, refusals } = await check(
    {
      resource,
      notify: (notice) => run.notices.add(notice),
      context: mistakes.length === 0 ? connection.contextOf(resource) : undefined,
      isImporting: isImporting(),
    },
    olds,
    news,
    urn,
  );
  const reasons = refusals.length > 0 ? refusals : mistakes.map(({ title, advice }) => [title, ...advice]);
  return { values, failures: reasons.map((lines) => sanitizeLines(connection.withAdviceOnce(lines))) };
}

async function diffRecord(
  connection: Connection,
  comparison: RecordInState & { readonly news: Values },
  refuse?: Refusal,
) {
  const { resource, id, values, news } = comparison;
  // A refresh compares the record (as old) with the arguments in state (as new).
  for (const stated of [values, news]) assertReadable({ ...comparison, values: stated });
  if (connection.mistakes.length > 0) return diff(resource, values, news);
  const context = connection.contextOf(resource);
  const difference = diffWithNotices(context, values, news, refuse);
  if (difference.changed.length > 0) prepare();
  context.ledger.assertCompared(id, news, difference.replaces.length > 0 ? "left" : "kept");
  if (values[resource.key] !== undefined) remember({ ...comparison, context, verb: "compared" });
  return difference;
}

async function readRecord(connection: Connection, record: RecordInState & { readonly isQuestion: boolean }) {
  const { resource, id, values, isQuestion } = record;
  assertReadable(record);
  const isFirst = values[resource.key] === undefined;
  // A first read comes from `get` in the program.
  connection.noteCommand(isFirst ? "up" : "refresh");
  const context = connection.contextOf(resource);
  const found = await read(context, id, values);
  if (found !== undefined || isQuestion) return found;
  if (isFirst) throw new Error(`the service has no ${noun(resource)} with id ${id}`);
  const lost = resource.deletesWith === undefined ? "" : `, without its ${resource.deletesWith}`;
  const groupKey = `is gone from the service${questionIfAlone(context)}. If the program still has it, "pulumi up" creates it again${lost}`;
  context.warn({ text: `${describeRecord(record)} ${groupKey}`, groupKey });
  return undefined;
}

/**
 * Creates a session; it reads and sends nothing before its first call. Values are plain: a value that a preview can't
 * know is `UNKNOWN`, an unset one is absent, and a secret is the text itself. Every rejection is an error of clean lines: what
 * happened, and what to do. If a failed write left a record, it is a `PartialFailure`.
 */
export function createSession(resource: Resource, run: RunState) {
  const connection = new Connection(resource, run);
  const { cleanly } = connection;
  return {
    /** Takes the settings. Neither waits nor throws: the first call reports missing or wrong settings. */
    configure: (settings: SettingsSource): void => connection.configure(settings),

    /**
     * Validates arguments, fills in defaults, and prints what people should know before the change. A failure is the lines of a
     * message for people.
     */
    check: (olds: Values, news: Values, urn?: string) =>
      cleanly([olds, news], (resource) => checkArguments(connection, resource, olds, news, urn)),

    /**
     * The arguments that differ from state, and which of them need a new record.
     *
     * @param refuse returns the reason why the record must not be replaced, or undefined; absent if only the engine knows what is protected
     */
    diff: (id: string, olds: Values, news: Values, refuse?: Refusal) =>
      cleanly([olds, news], (resource) =>
        diffRecord(connection, { resource, id, values: olds, news }, refuse),
      ),

    create: (args: Values) => cleanly([args], (resource) => create(connection.contextOf(resource), args)),

    /**
     * The record as it is; `undefined` if it is gone. Without the resource's key in `state`, this is a first read: it
     * takes every field that the service returns, and a missing record is an error.
     *
     * @param expectation `isQuestion` if nobody expects that the record exists, so that its absence is no error
     */
    read: (id: string, state: Values, { isQuestion = false } = {}) =>
      cleanly([state], (resource) => readRecord(connection, { resource, id, values: state, isQuestion })),

    /** Sends the changed fields, and returns the new state. */
    update: (id: string, olds: Values, news: Values) =>
      cleanly([olds, news], (resource) => update(connection.contextOf(resource), id, olds, news)),

    /**
     * Deletes the record. Succeeds if it is gone already.
     *
     * @param refuse returns the reason why it must not be deleted, or undefined; asked if it is there and belongs to no other resource
     */
    delete: (id: string, state: Values, refuse?: Refusal) =>
      cleanly([state], async (resource) => {
        connection.noteCommand("destroy");
        assertReadable({ resource, id, values: state }, [resource.key]);
        return remove(connection.contextOf(resource), id, state, refuse);
      }),
  };
}

/** One resource type with the settings of one provider, for any host. */
export type Session = ReturnType<typeof createSession>;
