import { adoption, exactMatch } from "./promises/adoption.mjs";
import { cutCreates, deaths, reads } from "./promises/faults.mjs";
import { gone } from "./promises/gone.mjs";
import { halfDone, shown } from "./promises/half-done.mjs";
import { hostile, load, writers } from "./promises/hostile.mjs";
import { imports } from "./promises/imports.mjs";
import { lists } from "./promises/lists.mjs";
import { interrupts, pace } from "./promises/pace.mjs";
import { crash, oneRecord } from "./promises/records.mjs";
import { retries } from "./promises/retries.mjs";
import { answers, packed, secrets, size } from "./promises/secrets.mjs";
import { loading, requests, state } from "./promises/speed.mjs";
import { statistics, upgrade } from "./promises/upgrade.mjs";
import { besides, ownRecord, updatesAndDeletes } from "./promises/writes.mjs";

/**
 * @typedef {object} Breach one way of breaking a promise
 * @property {string} change what is wrong then
 * @property {string} file
 * @property {string} code it is there once
 * @property {string} instead
 * @property {string} test the file of the test that has to fail
 * @property {string} name of that test
 * @property {string} [promise] which ownership check it is
 */

/**
 * What the project promises, and how each promise is broken; `docs/mutation.md` lists them in this order.
 *
 * @type {readonly { title: string, breaches: readonly Breach[] }[]}
 */
export const groups = [
  { title: "One record per declared resource", breaches: oneRecord },
  { title: "After a crash, no second record", breaches: crash },
  { title: "Adoption is asked for", breaches: adoption },
  { title: "The exact one", breaches: exactMatch },
  { title: "A list proves only what it can", breaches: lists },
  { title: 'A fault never looks like "gone"', breaches: gone },
  { title: "What the service did beside what was asked is seen", breaches: besides },
  { title: "An import can't hurt", breaches: imports },
  { title: "Only one's own record is changed", breaches: ownRecord },
  { title: "Statistics are guarded", breaches: statistics },
  { title: "Half-done creates keep their id, and are mended without a POST", breaches: halfDone },
  { title: "What was applied is what is shown", breaches: shown },
  { title: "An upgrade is silent", breaches: upgrade },
  { title: "Faults: A. A create that is cut", breaches: cutCreates },
  { title: "Faults: B. The death of a process", breaches: deaths },
  { title: "Faults: C. Reading", breaches: reads },
  { title: "Faults: D. Updates and deletes", breaches: updatesAndDeletes },
  { title: "Faults: E. Load", breaches: load },
  { title: "Faults: F. Hostile services", breaches: hostile },
  { title: "Faults: G. Two writers", breaches: writers },
  { title: "Figures: retries", breaches: retries },
  { title: "Figures: pace", breaches: pace },
  { title: "Figures: interrupts", breaches: interrupts },
  { title: "Figures: answers", breaches: answers },
  { title: "Figures: secrets", breaches: secrets },
  { title: "Figures: the size of an answer", breaches: size },
  { title: "Figures: the package", breaches: packed },
  { title: "Speed: state", breaches: state },
  { title: "Speed: requests", breaches: requests },
  { title: "Speed: loading", breaches: loading },
];
