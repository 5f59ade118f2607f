/**
 * Collects the variants of a page from all sources, and applies the chosen variant to the prices.
 */

import { foldedName } from "../../../base/codes.ts";
import { once } from "../../../base/collections.ts";
import {
  compareDecimals,
  meantCurrency,
  NO_IDENTITY,
  plainDecimal,
  type Priced,
} from "../amount.ts";
import type { HtmlPage } from "../page/html_page.ts";
import {
  isAmong,
  likenessOf,
  type PageIdentity,
  titlesOf,
  type WantedProduct,
  wordsOfNames,
} from "../page_product.ts";
import {
  comparableOffers,
  type MethodReading,
  type NoReading,
  pricedOf,
  type Reading,
  readingOfOffer,
  type ReadingSide,
  readingsIn,
} from "../reading.ts";
import {
  chooseVariant,
  nameOfVariant,
  type VariantChoice,
  type VariantList,
} from "./choose_variant.ts";
import { choiceAmongLabels, optionOffers, radioOffers, rowOffers } from "./page_options.ts";
import { articleInData, offersOfList, scriptLists } from "./script_variants.ts";
import type { ShownReading } from "../shown/scored_price.ts";

/**
 * Returns null if a person's selector or JSON path found the price, or if neither `chooseVariant`
 * nor `choiceAmongLabels` finds a choice.
 */
export function variantOn(methods: readonly MethodReading[], side: ReadingSide) {
  const { page, identity, wanted } = side;
  if (readingsIn(methods).some(({ method }) => method === "extractor")) return null;
  const currency = side.currency ?? wanted?.currency ?? null;
  const marked = methods.flatMap(({ outcome: { method }, offers }): VariantList[] => {
    const variants = comparableOffers(offers, identity, currency);
    return areVariants(variants) ? [{ method, variants }] : [];
  });
  const scripted = page.html === null ? [] : scriptedLists(page.html, methods, side);
  const choice = chooseVariant([...marked, ...scripted], side);
  if (choice !== null || page.html === null || !wanted?.title || isOurs(methods, wanted)) {
    return choice;
  }
  const names = [...titlesOf(page.html), ...readingsIn(methods).flatMap((one) => one.names)];
  return choiceAmongLabels(page.html, wanted.title, names);
}

/** Finds our article in script data, for a page on which no method found a price. */
export function dataReadings({ page, identity, wanted }: ReadingSide): readonly MethodReading[] {
  if (page.html === null || identity.headings.length === 0) return [];
  const { headings } = page.html;
  const offer = articleInData(
    page.html,
    page.writing,
    ({ offer: { gtins } }, title) =>
      isAmong(wanted?.ean, gtins) ||
      (title !== "" && headings.some((text) => foldedName(text) === foldedName(title))),
  );
  if (offer === null) return [];
  const outcome = { ...readingOfOffer("data", offer), why: "by its number or its name" };
  return [{ outcome, candidates: [offer], offers: [offer] }];
}

function isOurs(methods: readonly MethodReading[], { ean }: WantedProduct): boolean {
  return methods.some(({ offers }) =>
    offers.some(({ subject, offer }) => isAmong(ean, [...subject.gtins, ...offer.gtins]))
  );
}

function areVariants(offers: readonly Priced[]): boolean {
  if (offers.length < 2) return false;
  if (offers.some(({ isVariant }) => isVariant)) return true;
  const isSpanning = new Set(offers.map(({ subject }) => subject)).size > 1;
  const described = offers.map(({ offer, subject, traits: { attributes } }) => {
    const named = isSpanning ? [...offer.names, ...subject.names] : offer.names;
    return [...named, ...offer.urls, ...offer.gtins, ...offer.numbers, ...attributes];
  });
  return described.every((parts) => parts.length > 0) &&
    new Set(described.map((parts) => JSON.stringify(parts))).size === offers.length;
}

function scriptedLists(
  html: HtmlPage,
  methods: readonly MethodReading[],
  { page: { writing }, identity, wanted, shownOf }: ReadingSide,
): readonly VariantList[] {
  const lists = scriptLists(html, writing);
  const base = readingsIn(methods)[0]?.decimal;
  const sureOf = (shown: ShownReading | null) => shown?.isSure ? shown.prices[0]?.decimal : null;
  const shownBase = () => sureOf(shownOf()) ?? null;
  const options = optionOffers(html, writing, base ?? null, shownBase);
  const { ean, mpn, shopSku, sku } = wanted ?? {};
  const rows = rowOffers(html, writing, [ean, mpn, shopSku ?? sku], shownBase);
  const bases = once(() => new Set([base && plainDecimal(base), shownBase()]));
  const isBase = ({ amount }: Priced) => bases().has(plainDecimal(amount.decimal));
  const radios = radioOffers(html, writing, isBase);
  if (lists.length + options.length + rows.length + radios.length === 0) return [];
  const marked = methods.flatMap(({ candidates }) => pricedOf(candidates))
    .map(({ amount }) => amount);
  const shown = shownOf()?.prices ?? [];
  const named = new Set([...marked, ...shown].map(({ decimal }) => plainDecimal(decimal)));
  const currency = marked.find((amount) => amount.currency !== null)?.currency ??
    meantCurrency(shown[0]?.codes ?? [], [identity.currency]);
  const isNamed = ({ amount }: Priced) => named.has(plainDecimal(amount.decimal));
  const scripted = lists.flatMap((list): VariantList[] => {
    const variants = offersOfList(list, named)?.map((one) => ({
      ...one,
      amount: { ...one.amount, currency: one.amount.currency ?? currency },
    }));
    if (variants === undefined) return [];
    const isOurs = variants.some(({ offer }) => isAmong(wanted?.ean, offer.gtins));
    const isOwn = list.title === null ? variants.some(isNamed) : isNamedAs(list.title, identity);
    return isOurs || isOwn ? [{ method: "variants" as const, variants }] : [];
  });
  const isOffered = options.some((one) =>
    base === undefined ? isNamed(one) : compareDecimals(one.amount.decimal, base) === 0
  );
  const offered = [isOffered ? options : [], rows, radios].filter(({ length }) => length > 0);
  return [...scripted, ...offered.map((variants) => ({ method: "variants" as const, variants }))];
}

function isNamedAs(title: string, page: PageIdentity): boolean {
  const named = { ...NO_IDENTITY, names: [title] };
  if (page.headings.length === 0 || likenessOf(named, page) > 0) return true;
  const words = [...wordsOfNames(named)].filter((word) => word.length >= 3);
  return words.length > 0 && words.every((word) => page.headingWords.has(word));
}

export function withVariant(methods: readonly MethodReading[], choice: VariantChoice | null) {
  const chosen = choice?.chosen ?? null;
  if (choice === null || chosen === null) return methods;
  const { method, amounts, lists } = choice;
  const decimal = plainDecimal(chosen.amount.decimal);
  const known = methods.map((one): MethodReading => {
    const { outcome } = one;
    const own = lists.find((list) => list.method === outcome.method)?.chosen ?? null;
    if (own) return { ...one, outcome: chosenReading(choice, own, outcome) };
    if (!("decimal" in outcome)) return one;
    const amount = plainDecimal(outcome.decimal);
    const isOther = amount !== decimal && (amounts.has(amount) || outcome.isUndecided);
    const none: NoReading = { method: outcome.method, reason: "other_variant" };
    return isOther ? { ...one, outcome: none } : one;
  });
  if (method !== "variants") {
    // The method that chose the variant comes first, because the first method has precedence.
    const isFrom = ({ outcome }: MethodReading) => Number(outcome.method === method);
    return known.toSorted((a, b) => isFrom(b) - isFrom(a));
  }
  const reading = chosenReading(choice, chosen, null);
  return [{ outcome: reading, candidates: [chosen], offers: [chosen] }, ...known];
}

function chosenReading(
  { by }: VariantChoice,
  offer: Priced,
  before: MethodReading["outcome"] | null,
): Reading {
  const reading = readingOfOffer(before?.method ?? "variants", offer);
  const old = before && "decimal" in before ? before : null;
  return {
    ...reading,
    currency: reading.currency ?? old?.currency ?? null,
    names: offer.subject.names,
    why: `the variant "${nameOfVariant(offer)}" by ${by}`,
  };
}

export type VariantFact = Readonly<ReturnType<typeof variantFact>>;

const OFFERED_MAX = 8;

export function variantFact(
  { state, by, chosen, left, unknown }: VariantChoice,
  decimal: string | null,
) {
  const priced = left.filter(({ amount }) => plainDecimal(amount.decimal) === decimal);
  const shown = priced.length === 1 ? priced[0] ?? null : null;
  const variant = chosen ?? shown;
  const name = variant && cut(nameOfVariant(variant));
  return {
    state,
    by,
    name: name === "" ? null : name,
    attributes: (variant?.traits.attributes ?? []).slice(0, OFFERED_MAX).map((one) => ({
      name: one.name === null ? null : cut(one.name),
      value: cut(one.value),
    })),
    wanted: unknown && cut(unknown.ours),
    offered: (unknown?.theirs ?? left.map(nameOfVariant)).filter((text) => text !== "")
      .slice(0, state === "chosen" ? 0 : OFFERED_MAX).map(cut),
  };
}

function cut(text: string): string {
  return text.slice(0, 100).toWellFormed();
}
