import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Options } from "../../lifecycle";
import type { FileLines } from "../../refusals";
import type { Values } from "../../schema/resource";
import { FILE_LINES, OPTIONS, unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/** What a file of declarations says of the resource that a message is about. */
export function fileLinesOf(struct: Struct | undefined): FileLines | undefined {
  return struct?.toJavaScript()[FILE_LINES] as FileLines | undefined;
}

/** What our classes say of the resource's options; programs in other languages say nothing. */
export function optionsOf(struct: Struct | undefined): Partial<Options> {
  return (struct?.toJavaScript()[OPTIONS] ?? {}) as Partial<Options>;
}

/** A bag as the engine takes it in a message. */
export function toStruct(bag: Readonly<Record<string, unknown>>): Struct {
  return Struct.fromJavaScript(asJson(bag) as Record<string, JavaScriptValue>);
}

/** Without what JSON does not know: a member that is not set is left out. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, asJson(each)]),
  );
}
