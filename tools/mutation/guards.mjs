/** @type {readonly import("./promises.mjs").Breach[]} */
export const guards = [];
