import { spawn } from "@lydell/node-pty";
import { Terminal as Screen } from "@xterm/headless";

/** A command line's prompt: the number of the next command, and how the last one ended. */
const PROMPT = /^\[(\d+):(\d+)\] >$/;
const ENTER = "\r";

/** The terminal after a command. */
export interface Typed {
  /** The exit code of the last command. */
  code: number;
  /** Everything on the screen since the command was typed, as a person reads it. */
  text: string;
}

/**
 * A shell in a pseudo-terminal, as a person uses it: typed text reaches whatever reads from the terminal, and output is
 * drawn on a screen with all cursor movements.
 */
export class Terminal {
  private readonly screen = new Screen({ cols: 100, rows: 50, scrollback: 10_000, allowProposedApi: true });
  private readonly shell;
  private readonly ended: Promise<void>;
  private readonly watchers = new Set<() => void>();

  constructor(cwd: string, env: Record<string, string>) {
    this.shell = spawn("bash", ["--noprofile", "--norc", "-i"], {
      cwd,
      env: { ...env, TERM: "xterm-256color", PS1: "[\\#:$?] > " },
      cols: this.screen.cols,
      rows: this.screen.rows,
    });
    this.shell.onData((data) => this.screen.write(data, () => this.changed()));
    // A program may ask the terminal for its colours or where the cursor is.
    this.screen.onData((answer) => this.shell.write(answer));
    this.ended = new Promise((resolve) => this.shell.onExit(() => resolve()));
  }

  /**
   * Pastes lines as a terminal does, all at once, and presses enter. Resolves when the shell has run them all.
   *
   * @param answers each question, in order, with the keys that are typed after it
   */
  async enter(lines: string, answers: readonly [question: string, keys: string][] = []): Promise<Typed> {
    const { number } = await this.prompt(0);
    const from = this.lines().length - 1;
    const paste = this.screen.modes.bracketedPasteMode && lines.includes("\n");
    this.shell.write(`${paste ? `\x1b[200~${lines}\x1b[201~` : lines.replaceAll("\n", ENTER)}${ENTER}`);
    const count = lines.split("\n").length;
    const last = number + count;
    // The terminal echoes typed text, which is not a question.
    let seen = from + count - 1;
    for (const [question, keys] of answers) {
      seen = await this.line(question, seen, last);
      this.shell.write(`${keys}${ENTER}`);
    }
    const { code } = await this.prompt(last);
    return { code, text: this.text(from) };
  }

  /** Types a command that continues by itself, and resolves with the first match in its output. */
  async start(line: string, says: RegExp): Promise<string> {
    await this.prompt(0);
    this.shell.write(line + ENTER);
    return this.until(() => says.exec(this.text(0))?.[0]);
  }

  /** Closes the window, which signals the running command. If a test still waits for something, it shows the screen. */
  async close(): Promise<void> {
    if (this.watchers.size > 0) console.error(`The terminal shows:\n${this.text(0)}`);
    this.shell.kill("SIGHUP");
    await this.ended;
  }

  /** The line below `from` with this text, unless the command ends without it. */
  private line(text: string, from: number, last: number): Promise<number> {
    return this.until(() => {
      const at = this.lines().findIndex((line, index) => index > from && line.includes(text));
      if (at < 0 && this.standing(last) !== undefined)
        throw new Error(`"${text}" was not asked:\n${this.text(from)}`);
      return at < 0 ? undefined : at;
    });
  }

  private prompt(number: number): Promise<{ number: number; code: number }> {
    return this.until(() => this.standing(number));
  }

  /** The prompt at the end of the screen, if its number is at least this. */
  private standing(atLeast: number): { number: number; code: number } | undefined {
    const [, number, code] = PROMPT.exec(this.lines().at(-1) ?? "") ?? [];
    const found = { number: Number(number), code: Number(code) };
    return number === undefined || found.number < atLeast ? undefined : found;
  }

  private async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  private changed(): void {
    const waiting = [...this.watchers];
    this.watchers.clear();
    for (const resolve of waiting) resolve();
  }

  private text(from: number): string {
    return this.lines().slice(from).join("\n");
  }

  /** The screen's lines down to the cursor, with those that scrolled out; wrapped lines are joined. */
  private lines(): string[] {
    const { active } = this.screen.buffer;
    const lines: string[] = [];
    for (let at = 0; at <= active.baseY + active.cursorY; at += 1) {
      const line = active.getLine(at);
      const text = line?.translateToString(false) ?? "";
      if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ""}${text}`);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }
}
