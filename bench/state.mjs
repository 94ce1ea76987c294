/**
 * @typedef {object} State
 * @property {number} bytes of one resource, compact, on average
 * @property {readonly string[]} providers the different texts of `__provider`
 */

/**
 * The size of a stack's resources in state, and the providers of dynamic ones.
 *
 * @param {{ deployment: { resources?: Record<string, unknown>[] } }} exported
 * @returns {State}
 */
export function stateOf({ deployment: { resources = [] } }) {
  const ours = resources.filter(({ type }) => /^(pulumi-nodejs:dynamic|tracking:)/.test(String(type)));
  const bytes = ours.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
  const bags = ours.flatMap(({ inputs, outputs }) => [inputs, outputs]);
  const providers = bags.map((bag) => String(Reflect.get(Object(bag), "__provider")));
  return { bytes: Math.round(bytes / Math.max(1, ours.length)), providers: [...new Set(providers)] };
}
