import { isSameAccount, isTarget, keyIn, type Line, nameOf, placeOf } from "./program";
import type { Row, Told } from "./rules";
import type { Failure } from "./run";
import type { Entry } from "./state";

/** What a run has said and not done, or left half-way without a need. */
export function brokenPromises(told: Told): string[] {
  return [
    ...doubles(told),
    ...otherThanPreviewed(told),
    ...orphans(told),
    ...takenUnseen(told),
    ...shared(told),
    ...keptByAdopters(told),
  ];
}

/** A key that the program declares twice is refused before anything is made for either. */
function doubles({ story, command, outcome, after }: Told): string[] {
  const { lines } = command;
  const twice = lines.filter((line) =>
    lines.some(
      (other) =>
        other !== line && other.key === line.key && isSameAccount(story, line.provider, other.provider),
    ),
  );
  const plain = twice.filter((line) => !line.waits);
  return outcome.got.flatMap(({ id, provider }) => {
    const row = after.rows.find((each) => each.id === id && each.service === placeOf(story, provider));
    const line = plain.find((each) => each.key === row?.key && isSameAccount(story, each.provider, provider));
    const others = plain.filter((each) => each.key === line?.key);
    return line && others.length > 1 ? [`${id} was made or taken over for a key that is declared twice`] : [];
  });
}

/** What a preview says, where nothing comes in between, is what comes of it. */
function otherThanPreviewed({ story, command, preview, outcome, before, after }: Told): string[] {
  const { crash, faults, acts, refresh, drift } = command;
  if (crash !== undefined || faults.length > 0 || acts.length > 0 || refresh || preview.errors.length > 0)
    return [];
  // Who is replaced by force does not say which record it has, and the key that somebody gave that does not tell.
  if (drift !== undefined) return [];
  // By another key or address nobody knows beforehand that two will come to one record.
  if (story.second.startsWith("other")) return [];
  // What the program before has retained stays once more, and a pixel that moves to another provider is not renamed: only
  // the engine knows, and who waits for that waits in vain.
  if (outcome.errors.some(({ text }) => text.includes("has not done so"))) return [];
  // Where a record could not be renamed, the service having another of that name, no one knows it before.
  if (outcome.errors.some(({ in: step, text }) => step === "update" && !text.includes("belongs to")))
    return [];
  const toldOf = (line: Pick<Line, "provider" | "key">) =>
    preview.said.findLast(
      ({ provider, key, text }) =>
        key === line.key &&
        isSameAccount(story, provider, line.provider) &&
        (text.includes("taken over") || text.includes("exists already")),
    )?.text;
  // Of a record that two have since a run that failed, under a name that one of them never gave it, nobody knows when a
  // third is checked: it is named by its id only afterwards.
  const isShared = before.entries.some((entry) =>
    before.entries.some(
      (other) =>
        other !== entry &&
        other.id === entry.id &&
        placeOf(story, other.provider) === placeOf(story, entry.provider),
    ),
  );
  const isUnknowable = ({ in: step, text }: Failure) =>
    isShared && step === "create" && text.includes("already belongs to");
  // What becomes of a resource once another one has failed is that one's doing, of which a preview may know nothing: it
  // asks the service for no record that is not to be adopted.
  const isConsequence = ({ text }: Failure) => text.includes("since one was refused or failed");
  const errors = outcome.errors
    .filter((error) => !isUnknowable(error))
    .filter((error) => !isConsequence(error) || outcome.errors.every(isConsequence))
    .filter(({ in: step, name, text }) => {
      const line = command.lines.find((each) => nameOf(each) === name);
      const isTold = line !== undefined && toldOf(line) !== undefined;
      return (
        step === "check" ||
        (step === "create" && isTold) ||
        (step !== "create" && text.includes("belongs to"))
      );
    })
    .map(({ name, text }) => `the preview said nothing of what became of ${name}: ${text}`);
  if (outcome.errors.length > 0) return errors;
  return command.lines.flatMap((line) => {
    const said = toldOf(line);
    const entry = after.entries.find(
      ({ slot, version, replaced }) => slot === line.slot && version === line.version && !replaced,
    );
    const isNew = before.entries.every(({ slot, version }) => slot !== line.slot || version !== line.version);
    if (said === undefined || entry === undefined || !isNew || said.includes("unless")) return [];
    const isTaken = before.rows.some(
      ({ id, service }) => id === entry.id && service === placeOf(story, entry.provider),
    );
    return isTaken === said.includes("and will be taken over")
      ? []
      : [`the preview said that the record of ${nameOf(line)} ${said}, and it has ${entry.id}`];
  });
}

/** A record whose answer was lost is found again, where no other of its key came to be beside it. */
function orphans({ story, command, outcome, deeds, after }: Told): string[] {
  const { network, got, crashed } = outcome;
  if (crashed || command.crash !== undefined || command.faults.some(({ method }) => method === "GET"))
    return [];
  return network.lost
    .filter(
      ({ key, service }) =>
        network.lost.filter((each) => each.key === key && each.service === service).length === 1,
    )
    .filter(({ key }) => !command.acts.some((act) => act.key === key))
    .filter(({ id, key, service, at }) =>
      deeds
        .filter(
          (deed) => deed.did === "make" && deed.key === key && deed.service === service && deed.id !== id,
        )
        .every((deed) => got.some((each) => each.id === deed.id && each.at <= at)),
    )
    .filter(
      ({ id, service }) =>
        !after.entries.some((entry) => entry.id === id && placeOf(story, entry.provider) === service),
    )
    .map(({ id }) => `${id} was made by this run, and nobody has it`);
}

/** What a list has shown is asked for by itself before it is taken over. */
function takenUnseen({ story, outcome, deeds }: Told): string[] {
  return outcome.got
    .map(({ id, provider }) => ({ id, service: placeOf(story, provider) }))
    .filter((row) =>
      deeds.some(
        (deed) =>
          deed.did === "delete" && deed.by === "other" && deed.id === row.id && deed.service === row.service,
      ),
    )
    .filter(
      ({ id, service }) =>
        !deeds.some((deed) => deed.did === "make" && deed.id === id && deed.service === service),
    )
    .filter(({ id, service }) => !outcome.network.seen.has(`${service} ${id}`))
    .map(({ id }) => `${id} was taken over though it was gone`);
}

/** A resource that adopts keeps its record, though it is replaced by force, or moves to another provider. */
function keptByAdopters({ story, command, before, deeds }: Told): string[] {
  return (
    command.lines
      .filter((line) => line.adopt && isTarget(command, line))
      .flatMap((line) =>
        before.entries.filter(
          ({ slot, version, provider, replaced, outputs }) =>
            slot === line.slot &&
            version === line.version &&
            !replaced &&
            keyIn(outputs["domain"] ?? outputs["name"]) === line.key &&
            isSameAccount(story, provider, line.provider),
        ),
      )
      .filter(({ id, provider }) =>
        deeds.some(
          (deed) =>
            deed.did === "delete" &&
            // By another key or address nobody knows that it is the same record.
            deed.by !== "other" &&
            isSameAccount(story, deed.by, provider) &&
            deed.id === id &&
            deed.service === placeOf(story, provider),
        ),
      )
      // One that is replaced by force is checked as a new one: nobody knows that it has what another has too, and deletes.
      .filter(
        ({ id, provider }) =>
          before.entries.filter(
            (each) => each.id === id && placeOf(story, each.provider) === placeOf(story, provider),
          ).length === 1,
      )
      .map(({ id }) => `${id} was deleted, though its resource adopts it`)
  );
}

/** A failed run takes no record over from a resource that it had not come to yet. */
function shared({ story, command, before, after, outcome }: Told): string[] {
  if (outcome.errors.length === 0 || outcome.crashed || story.second === "other address") return [];
  // A process that is killed tells nobody, and the engine checks no more: to the others that is a silence.
  if (command.crash?.who === "provider") return [];
  const has = (row: Row) => (entry: Pick<Entry, "id" | "provider">) =>
    entry.id === row.id && placeOf(story, entry.provider) === row.service;
  // The engine asks nothing about the record of a resource that is replaced by force, or by another provider's; nor
  // about one that a failed run has replaced and not deleted yet.
  const isAwaited = ({ slot, version, provider, replaced }: Entry) =>
    !replaced &&
    command.lines.some(
      (line) =>
        line.slot === slot &&
        line.version === version &&
        !line.waits &&
        !line.forced &&
        !line.retainOnDelete &&
        line.provider === provider &&
        isTarget(command, line) &&
        !outcome.checked.has(nameOf(line)),
    );
  return after.rows
    .filter((row) => before.entries.filter(has(row)).length === 1 && outcome.got.some(has(row)))
    .filter((row) => before.entries.some((entry) => has(row)(entry) && isAwaited(entry)))
    .map(({ id }) => `${id} was taken over from a resource that was not checked yet`);
}
