import * as pulumi from "@pulumi/pulumi";
import * as tracking from "pulumi-tracking";

const config = new pulumi.Config();

export = async () => {
  // For a code that is not valid this ends the program before anything is declared, so that what an earlier run
  // deployed stays as it is. Leaving the resources out instead would delete them.
  const purchase = await tracking.getPurchase({ purchaseCode: config.require("purchaseCode") });
  const item = await tracking.getItem({ itemId: purchase.item.id });
  const account = await tracking.getAccount();

  const site = new tracking.Website("site", { domain: config.require("domain") });
  // The look-up waits for the website that it reads.
  const record = tracking.getWebsiteOutput({ id: site.id });

  return {
    seller: account.name.fullName,
    item: item.name,
    itemVersion: item.version,
    licence: purchase.licenseType,
    supportedUntil: purchase.supportedUntil,
    trackedSince: record.createdAt,
  };
};
