import { EXPLICIT, type SettingsSource } from "../../config";
import { invoke } from "../../lookups/invoke";
import type { Lookup } from "../../lookups/lookup";
import { catalogue } from "../../resources";
import { UNKNOWN, type Values } from "../../schema/resource";
import { createSession, RunState } from "../../session";
import { unmarshal } from "../marshal";
import { ledgerAt } from "../run-file";
import { parseUrn } from "../urn";
import { listName, lookups } from "./functions";
import type { EngineLog } from "./log";
import { type Configured, NativeResource } from "./resource";
import { isDefaultProvider, pluginToken } from "./tokens";

/** One provider of the plugin: its settings, resources and functions. */
export class Plugin {
  private readonly cancellation = new AbortController();
  private readonly resources = new Map<string, Configured>();
  /** Answers a look-up. Set by `configure`, which the engine calls before all that needs a service. */
  private ask!: (lookup: Lookup<unknown>, args: Values) => Promise<unknown>;

  /**
   * Whether the program's settings are used, and not those that the last `up` stored: the engine checks them only if the program
   * runs, as in `pulumi refresh --run-program`.
   */
  isOfProgram = false;

  constructor(private readonly log: EngineLog) {}

  /** Ends all waits. Requests that are sent go on: a POST that is cut may have created its record. */
  cancel(): void {
    this.cancellation.abort();
  }

  /** @param name the provider's name in the program */
  configure(settings: Values, name = ""): void {
    // Only a default provider uses stack config, and so the environment too. `pulumi do` gives no name, and no stack's
    // config, when it reads, asks a function, or keeps no state.
    const isDefault = isDefaultProvider(name, settings);
    const source: SettingsSource = {
      withoutStack: isDefault && name === "" ? '"pulumi do"' : undefined,
      get: (key) => {
        if (key === EXPLICIT) return isDefault ? undefined : name;
        const value = settings[key];
        if (value === undefined || value === UNKNOWN) return undefined;
        if (Array.isArray(value)) return JSON.stringify(value);
        // A text within may be marked as secret, as in `headers: { X: ${token} }` of an explicit provider.
        if (typeof value === "object") return JSON.stringify(unmarshal({ ...value }));
        // SDKs of other languages encode what their schema does not call a plain string as JSON: an enum arrives as `"query"`,
        // quotes included (pulumi/pulumi#17667).
        return String(value).replace(/^"(\w*)"$/, "$1");
      },
    };
    const { log } = this;
    // The engine has sent its address before, by `handshake`; runs of one engine share a ledger by it.
    const run = new RunState(log, ledgerAt(log.address), this.cancellation.signal);
    if (this.isOfProgram) run.command = "up";
    for (const resource of catalogue) {
      const session = createSession(resource, run);
      session.configure(source);
      this.resources.set(pluginToken(resource.type), { resource, session, run });
    }
    this.ask = (lookup, args) => invoke(lookup, args, source, run);
  }

  /** The resource of a URN. */
  resource(urn: string): NativeResource {
    const { type } = parseUrn(urn);
    const configured = this.resources.get(type);
    if (configured === undefined) throw new Error(`no resource ${type} exists`);
    return new NativeResource(configured, urn);
  }

  async invoke(token: string, args: Values): Promise<Readonly<Record<string, unknown>>> {
    const lookup = lookups.find(({ name }) => token === pluginToken(name));
    if (lookup === undefined) throw new Error(`no function ${token} exists`);
    const answer = await this.ask(lookup, args);
    // A function must return an object, so a list is a property of it.
    return Array.isArray(answer) ? { [listName(lookup.name)]: answer } : { ...(answer as object) };
  }
}
