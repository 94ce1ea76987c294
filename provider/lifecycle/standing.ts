import { isUnknown, type Resource, type Values } from "../schema/resource";

/**
 * The records of resources that the program still declares. A run that ended early, after a record got a resource
 * of another name, leaves it in state under both: the next run deletes the one that is not declared any more, and
 * must not delete the record of the other.
 */
export class Standing {
  private readonly keys = new Set<unknown>();
  private readonly held = new Map<string, unknown>();

  constructor(private readonly resource: Resource) {}

  /** The program declares this: `olds` is what it declared before, and empty for a record that is to be made. */
  declare(olds: Values, news: Values): void {
    const key = this.keyOf(news);
    // A replacement is declared once more, as new: then the old one has to go.
    if (olds[this.resource.key] === undefined) this.keys.delete(key);
    else if (key !== undefined) this.keys.add(key);
  }

  /** What is declared so is, and will be, the record with this id. */
  hold(id: string, news: Values): void {
    const key = this.keyOf(news);
    // Refresh compares before the program has declared anything.
    if (this.keys.has(key)) this.held.set(id, key);
  }

  /** Whether the record with this id stays when another resource goes. */
  has(id: string): boolean {
    return this.held.has(id) && this.keys.has(this.held.get(id));
  }

  private keyOf(values: Values): unknown {
    const key = values[this.resource.key];
    return key === undefined || isUnknown(key)
      ? undefined
      : this.resource.inputs[this.resource.key]?.canonical(key);
  }
}
