/**
 * @typedef {object} Manifest what package.json says of the package's home
 * @property {string} version
 * @property {string | { name: string }} [author]
 * @property {string} [homepage]
 * @property {string | { url?: string }} [repository]
 */

/**
 * Where the package is at home, as Pulumi's registry, its engine and its SDKs want to know it. All but the publisher
 * follows from the repository, which package.json names as soon as it has one on GitHub.
 *
 * @param {Manifest} manifest the package's package.json
 */
export function homeOf({ version, author, homepage, repository }) {
  const url = typeof repository === "string" ? repository : repository?.url;
  const [, slug] = /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url ?? "") ?? [];
  const place = `https://github.com/${slug}`;
  return {
    publisher: typeof author === "string" ? author : author?.name,
    ...(slug !== undefined && {
      repository: place,
      homepage: homepage ?? place,
      logoUrl: `https://raw.githubusercontent.com/${slug}/v${version}/docs/logo.svg`,
      // The engine finds the archives of a release there.
      pluginDownloadURL: `github://api.github.com/${slug}`,
    }),
  };
}

/** A page with the plugin's address instead of any other. @param {string} page @param {string} [address] */
export const withAddress = (page, address) =>
  address === undefined ? page : page.replaceAll(/github:\/\/api\.github\.com\/[\w.-]+\/[\w.-]+/g, address);
