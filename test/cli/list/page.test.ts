import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from "vitest";
import type { Listing, ListRow } from "../../../cli/list/listing";
import { formatPage } from "../../../cli/list/page";
import { sanitize } from "../../../provider/api/redact";
import { startChromium } from "./chromium";
import { HOSTILE, row } from "./rows";

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

const websites = Array.from({ length: 3000 }, (_, at) =>
  row({ id: String(at), key: `shop-${at}.example`, variety: at % 3 === 0 ? "public" : "private" }),
);
const pixels = HOSTILE.map((key, at) =>
  row({ type: "Pixel", id: String(at), key: sanitize(key), variety: "bing" }),
);
const drift = [{ argument: "privacy", state: "private", service: "<public>" }];
const records: ListRow[] = [
  row({ key: "drifted.example", drift, problems: ["drift"] }),
  ...websites,
  ...pixels,
];
const listing: Listing = { format: 1, version: "1.0.0", stacks: ["dev"], notes: [], records };

/** Opens the page; `errors` has what its script or its policy complains of, and `requests` what it asks for. */
async function opened({ skip }: TestContext, options: object = {}) {
  if (browser === undefined) return skip("This machine has no Chromium, so the page is not opened.");
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "list.html");
  await writeFile(file, formatPage(listing, new Date(0)));
  const page = await (await browser.newContext(options)).newPage();
  const [requests, errors]: [string[], string[]] = [[], []];
  page.on("request", (request) => void requests.push(request.url()));
  page.on("console", (message) => void errors.push(message.text()));
  page.on("pageerror", (error) => void errors.push(error.message));
  page.on("dialog", (dialog) => void errors.push(dialog.message()));
  await page.goto(pathToFileURL(file).href);
  const keys = () =>
    page.$$eval("body > table > tbody > tr:not([hidden])", (rows) =>
      rows.map((each) => each.querySelector('[data-name="Domain or name"]')?.textContent),
    );
  return { page, keys, requests, errors };
}

test("the page searches and sorts 3,000 records, shows odd names as they are, and asks for nothing", async (context) => {
  const { page, keys, requests, errors } = await opened(context);
  expect(await keys()).toEqual(records.map(({ key }) => key.replace(/^ +| +$/g, "")));
  await page.getByRole("searchbox").fill("PUBLIC shop-29");
  const fitting = records.filter(({ key, variety }) => variety === "public" && key.startsWith("shop-29"));
  expect(await keys()).toEqual(fitting.map(({ key }) => key));
  expect(await page.locator("output").textContent()).toBe(`${fitting.length} of ${records.length}`);
  const heading = page.getByRole("button", { name: "Domain or name" });
  await heading.click();
  await heading.click();
  expect((await keys()).slice(0, 2)).toEqual(["shop-2997.example", "shop-2994.example"]);
  await page.getByRole("searchbox").fill("drifted");
  expect(await page.locator("tr:visible [data-name=State]").textContent()).toBe(
    'drift: privacy "<public>" instead of "private"',
  );
  expect(await page.locator(".chart caption").allTextContents()).toEqual([
    "websites by privacy",
    "pixels by type",
    "managed by",
  ]);
  expect([requests.length, errors]).toEqual([1, []]);
});

test("columns are as wide as what they hold, and the last has the rest", async (context) => {
  const { page } = await opened(context, { viewport: { width: 1200, height: 800 } });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1200);
  const cells = page.locator("body > table > tbody > tr").first().locator("td");
  const heights = await cells.evaluateAll((all) => all.map((each) => each.firstChild && each.clientHeight));
  // One line each.
  expect(new Set(heights).size).toBe(1);
  expect(heights[0]).toBeLessThan(40);
  const widths = await cells.evaluateAll((all) => all.map((each) => each.clientWidth));
  expect(widths.at(-1)).toBe(Math.max(...widths));
});

test("the page is dark where the reader's system is, and fits a phone", async (context) => {
  const { page } = await opened(context, { colorScheme: "dark", viewport: { width: 360, height: 740 } });
  expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(255, 255, 255)");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  // Its headings, which sort, stand beside each other.
  expect(await page.locator("thead tr").evaluate((row) => row.clientHeight)).toBeLessThan(150);
  const label = 'getComputedStyle(document.querySelector("body > table td"), "::before").content';
  expect(await page.evaluate(label)).toBe('"Kind"');
});
