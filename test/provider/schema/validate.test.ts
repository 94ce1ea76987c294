import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { type Resource, UNKNOWN, type Values } from "../../../provider/schema/resource";
import { validate, validateResource } from "../../../provider/schema/validate";

const domain = "shop.example";
const wrong = (argument: string, text: string) => ({ argument, text });

test("a required argument that is missing is named with what it must be, and null is no value", () => {
  for (const args of [{}, { domain: undefined }])
    expect(validateResource(website, {}, args).mistakes).toEqual([
      wrong("domain", `domain is missing: it must be ${website.inputs.domain.expected}`),
    ]);
  expect(validateResource(pixel, {}, {}).mistakes).toHaveLength(3);
  expect(said(website, { domain, privacy: null })).toEqual([expect.stringMatching(/, not null$/)]);
});

test.each<[Record<string, unknown>, string]>([
  [{ domain, privacy: "Public" }, '"Public"; did you mean "public"?'],
  [{ domain, privacy: 1 }, "1"],
  [{ domain, excludeParams: ["a", ""] }, '""'],
])("the wrong value in %j is shown with what is allowed", (args, shown) => {
  const name = Object.keys(args).at(-1) as keyof typeof website.inputs;
  expect(said(website, args)).toEqual([`${name} must be ${website.inputs[name].expected}, not ${shown}`]);
});

test("each wrong entry of a list is reported with its place, and a list or an object without its content", () => {
  const { mistakes } = validateResource(website, {}, { domain, excludeIps: ["here", "192.0.2.7", "there"] });
  expect(mistakes.map(({ index, text }) => [index, text.slice(-7)])).toEqual([
    [0, ' "here"'],
    [2, '"there"'],
  ]);
  const texts = said(website, { domain: [domain], excludeIps: { hunter2: "hunter2" } });
  expect(texts).toEqual([/not a list$/, /not an object$/].map((end) => expect.stringMatching(end)));
});

test("a text of a kind that servers may hold otherwise is lenient, so that a file can leave it to the check", () => {
  const { mistakes } = validateResource(pixel, {}, { ...ga, type: "bings", name: 5 });
  expect(mistakes.map(({ argument, lenient }) => [argument, lenient])).toEqual([
    ["name", undefined],
    ["type", true],
  ]);
});

test("a text that may be a secret in the wrong place is not repeated, nor a part of it", () => {
  for (const wrong of ["Vogel!7", "https://Vogel:77@host.example", "Vogel 77"]) {
    const [domain = "", privacy = ""] = said(website, { domain: wrong, privacy: wrong });
    expect(domain).toMatch(/^domain must be a host name .* path$/);
    expect(privacy).toMatch(/^privacy must be one of .*"password"$/);
  }
  expect(said(website, { domain: "not a host.example/", privacy: "secret" }).join()).toMatch(
    /not "not a host\.example\/".*not "secret"/,
  );
});

/** What is wrong with the arguments of a website or pixel, as texts. */
const said = (resource: Resource, news: object, olds: Values = {}) =>
  validateResource(resource, olds, { ...news }).mistakes.map(({ text }) => text);
const ga = { name: "a", type: "bing", value: "b" };

test("an argument that there is not is an error that names those there are", () => {
  expect(said(pixel, { ...ga, colour: "red" })).toEqual([
    'unknown argument "colour"; Pixel takes name, type, value, adopt',
  ]);
  expect(said(pixel, { ...ga, colour: undefined })).toEqual([]);
  expect(said(pixel, JSON.parse('{"name":"a","type":"bing","value":"b","__proto__":1}'))).toHaveLength(1);
  const { mistakes } = validate("a thing", {}, { colour: 1 });
  expect(mistakes).toEqual([wrong("colour", 'unknown argument "colour"; a thing takes none')]);
});

test("a value that is not known yet passes for every argument, and within a list that is still looked at", () => {
  const args = Object.fromEntries([...Object.keys(website.inputs), "adopt"].map((name) => [name, UNKNOWN]));
  expect(validateResource(website, {}, args)).toEqual({ values: args, mistakes: [] });
  expect(said(website, { domain: UNKNOWN }, { domain })).toEqual([]);
  expect(said(website, { domain, excludeIps: [UNKNOWN, "192.0.2.7"] })).toEqual([]);
  expect(said(website, { domain, excludeIps: [UNKNOWN, "nowhere"] })).toHaveLength(1);
});

test("a secret that is wrong is named without its value", () => {
  const wrong = "password must be text that is not empty, not (secret)";
  for (const password of [["canary-secret"], { canary: "secret" }, ""])
    expect(said(website, { domain, password })).toEqual([wrong]);
  expect(said(website, { domain, password: 123456789 })).toEqual([`${wrong}; put it in quotes`]);
});

test("a number that would be right as text is to be quoted, as YAML reads the digits of an id", () => {
  const value = (given: unknown) => said(pixel, { ...ga, value: given });
  const text = "value must be text of 1 to 255 characters on one line, not";
  expect(value(1234567890123456)).toEqual([`${text} 1234567890123456; put it in quotes`]);
  expect(value(true)).toEqual([`${text} true; put it in quotes`]);
  expect(said(website, { domain, excludeParams: ["ref", 5] })).toEqual([
    expect.stringMatching(/^excludeParams must be .*, not 5; put it in quotes$/),
  ]);
  expect(said(pixel, { ...ga, type: 7 })).toEqual([expect.stringMatching(/, not 7$/)]);
  expect(said(website, { domain, emailReports: 7 })).toEqual([expect.stringMatching(/, not 7$/)]);
});

test("what a record already has passes, whatever it is; the next wrong value does not", () => {
  const olds = { ...ga, type: "tiktok" };
  expect(validateResource(pixel, olds, olds)).toEqual({ values: olds, mistakes: [] });
  expect(said(pixel, { ...olds, type: "myspace" }, olds)).toHaveLength(1);
  expect(said(pixel, olds)).toHaveLength(1);
});

describe("the rule of a website", () => {
  const args = { domain, privacy: "password" };
  const needed = { argument: "password", lenient: true };

  test("asks for a password where a website is created", () => {
    expect(validateResource(website, {}, args).mistakes).toMatchObject([needed]);
    for (const password of ["p", UNKNOWN]) expect(said(website, { ...args, password })).toEqual([]);
  });
  test("does not ask where the service may have one, or a record may be taken over", () => {
    for (const privacy of ["password", "private"])
      expect(said(website, args, { domain, privacy })).toEqual([]);
    for (const adopt of [true, UNKNOWN]) expect(said(website, { ...args, adopt })).toEqual([]);
  });
});
