import type { ServiceRequest } from "../../emulator/service/request";
import type { Json, ServiceResponse } from "../../emulator/service/response";
import { parameterKey } from "./keys";

/** The same answer, with the request's key repeated in every text, a header and the redirect. */
export function echoKey(answer: ServiceResponse, request: ServiceRequest): ServiceResponse {
  const secret = parameterKey(request) ?? request.headers.authorization;
  if (secret === undefined || answer.status < 300) return answer;
  const headers: Record<string, string> = { ...answer.headers, "X-Debug-Key": secret };
  if (headers.Location !== undefined) headers.Location = withKey(headers.Location, secret);
  if (answer.body === undefined) return { ...answer, headers };
  return { ...answer, headers, body: repeated(answer.body, secret) as NonNullable<ServiceResponse["body"]> };
}

function withKey(location: string, secret: string): string {
  const address = new URL(location);
  address.searchParams.set("key", secret);
  return address.href;
}

function repeated(value: Json, secret: string): Json {
  if (typeof value === "string") return `${value} (${secret})`;
  if (Array.isArray(value)) return value.map((member) => repeated(member, secret));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, repeated(member, secret)]));
}
