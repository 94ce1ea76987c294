import { describeRecord } from "../../provider/lifecycle/errors";
import { CommandFailure } from "../failure";
import { previewChanges } from "../pulumi/preview";
import { resourceOfType } from "../pulumi/resource-forms";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import { programFiles } from "./installation";
import { type Finding, finding } from "./report";
import { canonicalKey, type StackResource } from "./state";

/**
 * Reports, by a preview, what the stack manages and the program does not declare: a resource was renamed, or a file is
 * not imported. If the preview fails, it names the cause itself.
 */
export async function programFindings(
  stack: Stack,
  managed: readonly StackResource[],
  project: string,
): Promise<Finding[]> {
  const { deletes, creates } = await previewChanges(stack).catch((error: unknown) => {
    if (error instanceof CommandFailure) return { deletes: [], creates: [] };
    throw error;
  });
  const files = await programFiles(project);
  return managed
    .filter((each) => deletes.some(({ urn }) => urn === each.urn))
    .map((each) => {
      const { resource, values, name, id } = each;
      const about = { stacks: [each.stack], record: { type: resource.type, id } };
      const next = creates.find(
        ({ type, inputs = {} }) =>
          resourceOfType(type) === resource &&
          canonicalKey(resource, inputs) === canonicalKey(resource, values),
      );
      if (next !== undefined) {
        const message = `The program declares the ${describeRecord(each)} as "${nameOf(next.urn)}", but the stack manages it as "${name}"`;
        const remedy = `If the resource was renamed, give the new one the option aliases: [{ name: "${name}" }] (in a file of declarations: aliases: [${name}]; in Pulumi YAML: aliases: ["${each.urn}"]); else declare it with adopt: true`;
        return finding("error", "renamed", about, message, remedy);
      }
      const key = String(values[resource.key]);
      const [file] =
        [...files].find(([name, text]) => !name.startsWith("index.") && text.includes(key)) ?? [];
      const message = `The program does not declare the ${describeRecord(each)} of "${name}": the next up deletes it, or fails because it is protected`;
      const remedy = file
        ? `Import ${file}, which names it, in the program`
        : 'Declare it again, or see "pulumi preview" before you run "pulumi up"';
      return finding("warning", "undeclared", about, message, remedy);
    });
}
