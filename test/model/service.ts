import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { Stack } from "../faults/stack";
import { type EmulatorClient, service, type TestService } from "../service";

/** One service for all cases of a file, emptied before each. */
export function useService() {
  let emulator: TestService;
  beforeAll(async () => {
    emulator = await service({}, afterAll);
  });
  // Only real servers need waits between attempts.
  beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0.001));
  afterEach(() => void vi.restoreAllMocks());
  return () => {
    const { control, settings } = emulator;
    control.clearFaults();
    control.become({});
    control.seed({ websites: [], pixels: [] });
    control.clearRequests();
    return { control, settings, stack: new Stack(settings) };
  };
}

/** The keys of all records, duplicates included. */
export function keysOf(control: EmulatorClient): string[] {
  return [
    ...control.websites().map(({ domain }) => domain),
    ...control.pixels().map(({ name }) => name),
  ].sort();
}
