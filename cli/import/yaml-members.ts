/** The members of a YAML text's mapping; none where it is no mapping, or no YAML. */
export async function parseMembers(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import("yaml");
  try {
    return membersOf(parse(text));
  } catch {
    return {};
  }
}

/** The members of a parsed mapping; none where it is none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
