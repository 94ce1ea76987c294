import { expect, test } from "vitest";
import { pixels, service, websites } from "../../service";

const site = {
  domain: "shop.example",
  privacy: "2",
  password: "pw",
  email: "0",
  exclude_bots: "1",
  exclude_params: "ref",
};
const pixel = { name: "Birds", type: "twitter", value: "T-1" };
const time = expect.any(String);

test("spec goes by the letter: defaults applied, a full echo in integers, data alone, message and errors", async () => {
  const { ask } = await service({ dialect: "spec" });
  const record = {
    id: 1,
    domain: "shop.example",
    privacy: 1,
    password: "pw",
    email: 0,
    exclude_bots: 1,
    exclude_params: "ref",
    exclude_ips: null,
    created_at: time,
    updated_at: time,
  };
  const stored = await ask("POST", websites, {
    domain: "shop.example",
    password: "pw",
    exclude_params: "ref",
  });
  expect([stored.status, stored.body]).toEqual([201, { data: record }]);
  expect((await ask("GET", `${websites}/1`)).body).toEqual({ data: record });
  expect((await ask("GET", websites)).body).toMatchObject({ data: [record], links: {}, meta: { total: 1 } });
  const updated = await ask("PUT", `${websites}/1`, { privacy: "0" });
  expect(updated.body).toEqual({ data: { ...record, privacy: 0 } });
  const refused = await ask("POST", websites, {});
  expect([refused.status, refused.body]).toEqual([
    422,
    { message: "The given data was invalid.", errors: { domain: ["The domain field is required."] } },
  ]);
  expect((await ask("GET", `${websites}/9`)).body).toEqual({ message: "Resource not found." });
  expect((await ask("DELETE", `${websites}/1`)).body).toEqual({ data: { id: 1, deleted: true } });
});

test("bare has no envelope, no paging data, and nothing to say of a deletion", async () => {
  const { ask } = await service({ dialect: "bare" });
  expect((await ask("POST", pixels, pixel)).body).toEqual({
    id: 1,
    ...pixel,
    created_at: time,
    updated_at: time,
  });
  expect((await ask("GET", `${pixels}/1`)).body).toMatchObject({ id: 1, ...pixel });
  expect((await ask("GET", pixels)).body).toMatchObject([{ id: 1, ...pixel }]);
  expect((await ask("GET", `${pixels}?page=2`)).body).toEqual([]);
  expect((await ask("POST", websites, site)).body).toMatchObject({ privacy: 2, password: true });
  const { status, body, headers } = await ask("DELETE", `${pixels}/1`);
  expect([status, body, headers.get("content-length")]).toEqual([204, "", null]);
});

test("strings writes every scalar as text", async () => {
  const { ask } = await service({ dialect: "strings" });
  await ask("POST", websites, site);
  const data = { id: "1", privacy: "2", email: "0", password: "1", exclude_bots: "1", exclude_ips: null };
  expect((await ask("GET", `${websites}/1`)).body).toMatchObject({ data, status: "200" });
  expect((await ask("GET", websites)).body).toMatchObject({ meta: { per_page: "10", total: "1" } });
  expect((await ask("DELETE", `${websites}/1`)).body).toMatchObject({ id: "1", deleted: "1", status: "200" });
});

test("newer says x instead of twitter, strips www., and has fields that nobody knows", async () => {
  const { ask, control } = await service({ dialect: "newer" });
  expect((await ask("POST", websites, { domain: "https://WWW.shop.example" })).body).toMatchObject({
    data: { domain: "shop.example", object: "website", tags: [], team: null },
  });
  expect(await ask("POST", websites, { domain: "shop.example" })).toMatchObject({ status: 422 });
  expect(await ask("POST", pixels, pixel)).toMatchObject({ status: 422 });
  expect((await ask("POST", pixels, { ...pixel, type: "x" })).body).toMatchObject({
    data: { type: "x", object: "pixel" },
  });
  expect(await control.pixels()).toMatchObject([{ type: "x" }]);
  expect((await ask("GET", `${pixels}?type=x`)).body).toMatchObject({ data: { length: 1 } });
});

test("webform writes lists otherwise once someone has edited them in the web interface", async () => {
  const { ask, control } = await service({ dialect: "webform" });
  await ask("POST", websites, { ...site, exclude_ips: "192.0.2.1\n192.0.2.2" });
  expect((await ask("GET", `${websites}/1`)).body).toMatchObject({
    data: { exclude_ips: "192.0.2.1\n192.0.2.2" },
  });
  await control.editWebsite(1, { exclude_ips: "192.0.2.1\n192.0.2.2", exclude_params: "ref" });
  const edited = "\r\n192.0.2.2\r\n\r\n192.0.2.1\r\n";
  expect((await ask("GET", `${websites}/1`)).body).toMatchObject({ data: { exclude_ips: edited } });
  expect(await control.websites()).toMatchObject([{ exclude_ips: edited, exclude_params: "\r\nref\r\n" }]);
});
