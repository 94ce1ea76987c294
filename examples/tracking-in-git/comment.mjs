// Writes a file as a comment on GitLab's merge request, and updates that comment on the next push.
import { readFile } from "node:fs/promises";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN } = process.env;
const notes = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
const [, , file] = process.argv;

async function send(method, url, content) {
  const headers = { "PRIVATE-TOKEN": GITLAB_TOKEN, "Content-Type": "application/json" };
  const response = await fetch(url, { method, headers, body: content && JSON.stringify(content) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
  return response.json();
}

if (GITLAB_TOKEN === undefined) console.log("GITLAB_TOKEN is not set, so the preview is only in this log.");
else {
  const body = await readFile(file, "utf8");
  const [marker] = body.split("\n");
  if (!marker.startsWith("<!--")) throw new Error(`${file} is no preview: the step before it failed.`);
  const found = await send("GET", `${notes}?per_page=100`);
  const mine = found.find((each) => each.body.startsWith(marker));
  await send(mine ? "PUT" : "POST", mine ? `${notes}/${mine.id}` : notes, { body });
}
