/** The articles for all services: as JSON for peers, and as an ERP file for Kurant. */
import { BRANDS, itemCents, itemSku, KINDS } from "../erp_items.ts";

export interface Article {
  readonly sku: string;
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly mpn: string;
  readonly tier: string;
  readonly currency: string;
  readonly priceCents: number;
  readonly costCents: number;
  readonly targetCents: number;
}

const CATEGORIES = ["Haushalt > Kühlen", "Haushalt > Waschen", "Küche", "Werkzeug", "Garten"];
const ITEMS_PER_CHUNK = 500;

/** Article `n`. Each `revision` raises all prices by a fiftieth. */
export function articleOf(n: number, revision: number): Article {
  const priceCents = itemCents(n, revision);
  const brand = `${BRANDS[n % BRANDS.length]} ${n % 57}`;
  return {
    sku: itemSku(n),
    title: `${brand} ${KINDS[n % KINDS.length]} ${1_000 + n % 9_000} weiß`,
    brand,
    category: `${CATEGORIES[n % CATEGORIES.length]} > Gruppe ${n % 24}`,
    mpn: `KS${n}`,
    tier: "STANDARD",
    currency: "EUR",
    priceCents,
    costCents: Math.ceil(priceCents * 0.7),
    targetCents: Math.ceil(priceCents * 1.1),
  };
}

export function* erpFile(articles: readonly Article[]): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  yield encoder.encode('<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n');
  for (let at = 0; at < articles.length; at += ITEMS_PER_CHUNK) {
    yield encoder.encode(articles.slice(at, at + ITEMS_PER_CHUNK).map(erpItem).join(""));
  }
  yield encoder.encode("</ITEMS>\n");
}

function erpItem(article: Article): string {
  const { sku, title, brand, category, mpn, tier, currency } = article;
  const [price, cost, target] = [article.priceCents, article.costCents, article.targetCents]
    .map((cents) => (cents / 100).toFixed(2).replace(".", ","));
  return `<ITEM><SKU>${sku}</SKU><TITLE>${title}</TITLE><BRAND>${brand}</BRAND>` +
    `<CATEGORY>${category.replaceAll(">", "&gt;")}</CATEGORY><MPN>${mpn}</MPN>` +
    `<CURRENCY>${currency}</CURRENCY><COSTPRICE>${cost}</COSTPRICE>` +
    `<TARGETPRICE>${target}</TARGETPRICE><TIER>${tier}</TIER><SALESPRICE><TIER>${tier}</TIER>` +
    `<PRICE>${price}</PRICE><VALIDUNTIL/></SALESPRICE></ITEM>\n`;
}
