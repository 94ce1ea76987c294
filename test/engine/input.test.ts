import { describe, expect, it } from "vitest";
import { cases, declare, STACK, useHarness } from "./harness";

const world = useHarness();

/** Every wrong argument at once, and the message expected for each. */
const wrong: { says: string; type: "Website" | "Pixel"; args: Record<string, unknown>; each: string[] }[] = [
  {
    says: "a website's, all wrong at once",
    type: "Website",
    args: {
      domain: "https://shop.example.com/x",
      privacy: "secret",
      password: 918273645,
      emailReports: "yes",
      excludeBots: 1,
      excludeParams: ["ref", "two\nlines"],
      excludeIps: ["192.0.2.7", "300.1.1.1"],
      adopt: "please",
      colour: "red",
    },
    each: [
      'unknown argument "colour"',
      'domain must be a host name such as "shop.example.com", without scheme, port or path, not "https://shop.example.com/x"',
      'privacy must be one of "public", "private", "password", not "secret"',
      "password must be text that is not empty, not (secret)",
      'emailReports must be true or false, not "yes"',
      "excludeBots must be true or false, not 1",
      'excludeParams must be a list of URL query parameter names, each on one line and not empty, not "two',
      'excludeIps must be a list of IP addresses or CIDR ranges such as "192.0.2.7" or "2001:db8::/32", not "300.1.1.1"',
      'adopt must be true or false, not "please"',
    ],
  },
  {
    says: "a pixel's, all wrong at once",
    type: "Pixel",
    args: { name: "n".repeat(256), type: "myspace", value: "a\nb" },
    each: [
      "name must be text of 1 to 255 characters on one line",
      'type must be one of "adroll", "bing", "facebook", "google-ads", "google-analytics", "google-tag-manager", "linkedin", "pinterest", "quora", "twitter", "x", not "myspace"',
      'value must be text of 1 to 255 characters on one line, not "a\\nb"',
    ],
  },
  {
    says: "a page for whoever has the password, without one",
    type: "Website",
    args: { domain: "shop.example.com", privacy: "password" },
    each: ['password is needed for a website whose privacy is "password"'],
  },
];

describe("invalid arguments", () => {
  it.each(cases(wrong))(
    "are each named at preview, and nothing is sent: %s",
    async (_says, { type, args, each }) => {
      await world.program(declare(type, "faulty", args));
      const preview = await world.fail(["preview"]);
      for (const sentence of each) {
        expect(preview.output).toContain(`resource 'faulty' has a problem: ${sentence}`);
      }
      expect(preview.output).not.toContain("918273645");
      expect(preview.output).not.toMatch(STACK);
      expect(preview.sent).toEqual([]);
    },
  );

  it("that come from another resource are refused by up once they are known, and others by the next up", async () => {
    const given = (args: object) => declare("Website", "shop", { domain: "shop.example.com", ...args });
    const first = `const first = new tracking.Pixel("first", { name: "P", type: "quora", value: "1" });\n`;
    await world.program(`${first}const shop = ${given({})}
const value = pulumi.all([first.id, shop.id]).apply(([id]) => "not\\n" + id);
new tracking.Pixel("second", { name: "Q", type: "quora", value });
`);
    expect((await world.preview()).sent).toEqual([]);
    const late = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(late.output).toContain("value must be text of 1 to 255 characters on one line");
    expect((await world.service.pixels()).map(({ name }) => name)).toEqual(["P"]);
    expect(Object.keys(await world.resources()).sort()).toEqual(["first", "shop"]);

    await world.program(first + given({ privacy: "nobody" }));
    const before = [await world.service.websites(), await world.kept()];
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(up.output).toContain("privacy must be one of");
    expect(up.sent).toEqual([]);
    expect([await world.service.websites(), await world.kept()]).toEqual(before);
  });
});
