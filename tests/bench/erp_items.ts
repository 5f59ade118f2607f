/** Generates item files of any size in Kurant's own XML, chunk by chunk. */

const BRANDS = ["Nordwerk", "Küchenkönig", "Bärwald", "ÖkoHaus", "Größmann", "Lüttje", "Technomax"];
const CATEGORIES = [
  "Haushalt > Kühlen",
  "Haushalt > Waschen",
  "Küche > Kleingeräte",
  "Werkzeug > Elektro",
  "Garten",
  "Büro > Möbel",
  "Audio",
  "Spielzeug",
];
const KINDS = ["Kühlschrank", "Waschmaschine", "Wasserkocher", "Akkuschrauber", "Rasenmäher"];
const PER_CHUNK = 200;

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

interface ItemShape {
  /** True if items also have an expired price. */
  readonly hasFormer?: boolean;
  /** True if items also have a price for the tier B2B. */
  readonly hasTiers?: boolean;
}

/** About 680 bytes per item. Each `revision` raises prices by 2 % of those of revision 1. */
export function generateItems(
  count: number,
  revision: number,
  shape: ItemShape = {},
): AsyncGenerator<Uint8Array> {
  const item = (n: number) => itemXml(articleOf(n, revision), shape);
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
  return chunked(count, head, item, "</ITEMS>\n");
}

export async function* chunked(
  count: number,
  before: string,
  partOf: (n: number) => string,
  behind: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(before);
  for (let from = 0; from < count; from += PER_CHUNK) {
    let text = "";
    for (let n = from; n < Math.min(count, from + PER_CHUNK); n++) text += partOf(n);
    yield encoder.encode(text);
  }
  yield encoder.encode(behind);
}

export function itemSku(n: number): string {
  return `KS-${String(n).padStart(7, "0")}`;
}

export function itemCents(n: number, revision: number): number {
  const firstCents = 500 + (n * 7_919 + 104_729) % 200_000;
  return firstCents + Math.ceil(firstCents / 50) * (revision - 1);
}

/** There are 399 brands and 120 categories, as in large catalogues. */
export function articleOf(n: number, revision: number): Article {
  const priceCents = itemCents(n, revision);
  const brand = `${BRANDS[n * 3 % BRANDS.length]} ${n % 57}`;
  return {
    sku: itemSku(n),
    title: `${brand} ${KINDS[n % KINDS.length]} ${1_000 + n % 9_000} weiß`,
    brand,
    category: `${CATEGORIES[n * 5 % CATEGORIES.length]} > Gruppe ${n % 15}`,
    mpn: `KS${n}`,
    tier: "STANDARD",
    currency: "EUR",
    priceCents,
    costCents: Math.ceil(priceCents * 0.7),
    targetCents: Math.ceil(priceCents * 1.1),
  };
}

export function itemXml(
  { sku, title, brand, category, mpn, tier, currency, ...cents }: Article,
  { hasFormer = true, hasTiers = true }: ItemShape = {},
): string {
  const { priceCents, costCents, targetCents } = cents;
  const old = hasFormer
    ? `<SALESPRICE><TIER>${tier}</TIER><PRICE>${german(priceCents + 900)}</PRICE>` +
      "<VALIDFROM>01.03.2024</VALIDFROM><VALIDUNTIL>31.12.2024</VALIDUNTIL></SALESPRICE>"
    : "";
  const current = `<SALESPRICE><TIER>${tier}</TIER><PRICE>${german(priceCents)}</PRICE>` +
    "<MINQTY>1</MINQTY><VALIDFROM>01.01.2025</VALIDFROM><VALIDUNTIL/></SALESPRICE>";
  const other = hasTiers
    ? `<SALESPRICE><TIER>B2B</TIER><PRICE>${german(Math.ceil(priceCents * 0.9))}</PRICE>` +
      "<VALIDFROM>01.01.2025</VALIDFROM><VALIDUNTIL></VALIDUNTIL></SALESPRICE>"
    : "";
  return `<ITEM><SKU>${sku}</SKU><TITLE>${title}</TITLE><BRAND>${brand}</BRAND>` +
    `<CATEGORY>${category.replaceAll(">", "&gt;")}</CATEGORY><MPN>${mpn}</MPN>` +
    `<CURRENCY>${currency}</CURRENCY><COSTPRICE>${german(costCents)}</COSTPRICE>` +
    `<TARGETPRICE>${german(targetCents)}</TARGETPRICE><TIER>${tier}</TIER>` +
    `${old}${current}${other}</ITEM>\n`;
}

/**
 * Formats amounts below a million. A regular expression would take longer than generating the rest
 * of the file.
 */
function german(cents: number): string {
  const whole = Math.floor(cents / 100);
  const thousands = whole < 1_000
    ? String(whole)
    : `${Math.floor(whole / 1_000)}.${String(whole % 1_000).padStart(3, "0")}`;
  return `${thousands},${String(cents % 100).padStart(2, "0")}`;
}
