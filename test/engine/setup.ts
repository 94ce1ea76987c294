import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { packPackage } from "../../tools/pack.mjs";
import { createProject } from "../../tools/project.mjs";
import { startKeyService } from "./key-service";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package. */
    tarball: string;
    /** The folder of a program with the packages that such projects have. */
    installed: string;
    /** The folder of the projects that several test files use; it is removed after all of them. */
    projects: string;
    /** The address of the service that has the keys of their stacks' secrets. */
    keyService: string;
    /** How programs reach the provider, in the tests that run in both forms. */
    form: "dynamic" | "native";
    /** Whether every supported version of Node.js is tried, and not only the one that runs the tests. */
    allVersions: boolean;
  }
}

/** Builds and packs the package once for all test files, and sets up the engine. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureEngine();
  const tarball = await packPackage();
  project.provide("tarball", tarball);
  const projects = await mkdtemp(join(tmpdir(), "pulumi-tracking-projects-"));
  project.provide("projects", projects);
  project.provide("installed", (await createProject({ tarball, within: projects })).folder);
  const keyService = await startKeyService();
  project.provide("keyService", keyService.url);
  return async () => {
    keyService.close();
    await rm(projects, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
}
