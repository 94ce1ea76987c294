"""Websites and tracking pixels."""

import pulumi
import pulumi_tracking as tracking

shop = tracking.Website(
    "shop",
    domain="shop.example.com",
    email_reports=True,
    exclude_ips=["192.0.2.0/24"],
)
tracking.Pixel(
    "analytics",
    name="Google Analytics",
    type="google-analytics",
    value="G-EXAMPLE1",
)

pulumi.export("shop_id", shop.id)
