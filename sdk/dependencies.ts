import * as pulumi from "@pulumi/pulumi";
import { childrenOf, sourcesOf } from "./internals";

/** The id of a resource, known once it exists; for a component, those of all its children. */
function idsOf(resource: pulumi.Resource): pulumi.Output<unknown>[] {
  const id: unknown = Reflect.get(resource, "id");
  return pulumi.Output.isInstance(id) ? [id] : [...childrenOf(resource)].flatMap(idsOf);
}

/**
 * Applies a function once a value is known, and once the resources that it comes from, and those in `dependsOn`, exist.
 * If a preview knows the value before its resource exists, the result is unknown: of a new website's domain, a look-up by domain
 * would find nothing, and fail the preview.
 */
export function whenResolved<T, R>(
  value: pulumi.Output<T>,
  dependsOn: NonNullable<pulumi.InvokeOutputOptions["dependsOn"]>,
  then: (value: pulumi.Unwrap<T>) => Promise<R>,
): pulumi.Output<R> {
  const ids = pulumi.all([value, pulumi.output<unknown>(dependsOn)]).apply(async ([, named]) => {
    const declared = [named].flat().filter(pulumi.Resource.isInstance);
    return pulumi.all([...declared, ...(await sourcesOf(value))].flatMap(idsOf));
  });
  return pulumi.all([value, ids]).apply(([input]) => then(input as pulumi.Unwrap<T>)) as pulumi.Output<R>;
}
