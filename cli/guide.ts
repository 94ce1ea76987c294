/** The guide in the installed package, for messages that name a section of it. */
export const GUIDE = "node_modules/pulumi-tracking/docs/guide.md";
