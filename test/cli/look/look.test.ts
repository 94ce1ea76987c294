import { expect, test } from "vitest";
import { account, doctor, reportOn, stored, trouble } from "../doctor/harness";

const site = (name: string, id: number, resource = name) =>
  stored("Website", resource, id, { domain: `${name}.example` });

test("what a run creates while the services are read is no record of nobody", async () => {
  const { config } = await account({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  let reads = 0;
  const dev = {
    config,
    get deployment() {
      reads += 1;
      return { resources: reads === 1 ? [] : [site("a", 1)] };
    },
  };
  const { findings } = await doctor({ stacks: { dev } });
  expect(findings.map(({ code }) => code)).not.toContain("unmanaged");
});

test("a stack that is named twice manages nothing twice", async () => {
  const { config } = await account({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  const dev = { config, deployment: { resources: [site("a", 1)] } };
  expect(trouble(await doctor({ stacks: { dev } }, { stacks: ["dev", "dev"] }))).toEqual([]);
});

test("two resources whose record is gone don't manage it", async () => {
  const resources = [site("a", 1), site("b", 2, "b"), site("b", 2, "again")];
  const report = await reportOn({ resources }, { websites: [{ id: 1, domain: "a.example" }] });
  expect(trouble(report)).toEqual(["error record-missing", "error record-missing"]);
});
