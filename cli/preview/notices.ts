import { ADOPTED } from "../../provider/lifecycle/check";
import { MORE } from "../../provider/notices";
import { catalogue } from "../../provider/resources";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import type { EnginePreview } from "../pulumi/json-output";

/** What the provider says in a preview. */
export class Notices {
  /** Whether more records may be adopted than those that it names. */
  readonly mayAdoptOthers: boolean;
  private readonly byRecord: ReadonlyMap<string, readonly string[]>;

  constructor(diagnostics: EnginePreview["diagnostics"]) {
    // The engine writes the severity before what a plugin says, which names arguments in two spellings.
    const lines = diagnostics.map(({ message }) =>
      message.trim().replace(/^warning: | \(in Python \w+\)/g, ""),
    );
    this.mayAdoptOthers = lines.some(
      (line) => line === MORE + ADOPTED || line.includes("could not check wh"),
    );
    const said = lines.flatMap((line) => {
      const [, what, key = "", text] =
        /^(\S+) ("(?:[^"\\]|\\.)*"|".*?\.\.\.)(?: \(id .*?\))?(?::| (?=exists|is )) ?(.+)$/s.exec(line) ?? [];
      const resource = catalogue.find((each) => noun(each) === what);
      return resource === undefined || text === undefined ? [] : { record: nameOf(resource, key), text };
    });
    this.byRecord = new Map(
      groupsBy(said, ({ record }) => record).map((group) => [group[0].record, group.map(({ text }) => text)]),
    );
  }

  /** What it says about a record, without its name. */
  on(resource: Resource, values: Values): readonly string[] {
    const key = values[resource.key];
    return typeof key === "string" ? (this.byRecord.get(nameOf(resource, format(undefined, key))) ?? []) : [];
  }
}

/** A record by its quoted key, which the service may spell differently. */
function nameOf(resource: Resource, quoted: string): string {
  const key = quoted.replace(/^"|"$/g, "");
  return JSON.stringify([resource.type, canonicalKey(resource, { [resource.key]: key }) || key]);
}
