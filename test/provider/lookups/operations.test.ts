import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as tracking from "../../../sdk";
import { ROOT } from "../../../tools/root.mjs";

/** An operation of the interface, as it is specified, and the functions and resources that use it. */
type Operation = readonly [name: string, method: string, path: string, users: readonly string[]];

const operations: readonly Operation[] = [
  ["List websites", "GET", "/api/v1/websites", ["getWebsites", "getWebsite", "Website"]],
  ["Show a website", "GET", "/api/v1/websites/{id}", ["getWebsite", "Website"]],
  ["Store a website", "POST", "/api/v1/websites", ["Website"]],
  ["Update a website", "PUT", "/api/v1/websites/{id}", ["Website"]],
  ["Delete a website", "DELETE", "/api/v1/websites/{id}", ["Website"]],
  ["List pixels", "GET", "/api/v1/pixels", ["getPixels", "getPixel", "Pixel"]],
  ["Show a pixel", "GET", "/api/v1/pixels/{id}", ["getPixel", "Pixel"]],
  ["Store a pixel", "POST", "/api/v1/pixels", ["Pixel"]],
  ["Update a pixel", "PUT", "/api/v1/pixels/{id}", ["Pixel"]],
  ["Delete a pixel", "DELETE", "/api/v1/pixels/{id}", ["Pixel"]],
  ["Get account details", "GET", "/api/account/details", ["getAccount"]],
  ["Get all items", "GET", "/api/items/all", ["getItems"]],
  ["Get an item's details", "GET", "/api/items/item", ["getItem"]],
  ["Purchase validation", "POST", "/api/purchases/validation", ["getPurchase", "validatePurchase"]],
];
describe("the guide", () => {
  const guide = readFileSync(join(ROOT, "docs", "guide.md"), "utf8");

  it("names every operation with its method and path, and what uses it", () => {
    expect(rows(guide, "Operation | Method and path | Used by")).toEqual(
      operations.map(([name, method, path, each]) => [name, `\`${method} ${path}\``, [...each].sort()]),
    );
  });

  it("says why an operation of the interface is left alone", () => {
    expect(guide).toContain("`PATCH`");
  });
});

/** The rows of the table with this head; of the last column, what stands between backticks. */
function rows(text: string, head: string): unknown[] {
  const [, below = ""] = text.split(`| ${head} |\n`);
  const lines = /^(?:\|.*\n)+/.exec(below)?.[0].trim().split("\n") ?? [];
  return lines.slice(1).map((line) => {
    const [name, operation, users = ""] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const named = [...users.matchAll(/`(\w+)`/g)].map(([, user = ""]) => user);
    // Commands are named too.
    return [name, operation, named.filter((user) => user in tracking).sort()];
  });
}
