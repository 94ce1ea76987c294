import { expect } from "vitest";
import { all, json, type Row, type Scene } from "./fault";
import { stored } from "./scene";

/** Changes the one record behind the stack's back. */
function edit(scene: Scene, website: object, pixel: object): void {
  const [record] = stored(scene);
  const id = record?.id ?? 0;
  if (scene.type === "Website") scene.control.editWebsite(id, website);
  else scene.control.editPixel(id, pixel);
}

function nothingWritten(scene: Scene): void {
  const written = scene.control.requests().filter(({ method }) => method !== "GET");
  expect(written, "writes").toEqual([]);
  edit(scene, { domain: "shop.example.com" }, { name: "GA", value: "G-1" });
}

/** From now on, reads of the one record return it with these changes. */
function showChanged(scene: Scene, change: (record: object) => object): void {
  const [record = {}] = stored(scene);
  all(scene, { reply: json(200, { data: change(record), status: 200 }) });
}

const KEPT = ["id", "domain", "name"];
const isKept = ([name]: [string, unknown]) => KEPT.includes(name);

type Spelling = Pick<Row, "id" | "title" | "arrange"> & Partial<Row>;
/** What says the same as before in another way. */
const spellings: readonly Spelling[] = [
  {
    id: "C20",
    title: "the domain is spelled https://SHOP.Example.com",
    only: "Website",
    arrange: (scene) => edit(scene, { domain: "https://SHOP.Example.com" }, {}),
  },
  {
    id: "C22",
    title: 'the service now answers in the dialect "strings"',
    arrange: ({ control }) => control.configure({ dialect: "strings" }),
  },
  {
    id: "C26",
    title: "every field except id and key is absent",
    arrange: (scene) =>
      showChanged(scene, (record) => Object.fromEntries(Object.entries(record).filter(isKept))),
  },
  ...[null, ""].map(
    (empty, at): Spelling => ({
      id: `C${at + 27}`,
      title: `empty lists come as ${empty === null ? "null" : "empty strings"}`,
      only: "Website",
      args: { excludeIps: [], excludeParams: [] },
      arrange: (scene) =>
        showChanged(scene, (record) => ({ ...record, exclude_ips: empty, exclude_params: empty })),
    }),
  ),
  {
    id: "C29",
    title: "unknown fields",
    arrange: (scene) =>
      showChanged(scene, (record) => ({
        ...record,
        adopt: true,
        team: { id: 7, domain: "x" },
        tags: [null, 1],
      })),
  },
];

/** A record that someone changed after the last `up`, or that comes otherwise than before. */
export const driftFaults: readonly Row[] = [
  ...(["update", "destroy"] as const).map(
    (verb, at): Row => ({
      id: `C${at + 10}`,
      title: `the record has a name with control characters by now (${verb})`,
      verb,
      only: "Website",
      arrange: (scene) =>
        edit(scene, { domain: "\u001b\u0007\u202e<{%reset%}>" }, { name: "\u001b\u202e<{%", value: "Z" }),
      after: nothingWritten,
      // Its only line breaks are those before the advice.
      message:
        /^(?!.*<\{%)[^\p{Cc}\u202e]* is another record on the service now: [^\p{Cc}\u202e]*\nFirst check (\n|[^\p{Cc}\u202e])*$/u,
    }),
  ),
  {
    id: "C12",
    title: "drift of a field",
    verb: "refresh",
    arrange: (scene) => edit(scene, { privacy: 0 }, { value: "G-9" }),
    after: async ({ stack, declared }) =>
      expect((await stack.preview([declared])).steps).toEqual(["update one"]),
  },
  ...spellings.map(
    (row): Row => ({
      verb: "refresh",
      after: async ({ stack, declared }) => expect((await stack.preview([declared])).steps).toEqual([]),
      ...row,
    }),
  ),
];
