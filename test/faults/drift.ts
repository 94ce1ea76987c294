import { expect } from "vitest";
import type { Row, Scene } from "./fault";
import { stored } from "./scene";

/** Changes the one record behind the stack's back. */
function edit(scene: Scene, website: object, pixel: object = website): void {
  const [record] = stored(scene);
  const id = record?.id ?? 0;
  if (scene.type === "Website") scene.control.editWebsite(id, website);
  else scene.control.editPixel(id, pixel);
}

function nothingWritten(scene: Scene): void {
  const written = scene.control.requests().filter(({ method }) => method !== "GET");
  expect(written, "writes").toEqual([]);
  edit(scene, { domain: "shop.example.com" }, { name: "GA", value: "G-1" });
}

const columns = [
  ["privacy", "Website", { privacy: 0 }],
  ["email", "Website", { email: 1 }],
  ["exclude_bots", "Website", { exclude_bots: 0 }],
  ["exclude_ips", "Website", { exclude_ips: "10.0.0.9" }],
  ["privacy, which became null", "Website", { privacy: null }],
  ["name", "Pixel", { name: "Other" }],
  ["type", "Pixel", { type: "bing" }],
  ["value", "Pixel", { value: "G-9" }],
] as const;

/** A record that someone changed after the last `up`. */
export const driftFaults: readonly Row[] = [
  ...(["refresh", "update", "destroy"] as const).map(
    (verb, at): Row => ({
      id: `C${at + 9}`,
      title: `another record has the id, with control characters in its name (${verb})`,
      verb,
      arrange: (scene) =>
        edit(scene, { domain: "\u001b\u0007\u202e<{%reset%}>" }, { name: "\u001b\u202e<{%", value: "Z" }),
      after: nothingWritten,
      message: /^(?!.*<\{%)[^\p{Cc}\u202e]*$/u,
    }),
  ),
  ...columns.map(
    ([name, only, change], at): Row => ({
      id: `C${at + 12}`,
      title: `drift of ${name}`,
      verb: "refresh",
      only,
      ...(name === "exclude_ips" ? { args: { excludeIps: ["10.0.0.1", "10.0.0.2"] } } : {}),
      arrange: (scene) => edit(scene, change),
      after: async ({ stack, declared }) =>
        expect((await stack.preview([declared])).steps).toEqual(["update one"]),
      // Beside no other record, it may be another account's.
      ...(name === "name" ? { after: nothingWritten, message: /"GA" .* is "Other" on the service now/ } : {}),
    }),
  ),
  ...["SHOP.Example.com", "https://shop.example.com"].map(
    (domain, at): Row => ({
      id: `C${at + 20}`,
      title: `the domain is spelled ${domain}`,
      verb: "refresh",
      only: "Website",
      arrange: (scene) => edit(scene, { domain }),
      after: async ({ stack, declared }) => expect((await stack.preview([declared])).steps).toEqual([]),
    }),
  ),
  ...(["strings", "newer", "bare"] as const).map(
    (dialect, at): Row => ({
      id: `C${at + 22}`,
      title: `the service now answers in the dialect "${dialect}"`,
      verb: "refresh",
      arrange: ({ control }) => control.configure({ dialect }),
      after: async ({ stack, declared }) => expect((await stack.preview([declared])).steps).toEqual([]),
    }),
  ),
];
