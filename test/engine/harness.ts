import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from "vitest";
import { parseUrn } from "../../provider/hosts/urn";
import { CommandFailed, type Finished, type Running } from "../../tools/child.mjs";
import type { Project, ProjectOptions } from "../../tools/project.mjs";
import {
  type EmulatorClient,
  type EmulatorOptions,
  type LogEntry,
  type StoredPixel,
  type StoredWebsite,
  service,
} from "../service";
import { type Form, freshProject, headOf, KEY, PROGRAM } from "./fresh-project";

export { KEY } from "./fresh-project";

/**
 * A time that proves, of a record that a test has just made, that it is another one. At whole quarters of an hour from that it would
 * prove nothing, since time zones differ by these: so it would of a constant, eight minutes after the first test began.
 */
export const longAgo = () => new Date(Date.now() - (500 * 24 * 60 + 7) * 60_000).toISOString();

/** In the URN and the type of our resources, in both forms. */
const OURS = /dynamic\/tracking:|tracking:index:/;

/** The outcome of a `pulumi` command. */
export interface Ran extends Finished {
  /** Both streams. */
  output: string;
  /** The requests that the service got meanwhile. */
  sent: LogEntry[];
  /** The requests among them that change something: method, path and form. */
  written: Written[];
}

export interface Written {
  method: string;
  path: string;
  form: Record<string, string>;
}

/** Options of a command. */
export interface Command {
  env?: NodeJS.ProcessEnv;
  /** Further arguments. */
  args?: string[];
}

/** A resource as it is in state, secrets encrypted. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  [other: string]: unknown;
}

/** What a stack of a program holds. */
interface Checkpoint {
  latest: { resources: StateResource[] };
}

/**
 * A fresh project with the packed package, and a service; every test begins with an empty stack and an empty service.
 */
export function useHarness(options: ProjectOptions = {}, form: Form = inject("form")): Harness {
  const world = new Harness(form);
  const { endings } = world;
  beforeAll(async () => {
    Object.assign(world, await freshProject(options));
    world.service = await world.anotherService();
    await world.configure({ url: world.service.url, key: KEY });
    await world.keepEmpty();
  });
  beforeEach(() => world.begin());
  afterAll(async () => {
    for (const end of endings) await end();
  });
  return world;
}

export class Harness {
  constructor(public form: Form) {}

  project!: Project;
  service!: EmulatorClient;
  /** What to stop after the tests of a file. */
  readonly endings: (() => Promise<unknown>)[] = [];
  /** The stack's state before the first program. */
  private empty = "";
  /** Keys as the stack's config holds them, encrypted by the engine, so that each takes it but once. */
  readonly sealed = new Map<string, string>();

  /** The checkpoint of the file backend. */
  get stateFile(): string {
    return this.project.stateFile();
  }

  /** The stack's config. */
  private get configFile(): string {
    return join(this.project.folder, "Pulumi.dev.yaml");
  }

  /** Makes the project one in TypeScript, with these files and no wish about its language, until what it returns is called, or the file ends. */
  async inTypeScript(files: Record<string, string>): Promise<() => Promise<void>> {
    const { project } = this;
    const { env, folder } = project;
    const settings = await readFile(join(folder, "Pulumi.yaml"), "utf8");
    const { WORLD_IS_PLAIN: _, ...others } = env;
    project.env = others;
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    return async () => {
      project.env = env;
      for (const file of Object.keys(files)) await rm(join(folder, file));
      await project.write("Pulumi.yaml", settings);
    };
  }

  /** Saves what the stack and the service hold now. The function that it returns restores it, for several tests. */
  async keep(): Promise<() => Promise<void>> {
    const state = await readFile(this.stateFile, "utf8");
    const [websites, pixels] = [this.service.websites(), this.service.pixels()];
    return async () => {
      await writeFile(this.stateFile, state);
      this.service.seed({ websites, pixels });
    };
  }

  /** Replaces the program; `pulumi` and `tracking` are already imported. */
  async program(body: string): Promise<void> {
    await this.project.write(PROGRAM, headOf(this.form) + body);
  }

  async up(command?: Command): Promise<Ran> {
    return this.run(["up", "--yes", "--skip-preview"], command);
  }

  async preview(command?: Command): Promise<Ran> {
    return this.run(["preview"], command);
  }

  async refresh(command?: Command): Promise<Ran> {
    return this.run(["refresh", "--yes", "--skip-preview"], command);
  }

  async destroy(command?: Command): Promise<Ran> {
    return this.run(["destroy", "--yes", "--skip-preview"], command);
  }

  /** Runs a command that must succeed. */
  async run(args: string[], command?: Command): Promise<Ran> {
    return this.ran(args, { ...command, expectFailure: false });
  }

  /** Runs a command that must fail. */
  async fail(args: string[], command?: Command): Promise<Ran> {
    return this.ran(args, { ...command, expectFailure: true });
  }

  /** What `preview` would do to each resource that it would change, by the names in the program. */
  async plan(command: Command = {}): Promise<Record<string, string>> {
    const { stdout } = await this.run(["preview", "--json"], command);
    const { steps = [] } = JSON.parse(stdout) as { steps?: { op: string; urn: string }[] };
    const ours = steps.filter(({ urn }) => OURS.test(urn));
    return Object.fromEntries(ours.map(({ op, urn }) => [nameOf(urn), op]));
  }

  /** A preview finds nothing to do, and asks the service nothing. */
  async expectNoDiff(command?: Command): Promise<Ran> {
    const preview = await this.expectNoChange(command);
    expect(preview.sent.map(line)).toEqual([]);
    return preview;
  }

  /** A preview finds nothing to do. */
  async expectNoChange(command?: Command): Promise<Ran> {
    return this.run(["preview", "--expect-no-changes"], command);
  }

  /** Clears up after a killed engine, as the guide says: the file beside the state that it had begun, and its lock. */
  async unlock(): Promise<void> {
    await this.removeBegun();
    await this.run(["cancel", "--yes"]);
  }

  /** The same without a command. */
  async removeLock(): Promise<void> {
    await this.removeBegun();
    await rm(join(this.project.backend, ".pulumi", "locks"), { recursive: true, force: true });
  }

  private async removeBegun(): Promise<void> {
    const beside = `${this.stateFile}.attrs`;
    if ((await readFile(beside, "utf8")) === "") await rm(beside);
  }

  /** Changes the state in its file, as somebody does by hand: its resources, or all of it. */
  async editState(change: (checkpoint: Checkpoint) => void): Promise<void> {
    const file = JSON.parse(await readFile(this.stateFile, "utf8")) as { checkpoint: Checkpoint };
    change(file.checkpoint);
    await writeFile(this.stateFile, JSON.stringify(file));
  }

  /** Takes the protection from all resources, as `pulumi state unprotect --all` does. */
  async unprotect(): Promise<void> {
    const state = await readFile(this.stateFile, "utf8");
    await writeFile(this.stateFile, state.replaceAll(/"protect":\s*true/g, '"protect": false'));
  }

  /** Everything in the state, as it is stored. */
  async state(): Promise<StateResource[]> {
    const { checkpoint } = JSON.parse(await readFile(this.stateFile, "utf8")) as {
      checkpoint: { latest?: { resources?: StateResource[] } };
    };
    return checkpoint.latest?.resources ?? [];
  }

  /** The websites and pixels in the state, by their names in the program. */
  async resources(): Promise<Record<string, StateResource>> {
    const ours = (await this.state()).filter(({ type }) => OURS.test(type));
    return Object.fromEntries(ours.map((each) => [nameOf(each.urn), each]));
  }

  /** Their ids, inputs and outputs in the state, without times and causes. */
  async kept(): Promise<Record<string, Pick<StateResource, "id" | "inputs" | "outputs">>> {
    const all = Object.entries(await this.resources());
    return Object.fromEntries(
      all.map(([name, { id = "", inputs = {}, outputs = {} }]) => [name, { id, inputs, outputs }]),
    );
  }

  /** One of them. */
  async resource(name: string): Promise<StateResource> {
    const { [name]: found } = await this.resources();
    if (found === undefined) throw new Error(`There is no ${name} in the state.`);
    return found;
  }

  /** The stored website of this domain. */
  website(domain: string): StoredWebsite {
    const found = this.service.websites().find((each) => each.domain === domain);
    if (found === undefined) throw new Error(`There is no website ${domain} on the service.`);
    return found;
  }

  /** The stored pixel of this name. */
  pixel(name: string): StoredPixel {
    const found = this.service.pixels().find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no pixel ${name} on the service.`);
    return found;
  }

  /** Sets the stack's config: the key as a secret, one URL for websites and pixels, and other settings. */
  async configure({
    url,
    key,
    plain = {},
  }: {
    url?: string;
    key?: string;
    plain?: Record<string, string>;
  }): Promise<void> {
    const settings = {
      ...(url === undefined ? {} : { analyticsBaseUrl: url, dataBaseUrl: url }),
      ...plain,
    };
    const sealed = key === undefined ? undefined : this.sealed.get(key);
    const rows = [
      ...Object.entries(settings).map(([name, value]) => `  tracking:${name}: ${JSON.stringify(value)}\n`),
      ...(sealed === undefined ? [] : [`  tracking:apiKey:\n    secure: ${sealed}\n`]),
    ];
    const empty = await this.emptyConfig();
    await writeFile(this.configFile, rows.length === 0 ? empty : `${empty}config:\n${rows.join("")}`);
    if (key === undefined || sealed !== undefined) return;
    await this.project.pulumi(["config", "set", "--secret", "tracking:apiKey", key]);
    const [, text = ""] =
      /tracking:apiKey:\n +secure: (\S+)/.exec(await readFile(this.configFile, "utf8")) ?? [];
    this.sealed.set(key, text);
  }

  /** Adds a setting of the project, as plain text: what is hidden of it is hidden by us, and not by the engine, which knows secrets. */
  async set(name: string, value: string): Promise<void> {
    const text = await readFile(this.configFile, "utf8");
    const head = /^config:$/m.test(text) ? text : `${text}config:\n`;
    await writeFile(
      this.configFile,
      head.replace(/^config:$/m, `$&\n  fresh:${name}: ${JSON.stringify(value)}`),
    );
  }

  /** The same for one test; restores the config afterwards. */
  async configureHere(settings: Parameters<Harness["configure"]>[0]): Promise<void> {
    const before = await readFile(this.configFile, "utf8");
    onTestFinished(() => writeFile(this.configFile, before));
    await this.configure(settings);
  }

  /** Starts another service. */
  async anotherService(options: EmulatorOptions = {}): Promise<EmulatorClient> {
    return (await service({ apiKey: KEY, ...options }, (end) => this.endings.unshift(end))).control;
  }

  /** From now on, the stack as it is counts as the empty one. */
  async keepEmpty(): Promise<void> {
    this.empty = await readFile(this.stateFile, "utf8");
  }

  /** Empties the stack and the service. */
  async begin(): Promise<void> {
    await writeFile(this.stateFile, this.empty);
    this.service.clearFaults();
    this.service.become({});
    this.service.configure({ dialect: "reference" });
    this.service.otherTenant.clear();
    this.service.seed({ websites: [], pixels: [] });
    this.service.clearRequests();
  }

  private async ran(
    args: string[],
    { env, args: more = [], expectFailure }: Command & { readonly expectFailure: boolean },
  ): Promise<Ran> {
    return this.recorded(() =>
      this.project.pulumi([...args, ...more], { ...(env && { env }), expectFailure }),
    );
  }

  /** Waits until the service has so many of these requests of a command. One that ends before it sent them would be waited for until the test's time is over. */
  async waitFor({ finished }: Running, isMeant: (entry: LogEntry) => boolean, count = 1): Promise<void> {
    const ended = finished.then((done) => {
      throw new CommandFailed("It ended before the requests that the test waits for.", done);
    });
    await Promise.race([this.service.waitFor(isMeant, count), ended]);
  }

  /** What came of any command, such as one of `pulumi-tracking`. */
  async recorded(command: () => Promise<Finished>): Promise<Ran> {
    const before = this.service.requests().length;
    const finished = await command();
    const sent = this.service.requests().slice(before);
    const written = sent
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, form }) => ({ method, path, form }));
    return { ...finished, output: `${finished.stdout}\n${finished.stderr}`, sent, written };
  }

  /** What `stack init` left there: where the key of the stack's secrets is. */
  private async emptyConfig(): Promise<string> {
    if (!existsSync(this.configFile)) return "";
    return (await readFile(this.configFile, "utf8")).replace(/^config:\n(?: .*\n?)*/m, "");
  }
}

/** A stack of this program, for several tests: the first call makes it by `up`, and each leaves it as that did. */
export function stackOf(world: Harness, program: string): () => Promise<void> {
  let restore: (() => Promise<void>) | undefined;
  return async () => {
    await world.program(program);
    if (restore !== undefined) return restore();
    await world.up();
    restore = await world.keep();
  };
}

/** A resource's name in the program. */
export function nameOf(urn: string): string {
  return parseUrn(urn).name;
}

/** A request in one line. */
export function line({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** A value as a program writes it. */
export function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** A resource's type in state. */
export function tokenOf(type: "Website" | "Pixel", form: Form): string {
  return form === "native" ? `tracking:index:${type}` : `pulumi-nodejs:dynamic/tracking:${type}`;
}

/** The statement that declares a resource. */
export function declare(type: "Website" | "Pixel", name: string, args: object, opts: object = {}): string {
  return `new tracking.${type}(${literal(name)}, ${literal(args)}, ${literal(opts)});\n`;
}

/** A line of a stack trace of Node.js. */
export const STACK = /^\s+at .*:\d+:\d+\)?$/m;
