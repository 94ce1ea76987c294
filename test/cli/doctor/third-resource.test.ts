import { expect, test, vi } from "vitest";
import { banner, lookout } from "../../provider/made-up";
import { only, reportOn, stored, trouble } from "./harness";

vi.mock("../../../provider/resources", async (original) => ({
  ...(await original<object>()),
  catalogue: [banner, lookout],
}));

test("resources that nobody foresaw are looked after like the others, by their own names and keys", async () => {
  const pixels = ["G", "G", "H"].map((name, at) => ({ id: at + 1, name }));
  const bannerOf = (id: number, title: string) => stored("Banner", `banner-${id}`, id, { title });
  const report = await reportOn(
    { resources: [bannerOf(1, "G"), bannerOf(3, "other"), bannerOf(4, "I")] },
    { websites: [{ id: 5, domain: "a.example" }], pixels },
  );
  expect(trouble(report).sort()).toEqual([
    "error another-record",
    "error record-missing",
    "warning duplicate-record",
  ]);
  const titles = report.findings.filter(({ code }) => code === "service-ok");
  expect(titles.map(({ message }) => message.split(":")[0])).toEqual(["lookouts", "banners", "marketplace"]);
  expect(only(report, "duplicate-record").message).toMatch(/2 banners .* title "G" \(id 1, id 2\)$/);
});
