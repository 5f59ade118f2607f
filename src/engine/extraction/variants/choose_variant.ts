/**
 * Chooses our variant of the article on a page. These data narrow the variants, in this order:
 * GTIN, manufacturer's number, the shop's number, the address of the link, our title.
 */

import { gtin14, isInStock } from "../../../base/codes.ts";
import { plainDecimal, type Priced, type VariantAttribute } from "../amount.ts";
import type { Method } from "../extractors.ts";
import {
  absoluteUrl,
  decoded,
  isAmong,
  isInAddress,
  isSameAddress,
  type OurSide,
  parseAddress,
} from "../page_product.ts";
import {
  CONTRADICTED,
  DOUBTFUL,
  VARIANT_WAYS,
  type VariantState,
  type VariantWay,
} from "../page_status.ts";
import {
  likenessTo,
  type TextTraits,
  textTraits,
  unknownValue,
  withoutCommon,
} from "./text_traits.ts";

export interface VariantList {
  readonly method: Method;
  readonly variants: readonly Priced[];
}

interface ListChoice {
  readonly method: Method;
  readonly state: VariantState;
  readonly by: VariantWay | null;
  readonly chosen: Priced | null;
  /** The variants that fit our data, or all variants if none fits. */
  readonly left: readonly Priced[];
  readonly amounts: ReadonlySet<string>;
  readonly unknown: { readonly ours: string; readonly theirs: readonly string[] } | null;
  readonly confidenceMost: number;
}

export interface VariantChoice extends ListChoice {
  readonly lists: readonly ListChoice[];
}

interface OurTraits extends OurSide {
  readonly title: TextTraits | null;
  readonly traits: ReadonlyMap<Priced, TextTraits>;
}

/** Null for fewer than two variants, or if all prices are equal and no variant is chosen. */
export function chooseVariant(lists: readonly VariantList[], ours: OurSide): VariantChoice | null {
  const title = ours.wanted?.title ? textTraits(ours.wanted.title) : null;
  const choices = lists.flatMap((list) => choiceIn(list, ours, title) ?? []);
  const best = choices.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  return best ? { ...best, lists: choices } : null;
}

function rankOf({ state, by }: ListChoice): number {
  if (by !== null && state === "chosen") return VARIANT_WAYS.indexOf(by);
  return VARIANT_WAYS.length + (state === "unknown" ? 0 : 1);
}

function choiceIn(
  { method, variants }: VariantList,
  ours: OurSide,
  title: TextTraits | null,
): ListChoice | null {
  if (variants.length < 2) return null;
  const amounts = new Set(variants.map(amountOf));
  const traits = new Map(variants.map((one) => [one, textTraits(textOfVariant(one))]));
  const known = { ...ours, title, traits };
  const { left, by, isOdd } = narrowed(variants, known);
  const isByValue = by !== null && by !== "sku" && by !== "address";
  const unknown = isByValue ? null : unknownIn(variants, known);
  const choice = { method, by, left, amounts, unknown: null, chosen: null };
  if (by === null && unknown !== null && amounts.size > 1) {
    return { ...choice, state: "unknown", unknown, confidenceMost: CONTRADICTED };
  }
  if (new Set(left.map(amountOf)).size > 1) {
    return { ...choice, by: null, state: "open", confidenceMost: DOUBTFUL };
  }
  if (by === null) return null;
  const isForeign = by !== "gtin" && gtin14(ours.wanted?.ean ?? "") !== null &&
    left.every(({ offer }) => offer.gtins.some((gtin) => gtin14(gtin) !== null));
  const most = unknown ? CONTRADICTED : isOdd || isForeign ? DOUBTFUL : 1;
  const inStock = left.find(({ availability }) => isInStock(availability));
  const chosen = inStock ?? left[0] ?? null;
  return { ...choice, state: "chosen", chosen, confidenceMost: most };
}

function amountOf({ amount }: Priced): string {
  return plainDecimal(amount.decimal);
}

/** `isOdd`: our title contradicts the variant that the shop's number or the address selected. */
export function narrowed(variants: readonly Priced[], ours: OurTraits) {
  const { title, traits } = ours;
  let left = variants;
  let by: VariantWay | null = null;
  for (const way of VARIANT_WAYS) {
    if (left.length === 1) break;
    const fitting = FITTING[way](left, ours);
    if (fitting.length === 0 || fitting.length === left.length) continue;
    left = fitting;
    by ??= way;
  }
  const distinctive = withoutCommon([...traits.values()]);
  const first = distinctive[left[0] ? variants.indexOf(left[0]) : 0];
  const isChecked = title !== null && first !== undefined && (by === "sku" || by === "address");
  return { left, by, isOdd: isChecked && likenessTo(first, title).conflicts.length > 0 };
}

type Fitting = (variants: readonly Priced[], ours: OurTraits) => readonly Priced[];

const FITTING: Readonly<Record<VariantWay, Fitting>> = {
  gtin: (all, { wanted }) => all.filter(({ offer }) => isAmong(wanted?.ean, offer.gtins)),
  mpn: (all, { wanted }) => all.filter(({ offer }) => isAmong(wanted?.mpn, offer.numbers)),
  sku: (all, { wanted }) =>
    all.filter(({ offer, traits: { ids } }) =>
      isAmong(wanted?.shopSku ?? wanted?.sku, [...offer.numbers, ...ids])
    ),
  address: (all, ours) => best(all, addressPoints(all, ours)),
  title: (all, ours) => best(all, titlePoints(all, ours)),
};

function best(variants: readonly Priced[], points: readonly number[]): readonly Priced[] {
  const most = Math.max(...points);
  return most > 0 ? variants.filter((_, at) => points[at] === most) : [];
}

const NOT_OF_VARIANTS = /^(?:utm_|gclid|fbclid|ref|page|qty|quantity|srsltid|_|lang|currency)/i;
const OF_VARIANTS = /vari|sku|opt|attr|comb|size|colou?r|id$/i;
const ID_CHARACTERS_MIN = 3;

function tokensOf(urls: readonly string[]): readonly string[] {
  return urls.flatMap((address) => {
    const url = absoluteUrl(address, address);
    if (url === null) return [];
    const values = [...url.searchParams].flatMap(([name, value]) =>
      NOT_OF_VARIANTS.test(name) || (value.length < ID_CHARACTERS_MIN && !OF_VARIANTS.test(name))
        ? []
        : [value]
    );
    const parts = url.hash.slice(1).split(/[/&?=,;]/).map(decoded);
    return [...values, ...parts];
  }).filter((token) => token !== "" && token.length <= 120).slice(0, 40);
}

function addressPoints(variants: readonly Priced[], { identity: page, urls }: OurSide) {
  const tokens = tokensOf(urls);
  const keys = tokens.map(keyOf);
  const asked = urls.flatMap((url) => parseAddress(url, url) ?? []);
  const claimed = page.addresses;
  const paths = variants.map(({ offer }) =>
    offer.urls.flatMap((url) => parseAddress(url, page.baseUrl) ?? [])
  );
  const named = Map.groupBy(
    paths.flatMap((own) => [...new Set(own.map(({ path }) => path))]),
    (path) => path,
  );
  return variants.map(({ offer, traits: { ids, attributes } }, at) => {
    const own = paths[at] ?? [];
    const distinctive = own.filter(({ path, query }) =>
      query.size > 0 || named.get(path)?.length === 1
    );
    const isAsked = distinctive.some((one) => asked.some((address) => isSameAddress(address, one)));
    const isClaimed = distinctive.some((one) =>
      claimed.some((address) => isSameAddress(address, one))
    );
    const isNamed = tokens.some((token) => ids.includes(token)) ||
      tokens.some((token) => isAmong(token, offer.numbers));
    const isIn = [...offer.gtins, ...offer.numbers].some((number) => isInAddress(number, page));
    const values = attributes.filter(({ value }) => {
      const key = keyOf(value);
      return key !== "" && keys.some((token) => hasPart(token, key));
    });
    return (isAsked || isNamed ? 100 : 0) + (isIn ? 50 : 0) + values.length + (isClaimed ? 20 : 0);
  });
}

function keyOf(text: string): string {
  return text.toLowerCase().normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
}

/** In `26groesse32cm`, finds `32cm`, but not `2cm` (part of 32) or `26groesse` (the start). */
function hasPart(token: string, key: string): boolean {
  if (token === key) return true;
  const at = token.lastIndexOf(key);
  if (at <= 0 || key.length < ID_CHARACTERS_MIN) return false;
  return !(/\d/.test(key.charAt(0)) && /\d/.test(token.charAt(at - 1)));
}

function titlePoints(variants: readonly Priced[], { title, traits }: OurTraits) {
  if (title === null) return [];
  const distinctive = withoutCommon(variants.flatMap((one) => traits.get(one) ?? []));
  return distinctive.map((one) => {
    const { hits, misses, words, conflicts } = likenessTo(one, title);
    if (conflicts.length > 0 || hits === 0) return 0;
    return hits * 100 - Math.min(misses, 90) + Math.min(words, 9);
  });
}

/**
 * Returns null unless our title contradicts every variant. `ours` has the contradicting values of
 * our title, and `theirs` has the values or names of the variants.
 */
function unknownIn(variants: readonly Priced[], { title, traits }: OurTraits) {
  if (title === null) return null;
  const all = variants.flatMap((one) => traits.get(one) ?? []);
  const unknown = unknownValue(all, title);
  if (unknown) return unknown;
  const conflicts = withoutCommon(all).map((one) => likenessTo(one, title).conflicts);
  if (conflicts.some((kinds) => kinds.length === 0)) return null;
  const kinds = new Set(conflicts.flat());
  const ours = [...title.kinds].filter(([kind]) => kinds.has(kind))
    .flatMap(([, values]) => values.map(({ text }) => text));
  return { ours: ours.join(" "), theirs: variants.map(nameOfVariant) };
}

function textOfVariant({ offer, subject, traits: { attributes } }: Priced): string {
  const named = attributes.slice(0, 12).map(attributeText);
  return [...named, offer.names[0] ?? subject.names[0] ?? ""].join(" / ");
}

const UNIT_IN_NAME = /(?:\(|\bin\s|\[)\s?(mm|cm|m|ml|l|g|kg|gb|tb|zoll|inch|w|v)\b/i;
const SIZE_NAME = /gr(?:ö|oe)(?:ß|ss)e|size|taille|schuh/i;

function attributeText({ name, value }: VariantAttribute): string {
  const bare = value.replace(/[-_]/g, " ");
  if (name === null || !/^\d+(?:[.,]\d+)?$/.test(value.trim())) return bare;
  const unit = UNIT_IN_NAME.exec(name)?.[1];
  if (unit) return `${bare} ${unit}`;
  return SIZE_NAME.test(name) ? `size ${bare}` : bare;
}

export function nameOfVariant({ offer, subject, traits: { attributes, sku } }: Priced): string {
  if (attributes.length > 0) return attributes.map(({ value }) => value).join(" / ");
  return offer.names[0] ?? sku ?? subject.names[0] ?? "";
}
