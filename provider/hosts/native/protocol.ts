import type {
  ServerUnaryCall,
  ServerWritableStream,
  StatusObject,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { sanitize } from "../../api/redact";
import { PartialFailure } from "../../lifecycle";
import { parseUrn } from "../urn";
import { diffResponse } from "./differences";
import type { EngineLog } from "./log";
import type { Plugin } from "./plugin";
import { spelled } from "./spelling";
import { statusOf } from "./status";
import { fileLinesIn, fromStruct, toStruct } from "./values";

type Unary<Q, R> = (request: Q) => Promise<R> | R;

/** The methods of the provider protocol, over one configured plugin with its own version and schema. */
export function service(
  plugin: Plugin,
  log: EngineLog,
  { version, schema }: { readonly version: string; readonly schema: string },
): UntypedServiceImplementation {
  function failureOf(error: unknown, urn: string): Partial<StatusObject> {
    const message = spelled(sanitize(error instanceof Error ? error.message : String(error)));
    if (!(error instanceof PartialFailure)) return statusOf(message);
    return statusOf(message, { id: error.id, properties: plugin.resource(urn).outputs(error.state) });
  }

  /** Answers one call. Reports an error as one clean sentence. */
  function unary<Q, R>(answer: Unary<Q, R>) {
    return (call: ServerUnaryCall<Q, R>, reply: sendUnaryData<R>): void => {
      const run = async () => answer(call.request);
      // Most messages of the protocol name the resource.
      const urn = (call.request as { getUrn?(): string }).getUrn?.() ?? "";
      const answered = urn === "" ? run() : log.about(urn, run);
      void answered
        .then(
          (value) => [null, value] as const,
          (error: unknown) => [failureOf(error, urn), null] as const,
        )
        .then(async ([error, value]) => {
          await log.flushed();
          reply(error, value);
        });
    };
  }

  return {
    handshake: unary((request: proto.ProviderHandshakeRequest) => {
      log.connect(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse();
    }),
    attach: unary((request: { getAddress(): string }) => {
      log.connect(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
    getSchema: unary(() => new proto.GetSchemaResponse().setSchema(schema)),
    cancel: unary(() => {
      plugin.cancel();
      return new Empty();
    }),
    checkConfig: unary((request: proto.CheckRequest) => {
      const settings = fromStruct(request.getNews());
      return new proto.CheckResponse().setInputs(toStruct(plugin.checkSettings(settings)));
    }),
    diffConfig: unary((request: proto.DiffRequest) => {
      const olds = fromStruct(request.getOldInputs() ?? request.getOlds());
      const news = fromStruct(request.getNews());
      plugin.announceAccount(parseUrn(request.getUrn()).name, olds, news);
      const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
        (name) => olds[name] !== news[name],
      );
      return diffResponse(olds, news, changed, []);
    }),
    configure: unary((request: proto.ConfigureRequest) => {
      plugin.configure(fromStruct(request.getArgs()), request.getName() ?? "default");
      return new proto.ConfigureResponse().setSupportspreview(true);
    }),
    invoke: unary(async (request: proto.InvokeRequest) => {
      const answer = await plugin.invoke(request.getTok(), fromStruct(request.getArgs()));
      return new proto.InvokeResponse().setReturn(toStruct(answer));
    }),
    check: unary(async (request: proto.CheckRequest) => {
      const resource = plugin.resource(request.getUrn());
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      const { inputs, failures } = await resource.check(olds, news, fileLinesIn(request.getNews()));
      // With a property's name the engine would print its value, a secret's too.
      const refusals = failures.map((reason) => new proto.CheckFailure().setReason(spelled(reason)));
      return new proto.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(refusals);
    }),
    diff: unary(async (request: proto.DiffRequest) => {
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      const oldInputs = fromStruct(request.getOldInputs());
      const resource = plugin.resource(request.getUrn());
      const { changed, replaces } = await resource.diff(request.getId(), olds, news, oldInputs);
      return diffResponse({ ...oldInputs, ...olds }, news, changed, replaces);
    }),
    create: unary(async (request: proto.CreateRequest) => {
      const inputs = fromStruct(request.getProperties());
      const { id, outputs } = await plugin.resource(request.getUrn()).create(inputs, request.getPreview());
      return new proto.CreateResponse().setId(id).setProperties(toStruct(outputs));
    }),
    read: unary(async (request: proto.ReadRequest) => {
      const found = await plugin
        .resource(request.getUrn())
        .read(request.getId(), fromStruct(request.getProperties()), fromStruct(request.getInputs()));
      const response = new proto.ReadResponse();
      if (found === undefined) return response;
      return response
        .setId(found.id)
        .setProperties(toStruct(found.outputs))
        .setInputs(toStruct(found.inputs));
    }),
    update: unary(async (request: proto.UpdateRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const resource = plugin.resource(request.getUrn());
      const outputs = await resource.update(request.getId(), olds, news, request.getPreview());
      return new proto.UpdateResponse().setProperties(toStruct(outputs));
    }),
    delete: unary(async (request: proto.DeleteRequest) => {
      const resource = plugin.resource(request.getUrn());
      await resource.delete(
        request.getId(),
        fromStruct(request.getProperties()),
        fromStruct(request.getOldInputs()),
      );
      return new Empty();
    }),
    list: (call: ServerWritableStream<proto.ListRequest, proto.ListResponse>) => {
      void plugin
        .list(call.request.getToken(), fromStruct(call.request.getQuery()), call.request.getLimit())
        .then(
          (found) => {
            for (const { id, name } of found)
              call.write(
                new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name)),
              );
            call.end();
          },
          (error: unknown) => call.emit("error", failureOf(error, "")),
        );
    },
  };
}
