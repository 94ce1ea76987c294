import { type Endpoint, endpoint } from "../../provider/config";

/** Settings as stack config gives them, for a service at this address; nothing comes from the environment. */
export function endpointAt(
  url: string,
  settings: Record<string, string> = {},
  env: NodeJS.ProcessEnv = {},
  name: Endpoint["service"] = "analytics",
): Endpoint {
  const source: Record<string, string> = {
    apiKey: "local-key",
    [`${name}BaseUrl`]: url,
    ...settings,
  };
  return endpoint(name, { get: (key) => source[key] }, env);
}
