// A dynamic provider as Pulumi's documentation shows it: its methods are closures over values of the program, and the
// engine stores them with every resource. They load got inside, as the documentation asks for what can't be captured.
import * as pulumi from "@pulumi/pulumi";

interface Inputs {
  domain: string;
  emailReports: boolean;
  privacy: string;
  excludeBots: boolean;
}
/** A record as the service answers with it. */
interface Answer {
  data: { id: number; domain: string; email: number };
}

const config = new pulumi.Config("tracking");
const url = `${config.require("analyticsBaseUrl")}/api/v1/websites`;
const headers = { Authorization: `Bearer ${config.require("apiKey")}`, Accept: "application/json" };

const formOf = ({ emailReports }: Inputs) => ({ email: Number(emailReports), privacy: 1, exclude_bots: 1 });

const provider: pulumi.dynamic.ResourceProvider<Inputs, Inputs> = {
  async create(inputs) {
    const { default: got } = await import("got");
    const form = { domain: inputs.domain, ...formOf(inputs) };
    const { data } = await got.post(url, { headers, form }).json<Answer>();
    return { id: String(data.id), outs: inputs };
  },

  async read(id) {
    const { default: got } = await import("got");
    const options = { headers, responseType: "json", throwHttpErrors: false } as const;
    const response = await got<Answer>(`${url}/${id}`, options);
    if (response.statusCode === 404) return {};
    if (response.statusCode !== 200) throw new Error(`reading website ${id}: ${response.statusCode}`);
    const { domain, email } = response.body.data;
    const props = { domain, emailReports: email === 1, privacy: "private", excludeBots: true };
    return { id, props, inputs: props };
  },

  async diff(_id, olds, news) {
    const changed = (["domain", "emailReports"] as const).filter((name) => olds[name] !== news[name]);
    return { changes: changed.length > 0, replaces: changed.filter((name) => name === "domain") };
  },

  async update(id, _olds, news) {
    const { default: got } = await import("got");
    await got.put(`${url}/${id}`, { headers, form: formOf(news) }).json();
    return { outs: news };
  },

  async delete(id) {
    const { default: got } = await import("got");
    const { statusCode } = await got.delete(`${url}/${id}`, { headers, throwHttpErrors: false });
    if (statusCode !== 404 && statusCode >= 300) throw new Error(`deleting website ${id}: ${statusCode}`);
  },
};

export class Website extends pulumi.dynamic.Resource {
  constructor(name: string, args: Partial<Inputs>, opts?: pulumi.CustomResourceOptions) {
    super(provider, name, { privacy: "private", excludeBots: true, ...args }, opts);
  }
}
