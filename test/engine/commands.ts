import { afterEach } from "vitest";
import { engineCommands } from "./counted";

declare module "vitest" {
  interface TaskMeta {
    /** How many commands of the engine a file's tests have started. */
    engineCommands?: number;
  }
}

// For `tools/test.mjs`, which prints them. Files share processes.
const before = engineCommands();
afterEach(({ task }) => {
  task.file.meta.engineCommands = engineCommands() - before;
});
