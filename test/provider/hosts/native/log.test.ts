import { createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect, onTestFinished, test, vi } from "vitest";
import { EngineLog } from "../../../../provider/hosts/native/log";
import { listening } from "../../../listening";

/** An engine, and the lines that it gets. One that is `silent` never answers. */
async function engine({ silent = false } = {}) {
  const lines: string[] = [];
  const severities: Record<string, number> = {};
  const server = new Server();
  server.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, reply: (error: null, answer: Empty) => void) => {
      lines.push(request.getMessage());
      severities[request.getMessage()] = request.getSeverity();
      if (!silent) reply(null, new Empty());
    },
  });
  onTestFinished(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, lines, severities };
}

test.each(["http_proxy", "https_proxy", "grpc_proxy"])(
  "lines reach the engine past the proxy of %s",
  async (name) => {
    const proxy = createServer(() => {});
    vi.stubEnv(name, `http://127.0.0.1:${await listening(proxy)}`);
    for (const exception of ["no_proxy", "no_grpc_proxy"]) vi.stubEnv(exception, "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { address, lines } = await engine();
    const log = new EngineLog();
    log.connect(address);
    log.warn("a line");
    await log.flushed();
    expect(lines).toEqual(["a line"]);
  },
);

test("a line of TRACKING_LOG is shown without --debug, which prints secrets of other packages", async () => {
  const { address, severities } = await engine();
  const log = new EngineLog();
  log.connect(address);
  log.warn("a notice");
  log.debug("a request");
  await log.flushed();
  expect(severities).toEqual({ "a notice": LogSeverity.WARNING, "a request": LogSeverity.INFO });
});

test("a call does not wait without end for an engine that does not answer", async () => {
  const { address } = await engine({ silent: true });
  const log = new EngineLog(200);
  log.connect(address);
  log.warn("a line");
  await expect(log.flushed()).resolves.toBeUndefined();
});
