/** The parts of a URN. A name may contain `::`, and so may nothing before it. */
export function parseUrn(urn: string): { type: string; parentType: string | undefined; name: string } {
  const [, types = "", name = ""] = /^urn:pulumi:.*?::.*?::(.*?)::(.*)$/s.exec(urn) ?? [];
  const path = types.split("$");
  return { type: path.at(-1) ?? "", parentType: path.at(-2), name };
}
