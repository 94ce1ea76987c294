import { type FSWatcher, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Running } from "../../tools/child.mjs";
import type { Harness } from "./harness";
import { importing } from "./importing";

/**
 * Events during an import that can be counted: a request to the service, a line that the command prints, a record that
 * the engine has imported, and a change of the engine's files (locks and checkpoints).
 */
export const events = ["request", "line", "record", "file"] as const;
export type Event = (typeof events)[number];

/** The number of each. */
export type Counts = Record<Event, number>;

/** The n-th of these events. */
export interface Moment {
  readonly event: Event;
  readonly count: number;
}

/**
 * Starts `import --apply` and counts the events until it ends. At the given moment, if it comes, calls back with the
 * running command.
 */
export async function watchedImport(
  world: Harness,
  { group, moment, act }: { group?: boolean; moment?: Moment; act?: (running: Running) => void } = {},
): Promise<{ running: Running; counts: Counts; came: boolean }> {
  const counts: Counts = { request: 0, line: 0, record: 0, file: 0 };
  const temporary = join(world.project.root, "tmp");
  mkdirSync(temporary, { recursive: true });
  const since = await world.service.mark();
  let came = false;
  let running: Running | undefined;
  const count = (event: Event, more = 1) => {
    counts[event] += more;
    if (came || running === undefined || moment?.event !== event || counts[event] < moment.count) return;
    came = true;
    act?.(running);
  };
  const watchers = watchEngine(world, () => count("file"));
  running = importing(world, ["--apply"], {
    ...(group !== undefined && { group }),
    env: { TMPDIR: temporary },
    show: (text) => count("line", text.split("\n").length - 1),
  });
  const ended = running.finished.then(() => true);
  let isRunning = true;
  const follow = async (event: Event, seen: () => number | Promise<number>) => {
    while (isRunning) {
      const more = (await seen()) - counts[event];
      if (more > 0) count(event, more);
      await Promise.race([setTimeout(3), ended]);
    }
  };
  const following = [
    follow("record", () => importedIn(temporary)),
    follow(
      "request",
      async () => (await world.service.requests()).filter(({ index }) => index >= since).length,
    ),
  ];
  await ended;
  isRunning = false;
  await Promise.all(following);
  for (const watcher of watchers) watcher.close();
  return { running, counts, came };
}

/** Watches the engine take a lock, release it, or write a checkpoint. */
function watchEngine({ project, stateFile }: Harness, hear: () => void): FSWatcher[] {
  const locks = join(project.backend, ".pulumi", "locks", "organization", "fresh", "dev");
  mkdirSync(locks, { recursive: true });
  return [locks, join(stateFile, "..")].map((folder) => watch(folder, hear));
}

/** How many records the engine has imported, according to its output file. */
function importedIn(temporary: string): number {
  const texts = readdirSync(temporary).map((name) => {
    try {
      return readFileSync(join(temporary, name, "stdout"), "utf8");
    } catch {
      // Another folder, or it was removed meanwhile.
      return "";
    }
  });
  return texts.join("").split(" imported (").length - 1;
}
