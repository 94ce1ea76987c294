import { EXPLICIT, type SettingsSource, secretSettings, settingNames } from "../../config";
import { Lookups } from "../../lookups/invoke";
import { catalogue } from "../../resources";
import { type Resource, UNKNOWN, type Values } from "../../schema/resource";
import { suggest } from "../../schema/suggest";
import { createSession, Host, type Session } from "../../session";
import { sealed } from "../marshal";
import { ledgerAt } from "../run-file";
import { parseUrn } from "../urn";
import { listName, lookupNamed } from "./functions";
import type { EngineLog } from "./log";
import { NativeResource, UNPROTECTED } from "./resource";
import { isDefaultProvider, nameOfToken, pluginToken } from "./tokens";

/** Settings that the engine adds to those of the program. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/** Settings that lead to an account with websites or pixels. */
const ACCOUNT_SETTINGS = settingNames.filter(
  (name) => /(apiKey|BaseUrl)$/i.test(name) && !/^market/.test(name),
);

/** One provider of the plugin: its settings, resources and functions. */
export class Plugin {
  private readonly cancellation = new AbortController();
  private source: SettingsSource = { get: () => undefined };
  private host: Host | undefined;
  private readonly sessions = new Map<Resource, Session>();

  constructor(private readonly log: EngineLog) {}

  /** Ends all pauses. Requests in flight end by themselves. */
  cancel(): void {
    this.cancellation.abort();
  }

  /** Checks the names of settings. Wrong values are reported by the first resource. */
  checkSettings(settings: Values): Readonly<Record<string, unknown>> {
    const known: readonly string[] = [...settingNames, EXPLICIT, ...ENGINES_OWN];
    for (const name of Object.keys(settings).filter(
      (each) => !known.includes(each) && !each.startsWith("__"),
    ))
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
    const isOther = (each: string) => ![undefined, UNKNOWN, olds[each]].includes(news[each] as string);
    const changed = ACCOUNT_SETTINGS.filter((each) => olds[each] !== undefined && isOther(each));
    const labels = changed.map((each) =>
      isDefaultProvider(name) ? `tracking:${each}` : `${each} of "${name}"`,
    );
    if (labels.length > 0)
      this.log.warn(
        `${labels.join(" and ")} changed since the last "pulumi up", for all websites and pixels of this provider; to see whether they are in this account, run "pulumi preview --refresh --run-program"`,
      );
  }

  /** @param name the provider's name in the program */
  configure(settings: Values, name: string): void {
    // Only a default provider uses stack config, and so the environment too. `pulumi do` gives no name.
    const isDefault = name === "" || isDefaultProvider(name);
    this.source = {
      provider: isDefault ? undefined : name,
      get: (key) => {
        if (key === EXPLICIT) return isDefault ? undefined : "true";
        const value = settings[key];
        return value === undefined || value === UNKNOWN ? undefined : String(value);
      },
    };
  }

  /** The resource of a URN. */
  resource(urn: string): NativeResource {
    const resource = resourceOf(parseUrn(urn).type);
    return new NativeResource(resource, this.session(resource), urn);
  }

  private session(resource: Resource): Session {
    const known = this.sessions.get(resource);
    if (known !== undefined) return known;
    const session = createSession(resource, this.hosted());
    session.configure(this.source);
    this.sessions.set(resource, session);
    return session;
  }

  async invoke(token: string, args: Values): Promise<Readonly<Record<string, unknown>>> {
    const name = nameOfToken(token);
    const answer = await this.lookUp(name, args);
    // A function must return an object, so a list is a property of it.
    return Array.isArray(answer) ? { [listName(name)]: answer } : { ...(answer as object) };
  }

  /** All records, for the engine's own list command. */
  async list(token: string, query: Values, limit: number): Promise<{ id: string; name: string }[]> {
    const resource = resourceOf(token);
    const found = await this.lookUp(`get${resource.type}s`, query);
    const all = (found as Readonly<Record<string, unknown>>[]).map((each) => ({
      id: String(each.id),
      name: String(each[resource.key] ?? ""),
    }));
    return limit > 0 ? all.slice(0, limit) : all;
  }

  /** Asks again each time, because records may have changed since. */
  private lookUp(name: string, args: Values): Promise<unknown> {
    return new Lookups(this.hosted()).invoke(lookupNamed(name), args, this.source);
  }

  /** Created by the first call that needs it, when the engine has sent its address. */
  private hosted(): Host {
    const { log } = this;
    this.host ??= new Host(log, ledgerAt(log.address, log.warn), this.cancellation.signal, UNPROTECTED);
    return this.host;
  }
}

function resourceOf(token: string): Resource {
  const found = catalogue.find(({ type }) => token === pluginToken(type));
  if (found === undefined) throw new Error(`no resource ${token} exists`);
  return found;
}
