import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Field, Zod } from "../../../provider/schema/field";
import {
  choice,
  flag,
  hostName,
  ipRange,
  lines,
  parameterName,
  secret,
  text,
} from "../../../provider/schema/kinds";

const accepts = (field: { validator(zod: Zod): z.ZodType }, value: unknown): boolean =>
  field.validator(z).safeParse(value).success;

/** Holds that a field accepts some values, and refuses others. */
function holds(field: Parameters<typeof accepts>[0], accepted: unknown[], refused: unknown[]): void {
  expect(accepted.filter((each) => !accepts(field, each))).toEqual([]);
  expect(refused.filter((each) => accepts(field, each))).toEqual([]);
}

/** Holds what a field makes of a server's values: each row is the meaning, and all that has it. */
function decodes<T>(
  field: Pick<Field<T>, "decode">,
  rows: [meaning: T | null | undefined, ...raw: unknown[]][],
): void {
  for (const [meaning, ...all] of rows)
    for (const raw of all) expect([raw, field.decode(raw)]).toEqual([raw, meaning]);
}

describe("text", () => {
  const name = text();

  test("accepts one line of so many characters", () => {
    const long = "x".repeat(255);
    holds(
      name,
      ["a", "  a  ", long, "🛒".repeat(255), ` ${long} `, "a\tb"],
      ["", "   ", `${long}x`, "a\nb", "a\rb", "\n", 5, null, undefined, ["a"], true],
    );
    expect(name.expected).toBe("text of 1 to 255 characters on one line");
  });
  test("is trimmed on the wire, and blanks at the ends are no difference", () => {
    expect(name.encode("  GA 1 ")).toBe("GA 1");
    expect(name.canonical(" GA")).toBe(name.canonical("GA "));
    const [composed, apart] = ["\u00dcber", "U\u0308ber"];
    expect([name.matches(apart, composed), name.matches(composed, apart)]).toEqual([true, true]);
    expect([composed, apart, "GA"].map((each) => name.searchTerm(each))).toEqual([
      undefined,
      undefined,
      "GA",
    ]);
    expect(name.encode(apart)).toBe(apart);
    expect(name.canonical("GA")).not.toBe(name.canonical("ga"));
    expect([name.matches(" GA ", "GA"), name.matches("GA", "GB")]).toEqual([true, false]);
  });
  test("decodes a scalar as text", () =>
    decodes(name, [
      ["GA", "GA"],
      ["12", 12],
      ["true", true],
      ["", ""],
      [undefined, null, undefined, {}, ["GA"]],
    ]));
});

describe("hostName", () => {
  const domain = hostName();
  const [label, deep] = ["a".repeat(63), "a.".repeat(126)];

  test("accepts a host name in any spelling", () =>
    holds(
      domain,
      [
        ...["shop.example.com", "SHOP.Example.com", "shop.example.com.", " shop.example.com ", "localhost"],
        ...["bücher.example", "例え.テスト", "xn--bcher-kva.example", "a_b.example", "192.0.2.1"],
        ...["xn--0.example.com", "shop.XN--A.example"],
        ...[`${label}.example`, `${deep}a`],
      ],
      [
        ...["", " ", ".", "..", "-", "-shop.example", "shop-.example", "a.-", ".example.com"],
        ...["shop..example.com", "xn--.example"],
        ...["https://shop.example.com", "shop.example.com/path", "shop.example.com:8080", "2001:db8::1"],
        ...["123", "1.2", "0x7f.1", "192.0.2.01"],
        ...["user@shop.example.com", "shop.example.com?x=1", "shop.example.com#x", "shop example.com"],
        ...["shop%2eexample.com", "shop\\example.com", "shop.example.com\nb", "*.example.com"],
        ...[`a${label}.example`, `${deep}ab`, `${"a.".repeat(130)}com`, 5, null, ["shop.example.com"]],
      ],
    ));
  test("goes out in lower-case ASCII, and one host is one in every spelling", () => {
    const given = ["SHOP.Example.com.", "Bücher.example", " shop.example ", "www.shop.example"];
    const sent = ["shop.example.com", "xn--bcher-kva.example", "shop.example", "www.shop.example"];
    expect(given.map((each) => domain.encode(each))).toEqual(sent);
    expect(domain.canonical("shop.example")).toBe(domain.canonical("SHOP.example."));
    expect(domain.canonical("bücher.example")).toBe(domain.canonical("XN--BCHER-KVA.example"));
  });
  test("goes out as Node.js makes it ASCII, whether or not it is ASCII already", () => {
    const parts = fc.constantFrom(..."ab019-_.", "xn--", "ü", "A");
    const host = fc.array(parts, { minLength: 1, maxLength: 12 }).map((some) => some.join(""));
    fc.assert(
      fc.property(host, (name) => {
        const bare = name.replace(/\.$/, "");
        expect(domain.encode(name)).toBe((domainToASCII(bare) || bare).toLowerCase());
      }),
      { numRuns: 2000 },
    );
  });
  test("www. makes another host, which a server may yet have made of it, but not the other way round, and so does a path", () => {
    for (const other of ["www.shop.example", "shop.example/blog"])
      expect(domain.canonical(other)).not.toBe(domain.canonical("shop.example"));
    const matches = (value: string) => domain.matches(value, "shop.example");
    expect(["www.shop.example", "WWW.Shop.Example."].map(matches)).toEqual([true, true]);
    expect(["www.www.shop.example", "my.www.shop.example", "shop.example.org"].some(matches)).toBe(false);
    expect(domain.matches("shop.example", "www.shop.example")).toBe(false);
  });
  test("decodes an address of a site as its host", () =>
    decodes(domain, [
      ["shop.example", "shop.example", "https://shop.example", "HTTP://shop.example"],
      ["shop.example?from=https://a", "shop.example?from=https://a"],
      // What is left of it would not look like an address any more, whose password is hidden.
      ["https://anna:kurz@shop.example", "https://anna:kurz@shop.example"],
      [undefined, null, {}],
    ]));
  test("has no term to search by in another script, which a server may write in either form", () => {
    const termOf = (name: string) => domain.searchTerm(name);
    expect(["bücher.example", "shop.рф", "xn--bcher-kva.example"].map(termOf)).toEqual(
      Array(3).fill(undefined),
    );
    expect(["shop.example", "my-xn--shop.example"].map(termOf)).not.toContain(undefined);
  });
});

describe("choice", () => {
  const privacy = choice<"public" | "private" | "password">(
    { public: 0, private: 1, password: 2 },
    { unset: "public" },
  );
  const type = choice<"twitter" | "bing" | "x">(["twitter", "bing"], { synonyms: { x: "twitter" } });

  test("accepts its words and their synonyms, and nothing else", () => {
    const wrong = ["Public", "0", 0, "", null, true, ["public"], "toString", "__proto__"];
    holds(privacy, ["public", "private", "password"], wrong);
    holds(type, ["twitter", "bing", "x"], wrong);
    expect(type.expected).toBe('one of "twitter", "bing", "x"');
  });
  test("decodes its numbers, and keeps words that the service adds", () => {
    decodes<string>(privacy, [
      ["public", 0, "0", null],
      ["private", 1, "1", 1.0, "1.0", "private"],
      ["password", 2, "2.00"],
      ...["2 ", "2.5", "3", "secret-link"].map((raw): [string, string] => [raw, raw]),
      [undefined, undefined, {}, [1]],
    ]);
    decodes(choice<"old" | "new">({ old: 10, new: 11 }), [["old", "10.0"]]);
    decodes(type, [[undefined, null]]);
  });
});

describe("flag", () => {
  const bots = flag();
  test("accepts true and false only, and goes out as 1 or 0", () => {
    holds(bots, [true, false], [0, 1, "true", "1", null, undefined, []]);
    expect([bots.expected, bots.encode(true), bots.encode(false)]).toEqual(["true or false", "1", "0"]);
  });
  test("decodes what servers write for either", () =>
    decodes(bots, [
      [true, 1, "1", true, 1.0, "1.0", "true", 2, "2"],
      [false, 0, "0", false, "0.0", "false", null, ""],
      [undefined, "yes", {}, [], [1], undefined, 0.5, "-1"],
    ]));
});

describe("secret", () => {
  const password = secret();
  test("takes no server at its word of what is set, only that nothing is", () =>
    decodes(password, [
      [undefined, true, 1, "1", "hunter2", "", "***", {}, [], undefined],
      [null, false, 0],
    ]));
  test("goes out as it is, since a blank at an end is a character of a password", () => {
    expect([" pass word ", "\t", "pass"].map(password.encode)).toEqual([" pass word ", "\t", "pass"]);
    expect(password.matches("pass ", "pass")).toBe(false);
  });
});

describe("lines", () => {
  const params = lines(parameterName);
  const ips = lines(ipRange);

  test("of parameter names accepts each on one line and not empty", () =>
    holds(
      params,
      [[], ["a"], ["utm_source", " b "], ["a&b=%"]],
      [[""], [" "], ["a\nb"], ["a\r"], "a", [1], [null], null],
    ));
  test("of IP ranges accepts addresses and CIDR ranges of both kinds", () => {
    const wrong = "192.0.2.256 192.0.2.0/33 2001:db8::/129 192.0.2.* host 192.0.2 1.2.3.4-1.2.3.9".split(" ");
    holds(
      ips,
      [["192.0.2.7", "192.0.2.0/24", "2001:db8::1", "2001:db8::/32"]],
      ["", ...wrong].map((each) => [each]),
    );
  });
  test("decodes lines with any end, and a list of them", () =>
    decodes(params, [
      [["a", "b"], "a\nb", "a\r\nb\r\n", "a\rb", "\r\n a \r\n\r\n b\t\r\n"],
      [[], "", null],
      [
        ["a", "b", "5"],
        ["a", " b ", "", 5],
      ],
      [["a"], ["a", null, {}]],
      [["12"], 12],
      [undefined, true, {}, undefined],
    ]));
  test("order, repetition, blanks and blank lines make no difference, and one line more does", () => {
    const other = [" b", "", "a ", "b", "   "];
    expect(params.canonical(other)).toBe(params.canonical(["a", "b"]));
    expect(params.matches(["a", "b"], other)).toBe(true);
    for (const given of [["a"], ["a", "b", "c"]])
      expect(params.canonical(given)).not.toBe(params.canonical(["a", "b"]));
  });
  test("the case of an address is spelling, that of a parameter name is not, and lines do not run into each other", () => {
    expect(ips.canonical(["2001:DB8::1"])).toBe(ips.canonical(["2001:db8::1"]));
    expect(params.canonical(["Ref"])).not.toBe(params.canonical(["ref"]));
    expect(params.canonical(["ab", "c"])).not.toBe(params.canonical(["a", "bc"]));
  });
  test.each([
    ["192.0.2.7", "192.0.2.7/32", "192.0.2.7/31"],
    ["2001:db8::7", "2001:0DB8:0:0:0:0:0:0007/128", "2001:db8::70"],
    ["2001:db8::/32", "2001:db8:0:0:0:0:0:0/32", "2001:db8::/33"],
  ])("%s in another spelling is the same address", (short, long, other) => {
    expect([ips.matches([short], [long]), ips.matches([long], [short])]).toEqual([true, true]);
    expect(ips.matches([short], [other])).toBe(false);
  });
});
