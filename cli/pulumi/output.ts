import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A command's output, and how this process reads it. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** The two streams, as `spawn` takes them. */
  readonly stdio: readonly ("pipe" | number)[];
  /** Calls back with each new part of standard output. */
  follow(child: ChildProcess, onOutput: (text: string) => void): void;
  /** Reads the output so far. */
  poll(): void;
  end(): void;
}

/** Through pipes; the command fails when this process dies. */
export class PipedOutput implements CommandOutput {
  stdout = "";
  stderr = "";
  readonly stdio = ["pipe", "pipe"] as const;

  follow(child: ChildProcess, onOutput: (text: string) => void): void {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      onOutput(text);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  poll(): void {}

  end(): void {}
}

const POLL_MS = 100;

/** Through files in a folder, so the command finishes even if this process is killed. */
export class FileOutput implements CommandOutput {
  stdout = "";
  stderr = "";
  readonly stdio: readonly number[];
  private readonly files: readonly string[];
  private timer: NodeJS.Timeout | undefined;
  private onOutput: (text: string) => void = () => {};

  constructor(folder: string) {
    this.files = ["stdout", "stderr"].map((name) => join(folder, name));
    this.stdio = this.files.map((file) => openSync(file, "w", 0o600));
  }

  follow(_child: ChildProcess, onOutput: (text: string) => void): void {
    this.onOutput = onOutput;
    this.timer = setInterval(() => this.poll(), POLL_MS);
  }

  poll(): void {
    const [stdout = "", stderr = ""] = this.files.map((file) => readFileSync(file, "utf8"));
    const more = stdout.slice(this.stdout.length);
    this.stdout = stdout;
    this.stderr = stderr;
    if (more !== "") this.onOutput(more);
  }

  end(): void {
    clearInterval(this.timer);
    this.poll();
    for (const descriptor of this.stdio) closeSync(descriptor);
  }
}
