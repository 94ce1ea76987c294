import { vi } from "vitest";

// Test files share processes, and so the packages that they load. Of this repository's modules each file gets its own:
// they know secrets, circuits and claims. No module stays mocked from one file to the next.
for (const module of ["node:timers/promises", "got", "zod", "../provider/api/http", "../provider/resources"])
  vi.doUnmock(module);
vi.resetModules();
