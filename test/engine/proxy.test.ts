import { createServer } from "node:https";
import { join } from "node:path";
import { expect, it } from "vitest";
import { forwarded, listening, send } from "../listening";
import { certificate } from "../provider/api/certificate";
import { startProxy } from "../provider/api/proxy";
import { declare, KEY, useHarness } from "./harness";

const world = useHarness();

/** The test's service behind a self-signed certificate. */
const secured = () =>
  listening(
    createServer(certificate, async (asked, answer) =>
      send(await forwarded(asked, `${world.service.url}${asked.url}`), answer),
    ),
  );

it("goes through a company's proxy, to a service with the company's own certificate", async () => {
  const proxy = await startProxy();
  const host = `tracking.example:${await secured()}`;
  await world.configureHere({
    key: KEY,
    plain: { analyticsBaseUrl: `https://${host}`, dataBaseUrl: world.service.url },
  });
  await world.project.write("company.pem", certificate.cert);
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }) +
      declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }),
  );
  const env = {
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    NO_PROXY: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: join(world.project.folder, "company.pem"),
  };
  await world.up({ env });
  expect(world.service.websites()).toMatchObject([{ domain: "shop.example.com" }]);
  expect(world.service.pixels()).toMatchObject([{ name: "P" }]);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}`]));
});
