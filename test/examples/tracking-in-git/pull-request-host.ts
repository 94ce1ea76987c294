import { createServer } from "node:http";
import { text } from "node:stream/consumers";
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

/** Plays the interface of GitHub or of GitLab for pull requests, over HTTP. Its git repository is a folder. */
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
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const sent = method === "GET" ? {} : JSON.parse(await text(request));
    const isKnown = [headers.authorization, headers["private-token"]].some((each) =>
      /token-of-ci$/.test(String(each)),
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
    CI_PROJECT_URL: `file://${remote}/${REPOSITORY}`,
    CI_DEFAULT_BRANCH: "main",
    GITLAB_TOKEN: "token-of-ci",
  };
  const gitHub = {
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_SERVER_URL: `file://${remote}`,
    GITHUB_REF_NAME: "main",
    GH_TOKEN: "token-of-ci",
  };
  return { pulls, written, env: isGitLab ? gitLab : gitHub };
}

/** Where its git repository is, below its folder. */
export const REPOSITORY_FOLDER = `${REPOSITORY}.git`;
