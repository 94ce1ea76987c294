import * as pulumi from "@pulumi/pulumi";
import * as tracking from "pulumi-tracking";

const config = new pulumi.Config();

// An error ends the program before anything is declared, so that what an earlier run deployed stays as it is.
// Leaving the resources out instead would delete them.
export = async () => {
  const purchaseCode = config.require("purchaseCode");
  const validation = await tracking.validatePurchase({ purchaseCode });
  if (!validation.valid)
    throw new pulumi.RunError(`Nothing is deployed: the purchase code is not valid (${validation.reason}).`);

  const { purchase } = validation;
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
