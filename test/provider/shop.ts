import { website } from "../../provider/resources";
import type { WebsiteSeed } from "../service";
import { type World, world, writes } from "./harness";

/** A website as the service stores it, and as state has it. */
export const row: WebsiteSeed = { id: 7, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };
export const state = {
  domain: "shop.example",
  privacy: "private",
  emailReports: false,
  excludeBots: true,
};
export const path = `${website.path}/7`;

export const withWebsite = () => world({ seed: { websites: [row] } });
/** What was written to the service. */
export const methods = (here: World) => writes(here).map(([method]) => method);
