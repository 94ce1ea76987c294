import { IGNORE_PROTECTION, ignoresProtection } from "../../config";
import { describeRecord, LifecycleError } from "../../lifecycle";
import { pick } from "../../schema/compare";
import { withDefault } from "../../schema/field";
import { flag } from "../../schema/kinds";
import { deletesFirst, NOTES, type Resource, type Values } from "../../schema/resource";
import { validate } from "../../schema/validate";
import type { RunState, Session } from "../../session";
import { marshal, type PropertyMap } from "../marshal";
import { parseUrn } from "../urn";
import { PROTECTION } from "./tokens";

const protection = { [PROTECTION]: withDefault(flag(), true) };
const UNPROTECTED = `${PROTECTION}: false (Python: deletion_protection=False)`;

/** A program's arguments, with the defaults of those that it omits. */
function withDefaults({ inputs }: Resource, args: Values): Values {
  const defaults = Object.entries(inputs).map(([name, field]) => [name, field.default]);
  return { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...args };
}

/** A record's values as a program would give them that omits what `args` does, if it has the default. */
function withoutDefaults({ inputs }: Resource, values: Values, args: Values): Values {
  const isOmitted = (name: string, value: unknown) => {
    const field = inputs[name];
    return field?.default !== undefined && args[name] === undefined && field.matches(field.default, value);
  };
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isOmitted(name, value)));
}

/** A resource with the settings of one provider. */
export interface Configured {
  readonly resource: Resource;
  readonly session: Session;
  readonly run: Pick<RunState, "ledger">;
}

/** How the engine calls a write: in a preview, nothing may be sent. */
interface Mode {
  readonly isPreview: boolean;
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

  /**
   * Returns the program's arguments as they are, without the defaults: `pulumi up --refresh --run-program` compares those that are
   * in state with the program's before they are checked, and would show an omitted `deletionProtection` as a change.
   */
  async check(olds: Values, news: Values): Promise<{ inputs: PropertyMap; failures: readonly string[] }> {
    const { [PROTECTION]: declared, ...serviceArgs } = news;
    // Nothing is deleted with a pixel, so this is no argument of it.
    const supportsProtection = this.resource.deletesWith !== undefined;
    const { mistakes } = supportsProtection
      ? validate(this.resource.type, protection, { [PROTECTION]: declared })
      : { mistakes: [] };
    const args = supportsProtection ? serviceArgs : news;
    const { failures } = await this.session.check(olds, args, this.urn);
    return {
      inputs: marshal(this.resource, news),
      failures: [...failures, ...mistakes.map(({ text }) => text)],
    };
  }

  /**
   * Refuses the replacement of a protected record at the diff. The engine deletes the old record last, by its old arguments: a
   * refusal then would leave two websites, and a change that also lifts the protection does not help.
   *
   * @param oldInputs hold the protection. If the program omitted it, or the engine imported the record, only the outputs do.
   *   If neither does, the dynamic form made the state, and moving to the plugin is no change of the protection
   */
  async diff(id: string, olds: Values, news: Values, oldInputs: Values) {
    const refuse = () => (this.isProtected(oldInputs) ? this.protectedFrom("replace", olds) : undefined);
    const { changed, replaces } = await this.session.diff(
      id,
      olds,
      withDefaults(this.resource, news),
      refuse,
    );
    const { [PROTECTION]: before = olds[PROTECTION] } = oldInputs;
    const isChanged =
      before !== undefined &&
      this.declaresProtected({ [PROTECTION]: before }) !== this.declaresProtected(news);
    return {
      changed: isChanged ? [...changed, PROTECTION] : changed,
      replaces,
      deletesFirst: deletesFirst(this.resource),
    };
  }

  async create(inputs: Values, { isPreview }: Mode): Promise<{ id: string; outputs: PropertyMap }> {
    const args = withDefaults(this.resource, inputs);
    const { id, state } = isPreview ? { id: "", state: args } : await this.session.create(args);
    return { id, outputs: this.outputs(state, inputs) };
  }

  /**
   * For `get` in a program, the engine has no state of the record, and sends what the program knows of it as inputs, or as inputs
   * and state: nothing tells it from a refresh (pulumi/pulumi#16886).
   */
  async read(id: string, state: Values, inputs: Values) {
    // By such a name, the engine asks whether a record exists, for a program that calls `existsResource`.
    const isQuestion = parseUrn(this.urn).name.startsWith("__exists__");
    const values = Object.keys(state).length === 0 ? inputs : state;
    const found = await this.session.read(id, values, { isQuestion });
    if (found === undefined) return undefined;
    const { [PROTECTION]: protection, adopt } = inputs;
    const inputsNow = {
      ...withoutDefaults(this.resource, pick(this.resource, found.state), inputs),
      adopt,
      [PROTECTION]: protection,
    };
    return {
      id: found.id,
      outputs: this.outputs(found.state, inputs),
      inputs: marshal(this.resource, inputsNow),
    };
  }

  async update(id: string, olds: Values, news: Values, { isPreview }: Mode): Promise<PropertyMap> {
    const args = withDefaults(this.resource, news);
    return this.outputs(isPreview ? args : await this.session.update(id, olds, args), news);
  }

  async delete(id: string, state: Values, inputs: Values): Promise<void> {
    const refuse = () => (this.isProtected(inputs) ? this.protectedFrom("delete", state) : undefined);
    await this.session.delete(id, state, refuse);
  }

  /** @param inputs hold the protection; without them, it stays as it is */
  outputs(values: Values, inputs?: Values): PropertyMap {
    const hasProtection = inputs !== undefined && this.resource.deletesWith !== undefined;
    return marshal(this.resource, {
      ...pick(this.resource, values),
      ...Object.fromEntries(NOTES.map((name) => [name, values[name]])),
      ...(hasProtection && { [PROTECTION]: this.declaresProtected(inputs) }),
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
    if (verb === "replace")
      return new LifecycleError(
        title,
        `To replace it, first declare it with ${UNPROTECTED}, change nothing else of it, and run "pulumi up"`,
      );
    // Each record's advice names it, or a run would give it for the first one alone. A program without any resource of ours
    // declares nothing, and neither do "pulumi destroy" and "pulumi do": nothing tells them apart. The ledger is asked, since
    // after an import the record's provider may be another process than the program's.
    const isDeclared = !this.configured.run.ledger.isEmpty;
    return new LifecycleError(
      title,
      `To keep ${record}, put its lines back${isDeclared ? "" : " if the program lacks them"}`,
      isDeclared
        ? `To delete it, put them back with ${UNPROTECTED}, run "pulumi up", remove the lines, and run "pulumi up" again`
        : `To delete it, run the same command with ${IGNORE_PROTECTION}=true in the environment`,
    );
  }
}
