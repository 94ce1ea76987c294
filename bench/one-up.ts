import { ledgerAt } from "../provider/hosts/run-file";
import { website } from "../provider/resources";
import { createSession, RunState } from "../provider/session";

/** What one run did: which websites it made, and the reasons of those that it could not. */
export interface Up {
  readonly made: readonly string[];
  readonly failed: readonly string[];
}

/** Creates websites at a service as `pulumi up --parallel 16` does: after a failure, nothing more begins. */
export async function up(url: string, domains: readonly string[]): Promise<Up> {
  const logger = { warn: () => {}, debug: () => {} };
  const session = createSession(website, new RunState(logger, ledgerAt(undefined)));
  const settings: Readonly<Record<string, string>> = { apiKey: "local-key", analyticsBaseUrl: url };
  session.configure({ get: (key) => settings[key] });
  const waiting = [...domains];
  const made: string[] = [];
  const failed: string[] = [];
  const worker = async () => {
    for (
      let domain = waiting.shift();
      domain !== undefined && failed.length === 0;
      domain = waiting.shift()
    ) {
      const args = { domain, privacy: "private", emailReports: false, excludeBots: true };
      await session.create(args).then(
        () => made.push(domain as string),
        (error: Error) => failed.push(error.message),
      );
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { made, failed };
}
