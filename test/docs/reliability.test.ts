import { expect, it } from "vitest";
import { catalogue } from "../faults/catalogue";
import type { Row } from "../faults/fault";
import { stories } from "../faults/stories";

it("docs/reliability.md lists every fault, and what its test asks for", async () => {
  await expect(page()).toMatchFileSnapshot("../../docs/reliability.md");
});

function page(): string {
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
