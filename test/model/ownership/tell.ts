import { pixel, website } from "../../../provider/resources";
import type { Clock } from "./clock";
import { Engine } from "./engine";
import { placeOf, type Story } from "./program";
import { brokenPromises } from "./promises";
import { rowsOf, violations } from "./rules";
import type { Outcome } from "./run";
import { Service } from "./service";

/** Tells a story to the end, and what it did that it may not. */
export async function tell(
  story: Story,
  clock: Clock,
  log: (line: string) => void = () => {},
): Promise<string[]> {
  const resource = story.type === "Website" ? website : pixel;
  const services = [0, 1].map((place) => new Service(resource, place, story.duplicates, clock));
  for (const service of services) for (const key of story.planted) service.plant(key);
  const engine = new Engine(resource, story, services, clock);
  const now = () => ({ rows: rowsOf(services), entries: engine.state.entries });
  for (const [at, command] of story.commands.entries()) {
    const { drift } = command;
    if (drift !== undefined) for (const service of services) service.rename(drift.from, drift.to);
    const preview = await engine.preview(command);
    const before = now();
    for (const { deeds } of services) deeds.length = 0;
    const outcome = await engine.up(command);
    const deeds = services.flatMap((service) => service.deeds);
    log(
      [
        `run ${at + 1}`,
        ...told(preview, "preview"),
        ...told(outcome, "up"),
        ...deeds.map((deed) => JSON.stringify(deed)),
        ...now().entries.map(
          (entry) =>
            `state: r${entry.slot}-${entry.version} ${entry.id} p${entry.provider}${entry.replaced ? " replaced" : ""}${entry.unfinished ? " unfinished" : ""}${entry.retained ? " retained" : ""}`,
        ),
      ].join("\n  "),
    );
    const run = { story, command, before, after: now(), outcome, preview, deeds };
    const found = [...violations(run), ...brokenPromises(run)];
    if (found.length > 0) return found.map((text) => `run ${at + 1}: ${text}`);
  }
  const before = now();
  await engine.destroy();
  const kept = rowsOf(services);
  return before.rows
    .filter(
      ({ id, service }) =>
        !before.entries.some((entry) => entry.id === id && placeOf(story, entry.provider) === service),
    )
    .filter((row) => !kept.some(({ text, service }) => text === row.text && service === row.service))
    .map(({ id }) => `destroy: ${id} is nobody's, and was changed or deleted`);
}

function told({ errors, said, got, crashed }: Outcome, where: string): string[] {
  return [
    ...said.map(({ key, text }) => `${where} says of ${key}: ${text}`),
    ...errors.map(({ name, text, in: step }) => `${where}: ${name}: ${step}: ${text}`),
    ...got.map(({ id }) => `${where}: got ${id}`),
    ...(crashed ? [`${where}: crashed`] : []),
  ];
}
