/** Compares two texts as people count: `shop-2` comes before `shop-10`. The same on every machine, whatever its language. */
export const { compare: naturalOrder } = new Intl.Collator("en", { numeric: true });
