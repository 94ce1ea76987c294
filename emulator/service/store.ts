/** What one column of a record holds. */
export type Value = string | number | boolean | null;

/** One stored record, with every column, whether the service ever shows it or not. */
export interface Row {
  [column: string]: Value;
  id: number;
  created_at: string;
  updated_at: string;
}

/** Columns of a record, without those that the store keeps itself. */
export type Columns = Record<string, Value>;

/** The records of one kind. */
export class Table {
  readonly #rows = new Map<number, Row>();
  #lastId = 0;
  /** Records that lists do not show yet, and the time (ms since the epoch) from which they do. */
  readonly #unlisted = new Map<number, number>();

  /** @param blank what a column holds when nothing is said of it */
  constructor(readonly blank: Columns) {}

  /** Every record, in ascending order of id. */
  all(): Row[] {
    return [...this.#rows.values()].sort((one, other) => one.id - other.id);
  }

  find(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  /** The records that a list shows at this time. */
  listed(now: number): Row[] {
    return this.all().filter(({ id }) => (this.#unlisted.get(id) ?? 0) <= now);
  }

  /** Takes the next id, for a record that may be inserted later, or never. */
  reserveId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Adds a record; one with the same id gives way. `columns` may name an id and times of its own. */
  insert(columns: Columns, listedFrom = 0): Row {
    const now = new Date().toISOString();
    const id = typeof columns.id === "number" ? columns.id : this.reserveId();
    const row: Row = { ...this.blank, created_at: now, updated_at: now, ...columns, id };
    this.#lastId = Math.max(this.#lastId, id);
    this.#rows.set(id, row);
    this.#unlisted.set(id, listedFrom);
    return row;
  }

  /** Changes the named columns, and gives the record; nothing when there is none. */
  update(id: number, columns: Columns): Row | undefined {
    const row = this.#rows.get(id);
    return row && Object.assign(row, { updated_at: new Date().toISOString() }, columns, { id });
  }

  /** Removes a record with all that hangs on it; false when there is none. */
  remove(id: number): boolean {
    this.#unlisted.delete(id);
    return this.#rows.delete(id);
  }

  /** Puts these records in the place of all. Ids that were given are not given again. */
  replace(records: readonly Columns[]): void {
    this.#rows.clear();
    this.#unlisted.clear();
    for (const columns of records) this.insert(columns);
  }

  /** Lets lists show everything. */
  listAll(): void {
    this.#unlisted.clear();
  }
}
