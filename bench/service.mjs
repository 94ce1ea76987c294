// The tests' service, in a process of its own: `startService` of candidates.mjs starts it.
import { loadSource } from "../tools/source.mjs";

await loadSource("test/service/process.ts");
