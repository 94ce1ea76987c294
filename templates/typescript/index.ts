import * as tracking from "pulumi-tracking";

const office = ["192.0.2.0/24", "198.51.100.7"];

const shop = new tracking.Website("shop", {
  domain: "shop.example.com",
  emailReports: true,
  excludeIps: office,
});

const analytics = new tracking.Pixel("analytics", {
  name: "Google Analytics",
  type: tracking.PixelType.GoogleAnalytics,
  value: "G-EXAMPLE1",
});

export const shopId = shop.id;
export const analyticsId = analytics.id;
