import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withProgress } from "../progress";
import type { ImportFile } from "../pulumi/json-output";
import { withTemporaryFolder } from "../pulumi/process";
import type { ImportRun } from "./run";

/**
 * The engine writes the state once, at the end, and not the whole of it after each record. An import creates nothing on the
 * service, so a state that is never written loses nothing.
 */
const ONE_CHECKPOINT = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/**
 * Runs `pulumi import`. Everything is imported protected, in case the program changes before the next `up`; from then on, the
 * program decides.
 */
export async function pulumiImport(content: ImportFile, { stack, print }: ImportRun): Promise<void> {
  await withTemporaryFolder(async (temporary) => {
    const file = join(temporary, "import.json");
    writeFileSync(file, JSON.stringify(content));
    const args = ["import", "--file", file, "--generate-code=false", "--yes", "--skip-preview"];
    const running = {
      outputFile: join(temporary, "output"),
      env: ONE_CHECKPOINT,
      onWait: () => print("Waiting for the end of pulumi import; interrupt again to stop it at once."),
    };
    await withProgress("pulumi import is running", () => stack.runOrThrow(args, running));
  });
}
