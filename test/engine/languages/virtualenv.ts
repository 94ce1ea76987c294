import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { inject } from "vitest";
import { createDirAtomically } from "../../../tools/atomic-dir.mjs";
import { run } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";
import { generatePackage } from "./hosts";

const REQUIREMENTS = join(__dirname, "python", "requirements.txt");

/** The environment in which the engine runs programs in Python that import the generated package. */
export async function pythonEnvironment(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { stdout: version } = await run("python3", ["-c", "import sys, venv; print(sys.version)"]);
  const venv = await virtualenv(version);
  const packages = await mkdtemp(join(inject("projects"), "python-"));
  await generatePackage("python", packages, env);
  const how = ["--no-deps", "--no-build-isolation", "--target", packages, join(packages, "python")];
  await run(join(venv, "bin", "python3"), ["-m", "pip", "install", "-q", ...how]);
  return {
    ...env,
    PATH: [join(venv, "bin"), env.PATH].join(delimiter),
    PYTHONPATH: packages,
    PYTHONDONTWRITEBYTECODE: "true",
  };
}

/** A virtual environment with what programs need, made once. */
async function virtualenv(version: string): Promise<string> {
  const wanted = version + (await readFile(REQUIREMENTS, "utf8"));
  const id = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  const venv = join(ROOT, "node_modules", ".cache", "pulumi-tracking", `python-${id}`);
  await createDirAtomically(
    venv,
    async (aside) => {
      await run("python3", ["-m", "venv", aside]);
      await run(join(aside, "bin", "python3"), ["-m", "pip", "install", "-q", "-r", REQUIREMENTS]);
    },
    (folder) => existsSync(join(folder, "pyvenv.cfg")),
  );
  return venv;
}
