"""The websites of a shop."""

import pulumi
import pulumi_tracking as tracking

shop = tracking.Website(
    "shop",
    domain="shop.example.com",
    exclude_ips=["192.0.2.0/24"],
    # A preview then refuses a delete, too.
    opts=pulumi.ResourceOptions(protect=True),
)

pulumi.export("shop", shop.id)
