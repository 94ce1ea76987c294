import { parseUrn } from "../../provider/hosts/urn";
import type { StackResource } from "../pulumi/json-output";

function parentOf({ parent = "" }: StackResource): string | undefined {
  const { type, name } = parseUrn(parent);
  return name === "" || type === "pulumi:pulumi:Stack" ? undefined : name;
}

/** Which name and parent a resource had, and which it has: `"help" before, now "support"`. */
export function describeMove(before: StackResource, after: StackResource): string {
  const [was, is] = [before, after].map((state) => ({
    name: parseUrn(state.urn).name,
    parent: parentOf(state),
  }));
  const [from, to] = [was, is].map((place) => {
    const name = was?.name === is?.name ? [] : [`"${place?.name}"`];
    const parent = place?.parent === undefined ? "without a parent" : `in "${place.parent}"`;
    return [...name, ...(was?.parent === is?.parent ? [] : [parent])].join(" ");
  });
  return from === "" || to === "" ? `${before.urn} before, now ${after.urn}` : `${from} before, now ${to}`;
}
