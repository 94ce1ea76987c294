import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../tools/root.mjs";

/** Links of a document to files and headings of the repository that are not there. */
export function brokenLinks(file: string, text: string): string[] {
  const places = [...text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, place = ""]) => place);
  return places.filter((place) => {
    const [path = "", heading] = place.split("#");
    const target = path === "" ? join(ROOT, file) : join(ROOT, dirname(file), path);
    if (!existsSync(target)) return true;
    return heading !== undefined && !anchors(path === "" ? text : readFileSync(target, "utf8")).has(heading);
  });
}

/** The anchors of headings, as GitHub and others generate them. */
function anchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}
