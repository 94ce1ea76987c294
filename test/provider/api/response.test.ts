import { describe, expect, test } from "vitest";
import {
  ApiError,
  type Failure,
  type Request,
  type Response,
  UnexpectedAnswer,
} from "../../../provider/api/api";
import { registerSecret } from "../../../provider/api/redact";
import { parseResponse } from "../../../provider/api/response";

const get: Request = { method: "GET", path: "/api/v1/websites/5" };
const json = { "content-type": "application/json" };
const html = { "content-type": "text/html; charset=utf-8" };

function judged(status: number, text: string, headers: Record<string, string> = json) {
  return answered(parseResponse(get, { status, headers, text }).result);
}

/** A response; throws the error if it is none. */
function answered(result: Response | ApiError): Response {
  if (result instanceof ApiError) throw result;
  return result;
}

function refusal(status: number, text = "", headers: Record<string, string> = json): ApiError {
  try {
    judged(status, text, headers);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("it was taken for an answer");
}

type Judged = [status: number, failure: Failure, likelyCause?: string];

describe("first, the status", () => {
  test.each<Judged>([
    ...[302, 303, 307, 401].map((status): Judged => [status, "unauthorised", "key"]),
    ...[308, 405, 419].map((status): Judged => [status, "rejected", "baseUrl"]),
    [407, "rejected", "proxy"],
    [429, "rejected", "pace"],
    ...[408, 425, 502, 503, 504, 520, 522, 530].map((status): Judged => [status, "unclear", "pace"]),
    ...[409, 422].map((status): Judged => [status, "rejected"]),
    ...[500, 599].map((status): Judged => [status, "unclear"]),
  ])("%d is %s, with a body of any kind", (status, failure, likelyCause) => {
    for (const [text, headers] of [
      ['{"message":"Wort"}', json],
      ["<html>", html],
      ["", {}],
      ["[]", json],
    ] as const)
      expect(refusal(status, text, headers)).toMatchObject({ failure, details: { status, likelyCause } });
  });
  test("a 403 is the service's own in JSON, and else of a server in front of it", () => {
    const own = refusal(403, '{"message":"No."}');
    expect(own).toMatchObject({ failure: "rejected", details: { likelyCause: "permission" } });
    expect(own.reason).toBe(
      "the service forbids it (403: No.): the account's subscription may not include the API, or so many requests",
    );
    const front = refusal(403, "<html>", { ...html, "cf-mitigated": "challenge" });
    expect(front).toMatchObject({ failure: "rejected", details: { likelyCause: "front" } });
    expect(front.reason).toBe("a server in front of the service refuses it (403: text/html; charset=utf-8)");
  });
  test("an object in the place of the body's status is none, even one that has no text", () => {
    const text = '{"data":{"id":5},"status":{"toString":422}}';
    expect(judged(200, text)).toMatchObject({ status: 200, body: { data: { id: 5 } } });
  });

  test.each([403, 409, 420, 423])("a %d that names a wait is a limit", (status) => {
    for (const type of [json, html])
      expect(refusal(status, "", { ...type, "retry-after": "7" })).toMatchObject({
        failure: "rejected",
        details: { likelyCause: "pace" },
      });
    expect(refusal(status, "{}").details.likelyCause).not.toBe("pace");
  });
  test.each([
    ["https://team.cloudflareaccess.com/cdn-cgi/access/login/service.example", "front"],
    ["https://accounts.google.com/o/oauth2/v2/auth", "front"],
    ["/oauth2/start?rd=%2Fapi", "front"],
    ["/login", "key"],
    ["https://service.example/login", "key"],
    ["https://www.service.example/login", "key"],
  ])("a redirect to %s is of its %s", (location, likelyCause) => {
    const redirect = () =>
      answered(
        parseResponse(get, { status: 302, headers: { location }, text: "", host: "service.example" }).result,
      );
    const details = expect.objectContaining({ status: 302, likelyCause });
    expect(redirect).toThrow(expect.objectContaining({ details }));
  });
  test("a permanent redirect is of the base URL, wherever it leads", () => {
    const headers = { location: "https://new.example/" };
    const { result } = parseResponse(get, { status: 301, headers, text: "", host: "service.example" });
    expect(result).toMatchObject({ failure: "rejected", details: { likelyCause: "baseUrl" } });
  });
  test("a page with 200 is a log-in page's, or another address's", () => {
    expect(refusal(200, "<html>", html)).toMatchObject({
      reason:
        "the service answered with a page instead of JSON (200: text/html; charset=utf-8): a server in front of it may ask people to log in, or the base URL may be wrong",
      details: { likelyCause: "front" },
    });
    expect(refusal(200, "ok", { "content-type": "text/plain" }).details.likelyCause).toBe("baseUrl");
  });
  test("a 304 is no redirect, and says what to look for", () =>
    expect(refusal(304, "", {}).reason).toMatch(
      /^a cache answers in the service's place \(304\): let it pass/,
    ));
  test("what came instead of JSON is named by its type, and no words are none", () => {
    expect(refusal(422, "{}").reason).toBe("the service refuses it (422)");
    expect(refusal(502, "<html>", html).reason).toBe(
      "the service is unavailable, or limits the requests (502: text/html; charset=utf-8)",
    );
    expect(refusal(404, "", {})).toMatchObject({
      reason: "the service does not know this address; is the base URL right? (404)",
      details: { likelyCause: "baseUrl" },
    });
  });
});

describe("then the body", () => {
  test("is read without mark and blanks", () =>
    expect(judged(200, '\uFEFF \r\n{"data":1}\n')).toEqual({ status: 200, body: { data: 1 } }));
  test("one of 64 levels is read, and of one more makes no sense", () => {
    const nested = (levels: number, core = "") => "[".repeat(levels) + core + "]".repeat(levels);
    expect(judged(200, nested(64, "null")).status).toBe(200);
    expect(refusal(200, nested(65))).toBeInstanceOf(UnexpectedAnswer);
    expect(refusal(200, `[null,${nested(64)}]`)).toBeInstanceOf(UnexpectedAnswer);
  });
  test("an empty one is an answer without a body", () => {
    for (const text of ["", "\uFEFF", " \n"])
      expect(judged(204, text, {})).toEqual({ status: 204, body: undefined });
  });
});

describe("then what the body says of itself", () => {
  test("a status of 400 and above within it counts", () => {
    expect(refusal(200, '{"status":422,"message":{"domain":["taken"]}}')).toMatchObject({
      failure: "rejected",
      details: { status: 422, fields: { domain: "taken" } },
    });
    expect(refusal(200, '{"status":404,"message":"Resource not found."}').failure).toBe("missing");
    expect(refusal(200, '{"status":401}').failure).toBe("unauthorised");
    for (const status of ["500", '"500"'])
      expect(refusal(200, `{"status":${status}}`).failure).toBe("unclear");
    expect(refusal(200, '{"status":400,"data":{}}').details.status).toBe(400);
  });
  test.each(['{"status":"success","data":{}}', '{"status":399}'])("%s is an answer", (text) =>
    expect(judged(200, text).body).toEqual(JSON.parse(text)),
  );
  test.each([
    '{"status":"failed","error":"Words"}',
    '{"success":false,"message":"Words","data":{"id":5}}',
    '{"errors":{"a":["Words"]},"data":[]}',
    '{"data":[],"error":{"message":"Words"}}',
    '{"data":[],"message":"Words","status":200}',
    '{"data":[],"msg":"Words"}',
  ])("%s says no, and whether it was done is open", (text) => {
    const error = refusal(200, text);
    expect(error).toBeInstanceOf(UnexpectedAnswer);
    expect(error).toMatchObject({ failure: "unclear", details: { status: 200 } });
  });
  test.each([
    '{"msg":"ok","id":5,"domain":"a.b"}',
    '{"data":[],"error":null,"errors":[],"success":true}',
    '{"data":[],"message":"None","meta":{"total":0}}',
    '{"id":5,"status":"failed","error":"of its last check"}',
  ])("%s does not", (text) => expect(judged(200, text).body).toEqual(JSON.parse(text)));
});

describe("the service's words", () => {
  test.each<[string, Record<string, string>, string]>([
    ['{"message":{"a":["taken","odd"],"b":["odd"]}}', { a: "taken odd", b: "odd" }, "a: taken odd; b: odd"],
    ['{"message":"Invalid.","errors":{"domain":["taken"]}}', { domain: "taken" }, "domain: taken"],
    ['{"message":["one","two"]}', {}, "one two"],
    ['{"msg":"Invalid request"}', {}, "Invalid request"],
    ['{"message":null,"error":"Oh"}', {}, "Oh"],
    ['{"message":{"domain":[null,5,["deep"]]}}', { domain: "deep" }, "domain: deep"],
    ["{}", {}, ""],
  ])("of %s are kept, by field where given", (text, fields, words) => {
    const error = refusal(422, text);
    expect(error.details).toEqual({ status: 422, fields, message: words });
    expect(error.message).toContain(words);
  });
});

test("words that repeat a part of a secret are not shown: of a field, of a redirect, alone", () => {
  registerSecret("Schneeball-0815");
  const part = "neeball-0";
  const errors = [
    refusal(422, `{"errors":{"domain":["taken by ${part}"]}}`),
    refusal(302, "", { location: `/log-in?from=${part}` }),
    refusal(422, `{"message":"for ${part}"}`),
    refusal(502, part, { "content-type": `text/${part}` }),
  ];
  for (const { message } of errors) {
    expect(message).toContain("not shown, since it repeats a secret");
    expect(message).not.toContain(part);
  }
});
