export { check, type Refusal, type Say } from "./check";
export { Claims, type Options } from "./claims";
export { create } from "./create";
export { Ownership } from "./ownership";
export { HalfDone, Problem } from "./problem";
export { diff, read, remove, update } from "./records";
export type { Kept, World } from "./world";
