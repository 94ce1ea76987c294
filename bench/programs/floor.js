// Resources over a provider that sends nothing, so that only the engine is measured. It invents ids.
const { randomInt } = require("node:crypto");
const pulumi = require("@pulumi/pulumi");

const defaults = { privacy: "private", emailReports: false, excludeBots: true };
/** What a program can read of a website: each output costs the engine's SDK time, whoever declares it. */
const OUTPUTS = [
  "domain",
  "privacy",
  "password",
  "emailReports",
  "excludeBots",
  "excludeParams",
  "excludeIps",
];

/** The arguments among an engine's properties, whose own begin with two underscores. */
const argsIn = (properties) =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));

const provider = {
  check: async (_olds, news) => ({ inputs: { ...defaults, ...argsIn(news) } }),
  diff: async (_id, olds, news) => ({ changes: OUTPUTS.some((name) => olds[name] !== news[name]) }),
  create: async (inputs) => ({ id: String(randomInt(1, 10_000)), outs: argsIn(inputs) }),
  read: async (id, props) => ({ id, props, inputs: props }),
  update: async (_id, _olds, news) => ({ outs: argsIn(news) }),
  delete: async () => {},
};

class Website extends pulumi.CustomResource {
  constructor(name, args, opts) {
    const outputs = Object.fromEntries(OUTPUTS.map((output) => [output, undefined]));
    // As long as our own text: the engine writes it with every resource, whoever sends nothing.
    const __provider = `exports.handler = () => require("floor").provider // like ours`;
    super("pulumi-nodejs:dynamic/tracking:Website", name, { ...outputs, ...args, __provider }, opts);
  }
}

module.exports = { Website, provider };
