import { guards } from "../guards.mjs";

/**
 * The ownership checks that hold a promise.
 *
 * @param {string} promise
 */
export function guardsOf(promise) {
  return guards.filter((guard) => guard.promise === promise);
}
