// node bare.mjs URL KEY METHOD SIZE: the same work without Pulumi, in the fewest requests, 8 at once.
import got from "got";

const [origin, key, method, size] = process.argv.slice(2);
const url = `${origin}/api/v1/websites`;
const client = got.extend({ headers: { Authorization: `Bearer ${key}`, Accept: "application/json" } });

const upTo = (count) => [...Array(count).keys()];
async function eightAtOnce(items, send) {
  const worker = async () => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) await send(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const ids = [];
await eightAtOnce(upTo(method === "POST" ? 1 : Math.ceil(size / 100)), async (at) => {
  const page = { per_page: 100, sort_by: "id", sort: "asc", page: at + 1 };
  const { data } = await client(url, { searchParams: page }).json();
  ids.push(...data.map(({ id }) => id));
});
const writes = {
  POST: (at) =>
    client.post(url, { form: { domain: `site-${at}.example.com`, privacy: 1, email: 0, exclude_bots: 1 } }),
  PUT: (id) => client.put(`${url}/${id}`, { form: { email: 1 } }),
  DELETE: (id) => client.delete(`${url}/${id}`),
};
if (method in writes) await eightAtOnce(method === "POST" ? upTo(Number(size)) : ids, writes[method]);
