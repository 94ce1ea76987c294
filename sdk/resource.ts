import * as pulumi from "@pulumi/pulumi";
import { PROVIDER } from "../provider/hosts/dynamic/code";
import { RESOURCE } from "../provider/hosts/marshal";
import type { Catalogue } from "../provider/resources";
import { deletesFirst, type Resource } from "../provider/schema/resource";
import { refuseSecond } from "./declared";
import { dynamicForm, type Form, urnOf } from "./form";
import { isProtected, typeOf } from "./internals";
import { warnAboutPlaintextKeys } from "./plaintext-keys";

type Class = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.Resource;
/** The classes of a form: one for each resource that there is. */
export type Classes = Readonly<Record<Catalogue[number]["type"], Class>>;

/**
 * What a resource's constructor gives to Pulumi's. It calls that itself: with another constructor between, the engine
 * would report a line of this package as the place in the program where a resource is declared.
 */
export function registration(
  resource: Resource,
  form: Form,
  name: string,
  args: object | null | undefined,
  opts: pulumi.CustomResourceOptions,
): ConstructorParameters<typeof pulumi.CustomResource> {
  warnAboutPlaintextKeys();
  const props = propsOf(resource, args, opts.id !== undefined);
  const secrets = Object.keys(props).filter(
    (each) => resource.inputs[each]?.secret && props[each] !== undefined,
  );
  for (const each of secrets) props[each] = pulumi.secret(props[each]);
  const own = form.properties(resource, name, opts, props);
  refuseSecond(resource, form.tokenOf(resource), name, props, opts);
  // Without a key in state, the host treats this as a first read, and a missing record is an error.
  if (opts.id !== undefined) props[resource.key] = undefined;
  const options = {
    ...(deletesFirst(resource) && { deleteBeforeReplace: true }),
    ...opts,
    // By default, a record is protected if deleting it deletes more.
    protect:
      opts.protect ??
      (opts.parent && isProtected(opts.parent)) ??
      (resource.deletesWith !== undefined && !opts.retainOnDelete),
    additionalSecretOutputs: [...(opts.additionalSecretOutputs ?? []), ...secrets],
    aliases: [...(opts.aliases ?? []), aliasOf(form.otherTokenOf(resource), name, opts)],
    ...form.options(opts),
  };
  return [form.tokenOf(resource), name, { ...own, ...props }, options];
}

/** The program's arguments with the defaults, without which a refresh that runs the program would show a difference. */
function propsOf({ inputs }: Resource, args: object | null | undefined, isRead: boolean) {
  const preset = Object.entries(inputs).map(([name, field]) => [name, isRead ? undefined : field.default]);
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const all = [...preset.filter(([, value]) => isRead || value !== undefined), ...given];
  return Object.fromEntries(all) as Record<string, unknown>;
}

/**
 * Shortens stacks until the returned function is called, while Pulumi's constructor runs. The errors that it makes for each
 * resource, some 40, hold one line: source maps are applied to all lines, which took most of the time of a program. Of the
 * place where the program declares the resource, for which Pulumi sets a limit of its own, the program's lines are kept:
 * since `@pulumi/pulumi` 3.195 the engine stores all lines with each resource, and those of ts-node and Node.js below
 * `new tracking.Website(…)` took a third of the state.
 */
export function shortenStacks(): () => void {
  const { stackTraceLimit, prepareStackTrace: format } = Error;
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (error, sites) => {
    const programs = sites.slice(0, sites.findLastIndex(isOfProgram) + 1);
    const kept = programs.length === 0 ? sites : programs;
    // ts-node applies its source maps here, and Node.js its own, by a function that it has set since 22.
    return format === undefined ? [String(error), ...kept].join("\n    at ") : format(error, kept);
  };
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = format;
  };
}

/** Whether a line of a stack is the program's own, and not a package's or Node.js's. */
function isOfProgram(site: NodeJS.CallSite): boolean {
  const file = site.getFileName() ?? "node:";
  return !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}

/** An alias by URN takes less memory than one by type, but only the engine knows the URN of a child. */
function aliasOf(type: string, name: string, { parent }: pulumi.CustomResourceOptions) {
  return parent ? { type } : urnOf(type, name, undefined);
}

/** Saves outputs that no program reads, of omitted arguments and our own: each takes four promises of every resource. */
export function shareOmitted({ prototype }: { prototype: object }, { inputs }: Resource): void {
  const value = pulumi.output(undefined);
  for (const each of Object.keys(inputs)) Object.defineProperty(prototype, each, { value, writable: true });
  for (const each of [PROVIDER, RESOURCE]) Object.defineProperty(prototype, each, { set: () => {} });
}

/**
 * Whether a value is a resource of this type, in either form. By its type alone, since it may come from another copy of
 * this package, and policy packs ask with nothing but a type.
 */
export function isOfType(resource: Resource, value: unknown): boolean {
  const type = typeOf(value);
  return type === dynamicForm.tokenOf(resource) || type === dynamicForm.otherTokenOf(resource);
}
