/** The plugin `pulumi-resource-tracking`: gRPC on the one side, sessions on the other. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { endWithEngine } from "../engine";
import { EngineLog } from "./log";
import { Plugin } from "./plugin";
import { service } from "./protocol";

// The build replaces both.
declare const TRACKING_VERSION: string;
declare const TRACKING_SCHEMA: string;

const log = new EngineLog();
const plugin = new Plugin(log);

// The engine's own limit. That of gRPC is 4 MB.
const size = 400 * 1024 * 1024;
const server = new Server({ "grpc.max_receive_message_length": size, "grpc.max_send_message_length": size });
server.addService(
  ResourceProviderService,
  service(plugin, log, { version: TRACKING_VERSION, schema: TRACKING_SCHEMA }),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  // From this line, the engine learns how to reach the plugin.
  console.log(port);
});
endWithEngine();
