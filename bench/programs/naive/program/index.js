// A dynamic provider as Pulumi's documentation shows it: its methods are closures over values of the program, and the
// engine stores them with every resource. They load packages inside, as the documentation asks for packages that cannot
// be captured; got is one.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config("tracking");
const url = `${config.require("analyticsBaseUrl")}/api/v1/websites`;
const headers = { Authorization: `Bearer ${config.require("apiKey")}`, Accept: "application/json" };

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

const provider = {
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

class Website extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(provider, name, args, opts);
  }
}

const { BENCH_SIZE, BENCH_EMAIL } = process.env;

for (let at = 0; at < Number(BENCH_SIZE); at += 1) {
  new Website(`site-${at}`, {
    domain: `site-${at}.example.com`,
    privacy: "private",
    emailReports: BENCH_EMAIL === "1",
    excludeBots: true,
  });
}
