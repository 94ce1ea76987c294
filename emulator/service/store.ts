/** The value of a column. */
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

  /** @param blank default value of each column */
  constructor(readonly blank: Columns) {}

  /** Every record, in ascending order of id. */
  all(): Row[] {
    return [...this.#rows.values()].sort((one, other) => one.id - other.id);
  }

  find(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  /** Takes the next id, for a record that may be inserted later, or never. */
  reserveId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Adds a record; it replaces one with the same id. `columns` may set the id and times. */
  insert(columns: Columns): Row {
    const now = new Date().toISOString();
    const id = typeof columns.id === "number" ? columns.id : this.reserveId();
    const row: Row = { ...this.blank, created_at: now, updated_at: now, ...columns, id };
    this.#lastId = Math.max(this.#lastId, id);
    this.#rows.set(id, row);
    return row;
  }

  /** Changes the named columns, and returns the record; `undefined` if it does not exist. */
  update(id: number, columns: Columns): Row | undefined {
    const row = this.#rows.get(id);
    return row && Object.assign(row, { updated_at: new Date().toISOString() }, columns, { id });
  }

  /** Removes a record and all that belongs to it; false if it does not exist. */
  remove(id: number): boolean {
    return this.#rows.delete(id);
  }

  /** Replaces all records. Used ids are not used again. */
  replace(records: readonly Columns[]): void {
    this.#rows.clear();
    for (const columns of records) this.insert(columns);
  }
}
