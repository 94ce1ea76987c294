import fc from "fast-check";
import { it } from "vitest";
import { decisive, edits, expectSound, refresh, up } from "./sequence";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();
const commands = [...edits(), up, refresh];

it("keeps exactly one record per resource through any sequence of changes and faults", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 14 }), async (sequence) =>
      expectSound(begin(), sequence),
    ),
    { ...parametersOf("model"), examples: [[decisive]] },
  );
}, 3_600_000);
