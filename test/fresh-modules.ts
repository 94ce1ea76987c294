import { vi } from "vitest";

// Test files share processes, and so the packages that they load. Of this repository's modules each file gets its own:
// they know secrets, circuits and claims. No module that a file mocks stays mocked for the next one; each is named here.
for (const module of ["node:timers/promises", "got", "zod", "../provider/api/http", "../provider/resources"])
  vi.doUnmock(module);
vi.resetModules();
