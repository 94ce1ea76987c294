import type { Row } from "./fault";

const real = "test/engine/faults.test.ts";
const deaths = "test/engine/faults-process-death.test.ts";

/** Faults that take several records, commands or processes, so that tests of their own try them. */
export const stories: readonly (readonly [id: string, title: string, verb: Row["verb"], test: string])[] = [
  ["A30", "a record is made and can't be read back", "create", real],
  ["B1", "one interrupt while 20 are under way", "create", deaths],
  ["B2", "two interrupts while 20 are under way", "create", deaths],
  ["B3", "an interrupt and then a SIGTERM, as CI services send it, while 20 are under way", "create", deaths],
  ["B4", "a killed engine while 20 are under way", "create", deaths],
  ["B5", "a killed provider while 20 are under way", "create", deaths],
  ["B6", "a killed engine while 20 are under way", "update", deaths],
  ["B7", "a killed provider while 20 are under way", "destroy", deaths],
  ["D14", "a replacement whose delete fails", "update", "test/faults/replacement.test.ts"],
  ["E5", "200 creates under 60 requests in 6 s", "create", "test/provider/api/pace.test.ts"],
  ["F19", "the package is missing", "destroy", real],
  [
    "G2",
    "records are inserted and deleted while pages are read",
    "refresh",
    "test/provider/records/pages.test.ts",
  ],
];
