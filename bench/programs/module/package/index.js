// A class over a provider that is required where it runs: the engine stores a short function, and no value of the
// program with it.
const pulumi = require("@pulumi/pulumi");

const provider = {
  configure: (request) => require("module-provider/provider").configure(request),
  create: (inputs) => require("module-provider/provider").create(inputs),
  read: (id, props) => require("module-provider/provider").read(id, props),
  diff: (id, olds, news) => require("module-provider/provider").diff(id, olds, news),
  update: (id, olds, news) => require("module-provider/provider").update(id, olds, news),
  delete: (id, props) => require("module-provider/provider").delete(id, props),
};

class Website extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(provider, name, args, opts, "tracking", "Website");
  }
}

module.exports = { Website };
