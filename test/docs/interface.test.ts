import { expect, it, onTestFinished } from "vitest";
import { connectEmulator, startEmulator } from "../../emulator";
import { blocks, guide, readme } from "./readme";

const [operations = ""] = blocks("text");
const [request = ""] = blocks("bash");
const records = (blocks("json")[0] ?? "").trim().split("\n");

/** Every operation that the README names, such as `GET /api/v1/pixels`. */
const named = [...operations.matchAll(/^([A-Z, ]+?)\s+(\/\S+)/gm)].flatMap(([, methods = "", path]) =>
  methods.split(", ").map((method) => `${method} ${path}`),
);

it("names in the README exactly the operations that the guide lists", () => {
  const used = [...guide.matchAll(/^\|[^|]+\| `([A-Z]+ \/[^`]+)` \|/gm)].map(([, operation]) => operation);
  expect(named.length).toBeGreaterThan(10);
  expect([...named].sort()).toEqual(used.sort());
});

it("names operations that the service has", async () => {
  const url = await service();
  const market = await fetch(`${url}/api/items/all?api_key=YOUR-KEY`);
  const { items } = (await market.json()) as { items: { id: number }[] };
  const missing: string[] = [];
  for (const operation of named) {
    const [method = "", path = ""] = operation.split(" ");
    const place = `${url}${path.replace("{id}", "1")}?api_key=YOUR-KEY&item_id=${items[0]?.id}`;
    const { status } = await fetch(place, { method, headers: { authorization: "Bearer YOUR-KEY" } });
    if (status === 404 || status === 405) missing.push(`${operation}: ${status}`);
  }
  expect(missing).toEqual([]);
});

it("shows records as the service returns them for the README's request", async () => {
  const url = await service();
  const headers = Object.fromEntries(
    [...request.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const [, path = ""] = /https:\/\/YOUR-SERVICE(\S+)/.exec(request) ?? [];
  const found: unknown[] = [];
  for (const each of [path, path.replace("websites", "pixels")]) {
    const response = await fetch(url + each, { headers });
    found.push(...((await response.json()) as { data: unknown[] }).data);
  }
  expect(found).toMatchObject(records.map((record) => JSON.parse(record)));
});

it("shows this before the first program", () => {
  expect(readme.indexOf("/api/v1/websites")).toBeLessThan(readme.indexOf("```ts"));
});

/** The service with the website and the pixel of the README's first program; resolves with its address. */
async function service(): Promise<string> {
  const emulator = await startEmulator({ apiKey: "YOUR-KEY", rateLimit: false });
  onTestFinished(() => emulator.close());
  const website = { domain: "shop.example.com", privacy: 1, email: 1, exclude_bots: 1 };
  const pixel = { name: "Google Analytics", type: "google-analytics", value: "G-EXAMPLE1" };
  await connectEmulator(emulator.url).seed({
    websites: [{ ...website, exclude_ips: "192.0.2.0/24" }],
    pixels: [pixel],
  });
  return emulator.url;
}
