import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteFor } from "../../cli/shell-quote";

test("what a shell reads is the text, whatever is in it", () => {
  for (const text of ["shop.example", "it's *", '$(id) `id` "x"', "urn:a$b::c d"])
    expect(execFileSync("sh", ["-c", `printf %s ${quoteFor("linux")(text)}`], { encoding: "utf8" })).toBe(
      text,
    );
});

test("on Windows, quotes are those of both shells, but for a text that PowerShell would expand", () => {
  const quoted = [
    "shop.example",
    "my pixel",
    "it's",
    "urn:pulumi:dev::shop::my:Group$tracking:index:Website::it's",
  ];
  expect(quoted.map(quoteFor("win32"))).toEqual([
    "shop.example",
    '"my pixel"',
    '"it\'s"',
    "'urn:pulumi:dev::shop::my:Group$tracking:index:Website::it''s'",
  ]);
});
