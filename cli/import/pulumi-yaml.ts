import { pluginToken } from "../../provider/hosts/native/identity";
import { catalogue } from "../../provider/resources";
import { type NamedRecord, nonDefaultArgs, secretComment } from "./generated-program";
import type { DeclaredRecord } from "./script";
import { membersOf, parseMembers } from "./yaml-members";

/** Writes the records as resources of a program in Pulumi YAML, or adds them to a file that has some. */
export async function generatePulumiYaml(records: readonly NamedRecord[], before = ""): Promise<string> {
  const { isMap, parseDocument } = await import("yaml");
  const document = parseDocument(before.trim() === "" ? "resources: {}" : before);
  const resources = document.get("resources");
  if (isMap(resources)) {
    resources.flow = false;
    for (const each of records) {
      const properties = Object.entries(nonDefaultArgs(each)).map(([name, value]) => [name, escaped(value)]);
      const key = document.createNode(each.name);
      const comment = secretComment(each);
      if (comment !== undefined) key.commentBefore = ` ${comment}`;
      const value = { type: `tracking:${each.resource.type}`, properties: Object.fromEntries(properties) };
      resources.add(document.createPair(key, value));
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What such a file declares. */
export async function declaredInPulumiYaml(text: string): Promise<DeclaredRecord[]> {
  const file = await parseMembers(text);
  return Object.entries(membersOf(file.resources)).flatMap(([name, declared]) => {
    const { type, properties } = membersOf(declared);
    const resource = catalogue.find((each) =>
      [`tracking:${each.type}`, pluginToken(each.type)].includes(`${type}`),
    );
    const key = resource && membersOf(properties)[resource.key];
    return resource !== undefined && typeof key === "string"
      ? [{ type: resource.type, name, key: key.replaceAll("$${", "${") }]
      : [];
  });
}

/** A text in which nothing is an expression. */
function escaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escaped);
  return typeof value === "string" ? value.replaceAll("${", "$$${") : value;
}
