import { expect, it, vi } from "vitest";
import { scene } from "./scene";

const pixels = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: "Pixel" as const,
    name: `p${at}`,
    args: { name: `P${at}`, type: "bing", value: `v${at}` },
  }));

it.each(["500", "reset"] as const)(
  "costs at most 1.2 requests a create where all end with %s",
  async (how) => {
    const { stack, control } = await scene("Pixel");
    const reply = how === "500" ? ({ reply: "html", status: 500 } as const) : ({ reply: "reset" } as const);
    await control.addFault({ match: { path: "/api/v1/*", times: 0 }, commit: "never", ...reply });
    const { errors } = await stack.up(pixels(100));
    expect(errors).toHaveLength(100);
    expect((await control.requests()).length).toBeLessThanOrEqual(120);
    await control.clearFaults();
    expect((await stack.up(pixels(100))).errors).toEqual([]);
    expect(await control.pixels()).toHaveLength(100);
  },
);

it("costs at most 1.2 attempts per create if nothing listens", async () => {
  vi.stubEnv("TRACKING_LOG", "debug");
  const lines: string[] = [];
  const heard = vi
    .spyOn(console, "error")
    .mockImplementation((line: unknown) => void lines.push(String(line)));
  const { stack } = await scene("Pixel", { settings: { dataBaseUrl: "http://127.0.0.1:1" } });
  const { errors } = await stack.up(pixels(100));
  vi.unstubAllEnvs();
  heard.mockRestore();
  expect(errors).toHaveLength(100);
  const attempts = lines.filter((line) => line.includes(", attempt "));
  expect(attempts.length).toBeGreaterThan(0);
  expect(attempts.length).toBeLessThanOrEqual(120);
});

it("has its settings in the first 8 concurrent calls of a process: create, read and delete", async () => {
  const { stack, control } = await scene("Pixel");
  expect((await stack.up(pixels(8))).errors).toEqual([]);
  expect(await control.pixels()).toHaveLength(8);
  expect((await control.requests()).filter(({ method }) => method === "POST")).toHaveLength(8);
  expect(await stack.refresh()).toMatchObject({ steps: [], errors: [] });
  expect((await stack.destroy()).errors).toEqual([]);
  expect(await control.pixels()).toEqual([]);
});
