import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { declare, type Ran, useHarness } from "./harness";

const world = useHarness();

const KEY = "canary-key+of/the=service-0123456789";
const PASSWORD = "canary+pass/word=for & shop-987";
/** What a front server demands. */
const FRONT = "canary-front=pass/of&team-4567890";
/** A pixel's value that the program marks as secret. */
const MARKED = "marked-270819640527";

/** The forms in which a secret may appear: plain, encoded, or its beginning. */
const canaries = [KEY, PASSWORD, FRONT, MARKED].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ k: secret }).toString().slice(2),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("base64url"),
  secret.slice(0, 12),
]);

const LOUD = ["-v", "9", "--logtostderr"];

interface Text {
  name: string;
  text: string;
}

/**
 * What the engine and the program's library log of every resource of every provider: the values that pass from one
 * process to another. Both sides mark secrets there, and still write their text; no provider has a say.
 */
const ENGINES_OWN =
  /^\{"time":"[^"]*","level":"INFO","msg":"(?:(?:Unm|M)arshaling property for RPC\[|(?:eventSink::Debug\(<\{%reset%\}>)?RegisterResource RPC finished: )/;

function found(texts: readonly Text[]): string[] {
  return texts.flatMap(({ name, text }) =>
    text
      .split("\n")
      .filter((row) => !ENGINES_OWN.test(row))
      .flatMap((row, at) =>
        canaries
          .filter((canary) => row.includes(canary))
          .map((canary) => `${canary} in ${name}, line ${at + 1}: ${row.slice(0, 300)}`),
      ),
  );
}

/** Every file that the engine has written for this project: states, their backups, history and logs. */
async function files(): Promise<Text[]> {
  const texts: Text[] = [];
  for (const folder of [world.project.backend, world.project.home])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const name = join(entry.parentPath, entry.name);
      if (entry.isFile()) texts.push({ name, text: await readFile(name, "utf8") });
    }
  return texts;
}

const bare = { domain: "shop.example.com", privacy: "password" };
const PIXEL = `new tracking.Pixel("ga", { name: "GA", type: "bing", value: pulumi.secret("${MARKED}") });\n`;
function shop(args: object = {}): string {
  return PIXEL + declare("Website", "shop", { ...bare, password: PASSWORD, ...args }, { protect: false });
}

/** An encrypted value in state. */
const SEALED = expect.objectContaining({ ciphertext: expect.any(String) });

it("a secret, or what the program marks as one, is not in the output, in our part of the engine's most verbose logs, or in plain text in the state", async () => {
  world.service.keys.add(KEY);
  await world.configureHere({ url: world.service.url, key: KEY });
  world.service.configure({ headers: { "X-Team": FRONT } });
  onTestFinished(() => world.service.configure({ headers: {} }));
  await world.run(["config", "set", "--secret", "tracking:headers", JSON.stringify({ "X-Team": FRONT })]);
  const env = { TRACKING_LOG: "debug" };
  const texts: Text[] = [];
  const heard = async (name: string, ran: Promise<Ran>) => {
    const { output } = await ran;
    expect(output.length, name).toBeGreaterThan(10_000);
    texts.push(
      { name, text: output },
      { name: `state after ${name}`, text: await readFile(world.stateFile, "utf8") },
    );
    return output;
  };

  await world.program(`${shop()}exports.shown = pulumi.secret("${PASSWORD}");\n`);
  texts.push({ name: "preview", text: (await world.preview({ args: ["--diff"] })).output });
  await heard("up", world.up({ env, args: LOUD }));
  texts.push({ name: "outputs", text: (await world.run(["stack", "output", "--json"])).output });
  expect(world.website("shop.example.com")).toMatchObject({ password: PASSWORD });
  const sealed = async () => {
    const { inputs, outputs } = await world.resource("shop");
    return [inputs?.password, outputs?.password];
  };
  expect(await sealed()).toEqual([SEALED, SEALED]);
  expect(world.pixel("GA").value).toBe(MARKED);
  await heard("refresh", world.refresh({ env, args: LOUD }));
  expect(await sealed()).toEqual([SEALED, SEALED]);
  await world.program(PIXEL + declare("Website", "shop", bare, { protect: false }));
  await heard("up without the password", world.up({ env, args: LOUD }));
  expect(await sealed(), "a password that the program drops").toEqual([undefined, SEALED]);
  await world.refresh();
  expect((await sealed()).at(-1)).toEqual(SEALED);
  const { inputs, outputs } = await world.resource("ga");
  expect([inputs?.value, outputs?.value]).toEqual([SEALED, SEALED]);
  expect(world.website("shop.example.com")).toMatchObject({ password: PASSWORD });

  world.service.become({ echoesKey: true });
  world.service.addFault({
    // What is refused for a field that was not sent is sent once more, with all fields.
    match: { method: "PUT", path: "/api/v1/websites/*", times: 2 },
    commit: "never",
    reply: {
      status: 422,
      body: {
        message: `The password ${PASSWORD} is no good; the key was ${KEY}, from team ${FRONT}.`,
        errors: { password: [`${PASSWORD} is no good.`, Buffer.from(PASSWORD).toString("base64")] },
      },
    },
  });
  await world.program(shop({ emailReports: true }));
  const refused = await heard("refused up", world.fail(["up", "--yes", "--skip-preview", ...LOUD], { env }));
  expect(refused).toContain("not shown, since it repeats a secret");
  world.service.keys.delete(KEY);
  const rejected = await heard(
    "rejected up",
    world.fail(["up", "--yes", "--skip-preview", ...LOUD], { env }),
  );
  expect(rejected).toContain("the service rejects the API key");
  world.service.keys.add(KEY);
  world.service.become({});
  await heard("destroy", world.destroy({ env, args: LOUD }));
  world.service.keys.delete(KEY);

  expect(found([...texts, ...(await files())])).toEqual([]);
});
