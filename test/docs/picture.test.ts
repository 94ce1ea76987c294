import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import type { LogEntry, StoredPixel, StoredWebsite } from "../../emulator";
import { play } from "../../tools/demo/play.mjs";
import type { Stage } from "../../tools/demo/stage.mjs";
import { type Step, story } from "../../tools/demo/story.mjs";
import { STEP } from "../../tools/picture/step.mjs";
import { ROOT } from "../../tools/root.mjs";
import { readme } from "./readme";

const svg = readFileSync(join(ROOT, "docs", "demo.svg"), "utf8");
/** The picture's lines as text. */
const shown = [...svg.matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, line = ""]) =>
  line
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&"),
);
const steps = story("http://127.0.0.1:1", "key");
const at = steps.findIndex(({ title }) => title === STEP);

it("shows in the README's picture the demo's current output (npm run picture draws it)", async () => {
  const step = steps[at];
  if (step === undefined) throw new Error(`The demo has no step "${STEP}".`);
  const due = [`━━ ${at + 1} of ${steps.length}: ${STEP}`, ...(await played(step))];
  expect(shown.filter((line) => due.includes(line))).toEqual(due);
  for (const words of step.says ?? []) expect(shown.join("\n")).toContain(words);
});

it("shows it in the colours of the terminal", () => {
  expect(svg).toMatch(/style="fill:#ff7b72"> {2}- {3}emailReports: true,</);
  expect(svg).toMatch(/style="fill:#56d364"> {2}\+ {3}emailReports: false,</);
});

it("opens the README, before any table", () => {
  const picture = readme.indexOf("](docs/demo.svg)");
  expect(picture).toBeGreaterThan(0);
  expect(readme.slice(0, picture)).not.toMatch(/^(##|```|\|)/m);
  expect(readme.indexOf("```ts")).toBeLessThan(readme.indexOf("\n|"));
});

/** What the demo prints for a step, without pulumi's output, with a service in the step's state. */
async function played(step: Step): Promise<string[]> {
  const { program, changed } = programs(step);
  const requests = [...step.writes, "GET /api/v1/websites"].map((each) => {
    const [method = "", path = ""] = each.split(" ");
    return { method, path } as LogEntry;
  });
  const stage = {
    program: async () => program,
    edit: async (text: string) => expect(text).toBe(changed),
    run: async () => ({ code: 0, stdout: `${step.says?.join("\n")}\n\n`, stderr: "" }),
    service: {
      clearRequests: async () => {},
      requests: async () => requests,
      websites: async () => step.holds.websites as StoredWebsite[],
      pixels: async () => step.holds.pixels as StoredPixel[],
    },
  };
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await play(step, stage as unknown as Stage);
  write.mockRestore();
  const lines = stripVTControlCharacters(printed.join("")).split("\n");
  return [
    ...lines.map((line) => line.trimEnd()).filter(Boolean),
    "  ✓ Checked: all of this is as it should be.",
  ];
}

/** The demo's program before a step and after it. */
function programs(step: Step): { program: string; changed: string } {
  const edit = (text: string, { changes = [] }: Step) =>
    changes.reduce((before, { from, to }) => before.replace(from, () => to), text);
  const first = readFileSync(join(ROOT, "examples", "quickstart", "index.ts"), "utf8");
  const program = steps.slice(0, at).reduce(edit, first);
  return { program, changed: edit(program, step) };
}
