import { expect, it } from "vitest";
import { spelled } from "../../../../provider/hosts/native/spelling";

it("names an argument or an option that Python spells otherwise in both ways, at its first mention", () => {
  expect(
    spelled(
      "excludeIps must be a list; leave excludeIps out, or give deleteBeforeReplace: true, not deleteBeforeReplace: false",
    ),
  ).toBe(
    "excludeIps (in Python exclude_ips) must be a list; leave excludeIps out, or give deleteBeforeReplace: true (in Python delete_before_replace=True), not deleteBeforeReplace: false",
  );
});

it("names the words for true and false of Python too, where people are to write them", () => {
  expect(spelled('emailReports must be true or false, not "yes"; write true')).toBe(
    'emailReports (in Python email_reports) must be true or false, not "yes"; write true (in Python True)',
  );
});

it.each([
  'website "excludeIps" is protected',
  "set tracking:excludeIps",
  "domain is missing, and excludeIpsOf is no name",
])("leaves a value, a setting and a name that all languages share as it is: %s", (message) => {
  expect(spelled(message)).toBe(message);
});
