import { expect, test } from "vitest";
import { service, websites } from "../../service";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const whole = {
  domain: "shop.example",
  privacy: "2",
  password: "let me in",
  email: "1",
  exclude_bots: "0",
  exclude_params: "utm_source\nref",
  exclude_ips: "192.0.2.1\n192.0.2.2",
};
const refused = (field: string, sentence: string) => ({
  status: 422,
  body: { message: { [field]: [sentence] }, status: 422 },
});

test("storing a website answers 201 with a body status of 200 and echoes the form as text", async () => {
  const { ask } = await service();
  const { exclude_params: _, ...echoed } = whole;
  const data = { id: 1, ...echoed, password: true, created_at: time, updated_at: time };
  expect(await ask("POST", websites, whole)).toMatchObject({ status: 201, body: { data, status: 200 } });
});

test("showing a website gives integers, a truth value for its password, and never its excluded parameters", async () => {
  const { ask } = await service();
  await ask("POST", websites, whole);
  const { status, body } = await ask("GET", `${websites}/1`);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      id: 1,
      domain: "shop.example",
      privacy: 2,
      email: 1,
      password: true,
      exclude_bots: 0,
      exclude_ips: "192.0.2.1\n192.0.2.2",
      created_at: time,
      updated_at: time,
    },
    status: 200,
  });
});

test("no default is applied: what was not sent is null in the answer and in the store", async () => {
  const { ask, control } = await service();
  const { body } = await ask("POST", websites, { domain: "shop.example" });
  const nothing = { privacy: null, email: null, exclude_bots: null, exclude_ips: null };
  expect(body).toMatchObject({ data: { ...nothing, password: false } });
  expect(await control.websites()).toMatchObject([{ ...nothing, password: null, exclude_params: null }]);
});

test("a domain is kept in lower case and without its scheme", async () => {
  const { ask, control } = await service();
  for (const domain of ["HTTPS://Shop.Example", "http://other.example", " third.example "])
    expect(await ask("POST", websites, { domain })).toMatchObject({ status: 201 });
  expect((await control.websites()).map(({ domain }) => domain)).toEqual([
    "shop.example",
    "other.example",
    "third.example",
  ]);
});

test("a domain is one's own on the whole installation, other tenants included", async () => {
  const { ask, control } = await service({ otherTenant: ["theirs.example"] });
  await ask("POST", websites, { domain: "mine.example" });
  const taken = refused("domain", "The domain has already been taken.");
  expect(await ask("POST", websites, { domain: "MINE.example" })).toMatchObject(taken);
  expect(await ask("POST", websites, { domain: "theirs.example" })).toMatchObject(taken);
  await control.setOtherTenant([]);
  expect(await ask("POST", websites, { domain: "theirs.example" })).toMatchObject({ status: 201 });
});

test.each(["PUT", "PATCH"])(
  "%s changes what was sent, leaves the rest, and echoes the form",
  async (method) => {
    const { ask, control } = await service();
    await ask("POST", websites, whole);
    const { status, body } = await ask(method, `${websites}/1`, { privacy: "1" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        id: 1,
        domain: "shop.example",
        privacy: "1",
        email: null,
        exclude_bots: null,
        exclude_ips: null,
        password: true,
      },
      status: 200,
    });
    expect(await control.websites()).toMatchObject([
      { privacy: 1, email: 1, exclude_bots: 0, password: "let me in", exclude_ips: whole.exclude_ips },
    ]);
  },
);

test("deleting a website answers without data, and its id is not used again", async () => {
  const { ask, control } = await service({
    seed: { websites: [{ id: 5, domain: "shop.example" }] },
  });
  const { status, body } = await ask("DELETE", `${websites}/5`);
  expect(status).toBe(200);
  expect(body).toEqual({ id: 5, object: "website", deleted: true, status: 200 });
  await ask("POST", websites, { domain: "shop.example" });
  expect(await control.websites()).toMatchObject([{ id: 6 }]);
});

test("a missing record and an unknown path have the same answer, an update another one", async () => {
  const { ask } = await service();
  const nothing = { message: "Resource not found.", status: 404 };
  for (const path of [`${websites}/9`, `${websites}/abc`, "/api/v1/visits", "/api/v2/websites", "/x"])
    expect(await ask("GET", path)).toMatchObject({ status: 404, body: nothing });
  expect(await ask("DELETE", `${websites}/9`)).toMatchObject({ status: 404, body: nothing });
  const { status, body } = await ask("PUT", `${websites}/9`, { privacy: "1" });
  expect(status).toBe(404);
  expect(body).not.toEqual(nothing);
});

test("an empty value clears lists, e-mail reports and, where none is needed, the password", async () => {
  const { ask, control } = await service();
  await ask("POST", websites, { ...whole, privacy: "1" });
  await ask("PUT", `${websites}/1`, { exclude_params: "", exclude_ips: "", email: "", password: "" });
  expect(await control.websites()).toMatchObject([
    { exclude_params: null, exclude_ips: null, email: null, password: null },
  ]);
});

test("a password that is needed cannot be cleared, but may be left out", async () => {
  const { ask, control } = await service();
  await ask("POST", websites, whole);
  const empty = refused("password", "The password field is required.");
  expect(await ask("PUT", `${websites}/1`, { password: "" })).toMatchObject(empty);
  expect(await ask("PUT", `${websites}/1`, { privacy: "2" })).toMatchObject({ status: 200 });
  expect(await control.websites()).toMatchObject([{ password: "let me in" }]);
  expect(await ask("PUT", `${websites}/1`, { privacy: "0", password: "" })).toMatchObject({ status: 200 });
});

test.each([
  ["domain", {}, "The domain field is required."],
  ["domain", { domain: " " }, "The domain field is required."],
  ["domain", { domain: "not a domain" }, "The domain format is invalid."],
  ["domain", { domain: "shop.example/path" }, "The domain format is invalid."],
  ["privacy", { domain: "a.example", privacy: "3" }, "The selected privacy is invalid."],
  ["privacy", { domain: "a.example", privacy: "" }, "The privacy field is required."],
  ["email", { domain: "a.example", email: "yes" }, "The selected email is invalid."],
  ["exclude_bots", { domain: "a.example", exclude_bots: "2" }, "The selected exclude_bots is invalid."],
  ["exclude_bots", { domain: "a.example", exclude_bots: "" }, "The exclude_bots field is required."],
  ["password", { domain: "a.example", privacy: "2", password: "" }, "The password field is required."],
])("a bad %s is refused with 422 and changes nothing: %j", async (field, fields, sentence) => {
  const { ask, control } = await service();
  expect(await ask("POST", websites, fields)).toMatchObject(refused(field, sentence));
  expect(await control.websites()).toEqual([]);
});
