import type { Api } from "../api/api";
import { createApi, type Logger } from "../api/client";
import { type Endpoint, environmentName, rawSetting, type Source } from "../config";
import { withFallback } from "./fallback-key";
import type { HeldRecords } from "./held-records";

/**
 * The way to a service, also where stack config is of the last `up` and its key has been revoked since.
 *
 * @param signal ends every wait
 */
export function connectWithFallback(
  place: Endpoint,
  source: Source,
  held: HeldRecords,
  log: Logger,
  signal?: AbortSignal,
): Api {
  const first = createApi(place, log, signal);
  // The environment is always of now, and an explicit provider asks nothing else.
  if (place.keyOrigin !== "config") return first;
  const fallbacks = environmentKeys(place, source).map((each) => ({
    label: each.labels.key,
    api: createApi(each, log, signal),
  }));
  return withFallback(first, fallbacks, held, (text) => warnOnce(text, log));
}

/** The same endpoint with each other key that the environment has for it. */
function environmentKeys(place: Endpoint, source: Source): Endpoint[] {
  return ([`${place.service}ApiKey`, "apiKey"] as const).flatMap((name) => {
    const key = rawSetting(name, source).environment;
    if (key === undefined || key === place.key) return [];
    return [{ ...place, key, labels: { ...place.labels, key: environmentName(name) } }];
  });
}

const printed = new Set<string>();

/** Websites and pixels often share a key. */
function warnOnce(text: string, log: Logger): void {
  if (!printed.has(text)) log.warn(text);
  printed.add(text);
}
