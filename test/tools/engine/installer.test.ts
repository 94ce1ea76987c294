import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { download } from "../../../tools/engine/installer.mjs";

describe("a download", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "download-"));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const shell = (script: string, patience: number) => download("/bin/sh", ["-c", script], root, patience);

  it("may take as long as it likes while something arrives", async () => {
    await shell('for i in 1 2 3 4 5 6 7 8; do sleep 0.5; echo x >> "$TMPDIR/file"; done', 3_000);
  });

  it("is called off, with its children, when nothing arrives any more", async () => {
    const marker = join(root, "late");
    await expect(shell(`(sleep 1; touch ${marker}) & wait`, 300)).rejects.toThrow(
      "nothing arrived for 0.3 s",
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(existsSync(marker)).toBe(false);
  });

  it("passes on the last words of one that fails", async () => {
    await expect(shell("echo starting >&2; echo no such host >&2; exit 3", 5_000)).rejects.toThrow(
      /^no such host$/,
    );
  });

  it("leaves nothing of its own behind", async () => {
    await shell('echo x > "$TMPDIR/file"', 5_000);
    expect(existsSync(join(root, "download"))).toBe(false);
  });
});
