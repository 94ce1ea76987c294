import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run, start } from "../child.mjs";
import { ROOT } from "../root.mjs";
import { linkTree } from "../tree.mjs";
import { projectOf } from "../vitest.mjs";

/**
 * Whether a test fails that reads its files from the disk, as the one that packs the package for the real engine does.
 * So this changes the file in a copy of the project.
 *
 * @param {{ file: string, test: string, name: string }} breach
 * @param {string} code what the file holds then
 */
export async function isNoticedInCopy({ file, test, name }, code) {
  const copy = await mkdtemp(join(tmpdir(), "pulumi-tracking-broken-"));
  try {
    await copyProject(copy);
    await writeFile(join(copy, file), code);
    const report = join(copy, "report.json");
    const args = ["vitest", "run", "--project", projectOf(test), test, "-t", literally(name)];
    const reporters = ["--reporter=json", `--outputFile=${report}`];
    const { stdout, stderr } = await start("npx", [...args, ...reporters], { cwd: copy }).finished;
    const results = await readFile(report, "utf8").catch(() => undefined);
    if (results === undefined) throw new Error(`${test} could not be run:\n${stdout}${stderr}`);
    /** @type {{ testResults: { assertionResults: { status: string }[] }[] }} */
    const { testResults } = JSON.parse(results);
    return testResults.some(({ assertionResults }) =>
      assertionResults.some(({ status }) => status === "failed"),
    );
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** @param {string} copy a folder */
async function copyProject(copy) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", args, { cwd: ROOT });
  for (const file of stdout.split("\0")) {
    // A file that is being deleted is still listed.
    if (file === "" || !existsSync(join(ROOT, file))) continue;
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(copy, file));
  }
  await linkTree(join(ROOT, "node_modules"), join(copy, "node_modules"), () => false);
  // Tests ask git which files the project has.
  for (const each of [
    ["init", "--quiet"],
    ["add", "."],
  ])
    await run("git", each, { cwd: copy });
}

/** @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
