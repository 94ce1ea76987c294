import { expect, test } from "vitest";
import { pixels, service, type TestService, websites } from "../../service";

interface List {
  data: { id: number; domain?: string; name?: string }[];
  links?: Record<string, string | null>;
  meta?: Record<string, unknown>;
  status: number;
}

async function list({ ask }: TestService, path: string): Promise<List> {
  const { status, body } = await ask("GET", path);
  expect(status).toBe(200);
  return body as List;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ domain: `site-${index + 1}.example` }));
const upTo = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + Math.sign(last - first) * index);

test("a list shows ten of the newest first, with links and paging data", async () => {
  const at = await service({ seed: { websites: many(23) } });
  const { data, links, meta, status } = await list(at, websites);
  const address = `${at.url}${websites}`;
  expect(status).toBe(200);
  expect(data.map(({ id }) => id)).toEqual(upTo(23, 14));
  expect(meta).toEqual({
    current_page: 1,
    from: 1,
    last_page: 3,
    path: address,
    per_page: 10,
    to: 10,
    total: 23,
  });
  expect(links).toEqual({
    first: `${address}?per_page=10&page=1`,
    last: `${address}?per_page=10&page=3`,
    prev: null,
    next: `${address}?per_page=10&page=2`,
  });
});

test("search finds a substring in any case, with % and _ as wildcards", async () => {
  const names = ["Shop", "my shop", "s_op", "100%", "(x)"];
  const at = await service({ seed: { pixels: names.map((name) => ({ name })) } });
  const found = async (search: string) =>
    (await list(at, `${pixels}?${new URLSearchParams({ search, search_by: "name", sort: "asc" })}`)).data.map(
      ({ name }) => name,
    );
  expect(await found("SHOP")).toEqual(["Shop", "my shop"]);
  expect(await found("s_op")).toEqual(["Shop", "my shop", "s_op"]);
  expect(await found("s%p")).toEqual(["Shop", "my shop", "s_op"]);
  expect(await found("100%")).toEqual(["100%"]);
  expect(await found("(x)")).toEqual(["(x)"]);
  expect(await found("none")).toEqual([]);
});

test("per_page may be 10, 25, 50 or 100, and any other is replaced by 10", async () => {
  const at = await service({ seed: { websites: many(120) } });
  const sizeOf = async (size: string) => (await list(at, `${websites}?per_page=${size}`)).data.length;
  for (const size of [10, 25, 50, 100]) expect(await sizeOf(String(size))).toBe(size);
  for (const size of ["7", "0", "1000", "x", ""]) expect(await sizeOf(size)).toBe(10);
});
