import { createApi } from "../../provider/api/client";
import { RecordReader } from "../../provider/api/record-reader";
import { importCommand } from "../../provider/hosts/dynamic/identity";
import { runJournal } from "../../provider/hosts/journal";
import { Claims, type Context, Ownership } from "../../provider/lifecycle";
import { collectionOf } from "../../provider/schema/collection";
import type { Resource } from "../../provider/schema/resource";
import { endpointAt } from "../provider/harness";

/** A silence is so many times shorter than it is for people: here nobody is slow but the machine. */
const HASTE = 10;
/** And so many times where the engine has stopped: nothing comes any more but from what is under way. */
const STOPPED = 100;

/** How often it is looked whether the engine has stopped, in milliseconds. */
const SLICE = 20;

/** What all processes of a run have in common. */
export interface Conduct {
  readonly address: string;
  readonly folder: string;
  readonly destroys: boolean;
  stopped: boolean;
}

/** One provider's process: it knows of the others what the run's journal says, and nothing else. */
export function beginProcess(resource: Resource, url: string, run: Conduct): Context {
  const journal = runJournal(run.address, run.folder);
  const changed = async (silence: number) => {
    for (let waited = 0; waited < silence / (run.stopped ? STOPPED : HASTE); waited += SLICE)
      if (await journal.changed(SLICE)) return true;
    return false;
  };
  const ownership = new Ownership({ ...journal, changed });
  const place = endpointAt(url, {}, {}, resource.service);
  const api = createApi(place, { warn: () => {}, debug: () => {} });
  return {
    resource,
    api,
    records: new RecordReader(api, collectionOf(resource)),
    claims: new Claims(ownership, resource, place, () => run.destroys),
    hints: { importCommand },
    warn: () => {},
    sleep: async () => {},
    clock: () => performance.now(),
  };
}
