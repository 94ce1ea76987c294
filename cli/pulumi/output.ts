import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a command prints, and how this process gets it. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** What `spawn` is told of the two streams. */
  readonly stdio: readonly ("pipe" | number)[];
  /** Calls back whenever standard output has more, with what it is. */
  follow(child: ChildProcess, hear: (text: string) => void): void;
  /** Reads what is there by now. */
  poll(): void;
  end(): void;
}

/** The usual way; the command breaks when this process dies. */
export class PipedOutput implements CommandOutput {
  stdout = "";
  stderr = "";
  readonly stdio = ["pipe", "pipe"] as const;

  follow(child: ChildProcess, hear: (text: string) => void): void {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      hear(text);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  poll(): void {}

  end(): void {}
}

const POLL_MS = 100;

/** Through files in a folder, so that the command goes on to its end even when this process is killed. */
export class FileOutput implements CommandOutput {
  stdout = "";
  stderr = "";
  readonly stdio: readonly number[];
  private readonly files: readonly string[];
  private timer: NodeJS.Timeout | undefined;
  private hear: (text: string) => void = () => {};

  constructor(folder: string) {
    this.files = ["stdout", "stderr"].map((name) => join(folder, name));
    this.stdio = this.files.map((file) => openSync(file, "w", 0o600));
  }

  follow(_child: ChildProcess, hear: (text: string) => void): void {
    this.hear = hear;
    this.timer = setInterval(() => this.poll(), POLL_MS);
  }

  poll(): void {
    const [stdout = "", stderr = ""] = this.files.map((file) => readFileSync(file, "utf8"));
    const more = stdout.slice(this.stdout.length);
    this.stdout = stdout;
    this.stderr = stderr;
    if (more !== "") this.hear(more);
  }

  end(): void {
    clearInterval(this.timer);
    this.poll();
    for (const descriptor of this.stdio) closeSync(descriptor);
  }
}
