import fc from "fast-check";

/** Bodies that are almost what a service says, and statuses that need not go with them. */

/** What arrives, and under which head. */
export interface Generated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Arrivals near the ones that have these bodies. */
export function arrivalsNear(bodies: readonly unknown[]): fc.Arbitrary<Generated> {
  const texts = bodies.map((body) => JSON.stringify(body ?? null));
  const changes = fc.array(edits, { maxLength: 4 });
  const text = fc
    .tuple(fc.constantFrom(...texts), changes, spoilers)
    .map(([body, all, spoil]) => spoil(all.reduce((changed, edit) => edit(changed), body)));
  const shown = {
    [fc.toStringMethod](this: Generated) {
      return JSON.stringify({ ...this, text: this.text.slice(0, 2000), length: this.text.length });
    },
  };
  return fc.record({ status: statuses, headers, text }).map((arrival) => Object.assign(arrival, shown));
}

/** Every id that the text of a body can mean, to the last digit. */
export function exactTexts(text: string): Set<string> {
  const all = new Set<string>();
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    const meant = token.startsWith('"') ? unquoted(token) : token;
    if (token.startsWith('"')) all.add(meant);
    const exact = wholeNumber(meant.trim());
    if (exact !== undefined) all.add(exact);
    else if (!token.startsWith('"')) all.add(String(Number(token)));
  }
  return all;
}

const strange = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "0", ""];
const evil = `{"polluted":true,"id":666,"domain":"evil.example","name":"evil","length":9,"prototype":{"polluted":true}}`;
const numbers =
  "null true false 0 -0 -1 1.5 1e3 101.0 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 " +
  "12345678901234567890 1e21 1e999";
const texts = [
  "",
  " ",
  "0",
  "1.0",
  "9007199254740993",
  "1e999",
  "NaN",
  "../../etc",
  "<script>alert(1)</script>",
];
const hostile: readonly string[] = [
  ...numbers.split(" "),
  `1${"0".repeat(400)}`,
  ...texts.map((text) => JSON.stringify(text)),
  '"\\u0000\\u001b[31m<{%reset%}>\\u202e"',
  '"\\ud800"',
  `"${"Übermäßig lang, 🛒. ".repeat(400)}"`,
  '"2024-01-01T00:00:00Z"',
  ...["[]", "{}", "[[]]", "[null]", '{"data":null}'],
  evil,
  `[${evil}]`,
  `{"__proto__":${evil}}`,
];
const values = fc.constantFrom(...hostile);

/** Something that is tried this often, in proportion to the others. */
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T> | T) => ({
  weight,
  arbitrary: arbitrary instanceof fc.Arbitrary ? arbitrary : fc.constant(arbitrary),
});
const names = fc.oneof(
  fc.constantFrom(...strange, "id", "data", "msg", "message", "errors", "meta", "status"),
  fc.string(),
);
/** Something done to one place of a JSON text; it stays one, and numbers keep their digits. */
type Edit = (text: string) => string;
const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const SCALAR = `(?:${STRING}(?!:)|-?\\d[\\d.eE+-]*|true|false|null)`;
/** Lists and objects without others in them. */
const GROUP = "\\{[^{}]*\\}|\\[[^[\\]]*\\]";
/** A member with a scalar, and a comma to one side. */
const MEMBER = `,${STRING}:${SCALAR}|${STRING}:${SCALAR},`;

/** Strikes one of the places that a pattern finds. */
function striking(pattern: string, change: fc.Arbitrary<Edit> | Edit): fc.Arbitrary<Edit> {
  const changes = change instanceof fc.Arbitrary ? change : fc.constant(change);
  return fc.tuple(fc.nat(10_000), changes).map(([at, edit]) => (text) => {
    const places = [...text.matchAll(new RegExp(pattern, "g"))];
    const place = places[at % places.length];
    if (place === undefined) return text;
    const [found] = place;
    return text.slice(0, place.index) + edit(found) + text.slice(place.index + found.length);
  });
}

const dropped: Edit = () => "";
const listed: Edit = (found) => `[${found}]`;
/** A number as text, text as what it holds. */
const retyped: Edit = (found) => (found.startsWith('"') ? held(found) : JSON.stringify(found));
const replaced = values.map((value) => () => value);
const renumbered = values.map((value) => () => `"id":${value}`);
const wrapped = fc
  .constantFrom("data", "0", "__proto__")
  .map((name) => (found: string) => `{"${name}":${found}}`);
/** An object may have any member, also twice. */
const joined = fc.tuple(names, values).map(
  ([name, value]) =>
    () =>
      `{${JSON.stringify(name)}:${value},`,
);

const edits: fc.Arbitrary<Edit> = fc.oneof(
  often(3, striking(MEMBER, dropped)),
  often(3, striking(SCALAR, retyped)),
  often(2, striking(`"id":${SCALAR}`, renumbered)),
  often(3, striking("\\{(?!\\})", joined)),
  ...[SCALAR, GROUP].flatMap((pattern) => [
    often(2, striking(pattern, replaced)),
    often(1, striking(pattern, listed)),
    often(1, striking(pattern, wrapped)),
  ]),
);

const page = "<!DOCTYPE html><html><head><title>Log in</title></head><body></body></html>";
const others = ["Bad gateway", "<?php", "undefined", "NaN", "", " ", "\uFEFF", "\uFEFF\r\n"];
const nested = ["message", "errors", "data", "items"].map(deep);
const instead = fc.oneof(
  fc.constantFrom(page, page.repeat(100), ...others),
  fc.constantFrom(...nested, `{"data":[${deep("id")}]}`, `[${deep("x")}]`),
  fc.string({ maxLength: 40 }),
  fc.json(),
);
type Spoil = (text: string) => string;
const whole: Spoil = (text) => text;
const part = fc.double({ min: 0, max: 1, noNaN: true });
const cut = part.map((share) => (text: string) => text.slice(0, text.length * share));
const marks = fc.constantFrom("\uFEFF", " \r\n\t", "\uFEFF \n");
const begun = marks.map((mark) => (text: string) => mark + text);
const tails = fc.constantFrom("}", "<br>Notice", "\0");
const followed = tails.map((tail) => (text: string) => text + tail);
const another = instead.map((text) => () => text);
const spoilers: fc.Arbitrary<Spoil> = fc.oneof(
  often<Spoil>(30, whole),
  often(2, cut),
  often(2, begun),
  often(1, followed),
  often(5, another),
);

/** More brackets than a function calling itself can follow. */
function deep(name: string): string {
  return `{"${name}":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
}

const statuses = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[201, 202, 204, 206, 299, 300, 301, 302, 304, 307, 308],
      ...[400, 401, 403, 404, 405, 410, 418, 419, 422, 429, 499, 500, 501, 502, 503, 504, 599],
    ),
  },
);

const headers: fc.Arbitrary<Record<string, string>> = fc.constantFrom(
  { "content-type": "application/json" },
  {},
  { "content-type": "text/html; charset=UTF-8" },
  { "content-type": `text/${"x".repeat(6_000)}`, location: `https://login.example/${"🛒".repeat(3_000)}` },
  { location: "//elsewhere.example/\u001b[2J" },
);

/** The JSON that a text holds, or else the text. */
function held(token: string): string {
  try {
    JSON.parse(unquoted(token));
    return unquoted(token);
  } catch {
    return token;
  }
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** A decimal number, without rounding if it is whole. */
function wholeNumber(text: string): string | undefined {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === "" || Math.abs(Number(power)) > 400) return undefined;
  const shift = Number(power) - part.length;
  const digits = whole + part;
  if (shift < 0 && /[1-9]/.test(digits.slice(shift))) return undefined;
  const kept = shift < 0 ? digits.slice(0, shift) : digits + "0".repeat(shift);
  return BigInt((sign === "-" ? "-" : "") + (kept || "0")).toString();
}
