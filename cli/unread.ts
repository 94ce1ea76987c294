import type { ApiError } from "../provider/api/api";
import { describeConfigChange, describeSetting } from "../provider/config";
import { inGuide } from "../provider/lifecycle/advice";
import { catalogue } from "../provider/resources";
import { noun, type Service } from "../provider/schema/resource";
import type { Connection } from "./look/connections";
import type { ReadStack } from "./look/stacks";

/** What a service has: `websites`, `pixels` or `marketplace`. */
export function titleOf(service: Service): string {
  const nouns = catalogue
    .filter((resource) => resource.service === service)
    .map((resource) => `${noun(resource)}s`);
  return nouns.join(" and ") || "marketplace";
}

/** Describes a stack without the settings of any service. */
export function idleStack({ name, settings }: ReadStack) {
  const change = describeConfigChange("set", "tracking:analyticsBaseUrl https://…", settings.stack);
  return {
    message: `Stack ${name} has no base URL of a service, so nothing of it was checked`,
    remedy: `for websites, ${change}; for the other settings see ${inGuide("First site")}`,
  };
}

/** Describes why a service can't be read, with the doctor's code. */
export function unreadService(error: ApiError, { endpoint: { service, hasOwnKey } }: Connection) {
  const { status = 0, likelyCause, advice = "try again later, or ask its operators" } = error.details;
  const isKey = status === 403 || (likelyCause === "key" && status >= 400);
  const title = titleOf(service);
  const ownKey =
    isKey && !hasOwnKey
      ? `; if ${describeSetting(`${service}ApiKey`, service)} is another one, set tracking:${service}ApiKey`
      : "";
  // Without an answer, the error names the address itself.
  const message = `${title}: ${error.what}${status === 0 ? "" : ` [${error.details.url ?? error.request.path}]`}`;
  return { code: isKey ? "key-rejected" : "service-error", message, remedy: advice + ownKey };
}
