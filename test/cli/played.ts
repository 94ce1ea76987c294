import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** What a `pulumi` does if its arguments begin with these words: sh runs a text, and any other value is printed as JSON. */
export type Played = Readonly<Record<string, unknown>>;

/**
 * Commands run in a folder of their own, with a `pulumi` on PATH that plays back what the test gives it, in that folder. Its
 * `$file` is what `--file` or `--import-file` names.
 */
export function played(answers: Played, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-played-"));
  const write = (name: string, text: string, mode?: number) =>
    writeFileSync(join(folder, name), text, { mode });
  const cases = Object.entries(answers).map(([words, answer], at) => {
    if (typeof answer === "string") return `"${words}"*) ${answer} ;;`;
    write(`${at}.json`, JSON.stringify(answer));
    return `"${words}"*) cat ${at}.json ;;`;
  });
  const script = [
    "#!/bin/sh",
    `cd ${folder}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    'echo "$*${PULUMI_EXPERIMENTAL+${PULUMI_SKIP_CHECKPOINTS+ without checkpoints}}" >> calls',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    'all="$*"; file=${all##*file }; file=${file%% *}',
    `case "$*" in`,
    ...cases,
    '*) echo "error: not played: $*" >&2; exit 9 ;;',
    "esac",
  ];
  write("pulumi", `${script.join("\n")}\n`, 0o755);
  write("calls", "");
  for (const [name, text] of Object.entries(files)) write(name, text);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, read, calls: () => read("calls").trim().split("\n") };
}
