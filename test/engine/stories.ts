import { expect } from "vitest";
import type { Harness, Ran } from "./harness";

/**
 * One of the stories that share a stack and its commands, with names of its own. It yields the command that it waits for, with its
 * part of the program if that changes before the command, and gets the outcome.
 */
export type Story<Outcome = Ran> = AsyncGenerator<[command: string, part?: string], void, Outcome>;

/** Runs the commands one after the other, each with the program that is all stories' parts at that time. A failure names the command. */
export async function together<Outcome>(
  world: Harness,
  commands: Record<string, () => Promise<Outcome>>,
  stories: readonly Story<Outcome>[],
): Promise<void> {
  const told: { story: Story<Outcome>; next: Awaited<ReturnType<Story<Outcome>["next"]>>; part: string }[] =
    [];
  for (const story of stories) told.push({ story, next: await story.next(), part: "" });
  for (const [name, command] of Object.entries(commands)) {
    const waiting = told.filter(({ next: { value } }) => value?.[0] === name);
    for (const each of waiting) each.part = each.next.value?.[1] ?? each.part;
    await world.program(told.map(({ part }) => part).join(""));
    const outcome = await command().catch((error: Error) => {
      error.message = `"${name}": ${error.message}`;
      throw error;
    });
    for (const each of waiting) each.next = await each.story.next(outcome);
  }
  expect(
    told.flatMap(({ next }) => next.value ?? []),
    "no story waits for another command",
  ).toEqual([]);
}
