import {
  Metadata,
  type ServerUnaryCall,
  type StatusObject,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { sanitizeLines } from "../../api/redact";
import { secretSettings } from "../../config";
import { PartialFailure } from "../../lifecycle";
import { inGuide } from "../../lifecycle/advice";
import { markSecrets } from "../marshal";
import { diffResponse } from "./differences";
import type { EngineLog } from "./log";
import type { Plugin } from "./plugin";
import { versionIn } from "./tokens";
import { fromStruct, hasSecrets, toStruct } from "./values";

/** What the messages about a resource have in common. */
type AboutResource = Partial<
  Pick<proto.UpdateRequest, "getUrn" | "getNews"> & Pick<proto.CreateRequest, "getProperties">
>;

/**
 * An error in the engine's form: the lines of one message. If the record exists but not as declared, the engine also gets its id and what is
 * known of it, or the next run would create a second one.
 */
function failureOf(
  plugin: Plugin,
  error: unknown,
  urn: string,
  request: AboutResource,
): Partial<StatusObject> {
  // A session's errors are clean already, and the breaks between their lines are ours.
  const message = sanitizeLines((error instanceof Error ? error.message : String(error)).split("\n"));
  const failure = { code: status.UNKNOWN, details: message };
  if (!(error instanceof PartialFailure)) return failure;
  const inputs = request.getNews?.() ?? request.getProperties?.();
  const detail = new proto.ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(toStruct(plugin.resource(urn).outputs(error.state), inputs))
    .setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const rich = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([packed]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { ...failure, metadata };
}

/** Makes methods of one request and one answer. An error reaches the engine as the lines of one message, without a stack or a secret. */
function answering(plugin: Plugin, log: EngineLog) {
  return <Q, R>(answer: (request: Q) => Promise<R> | R) =>
    (call: ServerUnaryCall<Q, R>, reply: sendUnaryData<R>): void => {
      // Most messages of the protocol name the resource.
      const request = call.request as AboutResource;
      const urn = request.getUrn?.() ?? "";
      void log
        .about(urn, async () => answer(call.request))
        .then(
          (value) => [null, value] as const,
          (error: unknown) => [failureOf(plugin, error, urn, request), null] as const,
        )
        .then(async ([error, value]) => {
          await log.flushed();
          reply(error, value);
        });
    };
}

/** The methods of the provider protocol, over one configured plugin with its own version and schema. */
export function service(
  plugin: Plugin,
  log: EngineLog,
  { version, schema }: { readonly version: string; readonly schema: string },
): UntypedServiceImplementation {
  const unary = answering(plugin, log);
  return {
    handshake: unary((request: proto.ProviderHandshakeRequest) => {
      log.connect(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse().setAcceptSecrets(true);
    }),
    // An engine that attaches to a running plugin sends its address by `handshake` too.
    attach: unary(() => new Empty()),
    getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
    getSchema: unary(() => new proto.GetSchemaResponse().setSchema(schema)),
    cancel: unary(() => {
      plugin.cancel();
      return new Empty();
    }),
    checkConfig: unary((request: proto.CheckRequest) => {
      plugin.isOfProgram = true;
      const settings = markSecrets(fromStruct(request.getNews()), (name) => secretSettings.includes(name));
      return new proto.CheckResponse().setInputs(toStruct(settings));
    }),
    configure: unary((request: proto.ConfigureRequest) => {
      const name = request.getName() ?? "";
      plugin.configure(fromStruct(request.getArgs()), name);
      const asked = plugin.isOfProgram ? versionIn(name) : undefined;
      if (asked !== undefined && asked !== /^[\d.]+/.exec(version)?.[0])
        log.warn(
          `the program's package is version ${asked}, and the plugin is version ${version}: see ${inGuide("Upgrade", "other-languages.md")}`,
        );
      return new proto.ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true);
    }),
    invoke: unary(async (request: proto.InvokeRequest) => {
      const args = request.getArgs();
      const answer = await plugin.invoke(request.getTok(), fromStruct(args));
      return new proto.InvokeResponse().setReturn(
        toStruct(hasSecrets(args) ? markSecrets(answer, () => true) : answer),
      );
    }),
    check: unary(async (request: proto.CheckRequest) => {
      const resource = plugin.resource(request.getUrn());
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const { inputs, failures } = await resource.check(olds, news);
      // With the name of a property, the engine prints its value, including a secret's (pulumi/pulumi#19465).
      const refusals = failures.map((reason) => new proto.CheckFailure().setReason(reason));
      return new proto.CheckResponse()
        .setInputs(toStruct(inputs, request.getNews()))
        .setFailuresList(refusals);
    }),
    diff: unary(async (request: proto.DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const oldInputs = fromStruct(request.getOldInputs());
      const resource = plugin.resource(request.getUrn());
      const found = await resource.diff(request.getId(), olds, news, oldInputs);
      const response = diffResponse({ ...oldInputs, ...olds }, news, found.changed, found.replaces);
      return response.setDeletebeforereplace(found.deletesFirst);
    }),
    create: unary(async (request: proto.CreateRequest) => {
      const inputs = fromStruct(request.getProperties());
      const resource = plugin.resource(request.getUrn());
      const { id, outputs } = await resource.create(inputs, { isPreview: request.getPreview() });
      return new proto.CreateResponse().setId(id).setProperties(toStruct(outputs, request.getProperties()));
    }),
    read: unary(async (request: proto.ReadRequest) => {
      const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
      const found = await plugin.resource(request.getUrn()).read(request.getId(), state, inputs);
      const response = new proto.ReadResponse();
      if (found === undefined) return response;
      return response
        .setId(found.id)
        .setProperties(toStruct(found.outputs, request.getProperties()))
        .setInputs(toStruct(found.inputs, request.getInputs()));
    }),
    update: unary(async (request: proto.UpdateRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const resource = plugin.resource(request.getUrn());
      const outputs = await resource.update(request.getId(), olds, news, { isPreview: request.getPreview() });
      return new proto.UpdateResponse().setProperties(toStruct(outputs, request.getNews()));
    }),
    delete: unary(async (request: proto.DeleteRequest) => {
      const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getOldInputs())];
      await plugin.resource(request.getUrn()).delete(request.getId(), state, inputs);
      return new Empty();
    }),
  };
}
