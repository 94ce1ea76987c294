import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Account } from "../../cli/account";
import { asFarAsListed } from "../../cli/import/declare";
import { listsOf } from "../../cli/import/reading";
import { vanished } from "../../cli/import/rest";
import { pixel } from "../../provider/resources";
import { configAt, doctor, KEY, only, trouble } from "./doctor-world";

const rows = Array.from({ length: 120 }, (_, at) => ({
  id: at + 1,
  name: `P${at + 1}`,
  type: "facebook",
  value: "1",
}));

/** A service that gives the first hundred of its pixels, whatever page is asked for, and says nothing of more. */
async function cuttingOff(): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const asked = new URL(url, "http://127.0.0.1");
    const size = Number(asked.searchParams.get("per_page") ?? 10);
    const data = asked.pathname.endsWith("/pixels") ? rows.slice(0, size) : [];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What an import goes by there, and what it tells. */
async function importing() {
  const url = await cuttingOff();
  const values: Record<string, string> = { apiKey: KEY, analyticsBaseUrl: url, dataBaseUrl: url };
  const settings = { get: (name: string) => values[name] };
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const account = new Account(settings, { say: tell, debug: tell });
  return { account, told, tell, opened: { settings, deployment: async () => ({}) } };
}

const CUT = "the service's list of pixels is cut off: it gave 100 pixels and no proof that there are no more";

test("an import of a list that is cut off stops, and says how many were read and what to do", async () => {
  const { account, opened, tell } = await importing();
  const stopped = expect(listsOf(undefined, account, opened, tell)).rejects;
  await stopped.toThrow(
    `Nothing is imported: ${CUT}. Declare the pixels that you want and run "npx pulumi-tracking import --declared"`,
  );
  expect((await listsOf("websites", account, opened, tell)).map(([, records]) => records)).toEqual([[]]);
});

test("an import of what is declared goes by what was found, and warns", async () => {
  const { account, told, tell } = await importing();
  expect(await asFarAsListed(account, pixel, tell)).toHaveLength(100);
  expect(told).toEqual([`Warning: ${CUT}. A declared record that is not among them is not imported.`]);
});

test("a record beyond the end of such a list is not said to be deleted", async () => {
  const { account } = await importing();
  expect(
    await vanished(account, [{ resource: pixel, name: "p", id: "111", state: { name: "P111" } }]),
  ).toEqual([]);
});

test("the doctor warns of it", async () => {
  const url = await cuttingOff();
  const { "tracking:marketBaseUrl": _, ...config } = configAt(url);
  const report = await doctor({ stacks: { dev: { config } } });
  expect(trouble(report)).toContain("warning list-cut-off");
  expect(only(report, "list-cut-off")).toMatchObject({ service: "data", stacks: ["dev"], seen: CUT });
});
