// Resources with a constant text for their provider, and nothing else.
const pulumi = require("@pulumi/pulumi");

const TOKEN = "pulumi-nodejs:dynamic/tracking:Website";
const PROVIDER = `exports.handler = () => require("floor/host").Website`;

class Website extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super(TOKEN, name, { ...args, __provider: PROVIDER }, opts);
  }
}

module.exports = { Website };
