import { run } from "../tools/child.mjs";
import { median } from "./figures.mjs";

const TIMES = 10;

/** Packages to load on first use. */
const LATE = ["got", "zod"];

const LOAD = `
const { Module } = require("node:module");
const load = Module._load;
const asked = new Set();
Module._load = function (name) {
  asked.add(name);
  return load.apply(this, arguments);
};
const started = performance.now();
require(process.argv[1]);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, asked: [...asked] }));
`;

/**
 * How long a process takes to load the host, and which packages it loads too early. It compares fresh processes with
 * ones that load an empty module.
 *
 * @param {import("../tools/project.mjs").Project} project with the package
 */
export async function loadHost(project) {
  await project.write("empty.js", "");
  /** @type {number[]} */
  const host = [];
  /** @type {number[]} */
  const empty = [];
  /** @type {string[]} */
  let eager = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { ms, asked } = await load(project, "pulumi-tracking/host");
    host.push(ms);
    eager = LATE.filter((name) => asked.includes(name));
    empty.push((await load(project, "./empty.js")).ms);
  }
  return { ms: median(host) ?? 0, emptyMs: median(empty) ?? 0, eager };
}

/**
 * @param {import("../tools/project.mjs").Project} project
 * @param {string} name
 * @returns {Promise<{ ms: number, asked: string[] }>}
 */
async function load(project, name) {
  const { stdout } = await run(process.execPath, ["-e", LOAD, name], { cwd: project.folder });
  return JSON.parse(stdout);
}
