import { expect, test } from "vitest";
import { registerSecret, sanitize, serviceWords } from "../../../provider/api/redact";

const canary = "Kanarie/+&=%ü 'geheim' \"1\"\\x";
registerSecret(canary);

/** Every way in which services and libraries write what they were sent. */
const forms: [string, string][] = [
  ["raw", canary],
  ["in base64", Buffer.from(canary).toString("base64")],
  ["in base64 without padding", Buffer.from(canary).toString("base64").replace(/=+$/, "")],
  ["in base64 for URLs", Buffer.from(canary).toString("base64url")],
  ["URL-encoded", encodeURIComponent(canary)],
  ["as a form's field", new URLSearchParams({ k: canary }).toString().slice(2)],
  ["within JSON", JSON.stringify(canary).slice(1, -1)],
  ["cut after 12 characters", canary.slice(0, 12)],
  ["cut at both ends", canary.slice(1, 16)],
  ["URL-encoded in lower case", encodeURIComponent(canary).toLowerCase()],
  ["URL-encoded twice", encodeURIComponent(encodeURIComponent(canary))],
  ["HTML-escaped", canary.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#039;")],
  ["in entities", [...canary].map((letter) => `&#x${letter.codePointAt(0)?.toString(16)};`).join("")],
  [
    "in escapes",
    [...canary].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ],
  ["in entities of entities", [...canary].map((letter) => `&#38;#${letter.codePointAt(0)};`).join("")],
  ["quoted", [...canary].join(" ")],
  ["in hex", Buffer.from(canary).toString("hex").toUpperCase()],
];

const HIDDEN = "not shown, since it repeats a secret";

test.each(forms)("a service's words with a secret are not shown: %s", (_, form) => {
  expect(serviceWords(`before ${form} after`)).toBe(HIDDEN);
});

test("six letters or digits of a secret in a row are enough, and fewer are not", () => {
  registerSecret("Wolkenbruch-27");
  for (const words of ["wolken", "the k-e-n-b-r-u you sent", "bruch 27", "W%6flkenb", "O&#76;KENBR"])
    expect([words, serviceWords(words)]).toEqual([words, HIDDEN]);
  for (const words of ["Wolke", "uch 27", "Unauthenticated."]) expect(serviceWords(words)).toBe(words);
  // In our own words, which may share one with it, ten of them.
  expect(sanitize("one of olkenbruch, one of olkenbruc")).toBe("one of (secret) one of olkenbruc");
});

test("what the program itself says is hidden where it is a secret, quoted or in base64, and nowhere else", () => {
  const base64 = Buffer.from(canary).toString("base64");
  for (const form of [canary, JSON.stringify(canary), base64, encodeURIComponent(canary)])
    expect(sanitize(`website ${form} of Kanarie`)).toMatch(/^website "?\(secret\)[="]* of Kanarie$/);
});

test.each([
  ["https://anna:geheim@host/path", "https://(secret)@host/path"],
  ['to "http://anna@host:80", then', 'to "http://(secret)@host:80", then'],
  ["https://anna:ge/heim?#1@host", "https://(secret)@host"],
  ["https://anna:ge@heim@host", "https://(secret)@host"],
  ["website anna:geheim@shop.example.com is", "website (secret)@shop.example.com is"],
])("user and password of an address are hidden: %s", (given, shown) => {
  expect(sanitize(given)).toBe(shown);
});

test.each([
  "https://host:8080/@anna",
  "https://host/login?mail=anna@example.com",
  "anna@shop.example.com",
  "urn:pulumi:dev::shop::tracking:index:Website::anna@example.com",
  "pulumi-tracking@1.2.3",
])("an address without them is not: %s", (text) => {
  expect(sanitize(text)).toBe(text);
});

test("a service's words are not shown if they encode user and password of an address", () => {
  expect(serviceWords("/login?to=https%3A%2F%2Fanna%3Alang%40host")).toBe(HIDDEN);
  expect(sanitize(serviceWords("https://anna:lang@host"))).toBe("https://(secret)@host");
});

test("a secret that starts an encoding of itself is hidden with the rest of it", () => {
  registerSecret("ends-in-\\");
  expect(sanitize("body {ends-in-\\\\}")).toBe("body {(secret)}");
});

test("a secret that is a word or a number leaves our own sentences readable, and is hidden in a service's", () => {
  for (const secret of ["import", "protection", "1234567890"]) {
    registerSecret(secret);
    const own = `run "npx pulumi-tracking import" to lift the protection of id 1234567890`;
    expect(sanitize(own)).toBe(own);
    expect(serviceWords(`wrong password ${secret}`)).toBe(HIDDEN);
  }
});

test("a short secret is hidden where it is the secret, and not as a part of other words", () => {
  registerSecret("s1");
  const other = 'website "s1.example.com" (my-s1, class1, api.s1)';
  expect(sanitize(other)).toBe(other);
  for (const around of ["Bearer %", "?api_key=%&x=1", '{"key":"%"}', "the key is %.", "/%/", "'%'", "%"])
    expect(sanitize(around.replace("%", "s1"))).toBe(around.replace("%", "(secret)"));
});

test("one of four signs is hidden within other text, unless it is a word or a number", () => {
  registerSecret("k#1x");
  expect(sanitize("https://a.example/k#1xyz")).toBe("https://a.example/(secret)yz");
});

test.each(["kurz", "4711"])("the short key %s is hidden in every form in which it is sent", (key) => {
  registerSecret(key);
  const forms = [
    "Bearer%20%&x=1",
    "api_key%3D%",
    '{\\"api_key\\":\\"%\\"}',
    "\\u0022%\\u0022",
    "one\\n%\\ntwo",
    "user:%@host",
    "<b>%</b> &quot;%&quot;",
    "\u001b[1m%\u001b[0m",
  ];
  for (const form of forms) {
    const text = form.replace(/%(?![\dA-F]{2})/g, () => key);
    expect(sanitize(serviceWords(text)), text).not.toMatch(new RegExp(`${key}`));
  }
  const base64 = Buffer.from(key).toString("base64").replace(/=+$/, "");
  expect(sanitize(serviceWords(`Basic ${base64}`))).toMatch(/secret/);
});

test.each([
  ["an escape sequence", "\u001b[31mred\u001b[0m", "\uFFFD[31mred\uFFFD[0m"],
  ["a carriage return", "safe\rforged", "safe forged"],
  ["a line break", "one\r\ntwo\n\nthree\u2028four", "one two three four"],
  ["a tab", "a\tb", "a b"],
  ["text that runs backwards", "\u061ca\u200e\u202eb\u202c\u2066", "\uFFFDa\uFFFD\uFFFDb\uFFFD\uFFFD"],
  ["a control character of eight bits", "\u009b0m\u007f", "\uFFFD0m\uFFFD"],
  ["an engine's directive", "<{%reset%}>", "<{ %reset%}>"],
  ["a directive that hiding another would make", "<{<{%%reset%}>", "<{<{ %%reset%}>"],
])("what a terminal would obey is made harmless: %s", (_, given, expected) => {
  expect(sanitize(given)).toBe(expected);
});

test("letters of any script stay as they are", () => {
  const text = "größer 例え שלום 🛒 é, a & b = 100 %";
  expect(sanitize(text)).toBe(text);
});

test("a text of exactly 2 KB is not cut, and one byte more is cut and marked so", () => {
  expect(sanitize("a".repeat(2048))).toBe("a".repeat(2048));
  expect(sanitize("a".repeat(2049))).toBe(`${"a".repeat(2040)}...`);
});

test("a secret at the place where a text is cut is hidden first", () => {
  for (let at = 2000; at < 2060; at += 1) {
    const text = sanitize(`${"x".repeat(at)}${canary}`);
    expect(text).not.toContain(canary.slice(0, 8));
  }
});
