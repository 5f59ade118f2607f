/** Item files of any size in the house format. They are generated while they are read. */

export const BRANDS = [
  "Nordwerk",
  "Küchenkönig",
  "Bärwald",
  "ÖkoHaus",
  "Größmann",
  "Lüttje",
  "Technomax",
];
const CATEGORIES = [
  "Haushalt &gt; Kühlen",
  "Haushalt &gt; Waschen",
  "Küche &gt; Kleingeräte",
  "Werkzeug &gt; Elektro",
  "Garten",
  "Büro &gt; Möbel",
  "Audio",
  "Spielzeug",
];
export const KINDS = [
  "Kühlschrank",
  "Waschmaschine",
  "Wasserkocher",
  "Akkuschrauber",
  "Rasenmäher",
];
const ITEMS_PER_CHUNK = 200;

interface ItemShape {
  /** False for items with a price for one tier instead of two. */
  readonly hasTiers?: boolean;
  /** True for 399 brands and 120 categories, as in large catalogues, instead of 7 and 8. */
  readonly isVaried?: boolean;
}

/** UTF-8, about 700 bytes per item. Each `revision` raises all prices by a fiftieth. */
export async function* generateItems(
  count: number,
  revision: number,
  shape: ItemShape = {},
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode('<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n');
  for (let from = 0; from < count; from += ITEMS_PER_CHUNK) {
    let text = "";
    for (let n = from; n < Math.min(count, from + ITEMS_PER_CHUNK); n++) {
      text += itemOf(n, revision, shape);
    }
    yield encoder.encode(text);
  }
  yield encoder.encode("</ITEMS>\n");
}

export function itemSku(n: number): string {
  return `KS-${String(n).padStart(7, "0")}`;
}

export function itemCents(n: number, revision: number): number {
  const firstCents = 500 + (n * 7_919 + 104_729) % 200_000;
  return firstCents + Math.ceil(firstCents / 50) * (revision - 1);
}

function itemOf(n: number, revision: number, shape: ItemShape): string {
  const { hasTiers = true, isVaried = false } = shape;
  const cents = itemCents(n, revision);
  const pick = <T>(list: readonly T[], step: number) => list[(n * step) % list.length];
  const brand = pick(BRANDS, 3) + (isVaried ? ` ${n % 57}` : "");
  const category = pick(CATEGORIES, 5) + (isVaried ? ` &gt; Gruppe ${n % 15}` : "");
  const old = `<SALESPRICE><TIER>STANDARD</TIER><PRICE>${german(cents + 900)}</PRICE>` +
    "<VALIDFROM>01.03.2024</VALIDFROM><VALIDUNTIL>31.12.2024</VALIDUNTIL></SALESPRICE>";
  const current = `<SALESPRICE><TIER>STANDARD</TIER><PRICE>${german(cents)}</PRICE>` +
    "<MINQTY>1</MINQTY><VALIDFROM>01.01.2025</VALIDFROM><VALIDUNTIL/></SALESPRICE>";
  const other = hasTiers
    ? `<SALESPRICE><TIER>B2B</TIER><PRICE>${german(Math.ceil(cents * 0.9))}</PRICE>` +
      "<VALIDFROM>01.01.2025</VALIDFROM><VALIDUNTIL></VALIDUNTIL></SALESPRICE>"
    : "";
  return `<ITEM><SKU>${itemSku(n)}</SKU>` +
    `<TITLE>${brand} ${pick(KINDS, 1)} ${1_000 + n % 9_000} weiß</TITLE><BRAND>${brand}</BRAND>` +
    `<CATEGORY>${category}</CATEGORY><MPN>KS${n}</MPN><CURRENCY>EUR</CURRENCY>` +
    `<COSTPRICE>${german(Math.ceil(cents * 0.7))}</COSTPRICE>` +
    `<TARGETPRICE>${german(Math.ceil(cents * 1.1))}</TARGETPRICE><TIER>STANDARD</TIER>` +
    `${old}${current}${other}</ITEM>\n`;
}

/** For amounts below a million. A regular expression would take longer than all else here. */
function german(cents: number): string {
  const whole = Math.floor(cents / 100);
  const thousands = whole < 1_000
    ? String(whole)
    : `${Math.floor(whole / 1_000)}.${String(whole % 1_000).padStart(3, "0")}`;
  return `${thousands},${String(cents % 100).padStart(2, "0")}`;
}
