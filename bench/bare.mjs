import got from "got";
import { operation } from "./operations.mjs";
import { allowed } from "./requests.mjs";
import { KEY } from "./service.mjs";

// node bench/bare.mjs <url> <operation> <size>: the same work without Pulumi.
const [url = "", name = "", size = "0"] = process.argv.slice(2);
const websites = `${url}/api/v1/websites`;
const client = got.extend({ headers: { Authorization: `Bearer ${KEY}`, Accept: "application/json" } });
const asked = operation(name);
const { write, reads } = allowed(asked, Number(size));

const ids = await list(asked.write === "POST" ? 1 : reads);
if (write === "POST") await eightAtOnce([...Array(Number(size)).keys()], create);
if (write === "PUT") await eightAtOnce(ids, (id) => client.put(`${websites}/${id}`, { form: { email: 1 } }));
if (write === "DELETE") await eightAtOnce(ids, (id) => client.delete(`${websites}/${id}`));

/**
 * @param {number} pages
 * @returns {Promise<number[]>} the ids in them
 */
async function list(pages) {
  const found = [];
  for (let page = 1; page <= pages; page += 1) {
    const searchParams = { per_page: 100, sort_by: "id", sort: "asc", page };
    /** @type {{ data: { id: number }[] }} */
    const { data } = await client(websites, { searchParams }).json();
    found.push(...data.map(({ id }) => id));
  }
  return found;
}

/** @param {number} at */
function create(at) {
  return client.post(websites, {
    form: { domain: `site-${at}.example.com`, privacy: 1, email: 0, exclude_bots: 1 },
  });
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => Promise<unknown>} send
 */
async function eightAtOnce(all, send) {
  const waiting = [...all];
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await send(one);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}
