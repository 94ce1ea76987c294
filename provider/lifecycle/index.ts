export { check } from "./check";
export { create } from "./create";
export { HalfDone, Problem } from "./problem";
export { diff, read, remove, update } from "./records";
export { Standing } from "./standing";
export type { Kept, World } from "./world";
