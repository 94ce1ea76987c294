import { expect } from "vitest";
import { all, during, json, type Row, type Scene, type Unplaced } from "./fault";
import { stored } from "./scene";

/** From now on, reads of the one record return it with these changes. */
function shown(scene: Scene, change: (record: object) => object): void {
  const [record = {}] = stored(scene);
  all(scene, { reply: json(200, { data: change(record), status: 200 }) });
}

async function noDrift({ stack, declared }: Scene): Promise<void> {
  expect((await stack.preview([declared])).steps).toEqual([]);
}

const kept = ["id", "domain", "name"];

/** Fields that a server leaves out, empties, or adds. */
export const fieldFaults: readonly Row[] = during("refresh", [
  {
    id: "C26",
    title: "every field except id and key is absent",
    arrange: (scene) =>
      shown(scene, (record) =>
        Object.fromEntries(Object.entries(record).filter(([name]) => kept.includes(name))),
      ),
    after: noDrift,
  },
  ...[null, ""].map(
    (empty, at): Unplaced => ({
      id: `C${at + 27}`,
      title: `empty lists come as ${empty === null ? "null" : "empty strings"}`,
      only: "Website",
      args: { excludeIps: [], excludeParams: [] },
      arrange: (scene) =>
        shown(scene, (record) => ({ ...record, exclude_ips: empty, exclude_params: empty })),
      after: noDrift,
    }),
  ),
  {
    id: "C29",
    title: "unknown fields",
    arrange: (scene) =>
      shown(scene, (record) => ({ ...record, adopt: true, team: { id: 7, domain: "x" }, tags: [null, 1] })),
    after: noDrift,
  },
]);
