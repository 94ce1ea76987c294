import { constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { download } from "../../../tools/engine/installer.mjs";

describe("a download", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "download-"));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const shell = (script: string, patience: number) => download("/bin/sh", ["-c", script], root, patience);

  it("may take any time while something arrives", async () => {
    await shell('for i in 1 2 3 4 5 6 7 8; do sleep 0.5; echo x >> "$TMPDIR/file"; done', 3_000);
  });

  it("is cancelled, with its children, when nothing more arrives", async () => {
    const pipe = join(root, "pipe");
    await expect(shell(`mkfifo ${pipe}; cat ${pipe} & wait`, 2_000)).rejects.toThrow(
      "nothing arrived for 2 s",
    );
    const write = constants.O_WRONLY | constants.O_NONBLOCK;
    // A pipe that nobody reads can't be opened for writing.
    await vi.waitFor(() => expect(() => openSync(pipe, write)).toThrow("ENXIO"), { timeout: 600_000 });
  });

  it("reports the last line of one that fails", async () => {
    await expect(shell("echo starting >&2; echo no such host >&2; exit 3", 5_000)).rejects.toThrow(
      /^no such host$/,
    );
  });

  it("leaves nothing behind", async () => {
    await shell('echo x > "$TMPDIR/file"', 5_000);
    expect(existsSync(join(root, "download"))).toBe(false);
  });
});
