import type { ListRow } from "../../../cli/list/listing";

/** Names that mean something to a browser, to Markdown, or to a terminal. */
export const HOSTILE = [
  "</script><img src=x onerror=alert(1)>",
  "<b>&amp;\"'",
  "a|b`c``d`",
  "`| x |",
  "*b* _i_ [l](http://e.example) @octocat #12 www.e.example",
  "</details> # Big",
  "\u001B[31mred\u001B]0;title\u0007",
  "x\u202Egnp.exe",
  "a\nb",
  "漢字の長い名前".repeat(4),
];

export function row(given: Partial<ListRow>): ListRow {
  return {
    type: "Website",
    id: "1",
    key: "shop.example",
    variety: "private",
    baseUrl: "https://a.example",
    managedBy: [],
    protected: false,
    drift: [],
    unreadable: [],
    problems: [],
    ...given,
  };
}
