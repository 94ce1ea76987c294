import { type ServiceRequest, sentField } from "../../emulator/service/request";

/** How the service judges a request's key. */
export type KeyVerdict = "right" | "wrong" | "none";

/** The verdict on a key, by those that are valid now. */
export function verdictOn(key: string | undefined, keys: ReadonlySet<string>): KeyVerdict {
  if (key === undefined) return "none";
  return keys.has(key) ? "right" : "wrong";
}

/** The key that a request carries as a parameter, as the marketplace has it. */
export function parameterKey(request: ServiceRequest): string | undefined {
  const key = sentField(request, "api_key");
  return typeof key === "string" ? key : undefined;
}
