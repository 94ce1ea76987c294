import { website } from "../../provider/resources";
import { type World, world, writes } from "./harness";
import { site, stateOf } from "./sites";

/** A website as the service stores it, and as state has it. */
export const row = { ...site(7), domain: "shop.example" };
export const state = { ...stateOf(7), domain: row.domain };
export const path = `${website.path}/7`;

export const withWebsite = () => world({ seed: { websites: [row] } });
/** What was written to the service. */
export const methods = (here: World) => writes(here).map(([method]) => method);
