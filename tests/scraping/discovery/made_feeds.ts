/** Feeds in the format of Google's Merchant Center. */

interface MerchantItem {
  readonly id: string;
  readonly title?: string;
  readonly link?: string;
  readonly price?: string;
  readonly salePrice?: string;
  readonly gtin?: string;
  readonly mpn?: string;
  readonly brand?: string;
  readonly condition?: string;
  readonly multipack?: string;
}

export function merchantItem({ salePrice, ...item }: MerchantItem): string {
  const fields = Object.entries({ ...item, sale_price: salePrice })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<g:${name}>${String(value).replaceAll("&", "&amp;")}</g:${name}>`);
  return `<item>${fields.join("")}</item>`;
}

/** A cup for 1 EUR on the page `/p/n` of a shop. */
export function cupItem(base: string, n: number, more: Partial<MerchantItem> = {}): string {
  const link = `${base}/p/${n}`;
  return merchantItem({ id: `${n}`, title: `Becher ${n}`, link, price: "1 EUR", ...more });
}

export function merchantFeed(items: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Feed</title>
${items.join("\n")}
</channel></rss>`;
}

/** Appends the check digit to twelve digits. */
export function gtin13(digits: string): string {
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * (n % 2 ? 3 : 1), 0);
  return `${digits}${(10 - sum % 10) % 10}`;
}
