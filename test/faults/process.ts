import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import { vi } from "vitest";
import { compileSource } from "../../tools/source.mjs";

/** A provider process. */
export type DynamicProvider = Record<"Website" | "Pixel", Required<dynamic.ResourceProvider>>;

/** The connections of the process that runs, which end with it. */
const connections = new Set<Socket>();
subscribe("net.client.socket", (opened) => void connections.add((opened as { socket: Socket }).socket));

/** The host in one piece: Vitest would need ten times as long to load its modules again one by one. */
const compiled = compileSource<DynamicProvider>("provider/hosts/dynamic/index.ts");

/**
 * Simulates a new provider process: loads the host again, so that nothing remains of an earlier command's claims, lists
 * or waits. `said` collects the lines that it prints until `leave`, and `rests` what it waits.
 */
export async function beginProcess(
  settings: Record<string, string>,
): Promise<{ host: DynamicProvider; said: string[]; rests: number[]; leave: () => void }> {
  const load = await compiled;
  const [said, rests]: [string[], number[]] = [[], []];
  // The host takes from there how it waits for a list that may be behind, and nothing else.
  const timers = { setTimeout: async (wait: number) => void rests.push(wait) };
  const { error } = console;
  const log = vi.spyOn(console, "log").mockImplementation((text: unknown) => void said.push(String(text)));
  const host = load({ "node:timers/promises": timers });
  const config = { get: (key: string) => settings[key.replace("tracking:", "")] };
  for (const provider of [host.Website, host.Pixel])
    await provider.configure({ config } as unknown as dynamic.ConfigureRequest);
  const leave = () => {
    log.mockRestore();
    // The host wraps it for its process.
    console.error = error;
    for (const connection of connections) connection.destroy();
    connections.clear();
  };
  return { host, said, rests, leave };
}
