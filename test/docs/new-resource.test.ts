import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../tools/root.mjs";
import { complaints } from "../sdk/published";

/** All that a resource called Campaign, which is a pixel by another name, is written in. */
const EDITS: readonly (readonly [file: string, before: string, after: string])[] = [
  [
    "provider/resources/index.ts",
    "import { pixel }",
    'import { campaign } from "./campaign";\nimport { pixel }',
  ],
  ["provider/resources/index.ts", "[website, pixel]", "[website, pixel, campaign]"],
  [
    "sdk/resources/index.ts",
    'export * from "./pixel";',
    'export * from "./campaign";\nexport * from "./pixel";',
  ],
  [
    "sdk/resources/index.ts",
    "import type { Pixel }",
    'import type { Campaign } from "./campaign";\nimport type { Pixel }',
  ],
  [
    "sdk/resources/index.ts",
    "  /** The pixels,",
    "  /** The campaigns. */\n  readonly campaigns: Readonly<Record<string, Campaign>>;\n  /** The pixels,",
  ],
  ["sdk/native.ts", "{ Website, Pixel }", "{ Website, Pixel, Campaign }"],
  ["provider/hosts/dynamic/index.ts", "  Pixel,\n}", "  Pixel,\n  /** Likewise. */\n  Campaign,\n}"],
];
const NEW = ["provider/resources/campaign.ts", "sdk/resources/campaign.ts"];

let copy = "";
const run = (args: readonly string[]) => promisify(execFile)(process.execPath, args, { cwd: copy });

beforeAll(async () => {
  copy = await realpath(await mkdtemp(join(tmpdir(), "pulumi-tracking-resource-")));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction");
  for (const each of [
    "provider",
    "sdk",
    "cli",
    "emulator",
    "tools",
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ])
    await cp(join(ROOT, each), join(copy, each), { recursive: true });
  for (const file of NEW) {
    const text = await readFile(join(copy, file.replace("campaign", "pixel")), "utf8");
    await writeFile(join(copy, file), text.replaceAll("pixel", "campaign").replaceAll("Pixel", "Campaign"));
  }
  for (const [file, before, after] of EDITS) {
    const text = await readFile(join(copy, file), "utf8");
    expect(text.split(before), `${file}: ${before}`).toHaveLength(2);
    await writeFile(join(copy, file), text.replace(before, after));
  }
  await run(["--input-type=module", "-e", "await (await import('./tools/build.mjs')).buildPackage()"]);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

describe("a new resource, by its definition and the names that TypeScript needs", () => {
  it("is in every place that CONTRIBUTING names, and in no other", async () => {
    const text = await readFile(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const section = text.slice(text.indexOf("## A new resource"), text.indexOf("## A release"));
    const named = [...section.matchAll(/\]\(((?:provider|sdk)\/[\w/.]+\.ts)\)/g)].map(([, file]) => file);
    const needed = [...EDITS.map(([file]) => file), ...NEW.map((each) => each.replace("campaign", "pixel"))];
    expect(new Set(named)).toEqual(new Set(needed));
  });

  it("has its class and its look-ups in both entries, and what the engine asks the host for", async () => {
    const { stdout } = await run([
      "-e",
      `const [main, native, host] = ["sdk/index", "sdk/native", "provider/hosts/dynamic"].map((each) => require("./dist/" + each));
       host.Campaign.check({}, { name: "spring", type: "bing" }).then(({ failures }) => {
         const names = (of) => Object.keys(of).filter((each) => /campaign/i.test(each)).sort().join(" ");
         const says = [names(main), names(native), main.Campaign === native.Campaign, ...failures.map(({ reason }) => reason)];
         process.stdout.write(says.join("\\n"));
       });`,
    ]);
    const names = "Campaign CampaignType getCampaign getCampaignOutput getCampaigns getCampaignsOutput";
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      names,
      names,
      "false",
      expect.stringContaining("value is missing"),
    ]);
  });

  it("has its types, in declarations too", () => {
    const program = `import * as tracking from "pulumi-tracking";
      const spring = new tracking.Campaign("spring", { name: "Spring", type: "bing", value: "S-1" });
      export const found = tracking.getCampaignOutput({ id: spring.id }).value;
      export const { campaigns }: tracking.Declared = tracking.declareFrom("tracking.yaml");
      export const value = campaigns.spring?.value;`;
    const wrong = program.replace('"S-1"', "1");
    expect(complaints(join(copy, "dist"), [program, wrong])).toEqual([
      expect.stringMatching(/^program-2\.ts:2 .*not assignable/),
    ]);
  });

  it("is imported by the command line, and is in the schemas for editors and for other languages", async () => {
    const { stdout } = await run(["dist/cli/main.js", "import", "--help"]);
    expect(stdout).toMatch(/"websites", "pixels",\s+"campaigns"/);
    const schema = JSON.parse(await readFile(join(copy, "dist", "tracking.schema.json"), "utf8"));
    expect(schema.properties).toHaveProperty("campaigns");
    const plugin = await readFile(join(copy, "dist", "plugin", "pulumi-resource-tracking.js"), "utf8");
    const tokens = plugin.match(/tracking:index:\w*Campaign\w*/g);
    const names = ["Campaign", "CampaignRecord", "CampaignType", "getCampaign", "getCampaigns"];
    expect([...new Set(tokens)].sort()).toEqual(names.map((each) => `tracking:index:${each}`));
  });
});
