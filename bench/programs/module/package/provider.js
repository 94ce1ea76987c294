// What the engine calls, in a module of its own, with the stack's settings from `configure`.
let url;
let headers;

const privacies = ["public", "private", "password"];

/** The form of those arguments that are named. */
function formOf(args, names) {
  const form = {
    domain: args.domain,
    privacy: privacies.indexOf(args.privacy),
    email: Number(args.emailReports),
    exclude_bots: Number(args.excludeBots),
  };
  return Object.fromEntries(names.map((name) => [name, form[name]]));
}

function outputsOf(record) {
  return {
    domain: record.domain,
    privacy: privacies[record.privacy],
    emailReports: record.email === 1,
    excludeBots: record.exclude_bots === 1,
  };
}

module.exports = {
  async configure({ config }) {
    url = `${config.require("tracking:analyticsBaseUrl")}/api/v1/websites`;
    headers = { Authorization: `Bearer ${config.require("tracking:apiKey")}`, Accept: "application/json" };
  },

  async create(inputs) {
    const { default: got } = await import("got");
    const form = formOf(inputs, ["domain", "privacy", "email", "exclude_bots"]);
    const { data } = await got.post(url, { headers, form }).json();
    return { id: String(data.id), outs: inputs };
  },

  async read(id) {
    const { default: got } = await import("got");
    const response = await got(`${url}/${id}`, { headers, responseType: "json", throwHttpErrors: false });
    if (response.statusCode === 404) return {};
    if (response.statusCode !== 200) throw new Error(`reading website ${id}: ${response.statusCode}`);
    const props = outputsOf(response.body.data);
    return { id, props, inputs: props };
  },

  async diff(_id, olds, news) {
    const names = ["domain", "privacy", "emailReports", "excludeBots"];
    const changed = names.filter((name) => olds[name] !== news[name]);
    return { changes: changed.length > 0, replaces: changed.filter((name) => name === "domain") };
  },

  async update(id, _olds, news) {
    const { default: got } = await import("got");
    const form = formOf(news, ["privacy", "email", "exclude_bots"]);
    await got.put(`${url}/${id}`, { headers, form }).json();
    return { outs: news };
  },

  async delete(id) {
    const { default: got } = await import("got");
    const { statusCode } = await got.delete(`${url}/${id}`, { headers, throwHttpErrors: false });
    if (statusCode !== 404 && statusCode >= 300) throw new Error(`deleting website ${id}: ${statusCode}`);
  },
};
