import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declare, type Ran, useHarness } from "./harness";

const world = useHarness();

const KEY = "canary-key+of/the=service-0123456789";
const PASSWORD = "canary+pass/word=for & shop-987";

/** The forms in which a secret may appear: plain, encoded, or its beginning. */
const canaries = [KEY, PASSWORD].flatMap((secret) => [
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
function shop(args: object = {}): string {
  return declare("Website", "shop", { ...bare, password: PASSWORD, ...args }, { protect: false });
}

/** An encrypted value in state. */
const SEALED = expect.objectContaining({ ciphertext: expect.any(String) });

it("a secret is not in the output, in our part of the engine's most verbose logs, or in plain text in the state", async () => {
  world.service.keys.add(KEY);
  await world.configureHere({ url: world.service.url, key: KEY });
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
  await heard("refresh", world.refresh({ env, args: LOUD }));
  expect(await sealed()).toEqual([SEALED, SEALED]);
  await world.program(declare("Website", "shop", bare, { protect: false }));
  await heard("up without the password", world.up({ env, args: LOUD }));
  expect(await sealed(), "a password that the program drops").toEqual([undefined, SEALED]);
  await world.refresh();
  expect((await sealed()).at(-1)).toEqual(SEALED);
  expect(world.website("shop.example.com")).toMatchObject({ password: PASSWORD });

  world.service.become({ echoesKey: true });
  world.service.addFault({
    // What is refused for a field that was not sent is sent once more, with all fields.
    match: { method: "PUT", path: "/api/v1/websites/*", times: 2 },
    commit: "never",
    reply: {
      status: 422,
      body: {
        message: `The password ${PASSWORD} is no good; the key was ${KEY}.`,
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

it("what the program marks as secret is in no message of ours, whatever the service makes of it, and is encrypted in state", async () => {
  const [first, next] = ["270819640527", "31415926535"];
  const pixel = (value: string, name = '"GA"') =>
    world.program(
      `new tracking.Pixel("ga", { name: ${name}, type: "bing", value: pulumi.secret(${value}) });\n`,
    );
  const said = async (ran: Promise<Ran>) => {
    const { output } = await ran;
    for (const hidden of [first, next, "kept"]) expect(output).not.toContain(hidden);
    return output;
  };
  await pixel('"kept from\\nall"');
  expect(await said(world.fail(["preview"]))).toContain(
    "value must be text of 1 to 255 characters on one line, not (secret)",
  );
  await pixel(`"${first}"`);
  await said(world.up());
  const stored = world.pixel("GA");
  const put = { method: "PUT", path: "/api/v1/pixels/*" };
  world.service.addFault({
    match: put,
    commit: "never",
    reply: { body: { data: { ...stored }, status: 200 } },
  });
  await pixel(`"${next}"`);
  const wrote = await said(world.fail(["up", "--yes", "--skip-preview"]));
  expect(wrote).toContain("as asked: value: sent (secret), stored (secret)");
  world.service.addFault({
    match: put,
    reply: { status: 422, body: { errors: { value: [`${next} is no good.`] } } },
  });
  expect(await said(world.fail(["up", "--yes", "--skip-preview"]))).toContain("repeats a secret");
  await said(world.up());
  expect(world.pixel("GA").value).toBe(next);
  await world.refresh();
  const { inputs, outputs } = await world.resource("ga");
  expect([inputs?.value, outputs?.value]).toEqual([SEALED, SEALED]);
  await world.expectNoDiff();
});

it("user and password of an address are in no message", async () => {
  const address = "https://anna:geheim@shop.example.com";
  await world.program(declare("Website", "shop", { domain: address }));
  const refused = await world.fail(["preview"]);
  expect(refused.output).toContain('domain must be a host name such as "shop.example.com"');
  world.service.addFault({
    match: { method: "POST" },
    reply: { status: 302, headers: { Location: `${address}/login` } },
  });
  await world.program(declare("Website", "shop", { domain: "shop.example.com" }));
  const redirected = await world.fail(["up", "--yes", "--skip-preview"]);
  expect(redirected.output).toContain("redirects (302 to https://(secret)@shop.example.com/login)");
  for (const { output } of [refused, redirected]) expect(output).not.toMatch(/anna|geheim/);
});
