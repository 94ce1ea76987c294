import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { type Emulator, type EmulatorClient, startEmulator } from "../../emulator";
import { Stack } from "../faults/stack";

/** One service for all cases of a file, emptied before each. */
export function useService() {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ rateLimit: false });
  });
  afterAll(() => emulator.close());
  // Only real servers need waits between attempts.
  beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0.001));
  afterEach(() => void vi.restoreAllMocks());
  return async (): Promise<{ control: EmulatorClient; stack: Stack }> => {
    const { control, url } = emulator;
    await control.clearFaults();
    await control.seed({ websites: [], pixels: [] });
    await control.clearRequests();
    return { control, stack: new Stack({ apiKey: "local-key", analyticsBaseUrl: url, dataBaseUrl: url }) };
  };
}

/** The keys of all records, duplicates included. */
export async function keysOf(control: EmulatorClient): Promise<string[]> {
  const [websites, pixels] = [await control.websites(), await control.pixels()];
  return [...websites.map(({ domain }) => domain), ...pixels.map(({ name }) => name)].sort();
}
