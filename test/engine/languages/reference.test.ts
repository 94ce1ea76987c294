import { describe, expect, it } from "vitest";
import { run } from "../../../tools/child.mjs";
import { blocks, commandsBelow, languages, reference } from "../../docs/readme";
import { KEY, PLUGIN } from "../fresh-project";
import { useHarness } from "../harness";
import { missingHost } from "./hosts";

const GENERATE = commandsBelow("Install", languages).at(-1) ?? "";
const HEAD = /^name: .*\nruntime: .*\n/;

/** Each language's project, its program's file, and what makes a page's program one of this project. */
const projects = {
  yaml: {
    runtime: "yaml",
    file: "Pulumi.yaml",
    made: [],
    adapt: (text: string) => text.replace(HEAD, `name: fresh\nruntime: yaml\n${PLUGIN}`),
  },
  python: {
    runtime: "{ name: python, options: { toolchain: pip, virtualenv: venv } }",
    file: "__main__.py",
    made: ["requirements.txt", "pulumi>=3.0.0,<4.0.0\n"],
    adapt: (text: string) => text,
  },
} as const;

describe.each(["yaml", "python"] as const)("the reference's programs in %s", (language) => {
  const { runtime, file, made, adapt } = projects[language];
  const [name = "", text = ""] = made;
  const files = {
    "Pulumi.yaml": `name: fresh\nruntime: ${runtime}\n${PLUGIN}`,
    ...(name !== "" && { [name]: text }),
  };
  const world = useHarness({ files }, "native");

  it("can be previewed as they are written: each resource, every look-up, and an explicit provider", async ({
    skip,
  }) => {
    const { project, service } = world;
    const missing = missingHost(language, project.env);
    if (missing !== undefined) return skip(missing);
    if (language === "python") await run("sh", ["-c", GENERATE], { cwd: project.folder, env: project.env });
    const [url] = /http:\S+/.exec((await project.pulumi(["config"])).stdout) ?? [""];
    await project.pulumi(["config", "set", "tracking:marketBaseUrl", url]);
    for (const [key, secret] of [
      ["partnersPassword", "password"],
      ["agencyKey", KEY],
    ])
      await project.pulumi(["config", "set", "--secret", key ?? "", secret ?? ""]);
    service.insertWebsite({ domain: "shop.example.com" });
    service.insertPixel({ name: "Analytics" });

    const seen: Record<string, string[]> = {};
    for (const [page, markdown] of Object.entries(reference)) {
      const [program] = blocks(language, markdown);
      if (program === undefined) continue;
      await project.write(file, adapt(program.replace("https://stats.example.com", url)));
      const plan = Object.keys(await world.plan());
      seen[page.replace(/.*\//, "")] = plan.sort();
    }
    expect(seen).toEqual({
      "lookups.md": [],
      "pixel.md": ["analytics"],
      "provider.md": ["customer"],
      "website.md": ["partners", "shop"],
    });
    const asked = service.requests().map(({ path }) => path.split("?")[0]);
    for (const path of [
      "/api/v1/websites",
      "/api/account/details",
      "/api/items/all",
      "/api/purchases/validation",
    ])
      expect(asked).toContain(path);
  });
});
