import type * as dynamic from "@pulumi/pulumi/dynamic";
import { vi } from "vitest";

/** What a provider process serves. */
export type DynamicProvider = Record<"Website" | "Pixel", Required<dynamic.ResourceProvider>>;

/** How a provider waits for a service whose lists may be behind. */
export type Rest = (milliseconds: number) => Promise<unknown>;

/**
 * Begins what a new provider process would: the host is loaded again, so that nothing is left of what an earlier
 * command claimed, listed or waited for. `said` fills with the lines that it prints until `leave`.
 */
export async function beginProcess(
  settings: Record<string, string>,
  rest: Rest,
): Promise<{ host: DynamicProvider; said: string[]; leave: () => void }> {
  vi.resetModules();
  // The host has its `rest` from there, and nothing else.
  vi.doMock("node:timers/promises", () => ({ setTimeout: rest }));
  const said: string[] = [];
  const { error } = console;
  const log = vi.spyOn(console, "log").mockImplementation((text: unknown) => void said.push(String(text)));
  const host: DynamicProvider = await import("../../provider/hosts/dynamic/index.js");
  const config = { get: (key: string) => settings[key.replace("tracking:", "")] };
  for (const each of [host.Website, host.Pixel])
    await each.configure({ config } as unknown as dynamic.ConfigureRequest);
  const leave = () => {
    log.mockRestore();
    // The host wraps it for its process.
    console.error = error;
  };
  return { host, said, leave };
}
