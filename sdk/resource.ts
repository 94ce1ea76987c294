import * as pulumi from "@pulumi/pulumi";
import type { Args, Fields, Resource, Value } from "../provider/schema/resource";
import { dynamicForm, type Form } from "./form";
import { warnAboutPlaintextKeys } from "./plaintext-keys";

/** What a program gives: each argument as a value or as the output of something else. */
export type ResourceArgs<F extends Fields> = {
  [K in keyof Args<F>]: pulumi.Input<
    Exclude<Args<F>[K], undefined> extends (infer E)[] ? pulumi.Input<E>[] : Exclude<Args<F>[K], undefined>
  >;
} & {
  /**
   * Adopt the one existing record that has this key instead of failing, and set on it what this program
   * declares. A preview names the record and what will change. Never a change by itself. Default `false`.
   */
  adopt?: pulumi.Input<boolean>;
};

/** A resource's outputs: its arguments; those that a server need not return may be undefined. */
export type ResourceOutputs<F extends Fields> = {
  readonly [K in keyof F]: pulumi.Output<
    F[K] extends { required: true } | { default: unknown } ? Value<F[K]> : Value<F[K]> | undefined
  >;
};

/** A resource of a class that has no name of its own. */
export type ResourceOf<F extends Fields> = pulumi.CustomResource & ResourceOutputs<F>;

/** The class of a resource: `A` are its arguments, `T` its instances. */
export interface ResourceClass<A, T> {
  /**
   * @param name the resource's name in the program
   * @param args what the record should be
   * @param opts ordinary resource options; `import` is refused, `pulumi-tracking import` does it
   */
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): T;

  /**
   * Reads a record that exists and is managed elsewhere. It fails if no such record exists.
   *
   * @param name the resource's name in the program
   * @param id the record's id on the service
   * @param state values that the service does not return, if they are known
   * @param opts ordinary resource options
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, state?: Partial<A>, opts?: pulumi.CustomResourceOptions): T;

  /** Whether a value is such a resource, also one of another copy of this package. */
  isInstance(value: unknown): value is T;
}

const classes = new Map<Form, WeakMap<object, unknown>>();

/** The class of a resource. Each form has only one. */
export function resourceClass<F extends Fields>(
  resource: Resource<F>,
  form: Form = dynamicForm,
): ResourceClass<ResourceArgs<F>, ResourceOf<F>> {
  const ofForm = classes.get(form) ?? new WeakMap<object, unknown>();
  classes.set(form, ofForm);
  const known = ofForm.get(resource) ?? createClass(resource, form);
  ofForm.set(resource, known);
  // The engine's answer sets outputs on the instance, by the names of the definition. The compiler can't see that.
  return known as ResourceClass<ResourceArgs<F>, ResourceOf<F>>;
}

/** The classes of some resources, by their names. */
export type ClassesOf<R extends Resource> = {
  readonly [K in R as K["type"]]: ResourceClass<ResourceArgs<K["inputs"]>, ResourceOf<K["inputs"]>>;
};

/** The classes of these resources, by type. */
export function classesOf<R extends Resource>(resources: readonly Resource[], form: Form): ClassesOf<R> {
  const classes = resources.map((each) => [each.type, resourceClass(each, form)]);
  // The compiler can't see that these are the names in the resources' types.
  return Object.fromEntries(classes) as ClassesOf<R>;
}

function createClass<F extends Fields>(resource: Resource<F>, form: Form): unknown {
  const token = form.tokenOf(resource);
  const names = Object.keys(resource.inputs);
  const secrets = names.filter((name) => resource.inputs[name]?.secret);
  const unread: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, undefined]));
  // Without the defaults, a refresh that runs the program would show them as a difference.
  const defaults = Object.fromEntries(
    Object.entries(resource.inputs).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  );

  // Programs call this class directly: with another constructor between, the engine would report a line of this
  // package as the place in the program where a resource is declared.
  class Managed extends pulumi.CustomResource {
    constructor(name: string, args: Record<string, unknown> = {}, opts: pulumi.CustomResourceOptions = {}) {
      form.checkOptions(resource, name, opts);
      warnAboutPlaintextKeys();
      // An alias by URN takes less memory than one by type, but only the engine knows the URN of a child.
      const type = form.otherTokenOf(resource);
      const alias = opts.parent
        ? { type }
        : `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
      const aliases = [...(opts.aliases ?? []), alias];
      const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
      const props = { ...(opts.id === undefined ? defaults : unread), ...Object.fromEntries(given) };
      const kept = secrets.filter((each) => props[each] !== undefined);
      for (const secret of kept) props[secret] = pulumi.secret(props[secret]);
      const options = { ...withDefaultOptions(resource, kept, opts), aliases, ...form.options(opts) };
      // Without a key in state, the host treats this as a first read, and a missing record is an error.
      if (options.id !== undefined) props[resource.key] = undefined;
      super(token, name, { ...props, ...form.properties(resource, opts) }, options);
    }

    static get(
      name: string,
      id: pulumi.Input<pulumi.ID>,
      state: Record<string, unknown> = {},
      opts: pulumi.CustomResourceOptions = {},
    ): Managed {
      return new this(name, state, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Managed {
      return pulumi.CustomResource.isInstance(value) && Reflect.get(value, "__pulumiType") === token;
    }
  }
  Object.defineProperty(Managed, "name", { value: resource.type });
  // All instances share one output for omitted arguments: each output of a resource takes 10 KB.
  const value = pulumi.output(undefined);
  for (const each of names) Object.defineProperty(Managed.prototype, each, { value, writable: true });
  return Managed;
}

/** Defaults for a program's options: a record is protected if deleting it deletes more, and secrets are secrets. */
function withDefaultOptions(
  resource: Resource,
  secrets: string[],
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const parent = opts.parent as { __protect?: boolean } | undefined;
  const protect =
    opts.protect ?? parent?.__protect ?? (resource.deletesWith !== undefined && !opts.retainOnDelete);
  return {
    ...opts,
    protect,
    additionalSecretOutputs: [...(opts.additionalSecretOutputs ?? []), ...secrets],
  };
}
