import { expect, test } from "vitest";
import { answering, wrongAddresses } from "../../provider/wrong-addresses";
import { configAt, doctor } from "./harness";

test.each(wrongAddresses.map((each) => [each.says, each] as const))(
  "for %s the doctor names the address, the setting, and what to do",
  async (_says, wrong) => {
    const url = await answering(wrong);
    const { findings } = await doctor({ stacks: { dev: { config: configAt(url) } } });
    const errors = findings.filter(({ topic, severity }) => topic === "services" && severity === "error");
    expect(errors.map(({ service }) => service)).toEqual(["analytics", "data", "market"]);
    for (const { service, message, remedy } of errors) {
      expect(message).toContain(url);
      if (service !== "market") expect(message).toContain(wrong.words);
      expect(remedy).toMatch(new RegExp(`^(Set|Check) tracking:${service}BaseUrl`));
    }
  },
);
