import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { dialectNames, type PixelSeed, type WebsiteSeed } from "../../emulator";
import { start } from "../../tools/child.mjs";
import { useWorld } from "./world";

/** `IMPORT_SIZE=300` takes 300 websites and 60 pixels. */
const { websites, pixels } = inject("importSize");
const COMMAND = join("node_modules", "pulumi-tracking", "dist", "cli", "main.js");
const OUT = join("program", "tracking.ts");

/** A TypeScript program that a strict compiler has to pass, with the imported part in a file of its own. */
const world = useWorld({
  files: {
    "Pulumi.yaml": "name: fresh\nmain: program/index.ts\nruntime: nodejs\n",
    "program/index.ts": 'import "./tracking";\n',
    "program/tsconfig.json": JSON.stringify({
      compilerOptions: { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" },
      files: ["index.ts"],
    }),
  },
});

/** What people have set in the web page, over and over. */
const settings: readonly Partial<WebsiteSeed>[] = [
  { privacy: 1, email: 0, exclude_bots: 1 },
  { privacy: 0, email: 1, exclude_bots: 0 },
  { privacy: 2, password: "hidden-1", email: 0, exclude_bots: 1 },
  { exclude_ips: "192.0.2.0/24\n198.51.100.7" },
  { privacy: 1, exclude_ips: "192.0.2.0/24\n198.51.100.7", exclude_params: "utm_source\nref" },
  { privacy: null, email: null, exclude_bots: null, exclude_params: "" },
  { privacy: 1, exclude_ips: "2001:DB8::1\r\n203.0.113.9\r\n", exclude_params: "&\nq q\n" },
  { privacy: 0, password: "left-behind", exclude_params: 'quo"te\n`code`\\' },
];

const tags: readonly PixelSeed[] = [
  { name: "GA", type: "google-analytics", value: "G-1" },
  { name: "Quotes \" ' ` \\", type: "bing", value: "B-'\"" },
  { name: "\u{1F600} \u202Eturned\u202C", type: "facebook", value: "1" },
  { name: "Twitter", type: "twitter", value: "o1" },
  { name: "Tomorrow", type: "tomorrow", value: "t" },
];

async function fill(): Promise<void> {
  await world.service.seed({
    websites: Array.from({ length: websites }, (_, at) => ({
      domain: at === 0 ? "xn--bcher-kva.example" : `site-${at}.example.com`,
      ...settings[at % settings.length],
    })),
    pixels: Array.from({ length: pixels }, (_, at) => {
      const tag = tags[at % tags.length] ?? { name: "" };
      return { ...tag, name: at < tags.length ? tag.name : `${tag.name} ${at}` };
    }),
  });
}

test.each(dialectNames.map((dialect) => ({ dialect })))(
  "an account of the $dialect dialect becomes a TypeScript program, untouched, and one change is one request",
  async ({ dialect }) => {
    await world.service.configure({ dialect });
    await fill();
    const before = [await world.service.websites(), await world.service.pixels()];
    await rm(join(world.project.folder, OUT), { force: true });
    await world.service.clearRequests();

    const { folder: cwd, env } = world.project;
    const args = [COMMAND, "import", "--apply", "--out", OUT];
    const { code, stdout, stderr } = await start(process.execPath, args, { cwd, env }).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${websites + pixels} imported.\nA preview finds nothing to do with them.\n`);
    expect(stdout).not.toMatch(/hidden|left-behind/);

    await world.run(["preview", "--expect-no-changes"]);
    await world.run(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await world.run(["preview", "--expect-no-changes"]);
    const sent = await world.service.requests();
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);

    const text = await readFile(join(cwd, OUT), "utf8");
    await world.project.write(
      OUT,
      text.replace('domain: "site-1.example.com",', '$&\n  excludeParams: ["only"],'),
    );
    const { id } = await world.website("site-1.example.com");
    const { written } = await world.up();
    expect(written).toEqual([
      { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "only" } },
    ]);
  },
);
