import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { listening } from "../../listening";

/** A pull request, or merge request, as its host has it. */
export interface PullRequest {
  readonly number: number;
  state: "open" | "closed" | "merged";
  body: string;
  readonly comments: string[];
}

/** What hosts pull requests, and how the jobs of CI reach it. */
export interface Host {
  readonly pulls: PullRequest[];
  /** The calls that wrote something. */
  readonly written: string[];
  readonly env: Record<string, string>;
}

const REPOSITORY = "acme/sites";
const TOKEN = "token-of-ci";

/** Serves the git repositories below a folder over HTTP, to who has this user and the token alone. */
async function serveGit(root: string, user: string, request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "", headers } = request;
  const credentials = `Basic ${Buffer.from(`${user}:${TOKEN}`).toString("base64")}`;
  if (headers.authorization !== credentials) {
    response.writeHead(401, { "www-authenticate": "Basic" });
    return response.end();
  }
  const { pathname, search } = new URL(url, "http://host");
  const variables = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    REMOTE_USER: user,
    REQUEST_METHOD: method,
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    CONTENT_TYPE: headers["content-type"],
    HTTP_CONTENT_ENCODING: headers["content-encoding"],
    HTTP_GIT_PROTOCOL: headers["git-protocol"]?.toString(),
  };
  const backend = spawn("git", ["http-backend"], { env: variables, stdio: ["pipe", "pipe", "inherit"] });
  request.pipe(backend.stdin);
  const answer = await buffer(backend.stdout);
  const end = answer.indexOf("\r\n\r\n");
  for (const line of answer.toString("utf8", 0, end).split("\r\n")) {
    const [, name = "", value = ""] = /^(.*?): (.*)$/.exec(line) ?? [];
    if (name === "Status") response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  return response.end(answer.subarray(end + 4));
}

/** Plays the interface of GitHub or of GitLab for pull requests, over HTTP, beside the git repository in a folder. */
export async function pullRequestHost(kind: "GitHub" | "GitLab", remote: string): Promise<Host> {
  const pulls: PullRequest[] = [];
  const written: string[] = [];
  const isGitLab = kind === "GitLab";
  const shown = ({ number, state, body }: PullRequest) =>
    isGitLab
      ? { iid: number, state: state === "open" ? "opened" : state, description: body, source_project_id: 7 }
      : {
          number,
          state: state === "merged" ? "closed" : state,
          merged_at: state === "merged" ? "2026-11-29" : null,
          body,
        };
  const user = isGitLab ? "oauth2" : "x-access-token";
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    if (url.startsWith(`/${REPOSITORY}.git/`)) return serveGit(remote, user, request, response);
    const sent = method === "GET" ? {} : JSON.parse(await text(request));
    const isKnown = [headers.authorization, headers["private-token"]].some((each) =>
      String(each).endsWith(TOKEN),
    );
    const { body, description = body, state, state_event } = sent;
    const at = /\/(\d+)(\/|$)/.exec(url.replace("/projects/7/", "/"))?.[1];
    const pull = pulls.find(({ number }) => number === Number(at));
    if (method !== "GET")
      written.push(`${method} ${url.replace(/^.*?(?=\/(pulls|issues|merge_requests))/, "")}`);
    if (!isKnown) response.statusCode = 401;
    else if (method === "GET") {
      // The newest first, and on GitLab one of a fork before it.
      const fork = isGitLab ? [{ iid: 99, state: "opened", description: "", source_project_id: 8 }] : [];
      return response.end(JSON.stringify([...fork, ...pulls.toReversed().map(shown)]));
    } else if (/\/(comments|notes)$/.test(url)) pull?.comments.push(body);
    else if (pull !== undefined) {
      if (state ?? state_event) pull.state = "closed";
      if (description !== undefined) pull.body = description;
    } else pulls.push({ number: pulls.length + 1, state: "open", body: description, comments: [] });
    response.end("{}");
  });
  const api = `http://127.0.0.1:${await listening(server)}`;
  const gitLab = {
    GITLAB_CI: "true",
    CI_API_V4_URL: api,
    CI_PROJECT_ID: "7",
    CI_PROJECT_URL: `${api}/${REPOSITORY}`,
    CI_DEFAULT_BRANCH: "main",
    GITLAB_TOKEN: TOKEN,
  };
  const gitHub = {
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_SERVER_URL: api,
    GITHUB_REF_NAME: "main",
    GH_TOKEN: TOKEN,
  };
  return { pulls, written, env: isGitLab ? gitLab : gitHub };
}

/** Where its git repository is, below its folder. */
export const REPOSITORY_FOLDER = `${REPOSITORY}.git`;
