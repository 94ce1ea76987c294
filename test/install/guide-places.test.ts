import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { projectEnvironment } from "../../tools/environment.mjs";
import { commandsBelow } from "../docs/readme";

/** Invented credentials, so that a request is sent at all. */
const CREDENTIALS = {
  PULUMI_ACCESS_TOKEN: "pul-nobody",
  AWS_ACCESS_KEY_ID: "nobody",
  AWS_SECRET_ACCESS_KEY: "nothing",
  GOOGLE_OAUTH_ACCESS_TOKEN: "nothing",
  AZURE_STORAGE_ACCOUNT: "nobody",
  AZURE_STORAGE_KEY: "bm90aGluZw==",
};

/** A folder without a login, and the command's environment. */
async function nobody(): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const cwd = await mkdtemp(join(tmpdir(), "nobody-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const engine = await ensureEngine({ log: () => {} });
  const { PULUMI_BACKEND_URL: _, ...env } = projectEnvironment(engine.env, cwd, cwd);
  return { cwd, env };
}

it.each([
  ["pulumi login", "api.pulumi.com:443"],
  ["pulumi login 's3://my-bucket?region=eu-west-1'", "my-bucket.s3.eu-west-1.amazonaws.com:443"],
  ["pulumi login gs://my-bucket", "storage.googleapis.com:443"],
  ["pulumi login azblob://my-container", "nobody.blob.core.windows.net:443"],
])("has the guide's %s keep state where it says: the way leads to %s", async (command, place) => {
  expect(commandsBelow("State for a team")).toContain(command);
  const { cwd, env } = await nobody();
  // The proxy stops every request that would leave this machine.
  const proxy = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      proxy.emit("asked", String(data).split(" ")[1]);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  const way = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: "", no_proxy: "" };
  const login = start("bash", ["-c", `exec ${command}`], {
    cwd,
    env: { ...env, ...CREDENTIALS, ...way },
  });
  const [asked] = await Promise.race([
    once(proxy, "asked"),
    login.finished.then(({ stderr }) => [`nobody: ${stderr}`]),
  ]);
  login.stop("SIGKILL");
  await login.finished;
  expect(asked).toBe(place);
});

it("has the guide's line for the key read it from the keyboard, and print nothing", async () => {
  const [line = ""] = commandsBelow("Secrets and keys").filter((each) => each.startsWith("read "));
  const command = `{ ${line}; } <<< 'typed-key' && node -p process.env.TRACKING_API_KEY`;
  const { stdout, stderr, code } = await start("bash", ["-c", command], await nobody()).finished;
  expect([code, stdout, stderr]).toEqual([0, "typed-key\n", ""]);
});
