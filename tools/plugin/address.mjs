/**
 * The address from which the engine downloads the plugin by itself: the releases of the package's repository, or
 * nothing if its manifest names no repository on GitHub.
 *
 * @param {{ repository?: string | { url?: string } }} manifest the package's package.json
 */
export function downloadAddress({ repository }) {
  const url = typeof repository === "string" ? repository : repository?.url;
  const [, owner, name] = /github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(url ?? "") ?? [];
  return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
