import * as tracking from "pulumi-tracking";

const { websites } = tracking.declareFrom("tracking");

export const ids = Object.fromEntries(Object.entries(websites).map(([name, { id }]) => [name, id]));
