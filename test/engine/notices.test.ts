import { describe, expect, it } from "vitest";
import { declare, times, useHarness } from "./harness";

const world = useHarness();

const website = (name: string, args: object) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args });

describe("a notice", () => {
  it("is printed at preview and again at up, one line each", async () => {
    await world.program(
      [
        website("pub", {}),
        website("ips", { excludeIps: ["192.0.2.7"] }),
        website("pass", { password: "first-canary" }),
      ].join(""),
    );
    await world.up();
    const same = await world.service.insertPixel({ name: "P", type: "quora", value: "1" });
    await world.program(
      [
        website("pub", { privacy: "public" }),
        website("ips", {}),
        website("pass", { password: "second-canary" }),
        declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true }),
      ].join(""),
    );
    const lines = [
      'website "pub.example.com": its statistics page becomes public',
      'website "ips.example.com": its excludeIps will be emptied',
      'website "pass.example.com": its password changes',
      `pixel "P" exists already (id ${same.id}) and will be adopted; nothing changes on it`,
    ];
    const preview = await world.preview();
    expect(preview.written).toEqual([]);
    const up = await world.up();
    for (const { output } of [preview, up]) {
      const said = output.slice(output.indexOf("\nDiagnostics:\n"));
      for (const line of lines) expect(times(said, line), line).toBe(1);
      for (const silent of ["second-canary", "first-canary", "in plain text"])
        expect(said).not.toContain(silent);
    }
    expect((await world.expectNoChange()).output).not.toContain("Diagnostics");
  });

  it("warns of a key that the config stores in plain text", async () => {
    const warning =
      'tracking:apiKey is stored in plain text in the stack\'s config; run "pulumi config set --secret tracking:apiKey"';
    await world.program(website("shop", {}) + website("blog", {}));
    await world.configureHere({ url: world.service.url, plain: { apiKey: "local-and-clear" } });
    const { stdout } = await world.preview();
    expect(times(stdout.slice(stdout.indexOf("\nDiagnostics:\n")), warning)).toBe(1);
  });
});
