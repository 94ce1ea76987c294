import { describe, expect, inject, it } from "vitest";
import { catalogue } from "./catalogue";
import type { Row, Scene } from "./fault";
import { adopting, changed, type Kind, scene, stored } from "./scene";
import type { Declared, Ended } from "./stack";

const kinds: readonly Kind[] = ["Website", "Pixel"];
const { handful } = inject("sizes");
/** While one works, each is tried on one of the two, in turn. */
const rows = catalogue.map((row, at) => (handful ? { only: kinds[at % 2] ?? "Website", ...row } : row));

describe.each(rows)("$id, $title", (row) => {
  it.each(kinds.filter((kind) => (row.only ?? kind) === kind))("is survived by a %s", async (kind) => {
    const here = await scene(kind, row);
    if (row.verb !== "create") expect((await here.stack.up([here.declared])).errors).toEqual([]);
    const [before] = stored(here);
    here.control.clearRequests();

    await row.arrange(here);
    const ended = await strike(here, row);

    const posts = here.control.requests().filter(({ method }) => method === "POST");
    const [records, kept] = [stored(here), here.stack.ids()];
    if (row.message === undefined) expect(ended.errors).toEqual([]);
    else expect(ended.errors).toEqual([expect.stringMatching(row.message)]);
    expect(posts.length, "POSTs").toBeLessThanOrEqual(row.posts ?? 1);
    expect(records, "records on the service").toHaveLength(row.stored ?? 1);
    const { state = row.stored === 0 ? "nothing" : "kept" } = row;
    if (state === "nothing") expect(kept).toEqual([]);
    else expect(kept).toEqual([String((before ?? records[0])?.id)]);

    here.control.clearFaults();
    await row.after?.(here);
    await converges(here, await remedied(here, row));
  });
});

function strike({ stack, declared }: Scene, { verb }: Row): Promise<Ended> {
  if (verb === "refresh") return stack.refresh();
  if (verb === "destroy") return stack.destroy();
  return stack.up([verb === "update" ? changed(declared) : declared]);
}

/** Does what the message asked for, and returns the next declarations. */
async function remedied(here: Scene, row: Row): Promise<Declared> {
  const declared = row.verb === "update" ? changed(here.declared) : here.declared;
  if (row.remedy === undefined) return declared;
  // A second record is never made: the message names the way that is taken next.
  const { errors } = await here.stack.up([declared]);
  expect(errors).toEqual([expect.stringMatching(/exists already.*\nElse see/s)]);
  return adopting(declared);
}

/** The next `up` ends with one record and its id, a preview then finds no change, and destroy leaves nothing. */
async function converges(here: Scene, declared: Declared): Promise<void> {
  expect((await here.stack.up([declared])).errors, "the second up").toEqual([]);
  const records = stored(here);
  expect(records, "records in the end").toHaveLength(1);
  expect(here.stack.ids()).toEqual(records.map(({ id }) => String(id)));
  if (handful) return;
  expect(await here.stack.preview([declared])).toMatchObject({ steps: [], errors: [] });
  expect((await here.stack.refresh()).steps, "drift in the end").toEqual([]);
  expect((await here.stack.destroy()).errors).toEqual([]);
  expect(stored(here)).toEqual([]);
}
