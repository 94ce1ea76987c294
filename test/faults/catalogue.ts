import { changeFaults } from "./change";
import { createFaults } from "./create";
import { driftFaults } from "./drift";
import type { Row } from "./fault";
import { hostileFaults } from "./hostile";
import { loadFaults } from "./load";
import { reachFaults } from "./reach";
import { readFaults } from "./read";

/** Every fault that is tried in process; `test/reliability.md` is made from it. */
export const catalogue: readonly Row[] = [
  ...createFaults,
  ...readFaults,
  ...driftFaults,
  ...changeFaults,
  ...loadFaults,
  ...hostileFaults,
  ...reachFaults,
];
