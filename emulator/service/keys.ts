import { type RequestHead, type Service, type ServiceRequest, sentField, services } from "./request";

/** A key, and the services that accept it. */
export interface ApiKey {
  /** The key. */
  key: string;
  /** Services that accept it. */
  services: readonly Service[];
}

/** How the service judges a request's key. */
export type KeyVerdict = "right" | "wrong" | "none";

/** The keys that are valid now. */
export class Keys {
  readonly #keys = new Map<string, ApiKey>();

  /** Makes a key valid, for all services unless some are named. */
  add(key: string, open: readonly Service[] = services): void {
    this.#keys.set(key, { key, services: open });
  }

  /** Makes a key invalid; false when it was not valid. */
  revoke(key: string): boolean {
    return this.#keys.delete(key);
  }

  all(): ApiKey[] {
    return [...this.#keys.values()];
  }

  verdict(key: string | undefined): KeyVerdict {
    if (key === undefined) return "none";
    return this.#keys.has(key) ? "right" : "wrong";
  }

  allows(key: string, service: Service): boolean {
    return this.#keys.get(key)?.services.includes(service) ?? false;
  }
}

/** The key that a request carries as a bearer token. */
export function bearerToken({ headers }: RequestHead): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1];
}

/** The key that a request carries as a parameter, as the marketplace has it. */
export function parameterKey(request: ServiceRequest): string | undefined {
  const key = sentField(request, "api_key");
  return typeof key === "string" ? key : undefined;
}
