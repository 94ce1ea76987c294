import { IGNORE_PROTECTION, ignoresProtection } from "../../config";
import { describeRecord, LifecycleError } from "../../lifecycle";
import { pick } from "../../schema/compare";
import { withDefault } from "../../schema/field";
import { flag } from "../../schema/kinds";
import { deletesFirst, NOTES, type Resource, type Values } from "../../schema/resource";
import { validate } from "../../schema/validate";
import type { RunState, Session } from "../../session";
import { inputsAfterRead, marshal, type PropertyMap } from "../marshal";
import { parseUrn } from "../urn";
import { PROTECTION } from "./tokens";

const protection = { [PROTECTION]: withDefault(flag(), true) };
const LIFTED = `${PROTECTION}: false (Python: deletion_protection=False)`;
const DELETE_TOO = `To delete it too, run the delete with ${IGNORE_PROTECTION}=true in the environment`;

/** A resource with the settings of one provider. */
export interface Configured {
  readonly resource: Resource;
  readonly session: Session;
  readonly run: Pick<RunState, "ledger">;
}

/** One resource with a URN, for the methods of the provider protocol. Only the session's `check` knows every argument. */
export class NativeResource {
  private readonly resource: Resource;
  private readonly session: Session;

  constructor(
    private readonly configured: Configured,
    private readonly urn: string,
  ) {
    this.resource = configured.resource;
    this.session = configured.session;
  }

  async check(olds: Values, news: Values): Promise<{ inputs: PropertyMap; failures: readonly string[] }> {
    const { [PROTECTION]: given, ...own } = news;
    // A pixel lacks this argument: nothing is deleted with it.
    const supportsProtection = this.resource.deletesWith !== undefined;
    const { mistakes, values: guard } = supportsProtection
      ? validate(this.resource.type, protection, { [PROTECTION]: given })
      : { mistakes: [], values: {} };
    const wrong = mistakes.map(({ text }) => text);
    const { values, failures } = await this.session.check(olds, supportsProtection ? own : news, this.urn);
    return { inputs: marshal(this.resource, { ...values, ...guard }), failures: [...failures, ...wrong] };
  }

  /**
   * Refuses the replacement of a protected record here: the engine deletes the old one last, which is too late. It deletes
   * that by its old arguments, so a change that also lifts the protection is refused too.
   *
   * @param oldInputs hold the protection. If the program omitted it, or the engine imported the record, only the outputs do;
   * without either, a class of ours in the other form has made the state, and nothing is lifted
   */
  async diff(id: string, olds: Values, news: Values, oldInputs: Values) {
    const refuse = () => (this.isProtected(oldInputs) ? this.protectedFrom("replace", olds) : undefined);
    const { changed, replaces } = await this.session.diff(id, olds, news, refuse);
    const { [PROTECTION]: before = olds[PROTECTION] } = oldInputs;
    const isOther =
      before !== undefined &&
      this.declaresProtected({ [PROTECTION]: before }) !== this.declaresProtected(news);
    const all = isOther ? [...changed, PROTECTION] : changed;
    return { changed: all, replaces, deletesFirst: deletesFirst(this.resource) };
  }

  async create(inputs: Values, preview: boolean): Promise<{ id: string; outputs: PropertyMap }> {
    const { id, state } = preview ? { id: "", state: inputs } : await this.session.create(inputs);
    return { id, outputs: this.outputs(state, inputs) };
  }

  /** An engine may know nothing but the inputs of a record that a program reads. */
  async read(id: string, state: Values, inputs: Values) {
    // By such a name, the engine asks for a program whether a record exists.
    const isQuestion = parseUrn(this.urn).name.startsWith("__exists__");
    const known = Object.keys(state).length === 0 ? inputs : state;
    const found = await this.session.read(id, known, isQuestion);
    if (found === undefined) return undefined;
    const now = inputsAfterRead(this.resource, known, found.state);
    const all = now === undefined ? inputs : { ...now, [PROTECTION]: inputs[PROTECTION] };
    return {
      id: found.id,
      outputs: this.outputs(found.state, inputs),
      inputs: marshal(this.resource, all),
    };
  }

  async update(id: string, olds: Values, news: Values, preview: boolean): Promise<PropertyMap> {
    return this.outputs(preview ? news : await this.session.update(id, olds, news), news);
  }

  async delete(id: string, state: Values, inputs: Values): Promise<void> {
    const refuse = () => (this.isProtected(inputs) ? this.protectedFrom("delete", state) : undefined);
    await this.session.delete(id, state, refuse);
  }

  /** @param inputs hold the protection; without them, it stays as it is */
  outputs(values: Values, inputs?: Values): PropertyMap {
    const hasIt = inputs !== undefined && this.resource.deletesWith !== undefined;
    return marshal(this.resource, {
      ...pick(this.resource, values),
      ...Object.fromEntries(NOTES.map((name) => [name, values[name]])),
      ...(hasIt && { [PROTECTION]: this.declaresProtected(inputs) }),
    });
  }

  private declaresProtected(inputs: Values): boolean {
    return this.resource.deletesWith !== undefined && inputs[PROTECTION] !== false;
  }

  private isProtected(inputs: Values): boolean {
    return this.declaresProtected(inputs) && !ignoresProtection();
  }

  private protectedFrom(verb: "delete" | "replace", values: Values): LifecycleError {
    const record = describeRecord({ resource: this.resource, values });
    const title = `${record} is protected, because its ${this.resource.deletesWith} would be deleted with it`;
    // Without a program, as in "pulumi destroy" and "pulumi do", nothing can be declared. After an import, the provider of
    // what is deleted may be another process than that of the program.
    const isDeclared = this.configured.run.ledger.declarations.size > 0;
    let advice = DELETE_TOO;
    if (verb === "replace")
      advice = `To replace it, first declare it with ${LIFTED}, change nothing else of it, and run "pulumi up"`;
    else if (isDeclared)
      advice = `To keep it, put its lines back. To delete it, put them back with ${LIFTED}, run "pulumi up", and remove them again`;
    return new LifecycleError(title, advice);
  }
}
