import { expect, test, vi } from "vitest";
import { goal, lookout } from "../../provider/made-up";
import { configAt, doctor, of, service, stored, trouble } from "./harness";

vi.mock("../../../provider/resources", async (original) => ({
  ...(await original<object>()),
  catalogue: [goal, lookout],
}));

test("resources that nobody foresaw are looked after like the others, by their own names and keys", async () => {
  const { url } = await service({
    seed: {
      websites: [{ id: 5, domain: "a.example" }],
      pixels: [
        { id: 1, name: "G" },
        { id: 2, name: "G" },
        { id: 3, name: "H" },
      ],
    },
  });
  const goalOf = (name: string, id: number, title: string) => {
    const __provider = 'exports.handler = () => require("pulumi-tracking/host").Goal';
    const bag = { title, __provider };
    const urn = `urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:Goal::${name}`;
    return stored(
      "Pixel",
      name,
      id,
      {},
      { urn, type: "pulumi-nodejs:dynamic/tracking:Goal", inputs: bag, outputs: bag },
    );
  };
  const deployment = { resources: [goalOf("g", 1, "G"), goalOf("h", 3, "other"), goalOf("i", 4, "I")] };
  const report = await doctor({ stacks: { dev: { config: configAt(url), deployment } } });
  expect(trouble(report).sort()).toEqual([
    "error record-mismatch",
    "error record-missing",
    "warning duplicate-record",
  ]);
  const titles = of(report, "service-ok").map(({ message }) => message.split(":")[0]);
  expect(titles).toEqual(["lookouts", "goals", "marketplace"]);
  expect(of(report, "duplicate-record")[0]?.message).toBe(
    'The service has 2 goals with the title "G" (id 1, id 2)',
  );
});
