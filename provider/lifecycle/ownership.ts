import { type Claim, isOwned } from "./claim";
import type { Declaration } from "./declarations";
import type { Move } from "./journal";
import { Run } from "./run";

/** A record that is to be deleted. */
export interface Doomed {
  readonly id: string;
  /** The key that state has of it. */
  readonly key: string;
  /** What it is whatever address it was found at. */
  readonly anywhere: string;
}

/** How a record stands to a resource that has its key and would take it over. */
export type Standing =
  | { readonly is: "free" }
  /** It is another resource's. */
  | { readonly is: "held"; readonly by: string | undefined }
  /** Another resource moves away from it: it is deleted or renamed, and then its key is free. */
  | {
      readonly is: "moving";
      readonly by: string | undefined;
      readonly move: Move;
      /** That one waits for yet another, so that nobody knows whether it moves in time. */
      readonly waits?: boolean;
    }
  /** The same, but only after all else was made, so that nobody can wait for it. */
  | { readonly is: "late"; readonly by: string | undefined }
  /** It is no more, whatever a list says. */
  | { readonly is: "gone" };

/**
 * Whose record is it: stated once, for all resources, providers, processes and steps of one run. What is known comes
 * from the run's journal alone, so every process comes to the same answer.
 */
export class Ownership extends Run {
  /** How a record stands to the resource that has this key. */
  standing(id: string, key: string): Standing {
    const claim = this.claim(id);
    if (claim?.is === "gone") return { is: "gone" };
    if (claim?.is === "deleting")
      return { is: "moving", by: this.program.nameOf(claim.key), move: "deleted-first" };
    const owned = claim !== undefined && claim.key !== key && isOwned(claim);
    const leaving =
      claim?.is === "leaving" && claim.key !== key
        ? this.program.declaration(claim.key)
        : this.moverFrom(id, key, claim);
    if (leaving?.move === undefined || leaving.key === key || (owned && claim.key !== leaving.key))
      return owned ? { is: "held", by: this.program.nameOf(claim.key) } : { is: "free" };
    const { move, name: by, plain } = leaving;
    if (this.program.isLeft(key, leaving.key)) return { is: "free" };
    return move === "deleted-after"
      ? { is: "late", by }
      : { is: "moving", by, move, ...(plain === false && { waits: true }) };
  }

  /**
   * The resource that moves away from a record with this key, as far as it is known which record that one has: of two,
   * the one whose record it is, and else the one that is known last.
   */
  private moverFrom(id: string, key: string, claim: Claim | undefined): Declaration | undefined {
    const movers = this.program.moversFrom(key).filter((mover) => {
      const record = this.program.oldRecord(mover.key);
      return record === undefined || record === id;
    });
    return movers.find((mover) => mover.key === claim?.key) ?? movers.at(-1);
  }

  /** The other resource that has a record, for the one that has this key; nothing where there is none. */
  other(id: string, key: string): { readonly name: string | undefined } | undefined {
    const claim = this.claim(id);
    if (claim === undefined || claim.key === key || !isOwned(claim)) return undefined;
    return { name: this.program.nameOf(claim.key) };
  }

  /**
   * For whom a record stays though the engine has it deleted. What a run has made or taken it never deletes, by
   * whatever address it came to it; nor what a declared resource holds or renames, or has from an earlier run; nor
   * what has the key of a declared resource that has no other record, unless that resource is itself being replaced.
   * A destroy asks the program for nothing but settings.
   */
  keeper(
    { id, key, anywhere }: Doomed,
    isDestroy: () => boolean,
  ): { readonly name: string | undefined } | undefined {
    const taker = this.takerOf(anywhere);
    if (taker !== undefined) return { name: this.program.nameOf(taker) };
    const claim = this.claim(id);
    const declared = this.program.declaration(key);
    const record = this.recordOf(key);
    if (declared === undefined || (record !== undefined && record !== id)) return undefined;
    if (claim?.is === "leaving" && claim.key !== key)
      return this.program.mayShare(key, claim.key) ? { name: declared.name } : undefined;
    if (claim?.is === "leaving" || claim?.is === "stays" || this.isReplaced(declared)) return undefined;
    return !this.program.anyChecked && isDestroy() ? undefined : { name: declared.name };
  }

  /**
   * Whether the record of a resource is deleted so that it can be made anew. Where the engine was told to replace it,
   * it is checked as a new one only, as one is that has lost its name; but that one's create comes before any delete.
   */
  private isReplaced({ renewed, from, fresh, adopts, key }: Declaration): boolean {
    return (renewed && from === undefined) || (fresh === true && adopts !== true && !this.hasBegun(key));
  }

  /** Whether a record is that of the resource that has this key. */
  has(id: string, key: string): boolean {
    const claim = this.claim(id);
    return claim?.key === key && isOwned(claim);
  }

  /** The name of the resource that sees to a record. */
  ownerOf(id: string): string | undefined {
    const claim = this.claim(id);
    return claim && this.program.nameOf(claim.key);
  }

  /** Whether a record is being deleted. */
  isDeleting(id: string): boolean {
    return this.claim(id)?.is === "deleting";
  }
}
