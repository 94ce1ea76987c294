import { describe, expect, it } from "vitest";
import { declare, times, useHarness } from "./harness";

const world = useHarness();

const website = (name: string, args: object, opts: object = {}) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args }, opts);

describe("a notice", () => {
  it("is printed at preview and again at up, one line each", async () => {
    await world.program(
      [
        website("pub", {}),
        website("params", { excludeParams: ["ref"] }),
        website("ips", { excludeIps: ["192.0.2.7"] }),
        website("pass", { password: "first-canary" }),
        website("move", { domain: "here.example.com" }, { protect: false }),
        website("keep", { domain: "kept.example.com" }, { retainOnDelete: true }),
      ].join(""),
    );
    await world.up();
    const { id } = await world.service.insertWebsite({
      domain: "theirs.example.com",
      privacy: 0,
      email: 1,
      exclude_bots: 1,
    });
    const same = await world.service.insertPixel({ name: "P", type: "quora", value: "1" });
    await world.program(
      [
        website("pub", { privacy: "public" }),
        website("params", { excludeParams: [] }),
        website("ips", {}),
        website("pass", { password: "second-canary" }),
        website("move", { domain: "there.example.com" }, { protect: false }),
        website("keep", { domain: "elsewhere.example.com" }, { retainOnDelete: true }),
        website("theirs", { adopt: true }),
        declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true }),
      ].join(""),
    );
    const lines = [
      'website "pub.example.com": its statistics page becomes public',
      'website "params.example.com": its excludeParams will be emptied',
      'website "ips.example.com": its excludeIps will be emptied',
      'website "pass.example.com": its password changes',
      'website "here.example.com": domain becomes "there.example.com"; to keep the statistics of "here.example.com", declare a second website beside it',
      `website "theirs.example.com": exists already (id ${id}) and will be adopted; its privacy changes from "public" to "private", emailReports changes from true to false`,
      `pixel "P": exists already (id ${same.id}) and will be adopted; nothing changes on it`,
    ];
    const preview = await world.preview();
    expect(preview.written).toEqual([]);
    const up = await world.up();
    for (const { output } of [preview, up]) {
      const said = output.slice(output.indexOf("\nDiagnostics:\n"));
      for (const line of lines) expect(times(said, line), line).toBe(1);
      for (const silent of ["second-canary", "first-canary"]) expect(said).not.toContain(silent);
    }
    expect((await world.website("theirs.example.com")).id).toBe(id);
    expect((await world.expectNoChange()).output).not.toContain("Diagnostics");
  });

  it("warns of a key that the config stores in plain text", async () => {
    const warning =
      'tracking:apiKey is stored in plain text in the stack\'s config; run "pulumi config set --secret tracking:apiKey"';
    await world.program(website("shop", {}) + website("blog", {}));
    expect((await world.preview()).output).not.toContain("is not a secret");
    await world.configureHere({ url: world.service.url, plain: { apiKey: "local-and-clear" } });
    const { stdout } = await world.preview();
    expect(times(stdout.slice(stdout.indexOf("\nDiagnostics:\n")), warning)).toBe(1);
  });
});
