import { AsyncLocalStorage } from "node:async_hooks";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { sanitize } from "../../api/redact";
import { spelled } from "./spelling";

/**
 * Prints lines for people through the engine, which hides a plugin's own output. A line that is printed during a call
 * for a resource appears at that resource.
 */
export class EngineLog {
  private readonly resource = new AsyncLocalStorage<string>();
  private readonly unsent = new Set<Promise<void>>();
  private engine: EngineClient | undefined;
  /** The engine's address, once it is known. */
  address: string | undefined;

  connect(address: string): void {
    this.address = address;
    this.engine = new EngineClient(address, credentials.createInsecure());
  }

  /** Runs a call for a resource. */
  about<T>(urn: string, run: () => Promise<T>): Promise<T> {
    return this.resource.run(urn, run);
  }

  readonly warn = (text: string): void => this.send(LogSeverity.WARNING, text);
  readonly debug = (text: string): void => this.send(LogSeverity.DEBUG, text);

  /** Resolves when the engine has all lines: it drops those that arrive after a call's answer. */
  async flushed(): Promise<void> {
    await Promise.all(this.unsent);
  }

  private send(severity: LogSeverity, text: string): void {
    const { engine } = this;
    if (engine === undefined) return;
    const request = new LogRequest().setSeverity(severity).setMessage(spelled(sanitize(text)));
    const sent = new Promise<void>((resolve) => {
      engine.log(request.setUrn(this.resource.getStore() ?? ""), () => resolve());
    });
    this.unsent.add(sent);
    void sent.then(() => this.unsent.delete(sent));
  }
}
