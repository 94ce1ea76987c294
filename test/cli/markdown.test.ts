import { marked } from "marked";
import { expect, test } from "vitest";
import { codeCell, markdown } from "../../cli/markdown";

const signs = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const texts = [
  ...signs.flatMap((one) => signs.map((other) => one + other)),
  ...["\\\\|", "\\\\\\|", "\\||", "|\\|", "\\|\\|", "`\\|`", "\\`|", "\\|`"],
  ...["a\\|<img src=x onerror=alert(1)>", "\\| [l](http://e.example) |", "a\\\\|@octocat"],
].filter((text) => text.trim() !== "");

/** What a reader sees of Markdown's HTML, in which nothing but code is an element. */
function seen(html: string): string {
  expect(html.replace(/<\/?code>/g, "")).not.toMatch(/<|>/);
  return html
    .replace(/<\/?code>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
      code
        ? String.fromCharCode(Number(code))
        : ({ lt: "<", gt: ">", amp: "&", quot: '"' }[String(name)] ?? "?"),
    );
}

test("no text leaves its cell, by marked's rule for bars after backslashes: an even number of these escapes nothing", async () => {
  // As many as fit in a document.
  for (let at = 0; at < texts.length; at += 1000) {
    const some = texts.slice(at, at + 1000);
    const rows = some.map((text) => [codeCell(text), "x"]);
    const html = await marked(markdown([], [{ title: "All", columns: ["a", "b"], rows }]));
    const cells = [...html.matchAll(/<tr>\n<td>(.*)<\/td>\n<td>x<\/td>\n<\/tr>/g)].map(
      ([, cell = ""]) => cell,
    );
    expect(cells.map((cell) => seen(cell).trim())).toEqual(some.map((text) => text.trim()));
  }
});

test("no text leaves its cell, by GitHub's rule: a bar right after a backslash ends no cell, and loses that backslash", async () => {
  for (const text of texts) {
    const [cell = "", ...others] = codeCell(text).split(/(?<!\\)\|/);
    expect(others, text).toEqual([]);
    expect(seen(await marked.parseInline(cell.replaceAll("\\|", "|"))).trim(), text).toBe(text.trim());
  }
});
