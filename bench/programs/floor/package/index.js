// Resources with a constant text for their provider, and nothing else.
const pulumi = require("@pulumi/pulumi");

const TOKEN = "pulumi-nodejs:dynamic/tracking:Website";
const PROVIDER = `exports.handler = () => require("floor/host").Website`;

/** What a program can read of a website: each output costs the engine's SDK time, whoever declares it. */
const OUTPUTS = {
  domain: undefined,
  privacy: undefined,
  password: undefined,
  emailReports: undefined,
  excludeBots: undefined,
  excludeParams: undefined,
  excludeIps: undefined,
};

class Website extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super(TOKEN, name, { ...OUTPUTS, ...args, __provider: PROVIDER }, opts);
  }
}

module.exports = { Website };
