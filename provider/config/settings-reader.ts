import { capitalized } from "../api/api";
import { registerSecret } from "../api/redact";
import type { Service } from "../schema/resource";
import { canonicalAddress, credentialsOf, type Parsed, secretsIn } from "./parse";
import {
  type Command,
  describeConfigChange,
  describeSetting,
  EXPLICIT,
  environmentName,
  SettingError,
  type SettingName,
  type SettingsSource,
  secretSettings,
} from "./settings";

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"] as const;

const AGAIN = "the same command again";
const WITH_PROGRAM = "the same command with --run-program";

/** What `pulumi config set` is given. It asks for a secret; any other value that is missing it would read from a pipe. */
function assignment(name: SettingName, value = name.endsWith("BaseUrl") ? "https://…" : "VALUE"): string {
  return secretSettings.includes(name) ? `--secret tracking:${name}` : `tracking:${name} ${value}`;
}

/** Reads the settings of a stack or an explicit provider. Errors say what is wrong, and where it is set. */
export class SettingsReader {
  /** The explicit provider for a message, or `undefined` for the stack's own. */
  private readonly provider: string | undefined;

  constructor(
    private readonly source: SettingsSource,
    private readonly env: NodeJS.ProcessEnv = process.env,
    private readonly command: () => Command | undefined = () => undefined,
  ) {
    const name = source.get(EXPLICIT);
    this.provider = name === undefined ? undefined : `the tracking.Provider "${name}"`;
    // An address, which messages show, may hold a key too.
    for (const name of secretSettings)
      for (const text of [source.get(name), env[environmentName(name)]])
        for (const secret of secretsIn(text?.trim() ?? "")) registerSecret(secret);
    for (const name of PROXIES)
      for (const text of credentialsOf(env[name] || env[name.toLowerCase()])) registerSecret(text);
  }

  /** A setting's text, trimmed: from config, else from the environment. An address is in its one spelling. */
  text(name: SettingName): string | undefined {
    const fromEnvironment = this.provider ? undefined : this.env[environmentName(name)]?.trim() || undefined;
    const text = this.isInConfig(name) ? this.source.get(name)?.trim() : fromEnvironment;
    return text && name.endsWith("BaseUrl") ? canonicalAddress(text) : text;
  }

  /** Reads several settings. Throws one error that names all mistakes. */
  collect<T extends object>(readers: { readonly [K in keyof T]: () => T[K] }): T {
    const mistakes: SettingError["mistakes"][number][] = [];
    const values: Partial<T> = {};
    for (const name of Object.keys(readers) as (keyof T)[])
      try {
        values[name] = readers[name]();
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        mistakes.push(...error.mistakes);
      }
    if (mistakes.length > 0) throw new SettingError(mistakes);
    // Every reader has given its value.
    return values as T;
  }

  /** The parsed value of a setting, or undefined if it is not set. */
  value<T>(name: SettingName, parse: (text: string) => Parsed<T>): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parsed = parse(text);
    if ("value" in parsed) return parsed.value;
    const label = this.labelOf(name);
    // Its text is not quoted: it may be a key in the wrong place.
    const title = `${label} must be ${parsed.expected}`;
    throw new SettingError([{ label, title, advice: [capitalized(this.adviceToChange(name))] }]);
  }

  require<T>(name: SettingName, service: Service, parse: (text: string) => Parsed<T>): T {
    const value = this.value(name, parse);
    if (value !== undefined) return value;
    const title = `${describeSetting(name, service)} is missing`;
    const isElsewhere = this.provider !== undefined || this.source.withoutStack !== undefined;
    const label = isElsewhere ? this.labelOf(name) : `tracking:${name}`;
    throw new SettingError([{ label, title, advice: [this.adviceToSet(name)] }]);
  }

  /** How to set what is missing. */
  private adviceToSet(name: SettingName): string {
    const { stack, withoutStack } = this.source;
    const variable = environmentName(name);
    if (this.provider) return `Give ${name} to ${this.provider}, and run ${this.rerun()}`;
    if (withoutStack)
      return `Set ${variable}, since ${withoutStack} reads the settings from the environment here`;
    const change = describeConfigChange("set", assignment(name), stack);
    return this.usesLastUp()
      ? `Set ${variable}, and run ${AGAIN}; or ${change}, and ${WITH_PROGRAM}`
      : `${capitalized(change)}, or set ${variable}`;
  }

  /**
   * How to change a setting where it is, and how to run the command with it.
   *
   * @param value what to set, by default what is right
   * @param orElse what else may be right
   */
  private adviceToChange(name: SettingName, value?: string, orElse = ""): string {
    const isInEnvironment = !this.isInConfig(name) && this.text(name) !== undefined;
    if (this.provider || isInEnvironment) {
      const label = this.labelOf(name);
      const change = value === undefined ? `correct ${label}` : `set ${label} to ${value}`;
      return `${change}${orElse}, and run ${isInEnvironment ? AGAIN : this.rerun()}`;
    }
    const change = describeConfigChange("set", assignment(name, value), this.source.stack);
    return `${change}${orElse}, and ${this.rerun()}`;
  }

  /** The name of a setting, where it is set. */
  labelOf(name: SettingName): string {
    if (this.provider) return `${name} of ${this.provider}`;
    return this.isInConfig(name) ? `tracking:${name}` : environmentName(name);
  }

  /** What to do if the service rejects this key. */
  keyAdvice(name: SettingName): string {
    return this.isFromLastUp(name) ? this.adviceToChange(name) : `check ${this.labelOf(name)}`;
  }

  /** What to do if the service refuses requests that come too fast. */
  paceAdvice(): string {
    return this.adviceToChange("requestsPerMinute", "30", ", or the number that the service allows");
  }

  /** What to do if these settings lead to another account. */
  accountAdvice(...names: readonly SettingName[]): string {
    const check = `check ${names.map((name) => this.labelOf(name)).join(" and ")}`;
    return names.some((name) => this.isFromLastUp(name))
      ? `${check}, which this command takes from the last "pulumi up" unless it has --run-program`
      : check;
  }

  /** Whether this command gets the stack's settings as the last `up` stored them: `Command` says why. */
  private usesLastUp(): boolean {
    return ["refresh", "destroy"].includes(this.command() ?? "up");
  }

  private isFromLastUp(name: SettingName): boolean {
    return this.usesLastUp() && this.isInConfig(name);
  }

  private isInConfig(name: SettingName): boolean {
    return Boolean(this.source.get(name)?.trim());
  }

  /** How to run the command so that it gets a setting that is changed in the stack or the program. */
  private rerun(): string {
    if (!this.usesLastUp()) return AGAIN;
    // An `up` that deletes the last websites and pixels of a program gets the settings of the one before.
    const orUp =
      this.command() === "destroy" ? ', or "pulumi up" once with this resource in the program' : "";
    return `${WITH_PROGRAM}${orUp}`;
  }
}
