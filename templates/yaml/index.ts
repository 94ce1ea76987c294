import * as tracking from "pulumi-tracking";

const { websites, pixels } = tracking.declareFrom("tracking.yaml");

export const websiteIds = Object.fromEntries(Object.entries(websites).map(([name, { id }]) => [name, id]));
export const pixelIds = Object.fromEntries(Object.entries(pixels).map(([name, { id }]) => [name, id]));
