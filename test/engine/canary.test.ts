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

const pixel = (name: string) =>
  `new tracking.Pixel("ga", { name: "${name}", type: "bing", value: pulumi.secret("${MARKED}") });\n`;
const site = (name: string, args: object) =>
  declare(
    "Website",
    name,
    { domain: `${name}.example.com`, privacy: "password", ...args },
    { protect: false },
  );

/** An encrypted value in state. */
const SEALED = expect.objectContaining({ ciphertext: expect.any(String) });

it("a secret, or what the program marks as one, is not in the output, in our part of the engine's most verbose logs, or in plain text in the state", async () => {
  world.service.keys.add(KEY);
  await world.configureHere({ url: world.service.url });
  world.service.configure({ headers: { "X-Team": FRONT } });
  onTestFinished(() => world.service.configure({ headers: {} }));
  const secrets = { apiKey: KEY, headers: JSON.stringify({ "X-Team": FRONT }) };
  const settings = Object.entries(secrets).flatMap(([name, value]) => [
    "--secret",
    `tracking:${name}=${value}`,
  ]);
  await world.run(["config", "set-all", ...settings]);
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

  const UP = ["up", "--yes", "--skip-preview", "--continue-on-error", ...LOUD];
  const sealed = async (name: string, property: string) => {
    const { inputs, outputs } = await world.resource(name);
    return [inputs?.[property], outputs?.[property]];
  };

  await world.program(
    `${site("shop", { password: PASSWORD })}${site("dropping", { password: PASSWORD })}${pixel("GA")}exports.shown = pulumi.secret("${PASSWORD}");\n`,
  );
  // With its preview, and with what changes.
  await heard("up", world.run(["up", "--yes", "--diff", ...LOUD], { env }));
  for (const name of ["shop", "dropping"]) {
    expect(world.website(`${name}.example.com`)).toMatchObject({ password: PASSWORD });
    expect(await sealed(name, "password")).toEqual([SEALED, SEALED]);
  }
  expect(world.pixel("GA").value).toBe(MARKED);
  expect(await sealed("ga", "value")).toEqual([SEALED, SEALED]);

  await world.program(site("shop", { password: PASSWORD }) + site("dropping", {}) + pixel("GA"));
  await heard("up without a password", world.up({ env, args: LOUD }));
  expect(await sealed("dropping", "password")).toEqual([undefined, SEALED]);
  expect(world.website("dropping.example.com")).toMatchObject({ password: PASSWORD });

  // All are refreshed. One is refused for its password, and one by a service that rejects the key, both with the secrets in their words.
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
  world.service.addFault({
    match: { method: "PUT", path: "/api/v1/pixels/*" },
    commit: "never",
    reply: { status: 401, body: { message: `${KEY} of ${FRONT} may not.` } },
  });
  await world.program(
    site("shop", { password: PASSWORD, emailReports: true }) + site("dropping", {}) + pixel("GB"),
  );
  const refused = await heard("refused up", world.fail([...UP, "--refresh"], { env }));
  expect(refused).toContain("not shown, since it repeats a secret");
  expect(refused).toContain("the service rejects the API key");
  expect(await sealed("shop", "password"), "after a refresh").toEqual([SEALED, SEALED]);
  expect((await sealed("dropping", "password")).at(-1), "after a refresh").toEqual(SEALED);
  expect(await sealed("ga", "value"), "after a refresh").toEqual([SEALED, SEALED]);
  await heard("destroy", world.destroy({ env, args: LOUD }));
  world.service.keys.delete(KEY);

  expect(found([...texts, ...(await files())])).toEqual([]);
});
