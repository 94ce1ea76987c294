// Proposes what "pulumi-tracking accept" wrote as one pull request of GitHub, or merge request of GitLab: opens it, updates it,
// or closes it, and never opens a second one. It reads accept.txt, accept.patch and report.md in the folder that it is given, and
// needs no packages and no key of the service.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const BRANCH = "tracking/accept";
const TITLE = "Keep what somebody changed in the web interface";
const AUTHOR = { name: "pulumi-tracking", email: "accept@pulumi-tracking.invalid" };
const DONE = "Nothing is left to merge: the files say what the service has.";
const { env } = process;
const [folder = "."] = process.argv.slice(2);

async function send(headers, method, url, content) {
  const body = content && JSON.stringify(content);
  const response = await fetch(url, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  // Such as "GitHub Actions is not permitted to create or approve pull requests".
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

function gitHub() {
  const {
    GITHUB_API_URL,
    GITHUB_REPOSITORY,
    GITHUB_SERVER_URL,
    GITHUB_REF_NAME: base,
    GH_TOKEN: token,
  } = env;
  const api = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
  const ask = (...args) => send({ Authorization: `Bearer ${token}` }, ...args);
  const head = encodeURIComponent(`${GITHUB_REPOSITORY.split("/")[0]}:${BRANCH}`);
  return {
    url: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`,
    user: "x-access-token",
    token,
    async latest() {
      const [latest] = await ask("GET", `${api}/pulls?head=${head}&state=all&sort=created&direction=desc`);
      const { number, state, merged_at, body } = latest ?? {};
      return { number, state: merged_at ? "merged" : state, body };
    },
    open: (body) => ask("POST", `${api}/pulls`, { head: BRANCH, base, title: TITLE, body }),
    update: (number, body) => ask("PATCH", `${api}/pulls/${number}`, { body }),
    async close(number, sentence) {
      await ask("POST", `${api}/issues/${number}/comments`, { body: sentence });
      await ask("PATCH", `${api}/pulls/${number}`, { state: "closed" });
    },
  };
}

function gitLab() {
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_PROJECT_URL, CI_DEFAULT_BRANCH: base, GITLAB_TOKEN: token } = env;
  const api = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests`;
  const ask = (...args) => send({ "PRIVATE-TOKEN": token }, ...args);
  const query = `source_branch=${encodeURIComponent(BRANCH)}&order_by=created_at&sort=desc&per_page=100`;
  return {
    url: `${CI_PROJECT_URL}.git`,
    user: "oauth2",
    token,
    async latest() {
      const all = await ask("GET", `${api}?${query}`);
      // A fork may have a branch of this name.
      const latest = all.find(({ source_project_id: id }) => String(id) === CI_PROJECT_ID);
      const { iid: number, state, description: body } = latest ?? {};
      return { number, state: state === "opened" ? "open" : state, body };
    },
    open: (description) =>
      ask("POST", api, { source_branch: BRANCH, target_branch: base, title: TITLE, description }),
    update: (number, description) => ask("PUT", `${api}/${number}`, { description }),
    async close(number, sentence) {
      await ask("POST", `${api}/${number}/notes`, { body: sentence });
      await ask("PUT", `${api}/${number}`, { state_event: "close" });
    },
  };
}

const host = env.GITLAB_CI === "true" ? gitLab() : gitHub();

/** Git, with the token in its environment alone: a command line is seen by every process. */
function git(args, input) {
  const helper = `!f() { echo "username=${host.user}"; echo "password=$TOKEN"; }; f`;
  const identity = [`user.name=${AUTHOR.name}`, `user.email=${AUTHOR.email}`];
  const settings = [...identity, "credential.helper=", `credential.helper=${helper}`];
  const options = { encoding: "utf8", input, maxBuffer: 2 ** 28, env: { ...env, TOKEN: host.token } };
  return execFileSync("git", [...settings.flatMap((each) => ["-c", each]), ...args], options);
}

/** The branch as it is on the host: whether only this script has committed to it, and what its commit changes. */
function branchThere() {
  if (git(["ls-remote", host.url, `refs/heads/${BRANCH}`]) === "") return undefined;
  git(["fetch", "--quiet", "--depth=2", host.url, `refs/heads/${BRANCH}`]);
  const isOurs = git(["log", "-1", "--format=%ce", "FETCH_HEAD"]).trim() === AUTHOR.email;
  return { isOurs, change: changeOf("FETCH_HEAD") };
}

/** What a commit changes, wherever in the files that is. */
function changeOf(commit) {
  const [id] = git(["patch-id", "--stable"], git(["diff-tree", "--patch", commit])).split(" ");
  return id;
}

function bodyOf(said, report) {
  // Indented, it is quoted whatever it contains.
  const quoted = said.slice(0, 4000).replace(/^/gm, "    ");
  return `To keep these changes, merge this: the service has them already, and records that somebody made are imported; until
then, a preview shows those as created. To undo the changes, close this and start \`correct\`.

What \`pulumi-tracking accept\` says, and what it leaves to you:

${quoted}

${report}`;
}

async function propose() {
  const [said, patch, report] = ["accept.txt", "accept.patch", "report.md"].map((file) =>
    readFileSync(join(folder, file), "utf8"),
  );
  if (said.trim() === "") throw new Error('"pulumi-tracking accept" has failed: its job says why.');
  const { number, state, body: before } = await host.latest();
  const isOpen = state === "open";
  const branch = branchThere();
  if (patch === "") {
    if (isOpen) await host.close(number, DONE);
    // Else the same change, if it comes back, would look like one that somebody has declined.
    if (branch?.isOurs) git(["push", "--quiet", host.url, "--delete", `refs/heads/${BRANCH}`]);
    return DONE;
  }
  if (branch?.isOurs === false && state !== "merged")
    return `Somebody has committed to ${BRANCH}, so it stays as it is: merge it, or delete the branch.`;
  git(["apply", "--index", join(folder, "accept.patch")]);
  git(["commit", "--quiet", "--message", TITLE]);
  const isSame = branch?.change === changeOf("HEAD");
  if (isSame && state === "closed")
    return `Somebody has closed ${number} with the same changes: "correct" undoes them, and if it is opened again, a merge keeps them.`;
  if (!(isSame && isOpen)) git(["push", "--quiet", "--force", host.url, `HEAD:refs/heads/${BRANCH}`]);
  const body = bodyOf(said.trimEnd(), report);
  if (!isOpen) await host.open(body);
  else if (body !== before) await host.update(number, body);
  return `${isOpen ? "Updated" : "Opened"}: ${TITLE}.`;
}

if (host.token) console.log(await propose());
else console.log("GITLAB_TOKEN is not set, so there is no merge request: accept.patch has the change.");
