// The package's mechanism without a provider: a class over CustomResource with a constant text for its provider, and
// the same arguments.
const pulumi = require("@pulumi/pulumi");

const TOKEN = "pulumi-nodejs:dynamic/tracking:Website";
const PROVIDER = `exports.handler = () => require("floor/host").Website`;
const names = ["domain", "privacy", "password", "emailReports", "excludeBots", "excludeParams", "excludeIps"];

class Website extends pulumi.CustomResource {
  constructor(name, args, opts) {
    const props = {
      ...Object.fromEntries(names.map((each) => [each, undefined])),
      ...args,
      __options: Promise.resolve().then(() => ({})),
      __provider: PROVIDER,
    };
    super(TOKEN, name, props, { ...opts, additionalSecretOutputs: ["password"] });
  }
}

module.exports = { Website };
