/**
 * Where the package is at home, as Pulumi's registry, its engine and its SDKs want to know it. All but the publisher
 * follows from the repository, which package.json names as soon as it has one on GitHub.
 *
 * @param {{ version: string, author: string, repository?: { url: string } }} manifest the package's package.json
 */
export function homeOf({ version, author, repository }) {
  const [, slug] = /github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(repository?.url ?? "") ?? [];
  const place = `https://github.com/${slug}`;
  return {
    publisher: author,
    ...(slug !== undefined && {
      repository: place,
      homepage: place,
      logoUrl: `https://raw.githubusercontent.com/${slug}/v${version}/docs/logo.svg`,
      // The engine finds the archives of a release there.
      pluginDownloadURL: `github://api.github.com/${slug}`,
    }),
  };
}
