import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "../../tools/child.mjs";

/** Git repositories under an `https://` address, the only kind that `pulumi new` accepts. */
export interface GitServer {
  url: string;
  /** The server's self-signed certificate. */
  certificate: string;
  close: () => Promise<void>;
}

/**
 * Serves the git repositories in a folder from this machine.
 *
 * @param folder also gets the server's certificate and key
 */
export async function serveGit(folder: string): Promise<GitServer> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await run("openssl", ["req", "-x509", ...kind, ...names, "-keyout", key, "-out", certificate]);
  const credentials = { key: await readFile(key), cert: await readFile(certificate) };
  const server = createServer(credentials, (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "https://localhost");
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        // The current user may not own the folder.
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: "*",
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"],
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
        GIT_PROTOCOL: request.headers["git-protocol"] as string | undefined,
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on("data", (part: Buffer) => parts.push(part));
    backend.on("close", () => {
      const answer = Buffer.concat(parts);
      const end = answer.indexOf("\r\n\r\n");
      for (const line of answer.subarray(0, end).toString().split("\r\n")) {
        const [name = "", value = ""] = line.split(": ");
        if (name === "Status") response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
