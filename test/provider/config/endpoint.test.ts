import { describe, expect, test } from "vitest";
import { sanitize } from "../../../provider/api/redact";
import {
  type Endpoint,
  EXPLICIT,
  endpoint,
  environmentName,
  IMPORTING,
  isImporting,
  SettingError,
  type SettingName,
  secretSettings,
  settingNames,
} from "../../../provider/config";

const services = ["analytics", "data", "market"] as const;
type Settings = Partial<Record<SettingName | typeof EXPLICIT, string>>;
const source = (settings: Settings) => ({ get: (key: string) => settings[key as SettingName] });

const whole: Settings = {
  apiKey: "key",
  analyticsBaseUrl: "https://a.example",
  dataBaseUrl: "https://d.example",
  marketBaseUrl: "https://m.example",
};
const read = (
  settings: Settings = {},
  env: NodeJS.ProcessEnv = {},
  service: Endpoint["service"] = "analytics",
) => endpoint(service, source({ ...whole, ...settings }), env);

function failure(run: () => unknown): SettingError {
  try {
    run();
  } catch (error) {
    if (error instanceof SettingError && error.name === "SettingError") return error;
    throw error;
  }
  throw new Error("it is no problem");
}
const problem = (run: () => unknown) => failure(run).message;

test("without any further setting, or with a blank one, the defaults hold", () => {
  expect(read({}, { TRACKING_REQUEST_TIMEOUT: " " })).toMatchObject({
    service: "analytics",
    baseUrl: "https://a.example",
    key: "key",
    timeout: 10_000,
    maxWait: 120_000,
    requestsPerMinute: undefined,
    postParameters: "form",
    proxy: undefined,
    debug: false,
  });
});

test.each<[SettingName, string, keyof Endpoint, unknown]>([
  ["apiKey", "own", "key", "own"],
  ["analyticsApiKey", "own", "key", "own"],
  ["analyticsBaseUrl", "https://own.example", "baseUrl", "https://own.example"],
  ["requestTimeout", "4.5", "timeout", 4500],
  ["maxRetryWait", "4", "maxWait", 4000],
  ["requestsPerMinute", "40", "requestsPerMinute", 40],
  ["marketPostParameters", "json", "postParameters", "json"],
])("%s is taken from config, and from the environment if that is blank", (name, text, member, value) => {
  const variable = environmentName(name);
  for (const other of ["other", " "])
    expect(read({ [name]: text }, { [variable]: other })[member]).toBe(value);
  for (const blank of [undefined, "", " \n"])
    expect(read({ [name]: blank }, { [variable]: text })[member]).toBe(value);
});

test("nothing of an explicit provider comes from the environment", () => {
  const env = { TRACKING_API_KEY: "key", TRACKING_REQUEST_TIMEOUT: "3" };
  expect(read({ [EXPLICIT]: "true" }, env).timeout).toBe(10_000);
  expect(problem(() => read({ [EXPLICIT]: "true", apiKey: "" }, env))).toContain("apiKey");
});

test("the key of another service is not used", () =>
  expect(read({ dataApiKey: "other" }, {}, "analytics").key).toBe("key"));

test("all keys and a proxy's user are secrets before the first mistake is reported", () => {
  const keys = settingNames.filter((name) => secretSettings.includes(name));
  const given = Object.fromEntries(keys.map((name, at) => [name, `in-config-${at}`]));
  const env = Object.fromEntries(keys.map((name, at) => [environmentName(name), `in-env-${at}`]));
  const proxies = {
    HTTPS_PROXY: "http://wer-1:was%2F1@p.example",
    // Of its own: it is no encoding.
    http_proxy: "http://wer-2:was%zz-2@p.example",
  };
  problem(() => read({ ...given, requestTimeout: "ten" }, { ...env, ...proxies }));
  for (const secret of [
    ...Object.values(given),
    ...Object.values(env),
    "wer-1",
    "was/1",
    "wer-2",
    "was%zz-2",
  ])
    expect(sanitize(`here ${secret} is`)).toBe("here (secret) is");
});

describe("headers", () => {
  const headers = (text: string) => read({ headers: text }).headers;

  test("are an object of names and texts, from config or the environment, and none by default", () => {
    expect(read().headers).toEqual({});
    expect(headers('{"CF-Access-Client-Id": "me", "X-Team": 7}')).toEqual({
      "CF-Access-Client-Id": "me",
      "X-Team": "7",
    });
    expect(read({}, { TRACKING_HEADERS: '{"X-Team": "a"}' }).headers).toEqual({ "X-Team": "a" });
  });

  test.each([
    ["me", "an object of names and texts"],
    ['["me"]', "an object of names and texts"],
    ['{"X-Team": null}', "an object of names and texts"],
    ['{"X-Team": {"a": "b"}}', "an object of names and texts"],
    ...["Authorization", "ACCEPT", "content-type", "Content-Length", "Host"].map((name) => [
      `{"X-Team": "a", "${name}": "geheim-7421"}`,
      `headers without ${name}, which every request has already`,
    ]),
    ['{"X Team": "geheim-7421"}', "headers whose names have no space"],
    ['{"": "geheim-7421"}', "headers whose names have no space"],
    ['{"X-Team": "geheim-7421\\nX-Other: b"}', "that of X-Team has a line break"],
    ['{"X-Team": "geheim-7421 \u2713"}', "that of X-Team has a line break or another character"],
  ])("that are %s are refused, without their texts", (text, words) => {
    const message = problem(() => headers(text));
    expect(message).toMatch(/^tracking:headers must be /);
    expect(message).toContain(words);
    expect(message).toContain('"pulumi config set --secret tracking:headers"');
    expect(message).not.toContain("geheim");
  });

  test("have texts that are hidden, and names that are not", () => {
    problem(() => read({ headers: '{"X-Long-Name-Of-A-Team": "here-is-9"}', requestTimeout: "ten" }));
    expect(sanitize("X-Long-Name-Of-A-Team: here-is-9")).toBe("X-Long-Name-Of-A-Team: (secret)");
  });
});

describe("what is missing", () => {
  test.each(services)("of %s is the base URL, named with both places and how to set it", (service) => {
    const message = problem(() => endpoint(service, source({ apiKey: "key" }), {}));
    expect(message).toContain(`"pulumi config set tracking:${service}BaseUrl https://…"`);
    expect(message).toMatch(/^the base URL for (websites|pixels|the marketplace) is missing\. Run /);
    expect(message).toContain(environmentName(`${service}BaseUrl`));
    expect(message).not.toContain("--secret");
  });
  test("is reported all at once, each setting apart", () => {
    const { mistakes, message } = failure(() => endpoint("data", source({ requestTimeout: "soon" }), {}));
    expect(mistakes.map(({ label }) => label)).toEqual([
      "tracking:apiKey",
      "tracking:dataBaseUrl",
      "tracking:requestTimeout",
    ]);
    for (const { title, advice } of mistakes)
      for (const line of [title, ...advice]) expect(message).toContain(line);
    expect(message).toContain("--secret tracking:apiKey");
  });
});

test("refresh and destroy say where they have their settings from, and how they get others", () => {
  const there = { apiKey: "key", analyticsBaseUrl: "https://a.example" };
  const advice = (command?: "up" | "refresh" | "destroy") =>
    endpoint("analytics", source(there), {}, () => command).accountAdvice();
  const check = "check tracking:apiKey and tracking:analyticsBaseUrl";
  expect([undefined, "up" as const].map(advice)).toEqual([check, check]);
  for (const command of ["refresh", "destroy"] as const)
    expect(advice(command)).toBe(
      `${check}, which this command takes from the last "pulumi up" unless it has --run-program`,
    );
  const mend = (command?: "refresh" | "destroy") =>
    endpoint("analytics", source(there), {}, () => command).keyAdvice();
  const rerun = 'run "pulumi config set --secret tracking:apiKey", and the same command with --run-program';
  expect([mend(), mend("refresh"), mend("destroy")]).toEqual([
    "check tracking:apiKey",
    rerun,
    // An up that deletes the last ones gets the settings of the one before, as a destroy does.
    `${rerun}, or "pulumi up" once with this resource in the program`,
  ]);
});

test("a wrong setting is named by where it stands, with what it must be, and its text is not repeated", () => {
  const wrong = (...given: Parameters<typeof read>) => expect(problem(() => read(...given)));
  const ten = { requestTimeout: "ten" };
  wrong(ten).toMatch(
    /^tracking:requestTimeout must be a number above 0, at most 2000000\. Run "pulumi config set tracking:requestTimeout VALUE", and the same command again$/,
  );
  wrong({}, { TRACKING_REQUEST_TIMEOUT: "ten" }).toMatch(
    /^TRACKING_REQUEST_TIMEOUT must be a number.* Correct TRACKING_REQUEST_TIMEOUT, and run the same command again$/,
  );
  wrong({ ...ten, [EXPLICIT]: "agency" }).toMatch(/^requestTimeout of the tracking.Provider "agency"/);
  for (const odd of ["yes", "1", "TRUE"])
    wrong({ analyticsBaseUrl: "http://a.example", allowInsecureHttp: odd }).toMatch(
      /tracking:allowInsecureHttp must be .*true/,
    );
  wrong({ marketPostParameters: "xml" }).toMatch(
    /tracking:marketPostParameters must be one of form, query, json/,
  );
});

test("a number is above 0", () => {
  const numbers = (texts: string[]) => texts.map((requestTimeout) => () => read({ requestTimeout }));
  for (const reading of numbers(["0", "-1", "NaN", "Infinity", "1,5", "5s", "2000001"]))
    expect(problem(reading)).toContain("tracking:requestTimeout");
  for (const reading of numbers(["1", "0.5", "1e2"])) expect(reading).not.toThrow();
});

describe("a base URL", () => {
  const base = (text: string) => read({ analyticsBaseUrl: text }).baseUrl;
  const wrong = (text: string) => problem(() => base(text));

  const fine = [
    ["https://a.example//", "https://a.example"],
    ["https://a.example/stats/v2/", "https://a.example/stats/v2"],
    ["HTTPS://A.Example:8443/x", "https://a.example:8443/x"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.10.255", "http://127.0.10.255"],
    ["http://[::1]:3000/x", "http://[::1]:3000/x"],
  ] as const;
  test("may be any of these, even once the engine of Node.js has made its code fast", () => {
    const wrong = new Set<string>();
    for (let count = 0; count < 8_000; count += fine.length)
      for (const [text, expected] of fine) if (base(text) !== expected) wrong.add(text);
    expect([...wrong]).toEqual([]);
  });

  test.each(["a.example/path", "localhost:3000", "https://", "file:///etc/passwd", "javascript:alert(1)"])(
    "is not %s",
    (text) => expect(wrong(text)).toMatch(/^tracking:analyticsBaseUrl must be .*https:\/\//),
  );

  test("does not send the key in clear to another machine, unless that is allowed", () => {
    for (const host of ["a.example", "127.0.0.1.example", "my-localhost", "[::2]", "0.0.0.0"]) {
      const text = `http://${host}`;
      expect(wrong(text)).toContain("tracking:allowInsecureHttp true");
      expect(wrong(text)).toContain("https:// address, since the key would travel in clear");
      expect(read({ analyticsBaseUrl: text, allowInsecureHttp: "true" }).baseUrl).toBe(text);
    }
  });

  test("has no user and password, and they are not repeated", () => {
    for (const before of ["user:geheim99", "user", ":geheim99"]) {
      expect(wrong(`https://${before}@a.example/x`)).toContain("without user and password");
      expect(wrong(`https://${before}@a.example/x`)).not.toContain("geheim");
    }
    for (const before of ["user:geheim@Rest99", "user:geheim/Rest99"])
      expect(wrong(`https://${before}@a.example`)).not.toContain("Rest99");
  });

  test("has no query, and is not a whole address of the interface", () => {
    for (const rest of ["api/v1/", "stats/api/v1/websites/5", "x?api_key=1", "#x", "?", "#"])
      expect(wrong(`https://a.example/${rest}`)).toContain("before /api");
  });
});

test("a proxy in the environment is seen, in either case of its name, and an empty one is none", () => {
  for (const name of ["HTTPS_PROXY", "ALL_PROXY", "https_proxy"])
    expect(read({}, { [name]: "http://proxy.example" }).proxy).toBe(name.toUpperCase());
  for (const name of ["HTTPS_PROXY", "HTTP_PROXY"])
    expect(
      read({}, { HTTPS_PROXY: "", [name]: name === "HTTP_PROXY" ? "http://proxy.example" : "" }).proxy,
    ).toBeUndefined();
});

test("what a shell exports does not make a program's check an import's", () => {
  expect([undefined, "", "true"].map((value) => isImporting({ [IMPORTING]: value }))).toEqual([
    false,
    false,
    false,
  ]);
  expect(isImporting({ [IMPORTING]: __dirname })).toBe(true);
});
