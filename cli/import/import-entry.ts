import { version } from "../../package.json";
import { codeOf, PROVIDER, tokenOf } from "../../provider/hosts/dynamic/code";
import { pluginToken } from "../../provider/hosts/native/tokens";
import type { RemoteRecord } from "../../provider/schema/codec";
import { mergeRemote, pick } from "../../provider/schema/compare";
import { creationEntry } from "../../provider/schema/identity";
import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import type { ResourceForm } from "../look/held";
import { isHidden, isShown } from "../pulumi/hidden";
import type { ImportEntry } from "../pulumi/json-output";

/** The arguments that a program has without stating any. */
export function defaultArgs(resource: Resource): Values {
  return validateResource(resource, {}, {}).values;
}

/**
 * A record's state: the service's values of all managed fields, in the program's spelling if the two are equal.
 * Fields that the service never returns, such as secrets, are omitted, so the next preview shows that they are sent.
 *
 * @param declared the program's arguments; without them, every field of the record is managed
 */
export function importedState(resource: Resource, found: RemoteRecord, declared?: Values): Values {
  const isAll = declared === undefined;
  const readable = Object.entries(declared ?? {}).filter(([, value]) => isShown(value));
  const merged = mergeRemote(resource, Object.fromEntries(readable), found, isAll ? "all" : "managed");
  const stored = Object.entries(merged).filter(([name, value]) => {
    const field = resource.inputs[name];
    if (field === undefined) return false;
    // An empty list in state would be managed from now on: an IP that someone excludes in the web interface would be drift.
    const isEmptied = isAll && JSON.stringify(value) === JSON.stringify(field.clearsTo);
    return found.values[name] !== undefined && !isEmptied && !isHidden(declared?.[name]);
  });
  const state = Object.fromEntries(stored);
  return isAll ? pick(resource, { ...defaultArgs(resource), ...state }) : state;
}

type ImportedRecord = Pick<RemoteRecord, "createdAt"> & { readonly id: string };

/**
 * A record's entry in the file for `pulumi import`; with inputs and outputs, the engine does not read the record. One
 * of the plugin names its version, as our classes do.
 *
 * @param named its name and, as the engine wrote them, its parent and provider
 */
export function toImportEntry(
  resource: Resource,
  named: { readonly name: string },
  { id, createdAt }: ImportedRecord,
  state: Values,
  form: ResourceForm,
): ImportEntry {
  const isDynamic = form === "dynamic";
  const inputs = isDynamic ? { ...state, [PROVIDER]: codeOf(resource) } : state;
  const outputs = { ...inputs, ...creationEntry({}, { createdAt }) };
  const ofPlugin = isDynamic ? {} : { version };
  const type = isDynamic ? tokenOf(resource) : pluginToken(resource.type);
  return { type, ...named, id, ...ofPlugin, inputs, outputs };
}
