import { expect, onTestFinished, test } from "vitest";
import { beginProcess, type DynamicProvider } from "../../../faults/process";
import { rejection } from "../../harness";
import { answering, wrongAddresses } from "../../wrong-addresses";

const bag = {
  domain: "shop.example",
  privacy: "private",
  emailReports: false,
  excludeBots: true,
  __provider: "constant",
};

test.each(wrongAddresses.map((each) => [each.says, each] as const))(
  "for %s each operation names the address and the setting to check",
  async (_says, wrong) => {
    const url = await answering(wrong);
    const settings = { apiKey: "local-key", analyticsBaseUrl: url, dataBaseUrl: url };
    for (const operation of [
      ({ Website }: DynamicProvider) => Website.create(bag),
      ({ Website }: DynamicProvider) => Website.read("1", bag),
      ({ Website }: DynamicProvider) => Website.update("1", bag, { ...bag, privacy: "public" }),
      ({ Website }: DynamicProvider) => Website.delete("1", bag),
    ]) {
      // A process gives the advice on a key once.
      const { host, leave } = await beginProcess(settings, async () => {});
      onTestFinished(leave);
      const error = await rejection(operation(host));
      const [said = error.message] = "reasons" in error ? (error.reasons as string[]) : [];
      expect(said).toContain(wrong.words);
      expect(said).toContain(url);
      expect(said).toMatch(/ - check (tracking:apiKey and )?tracking:analyticsBaseUrl\b/);
    }
  },
);
