import type { Resource } from "../schema/resource";

/** Advice that only a host can give, since it depends on how its resources are declared and run. */
export interface Hints {
  /** The command that brings an existing record under management, as one types it. */
  importCommand(resource: Resource, id?: string): string;
}
