import { readCondition } from "../../../base/codes.ts";
import { BARE_OFFER, type Candidate, currencyOf, readAmount, type Subject } from "../amount.ts";
import type { ExtractionPage } from "../page/extraction_page.ts";
import type { HtmlElement } from "../page/html_element.ts";
import { readAvailability } from "../shop_words.ts";

/** The most reliable first. */
const PRICES = [
  "product:sale_price:amount",
  "product:sale_price",
  "product:price:amount",
  "og:price:amount",
  "og:product:price:amount",
  "product:price",
  "og:price",
];
const LIST_PRICES = [
  "product:original_price:amount",
  "product:original_price",
  "og:price:standard_amount",
];
const NAME = /^(?:og|product):/i;

export function openGraphCandidates({ html, writing }: ExtractionPage): Candidate[] {
  if (!html) return [];
  const metas = metasOf(html.metas);
  const name = PRICES.find((price) => metas.has(price));
  if (name === undefined) return [];

  const amountOf = (text: string, currency: string | null) =>
    readAmount({ text, kind: "machine", shown: null }, { ...writing, currency });
  const currencies = currencyNames(name).map((key) => metas.get(key) ?? [])
    .find((values) => values.length > 0) ?? [];
  const listName = ["product:price:amount", ...LIST_PRICES].find((key) =>
    key !== name && metas.has(key)
  );
  const list = amountOf(metas.get(listName ?? "")?.[0] ?? "", currencyOf(currencies[0] ?? null));
  const subject: Subject = {
    names: metas.get("og:title") ?? [],
    urls: metas.get("og:url") ?? [],
    gtins: metas.get("product:ean") ?? [],
    numbers: metas.get("product:retailer_item_id") ?? [],
    standing: "main",
    brand: first(metas, "product:brand", "og:brand"),
    mpn: first(metas, "product:mfr_part_no"),
    sku: null,
  };
  const stock = readAvailability(first(metas, "product:availability", "og:availability") ?? "");
  const condition = first(metas, "product:condition", "og:condition") ?? "";
  const isNew = !/used|refurb/i.test(condition);
  return (metas.get(name) ?? []).map((text, position) => ({
    ...BARE_OFFER,
    subject,
    amount: amountOf(text, currencyOf(currencies[position] ?? currencies[0] ?? null)),
    availability: stock,
    isNew,
    condition: readCondition(condition),
    listPrice: "decimal" in list ? list.decimal : null,
  }));
}

function currencyNames(priceName: string): string[] {
  const own = priceName.replace(/:amount$/, "");
  return [
    `${own}:currency`,
    "product:price:currency",
    "og:price:currency",
    "product:currency",
    "og:currency",
  ];
}

function first(metas: ReadonlyMap<string, readonly string[]>, ...names: readonly string[]) {
  return names.map((name) => metas.get(name)?.[0]).find((value) => value !== undefined) ?? null;
}

function metasOf(elements: readonly HtmlElement[]): ReadonlyMap<string, readonly string[]> {
  const metas = new Map<string, string[]>();
  for (const { attribs } of elements) {
    const name = attribs.property ?? attribs.name ?? "";
    if (!NAME.test(name)) continue;
    const content = attribs.content?.trim();
    if (content) metas.getOrInsertComputed(name.toLowerCase(), () => []).push(content);
  }
  return metas;
}
