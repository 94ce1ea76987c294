import { describe, expect, test } from "vitest";
import { catalogue } from "../../../provider/resources";
import { DeclarationError, readDeclarations } from "../../../sdk/declarations/file";
import { misshapen } from "./mistyped-shape";
import { misworded } from "./mistyped-words";
import { usual } from "./right";

/** What is said of a file: its mistakes, or what the provider's check will say unless the record has it already. */
function told(text: string): string[] {
  try {
    const declared = readDeclarations(text, {
      file: "t.yaml",
      catalogue,
      isConfigured: (key) => key !== "unset",
    });
    return declared.flatMap(({ refusals }) => refusals.map(({ line }) => line));
  } catch (error) {
    if (error instanceof DeclarationError) return error.message.split("\n");
    throw error;
  }
}

test("nothing is said of a file that is right", () => expect(told(usual)).toEqual([]));

describe("one mistake in a file is told in one sentence, on its own line, with what to write", () => {
  test.each([...misshapen, ...misworded])("%s", (_what, from, to, line, says) => {
    expect(usual).toContain(from);
    const [only, ...more] = told(usual.replace(from, () => to));
    expect(more).toEqual([]);
    expect(only?.replace(/^t\.yaml:(\d+):\d+: /, "$1 ")).toBe(`${line} ${says}`);
  });
});

test("mistakes of every kind are told together", () => {
  const text = `websites:
  shop:
    domain:shop.example.com
    privacy: secret
     emailReports: yes
  blog:
    domain: "blog.example.com
    excludeIps: [192.0.2.1
  docs:
  domain: docs.example.com
pixels:
  ga: { name: GA, type: google-analytics value: G-1 }
  ga2: { name: GA, type: bings, value: G-1 }
`;
  const [head, ...lines] = told(text);
  expect(head).toBe("t.yaml: 10 mistakes");
  expect(lines.map((line) => /^t\.yaml:(\d+):\d+: (.{1,30})/.exec(line)?.slice(1).join(" "))).toEqual([
    "3 write a space after the colon,",
    "4 websites.shop: privacy must be",
    "5 this line is indented by 5 spa",
    "5 websites.shop: emailReports mu",
    "7 the quote here has no partner:",
    "8 the [ here has no end: write ]",
    "10 domain is an argument: indent ",
    "12 write a comma before value",
    "13 pixels.ga2: pixels.ga in line ",
    "13 pixels.ga2: type must be one o",
  ]);
});
