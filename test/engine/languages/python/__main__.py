"""A website, a pixel and look-ups; the environment says which stage of the test it is."""

import os

import pulumi
import pulumi_tracking as tracking

stage = os.environ["STAGE"]

if stage != "forgotten":
    shop = tracking.Website(
        "shop",
        domain="shop.example.com",
        privacy=tracking.Privacy.PASSWORD,
        password="pass word",
        exclude_ips=["192.0.2.1", "192.0.2.2" if stage == "made" else "192.0.2.3"],
        deletion_protection=False if stage == "released" else None,
    )
    ga = tracking.Pixel("ga", name="GA", type=tracking.PixelType.GOOGLE_ANALYTICS, value="G-1")

    # It waits for the record, so that a preview before it is made asks nothing.
    pulumi.export("domain", tracking.get_website_output(id=shop.id).domain)
    pulumi.export("privacy", shop.privacy)

pulumi.export("items", [item.name for item in tracking.get_items().items])
