import { inOneLine } from "../../provider/api/api";
import { adviceForNone } from "../../provider/lifecycle/standing";
import { countOf } from "../alike";
import type { Answer } from "../look/look";
import { titleOf, unreadService } from "../unread";
import type { Finding } from "./report";

/** Reports whether a service could be read, and why its account is probably another one, if it is. */
export function serviceFindings(answer: Answer): Finding[] {
  const { stacks, lists, doubts, error } = answer;
  const { service, baseUrl, labels } = answer.endpoint;
  const about = { stacks, service };
  const counts = lists.map(
    ({ resource, records, isComplete }) => `${isComplete ? "" : "at least "}${countOf(resource, records)}`,
  );
  const what = counts.join(", ") || "the account's details";
  const accepted = `${titleOf(service)}: ${baseUrl} accepts the key of ${labels.key} (${what})`;
  return [
    error === undefined
      ? { ...about, severity: "info", code: "service-ok", message: accepted }
      : { ...about, severity: "error", ...unreadService(error, answer) },
    ...doubts.map(
      (message): Finding => ({
        ...about,
        severity: "error",
        code: "wrong-account",
        message,
        remedy: inOneLine(adviceForNone(answer.endpoint.accountAdvice())),
      }),
    ),
  ];
}
