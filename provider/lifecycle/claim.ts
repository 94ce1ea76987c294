/** What becomes of a record in this run, and the key of the resource that sees to it. */
export interface Claim {
  readonly is: "held" | "leaving" | "taken" | "made" | "deleting" | "gone" | "stays";
  readonly key: string;
  readonly writer: string;
}

/** A record of which this is told is a resource's, and no other may have it. */
const OWNED: ReadonlySet<string> = new Set(["held", "taken", "made", "stays"]);

/** Whether a record is its resource's. */
export function isOwned({ is }: Claim): boolean {
  return OWNED.has(is);
}
