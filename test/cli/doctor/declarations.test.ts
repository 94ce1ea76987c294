import { expect, test } from "vitest";
import { versionFindings } from "../../../cli/doctor/declarations";
import { ownVersion } from "../../../cli/manifest";
import type { Project } from "../../../cli/pulumi/project";

const OWN = `default_${ownVersion().replaceAll(".", "_")}`;
const PLUGIN = { plugins: { providers: [{ name: "tracking", path: "node_modules/.bin" }] } } as Project;

/** The warnings on a program of another language, whose resource has this provider. */
function warnings(provider: string, { type = "tracking:index:Pixel", project = PLUGIN } = {}): string[] {
  const urn = (of: string) => `urn:pulumi:dev::shop::${of}`;
  const reference = `${urn(`pulumi:providers:tracking::${provider}`)}::04da6b54`;
  const planned = [{ urn: urn(`${type}::it`), type, provider: reference }];
  return versionFindings({ planned }, project).map(({ message }) => message);
}

test.each([OWN, `${OWN}_https_//example.com`, "default", "my-default_0_0_1"])(
  "a resource of the provider %s has the plugin's version, or none that is known",
  (provider) => expect(warnings(provider)).toEqual([]),
);

test("a resource of another version than the plugin of the project's file is a warning with both versions", () => {
  for (const name of ["default_0_0_9", "default_0_0_9_github_/api.github.com/owner/repository"])
    expect(warnings(name)).toEqual([
      `The program's package is version 0.0.9, and the provider plugin is version ${ownVersion()}`,
    ]);
  expect(warnings("default_0_0_9", { project: {} as Project })).toEqual([]);
  expect(warnings("default_0_0_9", { type: "aws:s3:Bucket" })).toEqual([]);
});
