import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { diagnose } from "../../cli/doctor/diagnose";
import { CommandFailure } from "../../cli/failure";
import { writeOrFail } from "../../cli/new-file";
import { explainFailure } from "../../cli/pulumi/explain-failure";
import { parseFile, requireProject } from "../../cli/pulumi/project";
import { Stack } from "../../cli/pulumi/stack";
import { tokenOf } from "../../provider/hosts/dynamic/code";
import { website } from "../../provider/resources";
import { creationEntry } from "../../provider/schema/identity";
import { formatMessages, headingsOf, sectionsNamed } from "../messages-page";
import { rejection } from "../rejection";
import { service } from "../service";
import { account, doctor, KEY, laid, plain, stored } from "./doctor/harness";
import { Project, urnOf } from "./import/harness";

type Lines = readonly string[];
const NODE = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.ts": "" };
const type = tokenOf(website);
const domainOf = (name: string) => `${name}.example`;
const held = (name: string, id: string, more: object = {}) => ({
  urn: urnOf({ type, name }),
  type,
  id,
  inputs: { domain: domainOf(name) },
  ...more,
});
const declared = (name: string, inputs: object = {}) => ({
  type,
  name,
  inputs: { domain: domainOf(name), ...inputs },
});

/** What a person sees of a failure. */
function shown(error: unknown): Lines {
  if (error instanceof CommandFailure) return error.lines;
  throw error;
}
const linesAfter = async (work: () => unknown) => shown(await rejection((async () => work())()));

/** What pulumi prints, and what is said of it. */
function ofPulumi(): Record<string, Lines> {
  const printed = [
    "no stack selected; please use `pulumi stack select` to choose one",
    "ModuleNotFoundError: No module named 'pulumi_tracking'",
    "could not find latest version for provider tracking: no such host",
    "failed to load checkpoint: EOF",
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /p/index.ts',
    `resource "urn:x::shop" cannot be deleted because it is protected`,
    "the stack is currently locked by 1 lock(s)",
  ];
  const lines = (text: string) =>
    explainFailure(["stack", "export"], { stdout: "", stderr: `error: ${text}\n` }).lines;
  return Object.fromEntries(printed.map((text, at) => [`pulumi fails (${at + 1})`, lines(text)]));
}

/** What an import ends with, and what its plan says to be done. */
async function ofImport(): Promise<Record<string, Lines>> {
  const seed = { websites: ["a", "b", "twin", "twin"].map((name) => ({ domain: domainOf(name) })) };
  const run = async (
    options: Parameters<Project["import"]>[0],
    arrange: (project: Project) => void,
    more: { files?: Record<string, string>; settings?: Record<string, string> } = {},
  ): Promise<Lines> => {
    const { settings } = await service({ seed });
    const project = await new Project({ ...settings, ...more.settings }).files(more.files ?? NODE);
    arrange(project);
    const { lines, shown: failure } = await project.import(options);
    const advice = lines.filter((line) =>
      / is skipped|has this record|match|does not show|Give|Add /.test(line),
    );
    return [...failure, ...advice];
  };
  const apply = { declared: true, apply: true };
  return {
    "import: a renamed resource": await run(apply, (project) => {
      project.state = [held("help", "1", { inputs: { domain: "a.example" } })];
      project.declares = [declared("support", { domain: "a.example" })];
    }),
    "import: two renamed resources": await run(apply, (project) => {
      project.state = [
        held("one", "1", { inputs: { domain: "a.example" } }),
        held("two", "2", { inputs: { domain: "b.example" } }),
      ];
      project.declares = [declared("uno", { domain: "a.example" }), declared("due", { domain: "b.example" })];
    }),
    "import: a resource in another component": await run(apply, (project) => {
      const urn = urnOf({ type: `my:index:Group$${type}`, name: "help" });
      project.state = [held("help", "1", { urn, inputs: { domain: "a.example" } })];
      project.declares = [declared("support", { domain: "a.example" })];
    }),
    "import: the program lacks what the stack holds": await run(apply, (project) => {
      project.state = [held("a", "1", { protect: true }), held("b", "2", { protect: true })];
      project.declares = [declared("c")];
    }),
    "import: the next up replaces": await run(apply, (project) => {
      project.state = [held("a", "1")];
      project.declares = [declared("a")];
      project.replaces = ["a"];
    }),
    "import: no program declares a record": await run({ apply: true, match: ["a.*"] }, () => {}),
    "import: another account": await run({ apply: true }, (project) => {
      project.state = [held("x", "8"), held("y", "9")];
      project.declares = [declared("x"), declared("y")];
    }),
    "import: a run has not ended": await run({ apply: true }, (project) => {
      project.pending = [{ type: "creating", resource: { urn: "urn:b", type } }];
    }),
    "import: no address": await run({ apply: true }, () => {}, {
      settings: { analyticsBaseUrl: "", dataBaseUrl: "" },
    }),
    "import: no stack": await run({ apply: true }, (project) => {
      project.hasStack = false;
    }),
    "import: the program fails": await run(apply, (project) => {
      project.broken = "Cannot find module './tracking'";
    }),
    "import: several match, one is hidden": await run(apply, (project) => {
      project.state = [held("a", "8"), held("b", "2")];
      project.declares = [
        declared("a"),
        declared("b"),
        declared("twin"),
        declared("hidden", { domain: "[secret]" }),
        declared("again", { domain: "b.example" }),
      ];
    }),
    "import: TypeScript in a project in JavaScript": await run({ format: "ts" }, () => {}, {
      files: { "Pulumi.yaml": NODE["Pulumi.yaml"], "index.js": "", "package.json": '{"main":"index.js"}' },
    }),
    "import: a format in a project in Python": await run({ format: "ts" }, () => {}, {
      files: { "Pulumi.yaml": "name: shop\nruntime: python\n" },
    }),
  };
}

/** What the doctor finds: each message with its remedy. */
async function ofDoctor(): Promise<Record<string, Lines>> {
  const urls: string[] = [];
  const found: Record<string, Lines> = {};
  const note = async (what: string, report: ReturnType<typeof diagnose>) => {
    for (const { code, message, remedy } of (await report).findings)
      if (code !== "service-ok") {
        const lines = [message, ...(remedy === undefined ? [] : [`→ ${remedy}`])];
        const clean = (line: string) =>
          urls.reduce((text, url) => text.replaceAll(url, "https://service.example"), line);
        found[`doctor: ${code}${what}`] ??= lines.map(clean);
      }
  };
  const at = (id: number, domain: string, minute: number) => ({
    id,
    domain,
    created_at: `2024-01-01T00:0${minute}:00Z`,
  });
  const site = (name: string, id: number, more: object = {}) => {
    const resource = stored("Website", name, id, { domain: domainOf(name), privacy: "private" });
    return {
      ...resource,
      outputs: { ...resource.outputs, ...creationEntry({}, { createdAt: "2024-01-01T00:01:00Z" }) },
      ...more,
    };
  };
  const seed = {
    websites: [
      { ...at(1, "drifted.example", 1), privacy: 0 },
      at(3, "theirs.example", 2),
      at(14, "moved.example", 1),
      at(5, "twice.example", 1),
      at(6, "twin.example", 1),
      at(7, "TWIN.example", 2),
      at(8, "odd.example", 1),
    ],
  };
  const { config, url } = await account({ seed });
  urls.push(url);
  const resources = [
    site("drifted", 1),
    site("another", 3),
    site("moved", 4),
    site("gone", 44),
    site("twice", 5),
    { ...site("twice", 5), urn: `${site("twice", 5).urn}-again` },
    site("replaced", 9, { delete: true }),
    stored("Website", "odd", 8, { domain: "odd.example", excludeIps: "192.0.2.1" }),
  ];
  const pending_operations = [{ type: "creating", resource: site("new", 0) }];
  const more = { "tracking:api-key": plain("x"), "tracking:dataApiKey": { value: KEY, secret: false } };
  const dev = { config: { ...config, ...more }, deployment: { resources, pending_operations } };
  await note(
    "",
    doctor({ stacks: { dev }, pulumi: "3.200.0" }, {}, () => false),
  );
  const live = { config, deployment: { resources: [site("twice", 5)] } };
  await note(", by two stacks", doctor({ stacks: { live, dev: live } }, { allStacks: true }));
  const two = { resources: [site("a", 51), site("b", 52)] };
  await note("", doctor({ stacks: { dev: { config, deployment: two } } }));
  await note("", doctor({ stacks: { dev: {} } }));
  await note("", doctor({ stacks: { dev: { config: { "tracking:analyticsBaseUrl": plain("x") } } } }));
  await note("", doctor({ stacks: { dev: { refusal: "passphrase must be set" } } }));
  await note("", doctor({ project: undefined }));
  for (const [what, status] of [
    [": 403", 403],
    [": 401", 401],
    [": 404", 404],
  ] as const) {
    const refusing = await account();
    urls.push(refusing.url);
    refusing.control.addFault({ match: { times: 0 }, reply: { status, body: { message: "no" } } });
    await note(what, doctor({ stacks: { dev: { config: refusing.config } } }));
  }
  return found;
}

test("every message of the commands says in a short first line what happened, and below it what to do", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { folder } = await laid({ project: undefined });
  const clean = (lines: Lines) => lines.map((line) => line.replaceAll(folder, "/folder"));
  const old = new Stack("dev", async () => ({ code: 0, stdout: "v3.200.0\n", stderr: "" }));
  const odd = new Stack("dev", async () => ({ code: 0, stdout: "Welcome!", stderr: "" }));
  const messages = {
    ...ofPulumi(),
    "no project": await linesAfter(() => requireProject(folder)),
    "an old pulumi": await linesAfter(() => old.requireImportSupport()),
    "pulumi prints something else": await linesAfter(() => odd.names()),
    "a file that can't be read": clean(await linesAfter(() => parseFile(`${folder}/none`, String))),
    "a file that can't be written": clean(await linesAfter(() => writeOrFail(`${folder}/no/file`, "", "w"))),
    ...(await ofImport()),
    ...(await ofDoctor()),
  };
  const page = formatMessages(messages);
  for (const [file, section] of sectionsNamed(page))
    expect(headingsOf(readFileSync(file, "utf8")), section).toContain(section);
  await expect(page).toMatchFileSnapshot("golden/messages.txt");
});
