import { describe, expect, it } from "vitest";
import { parsePeak, parseStat, parseWritten } from "../../bench/proc.mjs";

describe("the kernel's figures of a process", () => {
  it("give the processor time in hundredths of a second, user and system", () => {
    const text = "42 (node) S 7 42 42 0 -1 4194304 100 0 0 0 150 25 999 999 20 0 11 0 1234 5678";
    expect(parseStat(text)).toEqual({ parent: 7, cpuMs: 1750 });
  });

  it("are parsed for a process whose name contains spaces and brackets", () => {
    expect(parseStat("42 (a) (b c) S 7 0 0 0 0 0 0 0 0 0 1 2 0")).toEqual({ parent: 7, cpuMs: 30 });
  });

  it("give the peak memory, but not for a process that has ended", () => {
    expect(parsePeak("Name:\tnode\nVmPeak:\t  999 kB\nVmHWM:\t   2048 kB\n")).toBe(2048 * 1024);
    expect(parsePeak("Name:\tnode\nState:\tZ (zombie)\n")).toBeUndefined();
  });

  it("give the bytes written to files, without cancelled writes", () => {
    expect(parseWritten("wchar: 9\nwrite_bytes: 4096\ncancelled_write_bytes: 5\n")).toBe(4096);
    expect(parseWritten("")).toBeUndefined();
  });
});
