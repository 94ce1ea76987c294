import * as pulumi from "@pulumi/pulumi";
import { PROVIDER } from "../provider/hosts/dynamic/code";
import { RESOURCE_HINTS } from "../provider/hosts/marshal";
import type { Catalogue } from "../provider/resources";
import { deletesFirst, type Resource } from "../provider/schema/resource";
import { refuseDuplicate } from "./duplicates";
import { dynamicForm, type Form, urnOf } from "./form";
import { isProtected, typeOf } from "./internals";
import { warnAboutPlaintextKeys } from "./plaintext-keys";

type Class = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.Resource;
/** The classes of a form: one for each resource that there is. */
export type Classes = Readonly<Record<Catalogue[number]["type"], Class>>;

/** The program's arguments with the defaults, without which a refresh that runs the program would show a difference. */
function propsOf({ inputs }: Resource, args: object | null | undefined, { isRead }: { isRead: boolean }) {
  const defaults = Object.entries(inputs)
    .map(([name, field]) => [name, isRead ? undefined : field.default])
    .filter(([, value]) => isRead || value !== undefined);
  const declared = Object.entries(args ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries([...defaults, ...declared]) as Record<string, unknown>;
}

/** An alias by URN takes less memory than one by type, but only the engine knows the URN of a child. */
function aliasOf(type: string, name: string, { parent }: pulumi.CustomResourceOptions) {
  return parent ? { type } : urnOf(type, name, undefined);
}

/**
 * The arguments that the constructor of `Website` or `Pixel` gives to `super`, Pulumi's own. Each calls that itself: with another
 * constructor between, the engine would report a line of this package as the place in the program where a resource is declared.
 */
export function superArguments(
  resource: Resource,
  form: Form,
  name: string,
  args: object | null | undefined,
  opts: pulumi.CustomResourceOptions,
): ConstructorParameters<typeof pulumi.CustomResource> {
  warnAboutPlaintextKeys();
  const props = propsOf(resource, args, { isRead: opts.id !== undefined });
  const secrets = Object.keys(props).filter(
    (input) => resource.inputs[input]?.secret && props[input] !== undefined,
  );
  for (const input of secrets) props[input] = pulumi.secret(props[input]);
  const formProps = form.properties(resource, name, opts, props);
  refuseDuplicate(resource, form.tokenOf(resource), name, props, opts);
  // `get`: without a domain or name in state, the host treats this as a first read, and a missing record is an error.
  if (opts.id !== undefined) props[resource.key] = undefined;
  const options = {
    // With `--continue-on-error`, an engine hangs if that delete fails (seen up to 3.276; Pulumi has no issue of it:
    // pulumi/pulumi#16373 is about creates and updates).
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
  return [form.tokenOf(resource), name, { ...formProps, ...props }, options];
}

/** Whether a line of a stack is the program's own, and not a package's or Node.js's. */
function isOfProgram(site: NodeJS.CallSite): boolean {
  const file = site.getFileName() ?? "node:";
  return !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}

/**
 * Shortens stacks until the returned function is called, while Pulumi's constructor runs. It makes some 40 errors for each
 * resource, one for each promise (`runtime/debuggable.ts`): each holds one line, since Node.js and ts-node apply source maps
 * to every line, which took most of a program's time. One more error says where the program declares the resource, with a limit
 * that Pulumi sets itself. Since `@pulumi/pulumi` 3.195 (pulumi/pulumi#20430) state holds all its lines, and those of ts-node and
 * Node.js below `new tracking.Website(…)` were a third of the state: only the program's lines stay.
 */
export function shortenStacks(): () => void {
  const { stackTraceLimit, prepareStackTrace: format } = Error;
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (error, sites) => {
    const untilProgram = sites.slice(0, sites.findLastIndex(isOfProgram) + 1);
    const kept = untilProgram.length === 0 ? sites : untilProgram;
    // ts-node applies its source maps here, and Node.js its own, by a function that it has set since 22.
    return format === undefined ? [String(error), ...kept].join("\n    at ") : format(error, kept);
  };
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = format;
  };
}

/**
 * Saves outputs that no program reads, of omitted arguments and of what only the provider needs: the SDK makes four promises
 * for each, of every resource.
 */
export function shareOmitted({ prototype }: { prototype: object }, { inputs }: Resource): void {
  const value = pulumi.output(undefined);
  for (const name of Object.keys(inputs)) Object.defineProperty(prototype, name, { value, writable: true });
  for (const name of [PROVIDER, RESOURCE_HINTS]) Object.defineProperty(prototype, name, { set: () => {} });
}

/**
 * Whether a value is a resource of this type, in either form. By its type alone, since it may come from another copy of
 * this package, and policy packs ask with nothing but a type.
 */
export function isOfType(resource: Resource, value: unknown): boolean {
  const type = typeOf(value);
  return type === dynamicForm.tokenOf(resource) || type === dynamicForm.otherTokenOf(resource);
}
