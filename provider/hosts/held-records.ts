import type { Request, Response } from "../api/api";
import { parseList, parseRecord } from "../api/envelope";
import { isJsonObject } from "../api/json";
import { decode } from "../schema/codec";
import { isExactlySameRecord } from "../schema/identity";
import type { Resource, Values } from "../schema/resource";

/** The records of one resource type that state holds, as far as the engine has named them in this process. */
export class HeldRecords {
  private readonly states = new Map<string, Values>();

  constructor(private readonly resource: Resource) {}

  /** State holds this record; one that is read for the first time is in no state yet. */
  add(id: string, state: Values): void {
    if (state[this.resource.key] !== undefined) this.states.set(id, state);
  }

  /** Whether a request lists the records. */
  isList({ method, path }: Request): boolean {
    return method === "GET" && path === this.resource.path;
  }

  /** Whether a request is about one record that state holds. */
  isOne({ method, path }: Request): boolean {
    if (method === "POST") return false;
    return [...this.states.keys()].some((id) => path === `${this.resource.path}/${encodeURIComponent(id)}`);
  }

  /** Whether an answer to a GET shows a record that state holds: by its id, and by all that tells what it is. */
  isShownBy(request: Request, answer: Response): boolean {
    const raw = this.isList(request) ? parseList(request, answer).records : [parseRecord(request, answer)];
    return raw.filter(isJsonObject).some((each) => {
      const found = decode(this.resource, each);
      const state = found.id === undefined ? undefined : this.states.get(found.id);
      // Stricter than elsewhere: what is no longer quite the same may be the record of another account.
      return state !== undefined && isExactlySameRecord(this.resource, state, found);
    });
  }
}
