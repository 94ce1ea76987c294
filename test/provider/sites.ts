/** A website as the emulator is seeded with it. */
export const site = (id: number) => ({
  id,
  domain: `site-${id}.example`,
  privacy: 1,
  email: 0,
  exclude_bots: 1,
});

/** The state of the resource that such a website is managed by. */
export const stateOf = (id: number | string) => ({
  domain: `site-${id}.example`,
  privacy: "private",
  emailReports: false,
  excludeBots: true,
});

/** The numbers from 1. */
export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
