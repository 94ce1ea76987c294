import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notesOf } from "../../tools/release-notes.mjs";
import { ROOT } from "../../tools/root.mjs";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2030-01-02\n\n### Fixed\n\n- One.\n\n## [1.0.0]\n\n- First.\n";

describe("release notes", () => {
  it("are what the changelog says about the version, and no more", () => {
    expect(notesOf(changelog, "1.1.0")).toBe("### Fixed\n\n- One.");
    expect(notesOf(changelog, "1.0.0")).toBe("- First.");
  });

  it.each(["1.2.0", "1.1", "Unreleased"])("are refused for %s, of which it says nothing", (version) => {
    expect(() => notesOf(changelog, version)).toThrow(`## [${version}]`);
  });

  it("can be read for a version of this project", async () => {
    const own = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
    expect(notesOf(own, "0.1.0")).toMatch(/^### Added/);
  });
});
