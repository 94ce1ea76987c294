import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { FileLines } from "../../refusals";
import type { Values } from "../../schema/resource";
import { FILE_LINES, unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/** What a check gets: a resource's arguments, and its lines if a declarations file declares it. */
export interface CheckInput {
  readonly args: Values;
  readonly lines: FileLines | undefined;
}

/** The arguments in the message of a check. */
export function checkInputOf(struct: Struct | undefined): CheckInput {
  const bag = struct?.toJavaScript() ?? {};
  return { args: unmarshal(bag), lines: bag[FILE_LINES] as FileLines | undefined };
}

/** A bag as a message to the engine, without unset properties, which JSON does not know. */
export function toStruct(bag: Readonly<Record<string, unknown>>): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(bag)));
}
