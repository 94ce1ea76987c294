import { catalogue } from "../../provider/resources";
import { noun } from "../../provider/schema/resource";
import { escapeMarks, hasMarks, hex } from "./marks";
import { lacksPassword, type Named, said, sharedLists } from "./program";

/** The records as a file for `tracking.declareFrom`. */
export async function yaml(records: readonly Named[]): Promise<string> {
  const { Document, visit } = await import("yaml");
  const lists = sharedLists(records);
  const sections: Record<string, unknown> = {};
  if (lists.size > 0)
    sections.lists = Object.fromEntries([...lists].map(([text, name]) => [name, JSON.parse(text)]));
  for (const resource of catalogue) {
    const ours = records.filter((each) => each.resource === resource);
    if (ours.length > 0)
      sections[`${noun(resource)}s`] = Object.fromEntries(
        ours.map((each) => [each.name, fields(each, lists)]),
      );
  }
  const document = new Document(sections);
  const without = records.filter(lacksPassword).map(({ name }) => name);
  if (without.length > 0)
    document.commentBefore = ` The service does not give passwords; it keeps those of: ${without.join(", ")}`;
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && hasMarks(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return escapeMarks(text, (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`));
}

function fields(record: Named, lists: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(said(record)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return [name, shared === undefined ? value : [shared]];
    }),
  );
}
