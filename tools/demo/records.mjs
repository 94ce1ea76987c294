// The demo's records as the service stores them, in each version.
export const WEBSITES = "/api/v1/websites";
export const PIXELS = "/api/v1/pixels";

const office = "192.0.2.0/24\n198.51.100.7";
export const shop = {
  id: 1,
  domain: "shop.example.com",
  privacy: 1,
  email: 1,
  exclude_bots: 1,
  exclude_ips: office,
};
export const shopNow = { ...shop, email: 0, exclude_ips: `${office}\n203.0.113.9` };
export const store = { ...shopNow, id: 2, domain: "store.example.com" };
export const analytics = { id: 1, name: "Google Analytics", type: "google-analytics", value: "G-EXAMPLE1" };
export const blog = { id: 3, domain: "blog.example.com", privacy: 0, email: 1, statistics: true };
export const found = [
  { id: 3, name: "Ads", type: "google-ads", value: "AW-EXAMPLE1" },
  { id: 4, name: "Bing", type: "bing", value: "EXAMPLE-2" },
];
export const blogNow = { ...blog, privacy: 1, email: 0, exclude_bots: 1 };
