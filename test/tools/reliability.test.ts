import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { reliabilityOf } from "../../tools/reliability.mjs";
import { keepNotes, readNotes } from "../../tools/soak-notes.mjs";

const origin = { date: "2026-01-02", commit: "1234567", node: "20.0.0" };
const later = { date: "2026-01-03", commit: "89abcde", node: "20.0.0" };
const fault = {
  ...{ name: "fault-A1-Website", id: "A1", title: "the answer is lost", verb: "create", kind: "Website" },
  ...{ records: 1, kept: 1, messages: ["http://127.0.0.1:80 is gone"], ...origin },
};
const model = { name: "figure-model", cases: 2000, seed: 7, ...later };
const run = { version: "1.2.3", onEngine: ["engineModel"] };

describe("the page of a soak", () => {
  it("names for each part the date and the commit that it ran with", () => {
    const real = { ...fault, isReal: true, ...later };
    const text = reliabilityOf([fault, model, real, { ...real, kind: "Pixel", ...origin }], run);
    expect(text).toContain("right after\nthe fault. Run on 2026-01-02 with commit 1234567.\n");
    expect(text).toContain("Run on 2026-01-02 with commit 1234567, and on 2026-01-03 with commit 89abcde.\n");
    expect(text).toContain("| A1 the answer is lost | create | Website | 1 | 1 | the service is gone |");
    expect(text).toMatch(/^\| 2000 \| random sequences .* \| imitation \| 7 \| 2026-01-03 \| 89abcde \|$/m);
    expect(text).toContain("Version 1.2.3 ran on Node.js 20.0.0 and");
  });

  it("says of a part that was not run that it was not", () => {
    const row =
      /^\| not run at full size yet \| random sequences through the real engine \| real \| \| \| \|$/m;
    expect(reliabilityOf([fault, model], run)).toMatch(row);
    expect(reliabilityOf([fault, model], run)).toContain("Not measured yet.");
  });
});

describe("the notes of a part", () => {
  const folder = async (...notes: { name: string }[]) => {
    const made = await mkdtemp(join(tmpdir(), "pulumi-tracking-notes-"));
    onTestFinished(() => rm(made, { recursive: true, force: true }));
    for (const note of notes) await writeFile(join(made, `${note.name}.json`), JSON.stringify(note));
    return made;
  };

  it("are marked with where they come from, and those of earlier parts keep their mark", async () => {
    const notes = await folder(fault, { name: "figure-model" });
    await keepNotes(notes, later);
    const found = await readNotes(notes);
    expect(found.find(({ name }) => name === fault.name)).toEqual(fault);
    expect(found.find(({ name }) => name === "figure-model")).toEqual({ name: "figure-model", ...later });
  });

  it("are dropped where it failed, and only those", async () => {
    const notes = await folder(fault, { name: "figure-model" });
    await keepNotes(notes, undefined);
    expect(await readNotes(notes)).toEqual([fault]);
  });
});
