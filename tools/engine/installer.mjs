import { createRequire } from "node:module";

/** The hosts that the official installer downloads from. */
const PLACES = ["https://get.pulumi.com", "https://github.com"];
/** Milliseconds that a host may take to answer: behind some firewalls a connection neither succeeds nor fails. */
const PATIENCE = 15_000;

/**
 * Lets the Automation API download the official engine into a folder.
 *
 * @param {string} version
 * @param {string} root gets a `bin` folder
 * @throws {Error} if a host that it needs does not answer
 */
export async function installOfficialEngine(version, root) {
  for (const place of PLACES)
    await fetch(place, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE) }).catch((error) => {
      throw new Error(`${place} does not answer (${error.cause?.message ?? error.message})`);
    });
  // Packages that may be missing when this module is loaded.
  const require = createRequire(import.meta.url);
  const sdk = require.resolve("@pulumi/pulumi/automation");
  const { SemVer } = require(require.resolve("semver", { paths: [sdk] }));
  await require(sdk).PulumiCommand.install({ version: new SemVer(version), root });
}
