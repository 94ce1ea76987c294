import { describeRecord } from "../../lifecycle";
import { changedFields } from "../../schema/compare";
import { fieldOf, isUnknown, type Resource, type Values } from "../../schema/resource";
import type { Session } from "../../session";
import { marshal } from "../marshal";
import { PROTECTION } from "./spelling";

type Bag = Readonly<Record<string, unknown>>;

/** What a program gives a protected record so that it may be deleted. */
export const UNPROTECTED = `the argument ${PROTECTION}: false (in TypeScript the option protect: false)`;

/** One resource with a URN, for the methods of the provider protocol. */
export class NativeResource {
  constructor(
    private readonly resource: Resource,
    private readonly session: Session,
    private readonly urn: string,
  ) {}

  async check(
    olds: Values,
    news: Values,
    lines?: readonly string[],
  ): Promise<{ inputs: Bag; failures: readonly string[] }> {
    const { own, protection } = this.split(news);
    const { values, failures } = await this.session.check(this.split(olds).own, own, this.urn, lines);
    const wrong =
      this.wrongProtection(protection) ??
      (failures.length === 0 ? this.refusedReplacement(olds, news) : undefined);
    return {
      inputs: withProtection(marshal(this.resource, values), protection),
      failures: wrong === undefined ? failures : [...failures, wrong],
    };
  }

  /** @param oldInputs hold the protection, which state's outputs do not */
  async diff(id: string, olds: Values, news: Values, oldInputs: Values) {
    const { own } = this.split(news);
    const { changes, replaces } = await this.session.diff(id, olds, own);
    const changed = changes ? changedFields(this.resource, olds, own) : [];
    const isLifted =
      oldInputs[PROTECTION] !== undefined && this.isProtected(oldInputs) !== this.isProtected(news);
    return { changed: [...new Set([...changed, ...replaces, ...(isLifted ? [PROTECTION] : [])])], replaces };
  }

  async create(inputs: Values, preview: boolean): Promise<{ id: string; outputs: Bag }> {
    const { own } = this.split(inputs);
    if (preview) return { id: "", outputs: this.outputs(own) };
    const { id, state } = await this.session.create(own);
    return { id, outputs: this.outputs(state) };
  }

  async read(
    id: string,
    state: Values,
    inputs: Values,
  ): Promise<{ id: string; outputs: Bag; inputs: Bag } | undefined> {
    const found = await this.session.read(id, state);
    if (found === undefined) return undefined;
    const outputs = this.outputs(found.state);
    return { id: found.id, outputs, inputs: withProtection(outputs, inputs[PROTECTION]) };
  }

  async update(id: string, olds: Values, news: Values, preview: boolean): Promise<Bag> {
    const { own } = this.split(news);
    return this.outputs(preview ? own : await this.session.update(id, olds, own));
  }

  async delete(id: string, state: Values, inputs: Values): Promise<void> {
    const refusal = this.isProtected(inputs) ? this.protectedFrom("delete", state) : undefined;
    await this.session.delete(id, state, refusal);
  }

  outputs({ adopt: _adopt, ...values }: Values): Bag {
    return marshal(this.resource, values);
  }

  private split({ [PROTECTION]: protection, ...own }: Values): { own: Values; protection: unknown } {
    return { own, protection };
  }

  private isProtected(inputs: Values): boolean {
    return this.resource.deletesWith !== undefined && inputs[PROTECTION] !== false;
  }

  private wrongProtection(protection: unknown): string | undefined {
    if (protection === undefined || isUnknown(protection)) return undefined;
    if (this.resource.deletesWith === undefined) return `unknown argument "${PROTECTION}"`;
    return typeof protection === "boolean" ? undefined : `${PROTECTION} must be true or false`;
  }

  /**
   * Refuses a replacement in `check`: the engine deletes the old record last, which is too late to refuse. It deletes it
   * by its old arguments, so a change that also lifts the protection is refused too.
   */
  private refusedReplacement(olds: Values, news: Values): string | undefined {
    if (!this.isProtected(olds) || olds[this.resource.key] === undefined) return undefined;
    const replaced = changedFields(this.resource, olds, news).some(
      (name) => fieldOf(this.resource, name).replaces && !isUnknown(news[name]),
    );
    return replaced ? this.protectedFrom("replace", olds) : undefined;
  }

  private protectedFrom(verb: string, values: Values): string {
    const record = describeRecord({ resource: this.resource, values });
    return (
      `${record} is protected, because its ${this.resource.deletesWith} would be deleted with it. To ${verb} it, ` +
      `first set its argument ${PROTECTION} to false in the program (in TypeScript its option protect), change nothing else of it, and run "pulumi up"`
    );
  }
}

/** Arguments with the protection, if the program sets it. */
function withProtection(bag: Bag, protection: unknown): Bag {
  return protection === undefined ? bag : { ...bag, [PROTECTION]: protection };
}
