export { check, type Refusal, type Say } from "./check";
export { Claims } from "./claims";
export { create } from "./create";
export type { Options } from "./declared-claims";
export { Ownership } from "./ownership";
export { HalfDone, Problem } from "./problem";
export { diff, read, remove, update } from "./records";
export type { Kept, World } from "./world";
