import type { Declared } from "../faults/stack";
import type { ModelStack } from "../model/sequence";
import { declare, type Harness } from "./harness";

/** A stack for generated tests: returns what fails instead of throwing it. */
export class EngineStack implements ModelStack {
  constructor(private readonly world: Harness) {}

  async up(declared: readonly Declared[]) {
    await this.program(declared);
    return this.tried("up", "--yes", "--skip-preview", "--continue-on-error");
  }

  refresh() {
    return this.tried("refresh", "--yes", "--skip-preview");
  }

  async mend(declared: readonly Declared[]) {
    await this.program(declared);
    return this.tried("up", "--refresh", "--yes", "--skip-preview");
  }

  async preview(declared: readonly Declared[]) {
    await this.program(declared);
    const plan = await this.world.plan();
    return { steps: Object.entries(plan).map(([name, op]) => `${op} ${name}`) };
  }

  destroy() {
    return this.tried("destroy", "--yes", "--skip-preview");
  }

  async ids() {
    const ids = (await this.world.state())
      .filter(({ type }) => type.includes("dynamic/tracking:"))
      .map(({ id }) => id ?? "");
    return ids.sort();
  }

  private program(declared: readonly Declared[]): Promise<void> {
    const statements = declared.map(({ type, name, args }) => declare(type, name, args, { protect: false }));
    return this.world.program(statements.join(""));
  }

  private async tried(...args: string[]): Promise<{ errors: string[] }> {
    const { code, stdout, stderr } = await this.world.project.start(args).finished;
    return { errors: code === 0 ? [] : [`${stdout}\n${stderr}`] };
  }
}
