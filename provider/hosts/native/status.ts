import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { toStruct } from "./values";

/**
 * An error in the engine's form: one sentence and, of a record that exists but not as declared, what is known of it, so
 * that the next run repairs it.
 */
export function statusOf(
  message: string,
  failure?: { readonly id: string; readonly properties: Readonly<Record<string, unknown>> },
): Partial<StatusObject> {
  if (failure === undefined) return { code: status.UNKNOWN, details: message };
  const detail = new ErrorResourceInitFailed()
    .setId(failure.id)
    .setProperties(toStruct(failure.properties))
    .setReasonsList([message]);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const rich = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([any]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
