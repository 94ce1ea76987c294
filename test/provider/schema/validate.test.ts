import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { UNKNOWN } from "../../../provider/schema/resource";
import { validate, validateResource } from "../../../provider/schema/validate";

const domain = "shop.example";
const wrong = (argument: string, text: string) => ({ argument, breaks: "argument", text });
const defaults = { privacy: "private", emailReports: false, excludeBots: true };

test("fills in the defaults, and leaves out what is not managed", () => {
  expect(validateResource(website, {}, { domain })).toEqual({
    values: { domain, ...defaults },
    failures: [],
  });
  const args = { domain, privacy: "public", emailReports: true, excludeBots: false, excludeIps: [] };
  expect(validateResource(website, {}, args)).toEqual({ values: args, failures: [] });
});

test("a required argument that is missing, undefined or null is named with what it must be", () => {
  for (const args of [{}, { domain: undefined }, { domain: null }])
    expect(validateResource(website, {}, args).failures).toEqual([
      wrong("domain", `domain is missing: it must be ${website.inputs.domain.expected}`),
    ]);
  expect(validateResource(pixel, {}, {}).failures).toHaveLength(3);
});

test.each<[Record<string, unknown>, string]>([
  [{ domain: "https://shop.example" }, '"https://shop.example"'],
  [{ domain, privacy: "Public" }, '"Public"'],
  [{ domain, privacy: 1 }, "1"],
  [{ domain, emailReports: "yes" }, '"yes"'],
  [{ domain, excludeIps: ["192.0.2.7", "nowhere"] }, '"nowhere"'],
  [{ domain, excludeIps: "192.0.2.7" }, '"192.0.2.7"'],
  [{ domain, excludeParams: ["a", ""] }, '""'],
])("the wrong value in %j is shown with what is allowed", (args, shown) => {
  const name = Object.keys(args).at(-1) as keyof typeof website.inputs;
  expect(validateResource(website, {}, args).failures).toEqual([
    wrong(name, `${name} must be ${website.inputs[name].expected}, not ${shown}`),
  ]);
});

test("every wrong argument is told by itself", () => {
  const { failures } = validateResource(pixel, {}, { name: "", type: "myspace", value: "a\nb" });
  expect(failures.map(({ argument }) => argument)).toEqual(["name", "type", "value"]);
});

test("an argument that there is not may come with the one that was meant", () => {
  const suggest = (name: string, names: readonly string[]) => `; is ${name} one of ${names.length}?`;
  const { failures } = validateResource(
    pixel,
    {},
    { name: "a", type: "bing", value: "b", colour: "red" },
    suggest,
  );
  expect(failures).toEqual([wrong("colour", 'unknown argument "colour"; is colour one of 4?')]);
});

test("a wrong value comes with the one that was meant, if that is valid and no secret", () => {
  const suggest = (name: string, names: readonly string[]) =>
    names.includes("public") ? `; not ${name}?` : "";
  const textsOf = (args: object) =>
    validateResource(website, {}, { ...args }, suggest).failures.map(({ text }) => text);
  expect(textsOf({ domain: "https://shop.example.com/x", privacy: "pubilc", password: "" })).toEqual([
    expect.stringMatching(/, not "https:.*"; write "shop\.example\.com"$/),
    expect.stringMatching(/, not "pubilc"; not pubilc\?$/),
    expect.stringMatching(/not \(secret\)$/),
  ]);
  expect(
    textsOf({ domain: "*.shop.example", privacy: "0", emailReports: "Yes", excludeBots: "off" }),
  ).toEqual(
    ['"shop.example"', '"public"', "true", "false"].map((write) =>
      expect.stringMatching(`; write ${write}$`),
    ),
  );
  expect(textsOf({ domain: "https://not a host/" })).toEqual([expect.stringMatching(/not a host\/"$/)]);
});

test("an argument that there is not is an error that names those there are", () => {
  const { failures } = validateResource(pixel, {}, { name: "a", type: "bing", value: "b", colour: "red" });
  expect(failures).toEqual([
    wrong("colour", 'unknown argument "colour"; Pixel takes name, type, value, adopt'),
  ]);
  expect(
    validateResource(pixel, {}, { name: "a", type: "bing", value: "b", colour: undefined }).failures,
  ).toEqual([]);
  expect(
    validateResource(pixel, {}, JSON.parse('{"name":"a","type":"bing","value":"b","__proto__":1}')).failures,
  ).toHaveLength(1);
});

describe("a value that is not known yet", () => {
  test("passes for every argument", () => {
    const args = Object.fromEntries([...Object.keys(website.inputs), "adopt"].map((name) => [name, UNKNOWN]));
    expect(validateResource(website, {}, args)).toEqual({ values: args, failures: [] });
  });
  test("passes within a list, whose other lines are still looked at", () => {
    expect(validateResource(website, {}, { domain, excludeIps: [UNKNOWN, "192.0.2.7"] }).failures).toEqual(
      [],
    );
    expect(validateResource(website, {}, { domain, excludeIps: [UNKNOWN, "nowhere"] }).failures).toHaveLength(
      1,
    );
  });
  test("passes where another value is there already", () => {
    expect(validateResource(website, { domain }, { domain: UNKNOWN }).failures).toEqual([]);
  });
  test("counts as a password that is given", () => {
    expect(
      validateResource(website, {}, { domain, privacy: "password", password: UNKNOWN }).failures,
    ).toEqual([]);
  });
});

test("a secret that is wrong is named without its value", () => {
  for (const password of [["canary-secret"], { canary: "secret" }, 123456789, ""]) {
    const { failures } = validateResource(website, {}, { domain, password });
    expect(failures).toEqual([wrong("password", "password must be text that is not empty, not (secret)")]);
  }
});

test("what a record already has passes, whatever it is; the next wrong value does not", () => {
  const olds = { name: "a", type: "tiktok", value: "b" };
  expect(validateResource(pixel, olds, olds)).toEqual({ values: olds, failures: [] });
  expect(validateResource(pixel, olds, { ...olds, type: "myspace" }).failures).toHaveLength(1);
  expect(validateResource(pixel, {}, olds).failures).toHaveLength(1);
});

test("what takes no arguments says so", () => {
  expect(validate("a thing", {}, { colour: 1 })).toEqual({
    values: {},
    failures: [wrong("colour", 'unknown argument "colour"; a thing takes none')],
  });
});

describe("the rule of a website", () => {
  const args = { domain, privacy: "password" };
  const needed = {
    argument: "password",
    breaks: "rule",
    text: 'password is needed for a website whose privacy is "password"',
  };
  test("asks for a password where one is created", () => {
    expect(validateResource(website, {}, args).failures).toEqual([needed]);
    expect(validateResource(website, {}, { ...args, password: "p" }).failures).toEqual([]);
  });
  test("asks for one where a website comes to need it", () => {
    expect(validateResource(website, { domain, privacy: "private" }, args).failures).toEqual([needed]);
    expect(
      validateResource(website, { domain, privacy: "private" }, { ...args, password: UNKNOWN }).failures,
    ).toEqual([]);
  });
  test("does not ask where it has one, or may be taken over", () => {
    expect(validateResource(website, { domain, privacy: "password" }, args).failures).toEqual([]);
    expect(validateResource(website, { domain, privacy: "private", password: "p" }, args).failures).toEqual(
      [],
    );
    expect(validateResource(website, {}, { ...args, adopt: true }).failures).toEqual([]);
    expect(validateResource(website, {}, { ...args, adopt: UNKNOWN }).failures).toEqual([]);
  });
});

test("adopt is a truth value, kept only where it is not false", () => {
  expect(validateResource(website, {}, { domain, adopt: true }).values).toMatchObject({ adopt: true });
  expect(validateResource(website, {}, { domain, adopt: false }).values).not.toHaveProperty("adopt");
  expect(validateResource(website, {}, { domain, adopt: "yes" }).failures).toEqual([
    wrong("adopt", 'adopt must be true or false, not "yes"'),
  ]);
});
