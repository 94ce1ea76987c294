/**
 * @typedef {import("../../emulator/index.js").StoredWebsite} StoredWebsite
 * @typedef {import("../../emulator/index.js").StoredPixel} StoredPixel
 *
 * @typedef {object} Outcome what a step must have come to
 * @property {boolean} [refused] whether the last command must fail
 * @property {readonly string[]} [says] words that pulumi must have printed
 * @property {readonly string[]} writes every request that may change a record, such as `POST /api/v1/pixels`, in
 *   any order
 * @property {{ websites: readonly Partial<StoredWebsite>[], pixels: readonly Partial<StoredPixel>[] }} holds what
 *   the service must hold then: these records and no others, each with these columns
 *
 * @typedef {object} Happened what it did come to
 * @property {number | null} code of the last command
 * @property {string} output
 * @property {readonly string[]} writes
 * @property {{ websites: readonly StoredWebsite[], pixels: readonly StoredPixel[] }} holds
 */

/**
 * The differences between a step's outcome and the expected one; empty if there are none.
 *
 * @param {Outcome} wanted
 * @param {Happened} happened
 * @returns {string[]}
 */
export function deviations({ refused = false, says = [], writes, holds }, happened) {
  const sent = [...happened.writes].sort().join(", ");
  const due = [...writes].sort().join(", ");
  // Colours stand between words.
  const output = happened.output.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g"), "");
  return [
    ...((happened.code !== 0) === refused
      ? []
      : [`pulumi ended with exit code ${happened.code}, where ${refused ? "a refusal" : "success"} was due`]),
    ...says.filter((words) => !output.includes(words)).map((words) => `pulumi did not say "${words}"`),
    ...(sent === due ? [] : [`the service was sent ${sent || "no change"}, where ${due || "none"} was due`]),
    ...mismatches("website", holds.websites, happened.holds.websites),
    ...mismatches("pixel", holds.pixels, happened.holds.pixels),
  ];
}

/**
 * @param {string} noun
 * @param {readonly object[]} wanted
 * @param {readonly object[]} found
 */
function mismatches(noun, wanted, found) {
  if (wanted.length !== found.length)
    return [`the service holds ${found.length} ${noun}s, where ${wanted.length} were due`];
  return wanted.flatMap((columns, index) =>
    Object.entries(columns)
      .map(([column, value]) => ({ column, value, stored: Reflect.get(found[index] ?? {}, column) }))
      .filter(({ value, stored }) => value !== stored)
      .map(
        ({ column, value, stored }) =>
          `${column} of ${noun} ${index + 1} in the list is ${JSON.stringify(stored)}, where ${JSON.stringify(value)} was due`,
      ),
  );
}
