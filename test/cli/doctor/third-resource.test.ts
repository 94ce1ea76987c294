import { expect, test, vi } from "vitest";
import { goal, lookout } from "../../provider/made-up";
import { only, reportOn, stored, trouble } from "./harness";

vi.mock("../../../provider/resources", async (original) => ({
  ...(await original<object>()),
  catalogue: [goal, lookout],
}));

test("resources that nobody foresaw are looked after like the others, by their own names and keys", async () => {
  const pixels = ["G", "G", "H"].map((name, at) => ({ id: at + 1, name }));
  const goalOf = (id: number, title: string) => stored("Goal", `goal-${id}`, id, { title });
  const report = await reportOn(
    { resources: [goalOf(1, "G"), goalOf(3, "other"), goalOf(4, "I")] },
    { websites: [{ id: 5, domain: "a.example" }], pixels },
  );
  expect(trouble(report).sort()).toEqual([
    "error record-missing",
    "error renamed-record",
    "warning duplicate-record",
  ]);
  const titles = report.findings.filter(({ code }) => code === "service-ok");
  expect(titles.map(({ message }) => message.split(":")[0])).toEqual(["lookouts", "goals", "marketplace"]);
  expect(only(report, "duplicate-record").message).toMatch(/2 goals .* title "G" \(id 1, id 2\)$/);
});
