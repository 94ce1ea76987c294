/** @type {readonly import("../promises.mjs").Breach[]} */
export const load = [
  {
    change: "a POST goes over a connection that others share",
    file: "provider/api/http.ts",
    code: 'return method === "POST" ? single : keepAlive;',
    instead: "return keepAlive;",
    test: "test/provider/api/http.test.ts",
    name: "of POST does not go over the connection that others share",
  },
  {
    change: "an answer may take as long as it likes, byte by byte",
    file: "provider/api/http.ts",
    code: "timeout: { request: transport.timeout },",
    instead: "timeout: { connect: transport.timeout },",
    test: "test/provider/api/http.test.ts",
    name: "within the time is lost too where the head has come, or a byte now and then",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const hostile = [
  {
    change: "redirects are followed",
    file: "provider/api/http.ts",
    code: "followRedirect: false,",
    instead: "followRedirect: true,",
    test: "test/provider/api/http.test.ts",
    name: "that redirects with 307 is not followed, and the key goes nowhere",
  },
  {
    change: "responses are read to their end",
    file: "provider/api/http.ts",
    code: "if (size > MAX_BODY_BYTES)",
    instead: "if (false)",
    test: "test/provider/api/http.test.ts",
    name: "of 5 MiB is read, and of one byte more is not",
  },
  {
    change: "text that runs backwards reaches a terminal",
    file: "provider/api/redact.ts",
    code: "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]",
    instead: "]",
    test: "test/provider/api/redact.test.ts",
    name: "text that runs backwards is made harmless",
  },
  {
    change: "a directive of the engine's reaches a terminal",
    file: "provider/api/redact.ts",
    code: '.replaceAll("<{%", "<{ %")',
    instead: "",
    test: "test/provider/api/redact.test.ts",
    name: "an engine's directive is made harmless",
  },
  {
    change: "an escape sequence reaches a terminal",
    file: "provider/api/redact.ts",
    code: "[\\p{Cc}\\u061C",
    instead: "[\\u061C",
    test: "test/provider/api/redact.test.ts",
    name: "an escape sequence is made harmless",
  },
  {
    change: "a member of the prototype counts as the answer's",
    file: "provider/api/json.ts",
    code: "isJsonObject(value) && Object.hasOwn(value, name) ?",
    instead: "isJsonObject(value) ?",
    test: "test/provider/api/response.test.ts",
    name: "a member is an own one of an object",
  },
  {
    change: "a member of the prototype counts as the record's",
    file: "provider/schema/codec.ts",
    code: ".find((each) => Object.hasOwn(raw, each))",
    instead: ".find((each) => each in raw)",
    test: "test/provider/schema/codec.test.ts",
    name: "takes nothing from a prototype, neither by its name nor by inheritance",
  },
  {
    change: "an answer of any depth is read",
    file: "provider/api/response.ts",
    code: "return isWithin(MAX_DEPTH, value) ? value : undefined;",
    instead: "return value;",
    test: "test/provider/api/response.test.ts",
    name: "one of 64 levels is read, and of one more makes no sense",
  },
  {
    change: "values go out as they are, `&` and `=` too",
    file: "provider/api/http.ts",
    code: "{ form: { ...request.form } }",
    instead: '{ body: Object.entries(request.form).map((each) => each.join("=")).join("&") }',
    test: "test/provider/api/http.test.ts",
    name: "sends signs that forms mean something by in a form to the letter",
  },
  {
    change: "plain http is allowed beyond loopback",
    file: "provider/config/parse.ts",
    code: 'if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowsHttp())',
    instead: "if (false)",
    test: "test/provider/config/endpoint.test.ts",
    name: "is not http://a.example, which would send the key in clear, unless that is allowed",
  },
  {
    change: "a base URL may be a file",
    file: "provider/config/parse.ts",
    code: 'if (url === undefined || !["http:", "https:"].includes(url.protocol))',
    instead: "if (url === undefined)",
    test: "test/provider/config/endpoint.test.ts",
    name: "is not file:///etc/passwd",
  },
  {
    change: "a base URL may hold a user and a password",
    file: "provider/config/parse.ts",
    code: 'if (url.username !== "" || url.password !== "")',
    instead: "if (false)",
    test: "test/provider/config/endpoint.test.ts",
    name: "has no user and password, and https://user:geheim99@a.example is not repeated",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const writers = [
  {
    change: "after a refusal, it is not looked for who has the name",
    file: "provider/lifecycle/create.ts",
    code: "const now = await records.findByKey(key, { fresh: true }).catch(() => []);",
    instead: "const now: RemoteRecord[] = [];",
    test: "test/provider/lifecycle/create.test.ts",
    name: "is named though it only came between the look and the POST",
  },
];
