import { pathToFileURL } from "node:url";

/**
 * The environment of a project that is isolated from the user's own Pulumi: without their login, settings and
 * keys, with a separate home and backend. The home is not shared, because two engines that start in one
 * second would write to one log.
 *
 * @param {NodeJS.ProcessEnv} env what the engine is started in
 * @param {string} home
 * @param {string} backend
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment(env, home, backend) {
  const others = Object.entries(env).filter(([name]) => !/^(PULUMI|TRACKING)_/.test(name));
  return {
    ...Object.fromEntries(others),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "fresh",
  };
}
