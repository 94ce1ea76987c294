import * as pulumi from "@pulumi/pulumi";
import { endpoint, SettingError } from "../provider/config";
import { ownershipOf } from "../provider/hosts/engine";
import { Claims, type Options, type Ownership } from "../provider/lifecycle";
import type { Resource } from "../provider/schema/resource";
import { plainSettings, settingsOf } from "./provider";

/** Options by which a resource waits for others. */
const WAITING = ["parent", "dependsOn", "deletedWith", "replaceWith"] as const;

const runs = new Map<string, Ownership>();

/**
 * Lets all processes of the run know what the program declares, also where the engine leaves it out: who deletes a
 * record has to know whose it is, and two that declare one record are refused before either is made. Gives what the
 * provider's process is told of it.
 */
export function announceDeclaration(
  resource: Resource,
  instance: pulumi.CustomResource,
  name: string,
  args: Readonly<Record<string, unknown>>,
  opts: pulumi.CustomResourceOptions,
  token: string,
): Options {
  const address = engineAddress();
  const explicit: pulumi.ProviderResource | undefined = Reflect.get(instance, "__prov");
  if (address !== undefined) {
    const run = runs.get(address) ?? ownershipOf(address, (text) => void pulumi.log.warn(text));
    runs.set(address, run);
    const tell = (settings: Readonly<Record<string, string>>, key: unknown, plain: boolean) => {
      const claims = claimsOf(run, resource, settings);
      claims?.declared({ [resource.key]: key, adopt: args.adopt }, token, name, plain);
      return claims;
    };
    const key = args[resource.key];
    const settings = plainSettings(explicit);
    if (settings !== undefined && typeof key === "string") {
      const plain = WAITING.every((option) => opts[option] === undefined) && isPlain(args);
      const claims = tell(settings, key, plain);
      instance.urn.apply(() => claims?.ended(token));
    } else
      pulumi
        .all([settingsOf(explicit === undefined ? {} : { provider: explicit }), key as pulumi.Input<unknown>])
        .apply(([all, value]) => void tell(all, value, false));
  }
  return {
    name,
    token,
    provider: explicit === undefined ? undefined : Reflect.get(explicit, "__name"),
    retained: opts.retainOnDelete === true,
    // As the constructor has left it, which a parent and transformations have a say in.
    protect: Reflect.get(instance, "__protect") === true,
    deleteBeforeReplace: opts.deleteBeforeReplace === true,
  };
}

function claimsOf(
  run: Ownership,
  resource: Resource,
  settings: Readonly<Record<string, string>>,
): Claims | undefined {
  try {
    const place = endpoint(resource.service, { get: (key) => settings[`tracking:${key}`] });
    return new Claims(run, resource, place, () => false);
  } catch (error) {
    // The provider's check says so.
    if (error instanceof SettingError) return undefined;
    throw error;
  }
}

/** The address of the engine that runs this program; nothing under mocks. */
function engineAddress(): string | undefined {
  // The SDK's own client of the engine, of which it declares less than there is.
  const engine: unknown = pulumi.runtime.getEngine();
  if (!hasChannel(engine)) return undefined;
  const target = engine.getChannel().getTarget();
  return target.replace(/^\w+:(\/\/\/?)?(?=.*:)/, "");
}

/** Whether values are there at once, so that what has them waits for nothing. */
function isPlain(value: unknown): boolean {
  if (typeof value === "function" || value instanceof Promise || pulumi.Output.isInstance(value))
    return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isPlain);
}

function hasChannel(client: unknown): client is { getChannel(): { getTarget(): string } } {
  return typeof client === "object" && client !== null && "getChannel" in client;
}
