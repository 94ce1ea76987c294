import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Harness } from "./harness";

/** A policy of a test: what it says of each resource whose argument has this value. */
export interface Policy {
  name: string;
  level: "mandatory" | "advisory";
  argument: string;
  value: unknown;
  message: string;
}

/** Serves policies as an executable pack, which the engine starts without a language host. */
const SERVER = `
const grpc = require("@grpc/grpc-js");
const services = require("@pulumi/pulumi/proto/analyzer_grpc_pb");
const messages = require("@pulumi/pulumi/proto/analyzer_pb");
const plugin = require("@pulumi/pulumi/proto/plugin_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

const levelOf = ({ level }) => messages.EnforcementLevel[level.toUpperCase()];
const answering = (make) => (call, answer) => answer(null, make(call.request));
const server = new grpc.Server();
server.addService(services.AnalyzerService, {
  handshake: answering(() => new messages.AnalyzerHandshakeResponse()),
  configureStack: answering(() => new messages.AnalyzerStackConfigureResponse()),
  configure: answering(() => new Empty()),
  cancel: answering(() => new Empty()),
  getPluginInfo: answering(() => new plugin.PluginInfo().setVersion("1.0.0")),
  getAnalyzerInfo: answering(() => {
    const info = policies.map((each) => {
      const policy = new messages.PolicyInfo().setName(each.name).setEnforcementlevel(levelOf(each));
      return policy.setPolicyType(messages.PolicyType.POLICY_TYPE_RESOURCE);
    });
    return new messages.AnalyzerInfo().setName("company").setVersion("1.0.0").setPoliciesList(info);
  }),
  analyze: answering((request) => {
    const properties = request.getProperties()?.toJavaScript() ?? {};
    const found = policies.filter(({ argument, value }) => properties[argument] === value);
    const diagnostics = found.map((each) =>
      new messages.AnalyzeDiagnostic()
        .setPolicyname(each.name)
        .setPolicypackname("company")
        .setPolicypackversion("1.0.0")
        .setMessage(each.message)
        .setEnforcementlevel(levelOf(each))
        .setUrn(request.getUrn()),
    );
    return new messages.AnalyzeResponse().setDiagnosticsList(diagnostics);
  }),
  analyzeStack: answering(() => new messages.AnalyzeResponse()),
  remediate: answering(() => new messages.RemediateResponse()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
`;

/** Writes a policy pack into a project. Returns the environment in which every command obeys it. */
export async function policyPack({ project }: Harness, policies: readonly Policy[]) {
  const name = "policy-pack";
  await project.write(name, `#!/usr/bin/env node\nconst policies = ${JSON.stringify(policies)};\n${SERVER}`);
  const file = join(project.folder, name);
  await chmod(file, 0o755);
  return { PULUMI_OPTION_POLICY_PACK: file };
}
