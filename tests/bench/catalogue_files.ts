/** One catalogue as files of several formats. All formats contain the same rows. */
import { workbookOf } from "../imports/workbook.ts";
import { articleOf, generateItems } from "./erp_items.ts";

const HEADER = [
  "Artikelnummer",
  "Bezeichnung",
  "Hersteller",
  "Warengruppe",
  "HAN",
  "Währung",
  "EK netto",
  "VK brutto",
  "UVP",
] as const;

function rowOf(n: number): readonly (string | number)[] {
  const { sku, title, brand, category, mpn, currency, ...cents } = articleOf(n, 1);
  const prices = [cents.costCents, cents.priceCents, cents.targetCents].map((one) => one / 100);
  return [sku, title, brand, category, mpn, currency, ...prices];
}

const german = (value: string | number) => String(value).replace(/^(\d+)\.(\d+)$/, "$1,$2");
const bytesOf = (text: string) => new TextEncoder().encode(text);

export async function catalogueFiles(count: number) {
  const rows = Array.from({ length: count }, (_, n) => rowOf(n));
  const objects = rows.map((row) =>
    JSON.stringify(Object.fromEntries(row.map((value, at) => [HEADER[at], value])))
  );
  const items = generateItems(count, 1, { hasFormer: false, hasTiers: false });
  return {
    xml: await new Response(ReadableStream.from(items)).bytes(),
    csv: bytesOf([HEADER, ...rows].map((row) => row.map(german).join(";")).join("\r\n")),
    ndjson: bytesOf(objects.join("\n")),
    xlsx: workbookOf([HEADER, ...rows]),
  };
}
