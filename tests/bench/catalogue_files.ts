/** One catalogue as files of several formats. */
import { workbookOf } from "../imports/workbook.ts";

const HEADER = [
  "Artikelnummer",
  "Bezeichnung",
  "Hersteller",
  "Warengruppe",
  "EAN",
  "HAN",
  "Währung",
  "EK netto",
  "VK brutto",
  "UVP",
  "MwSt",
  "Link",
] as const;

function rowOf(n: number): readonly (string | number)[] {
  const euros = 10 + n % 1_990;
  return [
    catalogueSku(n),
    `Übelacker Rührgerät KG ${n} grün`,
    "Übelacker",
    "Küche > Kleingeräte",
    "4006381333931",
    `KG${n}`,
    "EUR",
    euros + 0.75,
    euros + 20.99,
    euros + 30.49,
    19,
    `https://www.shop.example/p/${n}.html`,
  ];
}

const german = (value: string | number) => String(value).replace(/^(\d+)\.(\d+)$/, "$1,$2");
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll(">", "&gt;");

function xmlOf(row: readonly (string | number)[]): string {
  const [sku, title, brand, category, ean, mpn, currency, cost, price, target, vat, url] = row
    .map((value) => escaped(german(value)));
  return `<ITEM><SKU>${sku}</SKU><TITLE>${title}</TITLE><BRAND>${brand}</BRAND>` +
    `<CATEGORY>${category}</CATEGORY><EAN>${ean}</EAN><MPN>${mpn}</MPN>` +
    `<CURRENCY>${currency}</CURRENCY><COSTPRICE>${cost}</COSTPRICE>` +
    `<SALESPRICE><PRICE>${price}</PRICE></SALESPRICE><TARGETPRICE>${target}</TARGETPRICE>` +
    `<VATRATE>${vat}</VATRATE><URL>${url}</URL></ITEM>\n`;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

const objectOf = (row: readonly (string | number)[]) =>
  JSON.stringify(Object.fromEntries(row.map((value, at) => [HEADER[at], value])));

const catalogueSku = (n: number) => `KG-${n}`;

/** Typical nightly data. All formats contain the same rows. */
export function catalogueFiles(count: number) {
  const rows = Array.from({ length: count }, (_, n) => rowOf(n));
  return {
    xml: bytesOf(`<ITEMS>\n${rows.map(xmlOf).join("")}</ITEMS>`),
    csv: bytesOf([HEADER, ...rows].map((row) => row.map(german).join(";")).join("\r\n")),
    ndjson: bytesOf(rows.map(objectOf).join("\n")),
    xlsx: workbookOf([HEADER, ...rows]),
  };
}
