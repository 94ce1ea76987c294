import { expect, it, vi } from "vitest";
import { catalogue } from "../faults/catalogue";
import type { Row } from "../faults/fault";
import { stories } from "../faults/stories";
import {
  COUNT,
  free,
  type Row as Limiting,
  limiters,
  type Measured,
  measure,
  send,
  useFakeClock,
  type Verb,
  verbs,
} from "../provider/api/limiters";

vi.mock("../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (...sent: Parameters<typeof send>) => send(...sent),
}));
vi.mock("node:timers/promises", () => import("../fake-timers.js"));
useFakeClock();

it("test/reliability.md lists every fault, and what its test asks for, and every limiter, and what came of it", async () => {
  const behind = await behindLimiters();
  vi.useRealTimers();
  await expect(page(behind)).toMatchFileSnapshot("../reliability.md");
});

/** What comes of each verb behind each limiter. The least is what is sent without one, and the time for that behind it. */
async function behindLimiters(): Promise<string[][]> {
  const least = new Map<Verb, number>();
  const found: string[][] = [];
  for (const limiter of limiters)
    for (const verb of verbs) {
      const measured = await measure(limiter, verb);
      if (limiter === free) least.set(verb, measured.sent.length);
      found.push([limiter.name, verb, ...figuresOf(limiter, measured, least.get(verb) ?? 0)]);
    }
  return found;
}

function figuresOf(limiter: Limiting, { ups, sent, took, messages }: Measured, requests: number): string[] {
  // Nothing fails but a create that the service may have done.
  const lost = sent.filter(({ method, status }) => method === "POST" && status >= 500).length;
  expect(messages).toHaveLength(lost);
  const ratios = [sent.length / requests, took / limiter.least(requests)].map((each) => each.toFixed(2));
  return [`${ups}`, `${messages.length}`, ...ratios];
}

function page(behind: string[][]): string {
  return `# Faults and their outcomes

\`npm test\` tries every fault below. Each ends the same way: the next \`up\` converges, after what the message asks for; a
preview then finds no change, and destroy leaves nothing on the service. \`npx vitest run test/docs/reliability.test.ts -u\`
writes this page from the tests' own list.

## One resource

The provider runs in the test's process, and the service is a server on loopback. The command then either succeeds, or
stops with a message. Records and ids are counted right after the fault. An id that is kept is the record's.

${table(["fault", "during", "resource", "the command", "records", "ids in state"], [...catalogue].sort(byId).map(outcome))}

Only D13 can't be seen when it happens: the service answers an update with the values that it was sent, as every service
does, but stores nothing. The next refresh shows it, and the next \`up\` sends the values again.

## Several resources, commands or processes

Those below \`test/engine\` run through the real engine, with the packed package installed in a project.

${table(
  ["fault", "during", "test"],
  stories.map(([id, title, verb, test]) => [`${id} ${title}`, verb, `[${test}](../${test})`]),
)}

## A service that takes few requests

Each line is ${COUNT} websites, 16 at a time as by \`--parallel 16\`, against a service that works 50 to 150 ms at a request. After
a failure the engine begins nothing more, so the command is run again until all is done. The least is what a service without a
limit is asked, and the time in which the limiter lets that through; if answers are under way for 100 ms, two at a time take
that time too. A create that meets a 502, 503 or 504 may have been done, so it is not sent again, and fails unless a look finds
the record, 3.5 seconds later at most. If that happens again and again, set \`tracking:requestsPerMinute\`, as the message says.

A run begins with two requests at a time, and each round adds half as many, up to 16, until the service refuses one. Without a
limit that takes as long as four answers more than 16 from the start, once in a run.

${table(["limiter", "during", "`up`s", "failed", "requests over the least", "time over the least"], behind)}
`;
}

function outcome({ id, title, verb, only, message, remedy, stored = 1, state }: Row): string[] {
  const kept = state === "nothing" || (state === undefined && stored === 0) ? 0 : 1;
  const ends = message === undefined ? "succeeds" : `stops${remedy ? "; then `adopt: true`" : ""}`;
  return [`${id} ${title}`, verb, only ?? "each", ends, `${stored}`, `${kept}`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function byId(one: Row, other: Row): number {
  return one.id.localeCompare(other.id, "en", { numeric: true });
}
