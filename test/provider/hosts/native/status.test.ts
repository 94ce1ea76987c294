import { status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { expect, test } from "vitest";
import { statusOf } from "../../../../provider/hosts/native/status";

test("an error is one sentence", () => {
  expect(statusOf("it can't be done")).toEqual({ code: status.UNKNOWN, details: "it can't be done" });
});

test("a record that is there, and not as wanted, keeps its id and what is known of it", () => {
  const { metadata } = statusOf("not stored", {
    id: "5",
    properties: { domain: "a.example.com", password: undefined },
  });
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  const [detail] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
  expect(detail?.getTypeUrl()).toMatch(/pulumirpc\.ErrorResourceInitFailed$/);
  const failed = ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  expect(failed.toObject()).toMatchObject({ id: "5", reasonsList: ["not stored"] });
  expect(failed.getProperties()?.toJavaScript()).toEqual({ domain: "a.example.com" });
});
