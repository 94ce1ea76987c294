import { ApiError, type Request, type Response } from "../../../provider/api/api";
import { encode } from "../../../provider/schema/codec";
import { fieldOf, type Resource } from "../../../provider/schema/resource";
import type { Clock } from "./clock";
import { argsOf, type Duplicates } from "./program";

/** A record as the service keeps it. */
export interface Row {
  readonly id: number;
  readonly key: number;
  /** What a form has said of it. */
  readonly fields: Readonly<Record<string, string>>;
  readonly made: string;
}

/** What was done to a record, and whose process did it: a provider's number, or nobody's of this stack. */
export interface Deed {
  readonly did: "make" | "change" | "delete";
  readonly id: string;
  readonly service: number;
  readonly key: number;
  readonly by: number | "other";
  readonly at: number;
  /** Records of the same key that were there when it was done. */
  readonly beside: readonly string[];
}

/** Some moment, in milliseconds. */
const EPOCH = Date.parse("2026-01-01T00:00:00Z");

/** One installation, in memory: what it answers, and all that was done to its records. */
export class Service {
  rows: readonly Row[] = [];
  readonly deeds: Deed[] = [];
  private last = 0;
  readonly wire: string;

  constructor(
    private readonly resource: Resource,
    readonly place: number,
    private readonly duplicates: Duplicates,
    private readonly clock: Clock,
  ) {
    this.wire = fieldOf(resource, resource.key).wire ?? resource.key;
  }

  /** Another stack, or a person, makes a record. */
  plant(key: number): void {
    this.insert(this.formOf(key), "other");
  }

  /** Another stack, or a person, deletes a record. */
  drop(id: number): void {
    this.delete(id, "other");
  }

  /** Another stack, or a person, gives records another key, where that may be. */
  rename(from: number, to: number): void {
    const name = this.formOf(to)[this.wire] as string;
    const isFree = this.duplicates === "allowed" || this.rows.every((row) => row.key !== to);
    if (isFree)
      this.rows = this.rows.map((row) =>
        row.key === from ? this.row(row.id, { ...row.fields, [this.wire]: name }, row.made) : row,
      );
  }

  /** Does what a request asks for, at once. */
  answer(request: Request, by: number): Response {
    const { method, path, form = {}, query = {} } = request;
    const date = Math.floor((EPOCH + this.clock.now) / 1000) * 1000;
    const reply = (body: unknown): Response => ({ status: 200, body, date });
    if (path === this.resource.path) {
      if (method === "GET") return reply(this.list(query));
      const same = this.rows.find((row) => row.fields[this.wire] === form[this.wire]);
      if (same === undefined || this.duplicates === "allowed")
        return reply({ data: this.shown(this.insert(form, by)) });
      if (this.duplicates === "answered") return reply({ data: this.shown(same) });
      throw this.taken(request);
    }
    const row = this.rows.find(({ id }) => path === `${this.resource.path}/${id}`);
    if (row === undefined) throw new ApiError(request, "missing", "not found", { status: 404 });
    if (method === "GET") return reply({ data: this.shown(row) });
    if (method === "DELETE") {
      this.delete(row.id, by);
      return reply({ id: row.id, deleted: true });
    }
    const name = form[this.wire] ?? row.fields[this.wire];
    if (
      this.duplicates !== "allowed" &&
      this.rows.some((each) => each !== row && each.fields[this.wire] === name)
    )
      throw this.taken(request);
    const now = this.row(row.id, { ...row.fields, ...form }, row.made);
    this.note("change", now, by);
    this.rows = this.rows.map((each) => (each === row ? now : each));
    return reply({ data: this.shown(now) });
  }

  private formOf(key: number): Record<string, string> {
    const args = argsOf(this.resource, { key, variant: 0 });
    return encode(this.resource, args, Object.keys(args));
  }

  private taken(request: Request): ApiError {
    if (this.duplicates === "500")
      return new ApiError(request, "unclear", "the service failed", { status: 500 });
    return new ApiError(request, "rejected", "taken", { status: 422, fields: { [this.wire]: "taken" } });
  }

  private insert(fields: Readonly<Record<string, string>>, by: Deed["by"]): Row {
    this.last += 1;
    const row = this.row(this.last, fields, new Date(EPOCH + this.clock.now).toISOString());
    this.note("make", row, by);
    this.rows = [...this.rows, row];
    return row;
  }

  private delete(id: number, by: Deed["by"]): void {
    const row = this.rows.find((each) => each.id === id);
    if (row === undefined) return;
    this.rows = this.rows.filter((each) => each !== row);
    this.note("delete", row, by);
  }

  private row(id: number, fields: Row["fields"], made: string): Row {
    return { id, key: Number(/\d+/.exec(fields[this.wire] ?? "")?.[0]), fields, made };
  }

  private note(did: Deed["did"], { id, key }: Row, by: Deed["by"]): void {
    const beside = this.rows.filter((row) => row.key === key && row.id !== id).map((row) => String(row.id));
    this.deeds.push({ did, id: String(id), service: this.place, key, by, at: this.clock.now, beside });
  }

  private list({ search = "", page = "1", per_page = "10" }: NonNullable<Request["query"]>) {
    const found = this.rows.filter((row) => row.fields[this.wire]?.includes(search));
    const [at, size] = [Number(page) - 1, Number(per_page)];
    const data = found.slice(at * size, (at + 1) * size).map((row) => this.shown(row));
    const total = found.length;
    return { data, meta: { total, last_page: Math.max(1, Math.ceil(total / size)) } };
  }

  private shown({ id, fields, made }: Row) {
    return { id, ...fields, created_at: made };
  }
}
