import type { Contexts } from "./github";
import type { Variables } from "./gitlab";

const REPOSITORY = "ours/tracking";

/** The events of a repository, by each CI service's name for them. */
export const EVENTS = {
  request: { github: "pull_request", gitlab: "merge_request_event" },
  merge: { github: "push", gitlab: "push" },
  night: { github: "schedule", gitlab: "schedule" },
};
export type Event = keyof typeof EVENTS;

/** GitHub's contexts at an event. */
export function onGithub(event: Event, commit: string, key: string): Contexts {
  return {
    github: {
      event_name: EVENTS[event].github,
      sha: commit,
      repository: REPOSITORY,
      event: { pull_request: { head: { repo: { full_name: REPOSITORY } } } },
    },
    secrets: { PULUMI_ACCESS_TOKEN: "", TRACKING_API_KEY: key },
  };
}

/** GitLab's variables at an event. */
export function onGitlab(event: Event, commit: string, key: string): Variables {
  return {
    CI_PIPELINE_SOURCE: EVENTS[event].gitlab,
    CI_COMMIT_BRANCH: "main",
    CI_DEFAULT_BRANCH: "main",
    CI_COMMIT_SHA: commit,
    TRACKING_API_KEY: key,
  };
}
