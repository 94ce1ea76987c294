import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { onTestFinished, vi } from "vitest";
import { type EmulatorOptions, service } from "../service";

/** What the engine answers when a program declares something. */
type Declared = (args: pulumi.runtime.MockResourceArgs) => Promise<pulumi.runtime.MockResourceResult>;

/** Everything comes to be as it was declared, under an id of its own. */
const asDeclared: Declared = async ({ name, inputs }) => ({ id: `${name}-id`, state: inputs });
/** Nothing is there yet. */
export const yetToBe: Declared = async ({ inputs }) => ({ id: "", state: inputs });

/**
 * Until the test ends, programs run without an engine; what they have declared by then is seen through. Their look-ups ask
 * the service, as under an engine: mocks would answer them.
 */
export async function engineWithout(
  declared: Declared = asDeclared,
  { isPreview = false } = {},
): Promise<void> {
  onTestFinished(() => pulumi.runtime.disconnect());
  const { getMonitor, setMockOptions, setMocks } = pulumi.runtime;
  await setMocks({ newResource: declared, call: async () => ({}) });
  const monitor = new Proxy(getMonitor() as object, { has: (of, name) => name !== "mocks" && name in of });
  setMockOptions(monitor, "project", "stack", isPreview);
}

/** What the package's build puts into the classes over the plugin; for one test. */
export function asBuilt(downloadAddress = "") {
  vi.stubGlobal("TRACKING_VERSION", "1.2.3");
  vi.stubGlobal("TRACKING_DOWNLOAD_ADDRESS", downloadAddress);
}

/** A service for one test, and the stack's config that leads to it. */
export async function configured(options: EmulatorOptions = {}) {
  const emulator = await service(options);
  configure(emulator.settings);
  return emulator;
}

/**
 * Until the test ends, programs are connected to the engine at this address; what they tell its other processes stays in a
 * folder of their own.
 */
export function connected(address: string): void {
  const folder = mkdtempSync(join(tmpdir(), "connected-"));
  vi.stubEnv("TMPDIR", folder);
  const engine = vi.spyOn(pulumi.runtime, "getEngine");
  onTestFinished(() => {
    engine.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const channel = { getTarget: () => `dns:${address}` };
  engine.mockReturnValue({ getChannel: () => channel } as never);
}

/** The stack's config, and no other. */
export function configure(settings: Record<string, string>): void {
  const config = Object.entries(settings).map(([name, value]) => [`tracking:${name}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(config));
}

/** A resource that this package has nothing to do with. */
export class Thing extends pulumi.CustomResource {
  // Set by the engine; a field of its own would hide it.
  declare readonly domain: pulumi.Output<string>;
  constructor(name: string, props: pulumi.Inputs = {}, opts?: pulumi.CustomResourceOptions) {
    super("test:index:Thing", name, props, opts);
  }
}

/** Holds resources together. */
export class Group extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, opts);
  }
}

/** All that there is to know of an output. */
export interface Looked<T> {
  known: boolean;
  secret: boolean;
  value: T | undefined;
  /** The names of the resources that it comes from. */
  from: string[];
}

export async function look<T>(output: pulumi.Output<T>): Promise<Looked<T>> {
  const inside = output as unknown as {
    promise(withUnknowns?: boolean): Promise<T>;
    isKnown: Promise<boolean>;
    isSecret: Promise<boolean>;
    allResources(): Promise<Set<pulumi.Resource>>;
  };
  const value = await inside.promise();
  const from = [...(await inside.allResources())].map(
    (resource) => Reflect.get(resource, "__name") as string,
  );
  return {
    known: await inside.isKnown,
    secret: await inside.isSecret,
    value: (await inside.isKnown) ? value : undefined,
    from,
  };
}
