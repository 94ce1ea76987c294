import { expect } from "vitest";

/** How long the first line of a message may be, which alone the engine's rows and a pull request's comment show. */
const MAX_TITLE = 300;

/** A page with messages, each below what leads to it. Fails if one has a long first line. */
export function formatMessages(messages: Readonly<Record<string, readonly string[]>>): string {
  for (const [what, [title = ""]] of Object.entries(messages)) {
    expect(title, what).not.toBe("");
    expect(title.length, what).toBeLessThanOrEqual(MAX_TITLE);
  }
  const parts = Object.entries(messages).map(([what, lines]) => `${[what, ...lines].join("\n  ")}\n`);
  return parts.join("\n");
}

/** The sections that a page names, each with the file in the repository. */
export function sectionsNamed(page: string): [file: string, section: string][] {
  const named = page.matchAll(/"([^"]+)" in node_modules\/pulumi-tracking\/(docs\/[\w-]+\.md)/g);
  return [...named].map(([, section = "", file = ""]) => [file, section]);
}

/** The headings of a page. */
export function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^##+ (.*)$/gm)].map(([, heading = ""]) => heading);
}
