import { changeFaults } from "./change";
import { createFaults } from "./create";
import type { Row } from "./fault";
import { hostileFaults, readFaults } from "./read";

/** Every fault that is tried in process; `docs/reliability.md` tells what came of each. */
export const catalogue: readonly Row[] = [...createFaults, ...readFaults, ...changeFaults, ...hostileFaults];
