/** What the program declared that the stored states are of: the arguments of each resource, by its name. */
export const websites = {
  defaults: { domain: "defaults.example.com" },
  full: {
    domain: "Full.example.com.",
    privacy: "password",
    password: "a-golden-password",
    emailReports: true,
    excludeBots: false,
    excludeParams: ["ref", "utm_source"],
    excludeIps: ["192.0.2.0/24", "2001:db8::1"],
    adopt: true,
  },
  idn: { domain: "bücher.example.com", privacy: "public", excludeParams: [] },
};

export const pixels = {
  ga: { name: "GA & more", type: "google-analytics", value: "G-1234567890" },
  x: { name: "X", type: "twitter", value: "a-1_B", adopt: true },
};
