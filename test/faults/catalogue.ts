import { changeFaults } from "./change";
import { createFaults } from "./create";
import { driftFaults } from "./drift";
import type { Row } from "./fault";
import { fieldFaults } from "./fields";
import { hostileFaults } from "./hostile";
import { loadFaults } from "./load";
import { reachFaults } from "./reach";
import { readFaults } from "./read";

/** Every fault that is tried in process; `docs/reliability.md` is made from it. */
export const catalogue: readonly Row[] = [
  ...createFaults,
  ...readFaults,
  ...driftFaults,
  ...fieldFaults,
  ...changeFaults,
  ...loadFaults,
  ...hostileFaults,
  ...reachFaults,
];
