import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { inject } from "vitest";
import { ensureEngine, type ReadyEngine } from "../../tools/engine/setup.mjs";

/** Each process that runs tests has one, and its test files share it. */
const folder = () => join(inject("projects"), `counted-${process.pid}`);
const file = () => join(folder(), "commands");

/**
 * How many commands of the engine the tests of this process have started, or the command line that they start. Only those count
 * that start a language host and providers: others, such as `config` and `stack export`, take a tenth of the time.
 */
export const engineCommands = (): number => (existsSync(file()) ? statSync(file()).size : 0);

let counted: Promise<ReadyEngine> | undefined;

/** The engine, by a `pulumi` that notes such a command before it becomes the engine. */
export function countedEngine(): Promise<ReadyEngine> {
  counted ??= ensureEngine({ log: () => {} }).then((engine) => {
    // Windows has no scripts without an ending, nor a process that becomes another one.
    if (process.platform === "win32") return engine;
    mkdirSync(folder(), { recursive: true });
    const text = `#!/bin/sh
case "$1" in up | preview | refresh | destroy | import) printf . >> '${file()}' ;; esac
exec '${join(engine.bin, "pulumi")}' "$@"
`;
    writeFileSync(join(folder(), "pulumi"), text, { mode: 0o755 });
    return { ...engine, env: { ...engine.env, PATH: `${folder()}${delimiter}${engine.env.PATH}` } };
  });
  return counted;
}
