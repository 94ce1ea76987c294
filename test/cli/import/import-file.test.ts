import { expect, test } from "vitest";
import { entriesOf, withAncestors } from "../../../cli/import/import-file";
import { tokenOf } from "../../../provider/hosts/dynamic/code";
import { website } from "../../../provider/resources";

const type = tokenOf(website);
const [GROUP, PART, OLD] = ["my:index:Group", "my:index:Part", "my:index:Old"] as const;
const id = "<PLACEHOLDER>";

/** As the engine writes it: what others need stands before them, and a name that several have is changed. */
const file = {
  nameTable: { old: `urn:pulumi:dev::shop::${OLD}::old` },
  resources: [
    { type: "pulumi:providers:pulumi-nodejs", name: "theirs" },
    { type: GROUP, name: "group", component: true },
    { type: GROUP, name: "other", component: true },
    { type: PART, name: "part", parent: "group", provider: "theirs", component: true },
    { type, name: "shop", id },
    { type, name: "shopWebsite", logicalName: "shop", parent: "part", id },
    { type, name: "shopWebsite2", logicalName: "shop", parent: "old", id },
    { type, name: "blog", parent: "group", provider: "theirs", id },
    { type, name: "child", parent: "shop", id },
  ],
};
const urn = (...types: string[]) => `urn:pulumi:dev::shop::${types.join("$")}::shop`;
const found = (...types: string[]) => entriesOf(file)({ urn: urn(...types), type })?.name;

test("a planned resource is found by its name, type and parent's type, which may be in the stack already", () => {
  const places = [[type], [GROUP, PART, type], [OLD, type], [GROUP, type]];
  expect(places.map((types) => found(...types))).toEqual(["shop", "shopWebsite", "shopWebsite2", undefined]);
});

test("what is imported comes after its parents and providers, and theirs, in the engine's order, without anything else", () => {
  const entry = (name: string) => file.resources.filter((each) => each.name === name && "id" in each);
  const names = (...wanted: string[]) =>
    withAncestors(file, wanted.flatMap(entry)).resources.map(({ name }) => name);
  expect(names("shopWebsite")).toEqual(["theirs", "group", "part", "shopWebsite"]);
  expect(names("blog", "shop")).toEqual(["theirs", "group", "blog", "shop"]);
  expect(names("shopWebsite2")).toEqual(["shopWebsite2"]);
  // A record without an id can't be imported, as a parent neither.
  expect(names("child")).toEqual(["child"]);
  expect(withAncestors(file, []).nameTable).toBe(file.nameTable);
});
