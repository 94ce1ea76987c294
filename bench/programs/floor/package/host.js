// A provider that sends nothing, so that only the engine is measured. It invents ids.
const { randomInt } = require("node:crypto");

const defaults = { privacy: "private", emailReports: false, excludeBots: true };

function own(bag) {
  return Object.fromEntries(Object.entries(bag).filter(([name]) => !name.startsWith("__")));
}

const Website = {
  check: async (_olds, news) => ({ inputs: { ...defaults, ...own(news) } }),
  diff: async (_id, olds, news) => {
    const [before, after] = [own(olds), own(news)];
    const names = Object.keys({ ...before, ...after });
    return { changes: names.some((name) => before[name] !== after[name]) };
  },
  create: async (inputs) => ({ id: String(randomInt(1, 10_000)), outs: own(inputs) }),
  read: async (id, props) => ({ id, props, inputs: props }),
  update: async (_id, _olds, news) => ({ outs: own(news) }),
  delete: async () => {},
};

module.exports = { Website };
