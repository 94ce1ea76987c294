import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { asOptional, type Field, type Zod } from "../../../provider/schema/field";
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
const named = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const cases = <T>(...values: T[]): [string, T][] => values.map((value) => [named(value), value]);

describe("text", () => {
  const name = text({ max: 32 });
  const value = text({ pattern: /^[\w-]+$/ });

  test.each(cases("a", "  a  ", "x".repeat(32), "🛒".repeat(32), ` ${"x".repeat(32)} `, "a\tb"))(
    "accepts %s",
    (_, given) => expect(accepts(name, given)).toBe(true),
  );
  test.each(cases<unknown>("", "   ", "x".repeat(33), "a\nb", "a\rb", "\n", 5, null, undefined, ["a"], true))(
    "rejects %s",
    (_, given) => expect(accepts(name, given)).toBe(false),
  );
  test("holds its pattern against the whole of the trimmed text", () => {
    const signs = text({ pattern: /^[^$^]+$/ });
    expect(["a", " ab ", "a^b", "a$b", "^", "$"].map((given) => accepts(signs, given))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(accepts(value, "#G-1")).toBe(false);
    expect(accepts(value, "G-1#")).toBe(false);
    expect(accepts(value, " G-1_x ")).toBe(true);
    expect(accepts(value, "G 1")).toBe(false);
    expect(accepts(value, "")).toBe(false);
  });
  test("counts 255 characters unless told", () => {
    expect(accepts(text(), "x".repeat(255))).toBe(true);
    expect(accepts(text(), "x".repeat(256))).toBe(false);
    expect(text().expected).toBe("text of 1 to 255 characters on one line");
  });
  test("is trimmed on the wire, and blanks at the ends are no difference", () => {
    expect(name.encode("  GA 1 ")).toBe("GA 1");
    expect(name.canonical(" GA")).toBe(name.canonical("GA "));
    expect(name.canonical("GA")).not.toBe(name.canonical("ga"));
    expect(name.matches(" GA ", "GA")).toBe(true);
    expect(name.matches("GA", "GB")).toBe(false);
  });
  test.each<[unknown, string | undefined]>([
    ["GA", "GA"],
    [12, "12"],
    [true, "true"],
    ["", ""],
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
    [["GA"], undefined],
  ])("decodes %j as %j", (raw, expected) => expect(name.decode(raw)).toBe(expected));
});

describe("hostName", () => {
  const domain = hostName();
  test.each(
    cases(
      "shop.example.com",
      "SHOP.Example.com",
      "shop.example.com.",
      " shop.example.com ",
      "bücher.example",
      "例え.テスト",
      "xn--bcher-kva.example",
      "localhost",
      "a_b.example",
      "192.0.2.1",
      `${"a".repeat(63)}.example`,
      `${"a.".repeat(126)}a`,
    ),
  )("accepts %s", (_, given) => expect(accepts(domain, given)).toBe(true));
  test.each(
    cases<unknown>(
      "",
      " ",
      ".",
      "..",
      "https://shop.example.com",
      "shop.example.com/path",
      "shop.example.com:8080",
      "user@shop.example.com",
      "shop.example.com?x=1",
      "shop.example.com#x",
      "shop..example.com",
      ".example.com",
      "shop example.com",
      "shop%2eexample.com",
      "shop\\example.com",
      "shop.example.com\nb",
      "*.example.com",
      "2001:db8::1",
      `${"a".repeat(64)}.example`,
      `${"a.".repeat(130)}com`,
      `${"a.".repeat(126)}ab`,
      5,
      null,
      ["shop.example.com"],
    ),
  )("rejects %s", (_, given) => expect(accepts(domain, given)).toBe(false));
  test.each(cases("-", "-shop.example", "shop-.example", "a.-"))(
    "rejects %s, which no server takes for a host name",
    (_, given) => expect(accepts(domain, given)).toBe(false),
  );

  test.each([
    ["SHOP.Example.com.", "shop.example.com"],
    ["Bücher.example", "xn--bcher-kva.example"],
    [" shop.example ", "shop.example"],
    ["www.shop.example", "www.shop.example"],
  ])("goes out %s as %s", (given, sent) => expect(domain.encode(given)).toBe(sent));
  test.each([
    ["shop.example", "SHOP.example."],
    ["bücher.example", "XN--BCHER-KVA.example"],
  ])("%s and %s are one host", (one, other) => expect(domain.canonical(one)).toBe(domain.canonical(other)));
  test("www. makes another host, which a server may yet have made of it, but not the other way round", () => {
    expect(domain.canonical("www.shop.example")).not.toBe(domain.canonical("shop.example"));
    expect(domain.matches("www.shop.example", "shop.example")).toBe(true);
    expect(domain.matches("WWW.Shop.Example.", "shop.example")).toBe(true);
    expect(domain.matches("shop.example", "www.shop.example")).toBe(false);
    expect(domain.matches("www.www.shop.example", "shop.example")).toBe(false);
    expect(domain.matches("shop.example", "shop.example.org")).toBe(false);
    expect(domain.matches("my.www.shop.example", "my.shop.example")).toBe(false);
  });
  test.each<[unknown, string | undefined]>([
    ["shop.example", "shop.example"],
    ["https://shop.example", "shop.example"],
    ["HTTP://shop.example", "shop.example"],
    ["shop.example?from=https://a", "shop.example?from=https://a"],
    [null, undefined],
    [{}, undefined],
  ])("decodes %j as %j", (raw, expected) => expect(domain.decode(raw)).toBe(expected));
});

test("a host name in another script may be written in either form by a server", () => {
  const domain = hostName();
  const names = ["bücher.example", "shop.рф", "xn--bcher-kva.example", "shop.example", "my-xn--shop.example"];
  expect(names.map((name) => domain.searchTerm(name) === undefined)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

describe("choice", () => {
  const privacy = choice<"public" | "private" | "password">(
    { public: 0, private: 1, password: 2 },
    { default: "private", unset: "public", announce: { public: "its page becomes public" } },
  );
  const type = choice<"twitter" | "bing" | "x">(["twitter", "bing"], { synonyms: { x: "twitter" } });

  test("accepts its words and their synonyms, and nothing else", () => {
    for (const word of ["public", "private", "password"]) expect(accepts(privacy, word)).toBe(true);
    for (const word of ["twitter", "bing", "x"]) expect(accepts(type, word)).toBe(true);
    for (const wrong of ["Public", "0", 0, "", null, true, ["public"], "toString", "__proto__"])
      expect(accepts(privacy, wrong)).toBe(false);
    expect(type.expected).toBe('one of "twitter", "bing", "x"');
  });
  test("is required without a default, and optional with one", () => {
    expect([type.required, privacy.required, privacy.default]).toEqual([true, false, "private"]);
  });
  test("goes out as its number, or as it stands", () => {
    expect(["public", "private", "password"].map((word) => privacy.encode(word as "public"))).toEqual([
      "0",
      "1",
      "2",
    ]);
    expect(type.encode("bing")).toBe("bing");
  });
  test.each<[unknown, string | undefined]>([
    [0, "public"],
    ["0", "public"],
    [1, "private"],
    ["1", "private"],
    [1.0, "private"],
    ["1.0", "private"],
    ["2.00", "password"],
    [2, "password"],
    ["2 ", "2 "],
    ["2.5", "2.5"],
    [null, "public"],
    ["private", "private"],
    [3, "3"],
    ["secret-link", "secret-link"],
    [undefined, undefined],
    [{}, undefined],
    [[1], undefined],
  ])("decodes %j as %j", (raw, expected) => expect(privacy.decode(raw)).toBe(expected));
  test("may have codes of more digits", () =>
    expect(choice<"old" | "new">({ old: 10, new: 11 }, { default: "new" }).decode("10.0")).toBe("old"));
  test("null says nothing where nothing is meant by it", () => expect(type.decode(null)).toBeUndefined());
  test("synonyms are one on compare", () => {
    expect(type.decode("x")).toBe("x");
    expect(type.canonical("x")).toBe(type.canonical("twitter"));
    expect(type.matches("twitter", "x")).toBe(true);
    expect(type.matches("x", "twitter")).toBe(true);
    expect(type.matches("x", "bing")).toBe(false);
  });
  test("what has a synonym may be written otherwise by some servers", () => {
    expect((["x", "twitter", "bing"] as const).map((word) => type.searchTerm(word) === undefined)).toEqual([
      true,
      true,
      false,
    ]);
  });
  test("says what is to be announced where the value turns to that word, and only there", () => {
    expect(privacy.notice?.("private", "public", "privacy")).toBe("its page becomes public");
    expect(privacy.notice?.(undefined, "public", "privacy")).toBe("its page becomes public");
    expect(privacy.notice?.("public", "public", "privacy")).toBeUndefined();
    expect(privacy.notice?.("public", "private", "privacy")).toBeUndefined();
    expect(privacy.notice?.("public", undefined, "privacy")).toBeUndefined();
  });
});

describe("flag", () => {
  const bots = flag({ default: true });
  test("accepts true and false only", () => {
    for (const value of [true, false]) expect(accepts(bots, value)).toBe(true);
    for (const value of [0, 1, "true", "1", null, undefined, []]) expect(accepts(bots, value)).toBe(false);
    expect(bots.expected).toBe("true or false");
  });
  test("goes out as 1 or 0", () => expect([bots.encode(true), bots.encode(false)]).toEqual(["1", "0"]));
  test.each<[unknown, boolean | undefined]>([
    ...[1, "1", true, 1.0, "1.0", "true", 2, "2"].map((raw): [unknown, boolean] => [raw, true]),
    ...[0, "0", false, 0.0, "0.0", "false", null, ""].map((raw): [unknown, boolean] => [raw, false]),
    ...["yes", {}, [], [1], undefined, 0.5, "-1"].map((raw): [unknown, undefined] => [raw, undefined]),
  ])("decodes %j as %j", (raw, expected) => expect(bots.decode(raw)).toBe(expected));
});

describe("secret", () => {
  const password = secret();
  test("accepts any text that is not empty, to the letter", () => {
    for (const value of ["a", " ", "a\nb", "🛒"]) expect(accepts(password, value)).toBe(true);
    for (const value of ["", 5, null, ["a"]]) expect(accepts(password, value)).toBe(false);
    expect(password.encode("  a ")).toBe("  a ");
    expect(password.secret).toBe(true);
  });
  test("takes no server at its word, whatever it says is set", () => {
    for (const raw of [true, 1, "1", "hunter2", "", "***", {}, [], undefined])
      expect(password.decode(raw)).toBeUndefined();
  });
  test("hears that none is set", () => {
    for (const raw of [false, 0]) expect(password.decode(raw)).toBeNull();
  });
  test("announces a change without its text", () => {
    expect(password.notice?.("old-one", "new-one", "password")).toBe("its password changes");
    expect(password.notice?.("same", "same", "password")).toBeUndefined();
    expect(password.notice?.(undefined, "new-one", "password")).toBeUndefined();
    expect(password.notice?.("old-one", undefined, "password")).toBeUndefined();
  });
});

describe("lines", () => {
  const params = lines(parameterName);
  const ips = lines(ipRange);

  test("of parameter names accepts each on one line and not empty", () => {
    for (const value of [[], ["a"], ["utm_source", " b "], ["a&b=%"]])
      expect(accepts(params, value)).toBe(true);
    for (const value of [[""], [" "], ["a\nb"], ["a\r"], "a", [1], [null], null])
      expect(accepts(params, value)).toBe(false);
  });
  test("of IP ranges accepts addresses and CIDR ranges of both kinds", () => {
    expect(accepts(ips, ["192.0.2.7", "192.0.2.0/24", "2001:db8::1", "2001:db8::/32"])).toBe(true);
    for (const wrong of [
      "192.0.2.256",
      "192.0.2.0/33",
      "2001:db8::/129",
      "192.0.2.*",
      "host",
      "",
      "192.0.2",
      "1.2.3.4-1.2.3.9",
    ])
      expect([wrong, accepts(ips, [wrong])]).toEqual([wrong, false]);
  });
  test("goes out one to a line, trimmed and in order", () => {
    expect(params.encode([" b ", "a", "c"])).toBe("b\na\nc");
    expect(params.encode([])).toBe("");
    expect(params.clearsTo).toEqual([]);
  });
  test.each<[unknown, string[] | undefined]>([
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb", ["a", "b"]],
    ["\r\n a \r\n\r\n b\t\r\n", ["a", "b"]],
    ["", []],
    [null, []],
    [
      ["a", " b ", "", 5],
      ["a", "b", "5"],
    ],
    [["a", null, {}], ["a"]],
    [12, ["12"]],
    [true, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])("decodes %j as %j", (raw, expected) => expect(params.decode(raw)).toEqual(expected));
  test("order, repetition, blanks and blank lines make no difference, and one line more does", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1 }),
        fc.infiniteStream(fc.nat({ max: 3 })),
        (given, salt) => {
          const spelled = given.map((line) => `${" ".repeat(salt.next().value)}${line}`).reverse();
          const other = [...spelled, "", ...spelled.slice(1)];
          expect(params.canonical(other)).toBe(params.canonical(given));
          expect(params.matches(given, other)).toBe(true);
          expect(params.canonical([...given, "another"])).not.toBe(params.canonical(given));
          expect(params.canonical(given.slice(1))).not.toBe(params.canonical(given));
        },
      ),
    );
  });
  test("the case of an address is spelling, that of a parameter name is not", () => {
    expect(ips.canonical(["2001:DB8::1"])).toBe(ips.canonical(["2001:db8::1"]));
    expect(params.canonical(["Ref"])).not.toBe(params.canonical(["ref"]));
  });
  test("lines do not run into each other", () =>
    expect(params.canonical(["ab", "c"])).not.toBe(params.canonical(["a", "bc"])));
  test("say what they may be", () => {
    expect(params.expected).toBe("a list of URL query parameter names, each on one line and not empty");
    expect(ips.expected).toBe('a list of IP addresses or CIDR ranges such as "192.0.2.7" or "2001:db8::/32"');
    expect(hostName().expected).toBe('a host name such as "shop.example.com", without scheme, port or path');
  });
  test("of IP ranges are told to editors so that none is refused that a program may write", () => {
    const patterns =
      JSON.stringify(z.toJSONSchema(ipRange.validator(z))).match(/"pattern":"(\\.|[^"])*"/g) ?? [];
    const loose = patterns.filter((each) => each.includes("0-9a-fA-F:."));
    expect(loose).toHaveLength(2);
    expect("::ffff:192.0.2.1/96").toMatch(new RegExp(JSON.parse(`{${loose[0]}}`).pattern));
  });
  test("announces that a list with something in it is emptied or dropped, and nothing else", () => {
    const clause = "its excludeIps will be emptied";
    expect(ips.notice?.(["192.0.2.7"], [], "excludeIps")).toBe(clause);
    expect(ips.notice?.(["192.0.2.7"], undefined, "excludeIps")).toBe(clause);
    expect(ips.notice?.([], undefined, "excludeIps")).toBeUndefined();
    expect(ips.notice?.(undefined, [], "excludeIps")).toBeUndefined();
    expect(ips.notice?.(["192.0.2.7"], ["192.0.2.8"], "excludeIps")).toBeUndefined();
  });
});

test("a field says its wire name, aliases and whether it replaces, as its definition does", () => {
  const field = hostName({ wire: "host", aliases: ["url"], replaces: true });
  expect(field).toMatchObject({ wire: "host", aliases: ["url"], replaces: true, required: true });
  expect(flag({ default: false })).toMatchObject({ required: false, default: false });
});

test("a required field may be made one that can be left out, and stays the same else", () => {
  const name = text({ wire: "title" });
  expect(asOptional(name)).toEqual({ ...name, required: false });
});

test("a word that is the name of a member of every object is a word like any other", () => {
  const field: Field<string> = choice<string>(["a"], { synonyms: { b: "a" } });
  for (const word of ["constructor", "toString", "__proto__"]) expect(field.canonical(word)).toBe(word);
});

test("any JSON value decodes to something or nothing, and never throws", () => {
  const fields = [text(), hostName(), choice(["a"]), flag({ default: true }), secret(), lines(parameterName)];
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, raw) => {
      const value = (field as Field<unknown>).decode(raw);
      if (value !== undefined && value !== null)
        expect(typeof (field as Field<unknown>).canonical(value)).toBe("string");
    }),
    { numRuns: 2000 },
  );
});
