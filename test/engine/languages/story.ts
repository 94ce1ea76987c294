import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { run as runs } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";
import type { Harness, Ran } from "../harness";

/** Why no program in a language can be run here, if so. The official engine brings the hosts of all languages. */
export function missingHost(language: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const host = `pulumi-language-${language}`;
  const isThere = PATH.split(delimiter).some((folder) => existsSync(join(folder, host)));
  return isThere ? undefined : `No program can be run here in ${language}: there is no ${host} on PATH`;
}

/** Generates the package of a language as a release does, into a folder that has the language's name. */
export async function generatePackage(language: string, parent: string, env: NodeJS.ProcessEnv) {
  const args = ["package", "gen-sdk", join(ROOT, "schema.json"), "--language", language, "--out", parent];
  await runs("pulumi", args, { env });
}

/** Runs one command of the engine with a stage of the program, in whatever language that is. */
export type Run = (command: "preview" | "up" | "destroy", stage: string, fails?: boolean) => Promise<Ran>;

/** The engine's arguments for one of these commands. */
export function argsOf(command: Parameters<Run>[0]): string[] {
  return command === "preview" ? [command] : [command, "--yes", "--skip-preview"];
}

/**
 * What a program of any language does with the generated package: it has a website and a pixel, changes one element
 * of a list in stage `changed`, gives up the protection in `released`, and declares nothing in `forgotten`.
 */
export async function languageStory(world: Harness, run: Run): Promise<void> {
  const first = await run("preview", "made");
  expect(first.sent.filter(({ path }) => !path.startsWith("/api/items"))).toEqual([]);
  const up = await run("up", "made");
  expect(up.written.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "POST /api/v1/pixels",
    "POST /api/v1/websites",
  ]);
  const shop = await world.website("shop.example.com");
  expect(shop).toMatchObject({ privacy: 2, password: "pass word", exclude_ips: "192.0.2.1\n192.0.2.2" });
  expect(await world.pixel("GA")).toMatchObject({ type: "google-analytics", value: "G-1" });
  expect((await world.resource("shop")).id).toBe(String(shop.id));
  expect(JSON.stringify(await world.state())).not.toContain("pass word");
  const { items, ...exported } = await outputs(world);
  expect(exported).toMatchObject({ domain: "shop.example.com", privacy: "password" });
  expect(namesOf(items)).toEqual((await world.service.market()).items.map(({ name }) => name));

  const changed = await run("up", "changed");
  expect(changed.written).toEqual([
    { method: "PUT", path: `/api/v1/websites/${shop.id}`, form: { exclude_ips: "192.0.2.1\n192.0.2.3" } },
  ]);

  const kept = await run("up", "forgotten", true);
  expect(kept.output).toContain("is protected, because its statistics would be deleted with it");
  expect(kept.written.filter(({ path }) => path.includes("websites"))).toEqual([]);
  const refused = await run("destroy", "forgotten", true);
  expect(refused.output).toContain(
    "set its argument deletionProtection (in Python deletion_protection) to false",
  );
  expect((await world.service.websites()).map(({ id }) => id)).toEqual([shop.id]);

  const released = await run("up", "released");
  expect(released.written.filter(({ path }) => path.includes("websites"))).toEqual([]);
  await run("destroy", "released");
  expect([await world.service.websites(), await world.service.pixels()]).toEqual([[], []]);
  expect(await world.resources()).toEqual({});
}

/** What the program exports, as state has it. */
async function outputs(world: Harness): Promise<Readonly<Record<string, unknown>>> {
  return (await world.state()).find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
}

/** The names of items that a program exports: names, or the items themselves if it can't extract the names. */
function namesOf(items: unknown): unknown[] {
  const name = (each: unknown) =>
    typeof each === "object" && each !== null ? Reflect.get(each, "name") : each;
  return Array.isArray(items) ? items.map(name) : [];
}
