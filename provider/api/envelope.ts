import { type Request, type Response, UnexpectedAnswer } from "./api";
import { getOwn, isJsonObject } from "./json";

/**
 * The record of a show, store or update answer: what is named as the collection's records are, `data` where it is an
 * object, else the root where it has an id.
 */
export function parseRecord(request: Request, answer: Response): object {
  const data = getOwn(answer.body, "data");
  const record = [...namedByPath(request, answer, /s$/), data, answer.body].find(isJsonObject);
  if (record !== undefined && (record !== answer.body || Object.hasOwn(record, "id"))) return record;
  const what =
    Array.isArray(answer.body) || Array.isArray(data)
      ? "the service answered with a list where one record is due; is the base URL right?"
      : "the service answered without a record";
  // What was sent to be written may have been: then the address is the last thing to doubt.
  if (request.method !== "GET") throw new UnexpectedAnswer(request, what, { status: answer.status });
  throw misdirected(request, answer, what);
}

/** The answer is of something else than the service that was asked: names the address, and the setting to look at. */
export function misdirected(
  { method, path }: Pick<Request, "method" | "path">,
  { status, source }: Response,
  what: string,
): UnexpectedAnswer {
  return new UnexpectedAnswer({ method, path: source?.url ?? path }, what, {
    status,
    likelyCause: "baseUrl",
    ...(source && { label: source.setting, remedy: `check ${source.setting}` }),
  });
}

/** One page of a list, and what the server says of it and of the whole, if anything. */
interface ListPage {
  readonly records: object[];
  readonly number: number | undefined;
  readonly perPage: number | undefined;
  readonly lastPage: number | undefined;
  readonly total: number | undefined;
}

/** One page of a list: the root, `data` or `data.data`. */
export function parseList(request: Request, answer: Response): ListPage {
  const data = getOwn(answer.body, "data");
  const named = namedByPath(request, answer);
  const holders = [answer.body, data, ...named];
  const list = [...holders, ...holders.map((each) => getOwn(each, "data"))].find(Array.isArray);
  if (list === undefined)
    throw misdirected(request, answer, "the service answered without a list; is the base URL right?");
  const meta = [getOwn(answer.body, "meta"), ...holders].find((each) =>
    ["last_page", "total"].some((name) => getOwn(each, name) !== undefined),
  );
  return {
    records: list.filter(isJsonObject),
    number: count(getOwn(meta, "current_page"), 0),
    perPage: count(getOwn(meta, "per_page"), 1),
    lastPage: count(getOwn(meta, "last_page"), 1),
    total: count(getOwn(meta, "total"), 0),
  };
}

/** What an answer, or its `data`, holds under the name of the collection that was asked, without an ending of it. */
function namedByPath({ path }: Request, { body }: Response, ending: RegExp = /$/): unknown[] {
  const holders = [body, getOwn(body, "data")].filter(
    (each) => isJsonObject(each) && !Object.hasOwn(each, "id"),
  );
  const names = path.split("/").map((part) => part.replace(ending, ""));
  return holders.flatMap((holder) => names.map((name) => getOwn(holder, name)));
}

function count(raw: unknown, least: number): number | undefined {
  const value = typeof raw === "string" && raw !== "" ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : undefined;
}
