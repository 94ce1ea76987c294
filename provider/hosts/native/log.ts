import { AsyncLocalStorage } from "node:async_hooks";
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { sanitize } from "../../api/redact";

/** How long a call waits for the engine to take a line, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Prints lines for people through the engine, which shows a plugin's own output only with `--debug` (pulumi/pulumi#17943). A line
 * that is printed during a call for a resource appears at that resource.
 */
export class EngineLog {
  private readonly resource = new AsyncLocalStorage<string>();
  private readonly unsent = new Set<Promise<void>>();
  private engine: EngineClient | undefined;
  /** The engine's address, once it is known. */
  address: string | undefined;

  constructor(private readonly timeout = TIMEOUT_MS) {}

  connect(address: string): void {
    this.address = address;
    // The engine is on this machine, whatever proxy there is for the services.
    const direct = { "grpc.enable_http_proxy": 0 };
    this.engine = new EngineClient(address, credentials.createInsecure(), direct);
  }

  /** Runs a call for a resource. What it prints appears there. */
  about<T>(urn: string, run: () => Promise<T>): Promise<T> {
    return this.resource.run(urn, run);
  }

  readonly warn = (text: string): void => this.send(LogSeverity.WARNING, text);
  /** For those who asked for it. The engine's own debug messages need `--debug`, which prints secrets. */
  readonly debug = (text: string): void => this.send(LogSeverity.INFO, text);

  /** Resolves when the engine has all lines: it drops those that arrive after a call's answer. */
  async flushed(): Promise<void> {
    await Promise.all(this.unsent);
  }

  private send(severity: LogSeverity, text: string): void {
    const { engine } = this;
    if (engine === undefined) return;
    const request = new LogRequest().setSeverity(severity).setMessage(sanitize(text));
    const sent = new Promise<void>((resolve) => {
      const deadline = Date.now() + this.timeout;
      engine.log(request.setUrn(this.resource.getStore() ?? ""), new Metadata(), { deadline }, () =>
        resolve(),
      );
    });
    this.unsent.add(sent);
    void sent.then(() => this.unsent.delete(sent));
  }
}
