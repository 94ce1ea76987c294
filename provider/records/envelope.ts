/**
 * Reading records: here what an answer holds, in `pages.ts` lists page by page, in `reader.ts` all records of a resource in few
 * requests. This folder sends only GET, and does not decide whose a record is.
 */
import { type Request, type Response, UnexpectedAnswer } from "../api/api";
import { getOwn, isJsonObject } from "../api/json";

/** The answer seems to come from another service: names the address, and the setting to check. */
export function wrongAddressError(
  request: Pick<Request, "method" | "path">,
  { status, source }: Response,
  what: string,
): UnexpectedAnswer {
  return new UnexpectedAnswer(request, what, {
    status,
    url: source?.url,
    likelyCause: "baseUrl",
    ...(source && { advice: `check ${source.setting}` }),
  });
}

/** The record of a show, store or update answer: `data` if it is an object, or the root if it has an id (the emulator's `bare`). */
export function parseRecord(request: Request, answer: Response): object {
  const data = getOwn(answer.body, "data");
  const record = [data, answer.body].find(isJsonObject);
  if (record !== undefined && (record !== answer.body || Object.hasOwn(record, "id"))) return record;
  const what =
    Array.isArray(answer.body) || Array.isArray(data)
      ? "the service answered with a list instead of one record; is the base URL right?"
      : "the service answered without a record";
  // A write may have been done, so the address is probably right.
  if (request.method !== "GET") throw new UnexpectedAnswer(request, what, { status: answer.status });
  throw wrongAddressError(request, answer, what);
}

function count(raw: unknown, least: number): number | undefined {
  const value = typeof raw === "string" && raw !== "" ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** One page of a list, which is the root, `data` or `data.data`, and what the server says about it and the whole list. */
export function parseList(request: Request, answer: Response) {
  const data = getOwn(answer.body, "data");
  const list = [answer.body, data, getOwn(data, "data")].find(Array.isArray);
  if (list === undefined)
    throw wrongAddressError(request, answer, "the service answered without a list; is the base URL right?");
  if (!list.every(isJsonObject))
    throw wrongAddressError(
      request,
      answer,
      "the service's list has entries that are no records; is the base URL right?",
    );
  const metas = [getOwn(answer.body, "meta"), answer.body, data];
  const meta = metas.find((place) =>
    ["last_page", "total"].some((name) => getOwn(place, name) !== undefined),
  );
  return {
    records: list,
    number: count(getOwn(meta, "current_page"), 0),
    perPage: count(getOwn(meta, "per_page"), 1),
    lastPage: count(getOwn(meta, "last_page"), 1),
    total: count(getOwn(meta, "total"), 0),
  };
}
