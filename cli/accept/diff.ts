import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import { withTemporaryFolder } from "../pulumi/process";

/** The hunks between two texts, by git. */
export function hunksOf(before: string, after: string): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const [old, changed] = ["a", "b"].map((name) => join(folder, name)) as [string, string];
    writeFileSync(old, before);
    writeFileSync(changed, after);
    const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--text", "--", old, changed];
    const printed = await new Promise<string>((resolve, reject) => {
      execFile("git", args, { maxBuffer: 2 ** 28 }, (error, stdout) => {
        // It ends with 1 if there is a difference.
        if (error === null || error.code === 1) resolve(stdout);
        else
          reject(
            new CommandFailure(
              `git can't compare files: ${error.message.split("\n")[0]}`,
              "Install git, or run this with --apply",
            ),
          );
      });
    });
    return printed.slice(Math.max(0, printed.indexOf("\n@@") + 1));
  });
}
