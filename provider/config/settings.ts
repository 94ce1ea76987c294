import { existsSync } from "node:fs";
import { inOneLine } from "../api/api";
import type { Service } from "../schema/resource";

/** A stack that a command names, since another one may be selected. */
export interface NamedStack {
  readonly name: string;
  /** Whether its config is in the folder of another project. */
  readonly isForeign: boolean;
}

/** How to change the config of a stack, or of the selected one: `run "pulumi config set --stack dev …"`. */
export function describeConfigChange(command: "set" | "rm", rest: string, stack?: NamedStack): string {
  const place = stack?.isForeign ? "in the folder of its project, " : "";
  const option = stack === undefined ? "" : `--stack ${stack.name} `;
  return `${place}run "pulumi config ${command} ${option}${rest}"${stack?.isForeign ? ' and "pulumi up"' : ""}`;
}

/** Where settings come from: the stack's config, or an explicit provider's arguments. */
export interface SettingsSource {
  /** The text of a `tracking:*` setting, secrets opened. */
  get(key: string): string | undefined;
  readonly stack?: NamedStack | undefined;
  /** Who asks for no stack's config, and has the environment alone. */
  readonly withoutStack?: string | undefined;
}

/**
 * The engine's command, as far as its calls show it. `refresh` and `destroy` get the settings that the last `up` stored, unless
 * they have `--run-program` (pulumi/pulumi#13860); only the environment is always current. After `pulumi config set
 * tracking:apiKey`, a plain destroy still sends the old key.
 */
export type Command = "up" | "refresh" | "destroy";

/** A setting that only an explicit provider has: its name in the program. Such a provider never reads the environment. */
export const EXPLICIT = "explicit";

/** Where the parameters of a POST to the marketplace go; the first is the default. */
export const postParameters = ["form", "query", "json"] as const;

/**
 * Every setting, by its name in config, with what a program may give; the environment's name follows from it. Editors and
 * the schema show the JSDoc.
 */
export const settings = {
  /** The API key for every service without its own key. */
  apiKey: String,
  /** The key for websites. */
  analyticsApiKey: String,
  /** The key for pixels. */
  dataApiKey: String,
  /** The key for the marketplace. */
  marketApiKey: String,
  /**
   * What a front server such as Cloudflare Access demands: names and texts of headers, sent with every request to the base
   * URLs.
   */
  headers: (): Record<string, string> => ({}),
  /** Base URL for websites: the part before `/api/v1/websites`. */
  analyticsBaseUrl: String,
  /** Base URL for pixels: the part before `/api/v1/pixels`. */
  dataBaseUrl: String,
  /** Base URL for the marketplace: the part before `/api/account`. */
  marketBaseUrl: String,
  /** Where the parameters of the marketplace's POST go. Default `form`. */
  marketPostParameters: postParameters,
  /** Seconds for one attempt. Default 10. */
  requestTimeout: Number,
  /** The longest wait, in seconds, until the service accepts requests again. Default 120. */
  maxRetryWait: Number,
  /** Your own limit. If omitted, the service's answers set the pace. */
  requestsPerMinute: Number,
  /** Allows `http://` to other machines. Default `false`. */
  allowInsecureHttp: Boolean,
};
export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as readonly SettingName[];

/**
 * Names a folder that exists while the command previews a program whose records it then imports. A value that was left
 * in a shell names none, and so has no effect on an `up`.
 */
export const IMPORTING = "TRACKING_IMPORTING";

/** Whether what a program declares may exist already, with values that a new record could not have. */
export function isImporting(env: NodeJS.ProcessEnv = process.env): boolean {
  return existsSync(env[IMPORTING] ?? "");
}

/**
 * Names a file that exists while the command looks for what someone changed on the service: a program adds to it what its YAML
 * files declare. As with `IMPORTING`, one that was left in a shell has no effect.
 */
export const DECLARATIONS = "TRACKING_DECLARATIONS";

/** The file that asks a program what its YAML files declare, if there is one. */
export function declarationsFile(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const file = env[DECLARATIONS];
  return existsSync(file ?? "") ? file : undefined;
}

/**
 * Lifts the protection of every website, for one command: whatever provider it has, and where no program could say so.
 * Not a setting, which would stay.
 */
export const IGNORE_PROTECTION = "TRACKING_IGNORE_DELETION_PROTECTION";

/** Whether the command may delete protected records. */
export function ignoresProtection(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[IGNORE_PROTECTION] === "true";
}

/** The settings that are secret. */
export const secretSettings: readonly string[] = settingNames.filter((name) =>
  /(apiKey|headers)$/i.test(name),
);

/** The settings that lead to an account. */
export const accountSettings = settingNames.filter((name) => /(apiKey|BaseUrl)$/i.test(name));

/** The environment's name of a setting: `TRACKING_` and its words. */
export function environmentName(name: string): string {
  return `TRACKING_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** What is wrong with one setting. */
export interface SettingMistake {
  /** The name of the setting, where it is or should be set. */
  readonly label: string;
  /** What is wrong. */
  readonly title: string;
  /** What to do, unless that says it. */
  readonly advice: readonly string[];
}

/** Settings are missing or wrong; the message names all of them. */
export class SettingError extends Error {
  override readonly name = "SettingError";

  readonly title: string;
  readonly advice: readonly string[];

  constructor(readonly mistakes: readonly SettingMistake[]) {
    const title = mistakes.map((mistake) => mistake.title).join("; and ");
    const advice = mistakes.flatMap((mistake) => mistake.advice);
    super(inOneLine([title, ...advice]));
    this.title = title;
    this.advice = advice;
  }
}

/** What people use each service for. */
const PURPOSES: Readonly<Record<Service, string>> = {
  analytics: "websites",
  data: "pixels",
  market: "the marketplace",
};

/** What a setting of a service is, for the message that it is missing. */
export function describeSetting(name: SettingName, service: Service): string {
  return `${name.endsWith("BaseUrl") ? "the base URL" : "the API key"} for ${PURPOSES[service]}`;
}
