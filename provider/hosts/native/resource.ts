import { describeRecord, diff } from "../../lifecycle";
import { pick } from "../../schema/compare";
import { isUnknown, type Resource, type Values } from "../../schema/resource";
import type { Session } from "../../session";
import { type Bag, marshal } from "../marshal";
import { PROTECTION } from "./spelling";

const LIFTED = `the argument ${PROTECTION}: false, or in TypeScript the option protect: false,`;
/** What a program gives a protected record so that it may be deleted. */
export const UNPROTECTED = `${LIFTED} by an earlier "pulumi up"`;

/** One resource with a URN, for the methods of the provider protocol. Only the session's `check` knows every argument. */
export class NativeResource {
  constructor(
    private readonly resource: Resource,
    private readonly session: Session,
    private readonly urn: string,
  ) {}

  async check(olds: Values, news: Values): Promise<{ inputs: Bag; failures: readonly string[] }> {
    const { [PROTECTION]: protection, ...own } = news;
    // A resource that nothing is deleted with does not have this argument.
    const isTheirs = this.resource.deletesWith !== undefined;
    const { values, failures } = await this.session.check(olds, isTheirs ? own : news, this.urn);
    // What a preview can't know is a symbol.
    const isWrong = isTheirs && !["undefined", "boolean", "symbol"].includes(typeof protection);
    const refusal = failures.length === 0 ? this.refusedReplacement(olds, news) : undefined;
    const wrong = isWrong ? `${PROTECTION} must be true or false` : refusal;
    return {
      inputs: marshal(this.resource, { ...values, [PROTECTION]: protection }),
      failures: wrong === undefined ? failures : [...failures, wrong],
    };
  }

  /** @param oldInputs hold the protection, which state's outputs do not */
  async diff(id: string, olds: Values, news: Values, oldInputs: Values) {
    const { changed, replaces } = await this.session.diff(id, olds, news);
    const isLifted =
      oldInputs[PROTECTION] !== undefined && this.isProtected(oldInputs) !== this.isProtected(news);
    return { changed: isLifted ? [...changed, PROTECTION] : changed, replaces };
  }

  async create(inputs: Values, preview: boolean): Promise<{ id: string; outputs: Bag }> {
    const { id, state } = preview ? { id: "", state: inputs } : await this.session.create(inputs);
    return { id, outputs: this.outputs(state) };
  }

  async read(id: string, state: Values, inputs: Values) {
    const found = await this.session.read(id, state);
    if (found === undefined) return undefined;
    const outputs = this.outputs(found.state);
    return { id: found.id, outputs, inputs: { ...outputs, [PROTECTION]: inputs[PROTECTION] } };
  }

  async update(id: string, olds: Values, news: Values, preview: boolean): Promise<Bag> {
    return this.outputs(preview ? news : await this.session.update(id, olds, news));
  }

  async delete(id: string, state: Values, inputs: Values): Promise<void> {
    const refusal = this.isProtected(inputs) ? this.protectedFrom("delete", state) : undefined;
    await this.session.delete(id, state, refusal);
  }

  outputs(values: Values): Bag {
    return marshal(this.resource, pick(this.resource, values));
  }

  private isProtected(inputs: Values): boolean {
    return this.resource.deletesWith !== undefined && inputs[PROTECTION] !== false;
  }

  /**
   * Refuses a replacement in `check`: the engine deletes the old record last, which is too late to refuse. It deletes it
   * by its old arguments, so a change that also lifts the protection is refused too.
   */
  private refusedReplacement(olds: Values, news: Values): string | undefined {
    if (!this.isProtected(olds) || olds[this.resource.key] === undefined) return undefined;
    const { replaces } = diff(this.resource, olds, news);
    return replaces.some((name) => !isUnknown(news[name])) ? this.protectedFrom("replace", olds) : undefined;
  }

  private protectedFrom(verb: string, values: Values): string {
    const record = describeRecord({ resource: this.resource, values });
    const way = verb === "delete" ? ". To keep it, declare it under another name with adopt: true" : "";
    return `${record} is protected, because its ${this.resource.deletesWith} would be deleted with it. To ${verb} it, first declare it with ${LIFTED} change nothing else of it, and run "pulumi up"${way}`;
  }
}
