import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";
import { CommandFailure } from "../../../cli/failure";
import { importRecords } from "../../../cli/import/import";
import type { ImportOptions } from "../../../cli/import/run";
import type { Deployment, ImportFile, StackResource } from "../../../cli/pulumi/json-output";
import type { CommandResult } from "../../../cli/pulumi/process";
import { Stack } from "../../../cli/pulumi/stack";
import { codeOf, tokenOf } from "../../../provider/hosts/dynamic/code";
import { catalogue } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import { validateResource } from "../../../provider/schema/validate";

/** A resource that the program of a test declares. */
export interface Declared {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** As the engine writes it, of one that the program names. */
  provider?: string;
}

/** The URN of a resource in the stack of every test. */
export const urnOf = ({ type, name }: { type: string; name: string }) =>
  `urn:pulumi:dev::shop::${type}::${name}`;

/** A project folder, and a `pulumi` command that keeps one stack in memory. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "import-"));
  state: StackResource[] = [];
  pending: NonNullable<Deployment["pending_operations"]> = [];
  declares: Declared[] = [];
  /** The names of resources of the stack that the program replaces. */
  replaces: readonly string[] = [];
  /** Why its program fails, if so. */
  broken: string | undefined;
  hasStack = true;
  /** Every command that was run, without its options for all commands. */
  readonly commands: string[][] = [];
  /** The import files that the engine has read. */
  readonly imported: ImportFile[] = [];
  /** Runs after the stack was read. */
  afterRead = () => {};

  constructor(private readonly settings: Readonly<Record<string, string>>) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async files(files: Readonly<Record<string, string>>): Promise<this> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), text);
    }
    return this;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** The program loads a file that an import has written: from then on it declares what that file does. */
  loads(name = "tracking.ts"): void {
    const text = this.read(name).replace(/^import .*|^const tracking = require.*/m, "");
    const classFor = (resource: Resource) =>
      function Declaring(name: string, args: Values) {
        const inputs = { ...validateResource(resource, {}, args).values, __provider: codeOf(resource) };
        declares.push({ type: tokenOf(resource), name, inputs });
      };
    const { declares } = this;
    const classes = Object.fromEntries(catalogue.map((resource) => [resource.type, classFor(resource)]));
    runInNewContext(text, { tracking: classes });
  }

  /** Runs the command, and returns the lines that it prints, and its failure: in one line, and as a terminal shows it. */
  async import(options: ImportOptions) {
    const lines: string[] = [];
    let shown: readonly string[] = [];
    const print = (line: string) => void lines.push(line);
    const stack = new Stack(options.stack, async (args) => this.answer(args));
    const run = { stack, options, folder: this.folder, command: "npx pulumi-tracking import", print };
    const failure = await importRecords(run).then(
      () => undefined,
      (error: Error) => {
        if (error instanceof CommandFailure) shown = error.lines;
        return error.message;
      },
    );
    return { lines, failure, shown };
  }

  private answer(line: readonly string[]): CommandResult {
    const args = line.filter((arg) => !["--non-interactive", "--color=never"].includes(arg));
    this.commands.push([...args]);
    const after = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    const printed = (value: unknown, code = 0) => ({ code, stdout: JSON.stringify(value), stderr: "" });
    const [command] = args;
    if (command === "version") return { code: 0, stdout: "v3.258.0\n", stderr: "" };
    if (!this.hasStack) return { code: 255, stdout: "", stderr: "error: no stack selected" };
    if (command === "config")
      return printed(
        Object.fromEntries(
          Object.entries(this.settings).map(([key, value]) => [`tracking:${key}`, { value }]),
        ),
      );
    if (command === "stack") {
      const exported = printed({ deployment: { resources: this.state, pending_operations: this.pending } });
      this.afterRead();
      return exported;
    }
    if (command === "import") return this.importFrom(after("--file") ?? "");
    return this.preview(after("--import-file"));
  }

  private importFrom(file: string): CommandResult {
    const content = JSON.parse(readFileSync(file, "utf8")) as ImportFile;
    this.imported.push(content);
    for (const { type, name, id = "", inputs = {}, outputs = {} } of content.resources)
      this.state.push({ urn: urnOf({ type, name }), type, id, inputs, outputs, protect: true });
    return { code: 0, stdout: "", stderr: "" };
  }

  private preview(file: string | undefined): CommandResult {
    if (this.broken !== undefined) return { code: 255, stdout: "", stderr: `error: ${this.broken}\n` };
    const isHeld = (declared: Declared) => this.state.some(({ urn }) => urn === urnOf(declared));
    const created = this.declares.filter((declared) => !isHeld(declared));
    const isLost = ({ urn, protect }: StackResource) =>
      protect && !this.declares.some((declared) => urnOf(declared) === urn);
    const lost = this.state.filter(isLost);
    const steps = this.declares.map((declared) => {
      const { type, inputs, provider } = declared;
      const urn = urnOf(declared);
      const oldState = this.state.find((resource) => resource.urn === urn);
      // As the classes protect what they declare.
      const newState = {
        urn,
        type,
        inputs,
        protect: type.endsWith("Website"),
        ...(provider && { provider }),
      };
      // To the engine, a change of the protection alone is none.
      const kept = this.replaces.includes(declared.name) ? "replace" : "same";
      return { op: oldState === undefined ? "create" : kept, urn, oldState, newState };
    });
    if (lost.length === 0) {
      const resources = created.map(({ type, name }) => ({ type, name, id: "<PLACEHOLDER>" }));
      if (file !== undefined) writeFileSync(file, JSON.stringify(created.length === 0 ? {} : { resources }));
      return { code: 0, stdout: JSON.stringify({ steps }), stderr: "" };
    }
    const messages = lost.map(({ urn }) => `${urn} cannot be deleted\nbecause it is protected.`);
    const diagnostics = [...messages, "preview failed"].map((message) => ({ severity: "error", message }));
    return { code: 255, stdout: JSON.stringify({ steps, diagnostics }), stderr: "" };
  }
}
