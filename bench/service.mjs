// The tests' service, in a process of its own: `startService` of candidates.mjs starts it.
import { loadSources } from "../tools/sources.mjs";

await loadSources(["test/service/process.ts"]);
