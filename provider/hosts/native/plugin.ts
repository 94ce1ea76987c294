import { accountSettings, EXPLICIT, type SettingsSource, secretSettings, settingNames } from "../../config";
import { getMany } from "../../lookups";
import { LookupClient } from "../../lookups/invoke";
import type { Lookup } from "../../lookups/lookup";
import { catalogue } from "../../resources";
import { UNKNOWN, type Values } from "../../schema/resource";
import { suggest } from "../../schema/suggest";
import { createSession, RunState } from "../../session";
import { sealed } from "../marshal";
import { ledgerAt } from "../run-file";
import { parseUrn } from "../urn";
import { listName, lookups } from "./functions";
import type { EngineLog } from "./log";
import { type Configured, NativeResource } from "./resource";
import { isDefaultProvider, pluginToken } from "./tokens";

/** Settings that lead to an account with websites or pixels. */
const ACCOUNT_SETTINGS = accountSettings.filter((name) => !name.startsWith("market"));

/** One provider of the plugin: its settings, resources and functions. */
export class Plugin {
  private readonly cancellation = new AbortController();
  private readonly resources = new Map<string, Configured>();
  /** Answers a look-up. Set by `configure`, which the engine calls before all that needs a service. */
  private ask!: (lookup: Lookup<unknown>, args: Values) => Promise<unknown>;

  constructor(private readonly log: EngineLog) {}

  /** Ends all pauses. Requests in flight end by themselves. */
  cancel(): void {
    this.cancellation.abort();
  }

  /** Checks the names of settings. Wrong values are reported by the first resource. */
  checkSettings(settings: Values): Readonly<Record<string, unknown>> {
    // The engine adds the last two.
    const known: readonly string[] = [...settingNames, EXPLICIT, "version", "pluginDownloadURL"];
    for (const name of Object.keys(settings).filter((each) => !known.includes(each)))
      this.log.warn(`the provider has no setting tracking:${name}${suggest(name, settingNames)}`);
    return sealed(settings, (name) => secretSettings.includes(name));
  }

  /**
   * Says which settings may lead to another account than that of the last `up`. A preview asks the service nothing, so
   * it shows no other sign.
   *
   * @param name the provider's name in the program
   */
  announceAccount(name: string, olds: Values, news: Values): void {
    const bare = (value: unknown) => (typeof value === "string" ? value.replace(/\/+$/, "") : value);
    const isOther = (each: string) =>
      ![undefined, UNKNOWN, bare(olds[each])].includes(bare(news[each]) as string);
    const changed = ACCOUNT_SETTINGS.filter((each) => olds[each] !== undefined && isOther(each));
    const labels = changed.map((each) =>
      isDefaultProvider(name, news) ? `tracking:${each}` : `${each} of "${name}"`,
    );
    // For a resource that moves to this provider, the engine asks this of a provider that has its settings already.
    if (labels.length > 0 && this.resources.size === 0)
      this.log.warn(
        `${labels.join(" and ")} changed since the last "pulumi up", for all websites and pixels of this provider; to see whether they are in this account, run "pulumi preview --refresh --run-program"`,
      );
  }

  /** @param name the provider's name in the program */
  configure(settings: Values, name = ""): void {
    // Only a default provider uses stack config, and so the environment too. `pulumi do` gives no name.
    const isDefault = isDefaultProvider(name, settings);
    const source: SettingsSource = {
      provider: isDefault ? undefined : name,
      get: (key) => {
        if (key === EXPLICIT) return isDefault ? undefined : "true";
        const value = settings[key];
        if (value === undefined || value === UNKNOWN) return undefined;
        // SDKs encode what their schema does not call a plain string as JSON.
        return String(value).replace(/^"(\w*)"$/, "$1");
      },
    };
    const { log } = this;
    // By now, the engine has sent its address.
    const run = new RunState(log, ledgerAt(log.address, log.warn), this.cancellation.signal);
    for (const each of catalogue) {
      const session = createSession(each, run);
      session.configure(source);
      this.resources.set(pluginToken(each.type), { resource: each, session, run, hasStack: name !== "" });
    }
    // New for each question, because records may have changed since.
    this.ask = (lookup, args) => new LookupClient(run).invoke(lookup, args, source);
  }

  /** The resource of a URN. */
  resource(urn: string): NativeResource {
    return new NativeResource(this.configured(parseUrn(urn).type), urn);
  }

  async invoke(token: string, args: Values): Promise<Readonly<Record<string, unknown>>> {
    const lookup = lookups.find(({ name }) => token === pluginToken(name));
    if (lookup === undefined) throw new Error(`no function ${token} exists`);
    const answer = await this.ask(lookup, args);
    // A function must return an object, so a list is a property of it.
    return Array.isArray(answer) ? { [listName(lookup.name)]: answer } : { ...(answer as object) };
  }

  /** All records, for the engine's own list command. */
  async list(token: string, query: Values, limit: number): Promise<{ id: string; name: string }[]> {
    const { resource } = this.configured(token);
    const found = (await this.ask(getMany(resource), query)) as readonly Values[];
    return found
      .slice(0, limit > 0 ? limit : undefined)
      .map((each) => ({ id: String(each.id), name: String(each[resource.key] ?? "") }));
  }

  private configured(token: string): Configured {
    const found = this.resources.get(token);
    if (found === undefined) throw new Error(`no resource ${token} exists`);
    return found;
  }
}
