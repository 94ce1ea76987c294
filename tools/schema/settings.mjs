import { docOf, readSource } from "./source.mjs";

/**
 * What the provider's arguments are, and what their JSDoc says of each.
 *
 * @returns {Promise<Map<string, { type: string, description: string | undefined }>>}
 */
export async function settingShapes() {
  const { ts, source } = await readSource("sdk/provider-settings.ts");
  const found = source.statements.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === "ProviderArgs",
  );
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error("there is no ProviderArgs");
  return new Map(
    found.members.filter(ts.isPropertySignature).map((each) => {
      const input = /^pulumi\.Input<(.+)>$/.exec(each.type?.getText() ?? "")?.[1] ?? "";
      const type = ["number", "boolean"].includes(input) ? input : "string";
      return [each.name.getText(), { type, description: docOf(ts, each) }];
    }),
  );
}
