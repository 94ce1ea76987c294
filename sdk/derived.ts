import type * as pulumi from "@pulumi/pulumi";
import type { Field } from "../provider/schema/field";

// What a program sees of a resource follows from the inputs `F` of its definition. No mapped type here has an `as`: so
// each member keeps the words of its field, and an editor's "go to definition" leads to it.

/** The arguments of a resource, but those that all resources have. */
export type ArgsOf<F> = Given<F, RequiredOf<F>> & Partial<Given<F, Exclude<keyof F, RequiredOf<F>>>>;

/** The outputs of a resource. */
export type OutputsOf<F> = {
  readonly [K in keyof F]: pulumi.Output<
    F[K] extends { required: true } | { default: unknown } ? ValueOf<F[K]> : ValueOf<F[K]> | undefined
  >;
};

/** A record that a look-up returns, without its secrets. */
export type RecordOf<F> = AnyRecord &
  ValuesOf<F, RequiredOf<F>> &
  Partial<ValuesOf<F, Exclude<keyof F, RequiredOf<F> | SecretOf<F>>>>;

type ValueOf<F> = F extends Field<infer V> ? V : never;
type RequiredOf<F> = { [K in keyof F]: F[K] extends { required: true } ? K : never }[keyof F];
type SecretOf<F> = { [K in keyof F]: F[K] extends { secret: true } ? K : never }[keyof F];
type ValuesOf<F, N extends keyof F> = { readonly [K in N]: ValueOf<F[K]> };
type Given<F, N extends keyof F> = { [K in N]: InputOf<ValueOf<F[K]>> };
// In brackets, so that a union such as `Privacy` keeps its name.
type InputOf<V> = [V] extends [(infer E)[]] ? pulumi.Input<pulumi.Input<E>[]> : pulumi.Input<V>;

/**
 * The arguments that all resources have. A second base, too: an interface that only extends another type would be named by
 * that type in the compiler's errors, with all its fields.
 */
export interface AnyArgs {
  /**
   * Adopt the one existing record that has this key instead of failing, and set on it what this program declares. A
   * preview names the record and what will change. Never a change by itself. Default `false`.
   */
  adopt?: pulumi.Input<boolean>;
}

interface AnyRecord {
  /** Every digit kept. */
  readonly id: string;
  /** When it was created, in the service's format. */
  readonly createdAt?: string | undefined;
  /** When it was last changed, in the service's format. */
  readonly updatedAt?: string | undefined;
}
