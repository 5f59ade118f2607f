/**
 * Options that visitors can choose on a page. An option may show its own price, a surcharge, or
 * only a name.
 */

import { formatMajor } from "../../../base/money.ts";
import { minorOfDecimal, pricesInText } from "../../../base/price_text.ts";
import { withoutAtEnd } from "../../../base/text.ts";
import { NO_TRAITS, onlyCode, plainDecimal, type Priced, type Writing } from "../amount.ts";
import {
  ancestorsOf,
  childElements,
  type HtmlElement,
  type HtmlNode,
  isStruckByTag,
  textOf,
} from "../page/html_element.ts";
import type { HtmlPage } from "../page/html_page.ts";
import { isAmong } from "../page_product.ts";
import { CONTRADICTED, DOUBTFUL } from "../page_status.ts";
import { readAvailability } from "../shop_words.ts";
import { SUBSCRIPTION } from "../shown/shown_prices.ts";
import type { VariantChoice } from "./choose_variant.ts";
import { textTraits, unknownValue } from "./text_traits.ts";
import { VARIANT } from "../script_data.ts";

const OPTIONS_MAX = 100;
const CHARACTERS_MAX = 90;
const EXPONENT = 2;

/** Reads the first `select` with prices (`2 m (39,90 €)`) or surcharges (`512 GB (+100,00 €)`). */
export function optionOffers(
  { shown: { digits } }: HtmlPage,
  { locale }: Writing,
  base: string | null,
  shownBase: () => string | null,
): readonly Priced[] {
  const selects = new Set(
    digits.flatMap(({ element: { name, parent } }) =>
      name === "option" && parent?.children.some(mayBePriced) ? [parent] : []
    ),
  );
  for (const select of [...selects].slice(0, OPTIONS_MAX)) {
    const options = childElements(select).slice(0, OPTIONS_MAX)
      .map((option) => pricedOption(option, locale));
    const isAdded = options.some((option) => option?.isAdded);
    const added = isAdded ? base ?? shownBase() : null;
    const start = added === null ? null : minorOfDecimal(added, EXPONENT);
    if (isAdded && start === null) continue;
    const offers = options.flatMap((option) => {
      const isOther = option?.minor === 0 ? !isAdded : option?.isAdded !== isAdded;
      if (!option || option.value === "" || isOther) return [];
      const offer = offerOf(option.value, option.minor + (start ?? 0), option.currency);
      // `shownBase` may already include the surcharge of another option, so the sum is unsure.
      return [{ ...offer, amount: { ...offer.amount, isSure: !isAdded || base !== null } }];
    });
    const values = new Set(offers.map(({ traits }) => traits.attributes[0]?.value));
    if (offers.length > 1 && values.size === offers.length) return offers;
  }
  return [];
}

/**
 * Reads a table of variants in which a row contains one of the `numbers`: `PS-125 | 125 mm | 15 €`.
 * If no row has such a number, reads a table of sizes in which one row has the page's price
 * (`shownBase`). Ignores rows with several amounts, which may be one price with and without tax.
 */
export function rowOffers(
  { shown: { digits } }: HtmlPage,
  { locale }: Writing,
  numbers: readonly (string | null | undefined)[],
  shownBase: () => string | null,
): readonly Priced[] {
  const rows = new Set(
    digits.flatMap(({ element }) =>
      ancestorsOf(element, LEVELS).find(({ name }) => name === "tr") ?? []
    ),
  );
  // Numbers with fewer than five digits and no letter may be quantities or sizes.
  const distinctive = numbers.filter((number) => number && /\p{L}|\d{5}/u.test(number));
  const first = [...rows].slice(0, 500);
  const own = distinctive.length === 0 ? undefined : first.find((row) => {
    const cells = cellsOf(row);
    return distinctive.some((number) => isAmong(number, cells));
  });
  if (own) {
    return pricedRows([...rows].filter(({ parent }) => parent === own.parent), locale)
      .map(({ offer, cells }) => ({
        ...offer,
        offer: { ...offer.offer, numbers: cells, gtins: cells },
      }));
  }
  const tables = Map.groupBy(
    first.filter((row) => SIZE.test(cellsOf(row, 1)[0] ?? "")),
    ({ parent }) => parent,
  );
  const base = tables.size > 0 ? shownBase() : null;
  return [...tables.values()]
    .map((sized) =>
      pricedRows(sized, locale).map(({ offer, cells: [value = ""] }) => ({
        ...offer,
        traits: { ...offer.traits, attributes: [{ name: null, value }] },
      }))
    )
    .find((offers) =>
      offers.length > 1 && offers.some(({ amount }) => plainDecimal(amount.decimal) === base)
    ) ??
    [];
}

/** Matches a cell that is only a size, with or without one word before it: `Eimer 10 l`. */
const SIZE =
  /^(?!(?:über|unter|bis|max|mehr|from|over|plus) )(?:\p{L}{3,12} )?\d[\d.,]{0,8}(?:(?: ?[x×] ?\d[\d.,]{0,8}){1,2} ?(?:mm|cm|m|zoll)?| ?(?:mm|cm|m|m²|zoll|kg|g|ml|cl|l|liter|litres?|gb|tb))$/iu;

function pricedRows(
  rows: readonly HtmlElement[],
  locale: string | null,
): readonly { readonly offer: Priced; readonly cells: readonly string[] }[] {
  return rows.slice(0, OPTIONS_MAX).flatMap((row) => {
    const cells = cellsOf(row);
    const prices = cells.flatMap((text) => pricesInText(text, { locale }))
      .filter(({ currency, isMarked }) => currency !== null && !isMarked);
    const minor = prices.length === 1 ? minorOfDecimal(prices[0]?.decimal ?? "", EXPONENT) : null;
    if (minor === null) return [];
    const availability = cells.map(readAvailability).find((one) => one !== "unknown") ?? "unknown";
    const offer = offerOf(cells.join(" "), minor, onlyCode(prices[0]?.currency?.codes));
    return [{ offer: { ...offer, availability }, cells }];
  });
}

const LEVELS = 4;

function cellsOf(row: HtmlElement, max = 12): readonly string[] {
  return childElements(row).slice(0, max).map((cell) => textOf(cell, CHARACTERS_MAX));
}

/** Reads radio buttons, list options and buttons that show prices: `50 ml 92,00 €`. */
export function radioOffers(
  { shown: { digits } }: HtmlPage,
  { locale }: Writing,
  isBase: (offer: Priced) => boolean,
): readonly Priced[] {
  const radios = new Set(
    digits.flatMap(({ element }) => ancestorsOf(element, LEVELS).find(isRadio) ?? []),
  );
  const parents = Map.groupBy(radios, ({ parent }) => parent);
  const groups = Map.groupBy(
    radios,
    ({ parent }) => (parents.get(parent)?.length ?? 0) > 1 ? parent : parent?.parent ?? null,
  );
  // Buttons with prices but without sizes are ignored, because they may be for instalments.
  const isButton = ({ name }: HtmlElement) => name === "button";
  const kinds = [...groups.values()].flatMap((group) => [
    { group: group.filter(isButton), isOf: areSized },
    { group: group.filter((radio) => !isButton(radio)), isOf: () => true },
  ]);
  for (const { group, isOf } of kinds) {
    const offers = group.slice(0, OPTIONS_MAX).flatMap((radio) => radioOffer(radio, locale) ?? []);
    const values = new Set(offers.map(({ traits }) => traits.attributes[0]?.value));
    const isOwn = () => isOf(offers) && offers.some(isBase) || areSizes(group, offers);
    if (offers.length > 1 && values.size === offers.length && isOwn()) return offers;
  }
  return [];
}

function isRadio(element: HtmlElement): boolean {
  const { name, attribs } = element;
  if (attribs.role === "radio" || attribs.role === "option" || name === "button") return true;
  if (name === "label") return inputOf(element) !== undefined;
  return (name === "div" || name === "li") &&
    childElements(element, 4)
        .filter((child) => child.name === "label" && inputOf(child) !== undefined).length === 1;
}

function inputOf(element: HtmlElement): HtmlElement | undefined {
  return childElements(element, 12)
    .find(({ name, attribs }) => name === "input" && attribs.type === "radio");
}

function areSized(offers: readonly Priced[]): boolean {
  const sized = offers.filter(({ traits: { attributes: [first] } }) =>
    first && textTraits(first.value).kinds.size > 0
  );
  return sized.length >= 2;
}

function areSizes(group: readonly HtmlElement[], offers: readonly Priced[]): boolean {
  return areSized(offers) &&
    group.some((radio) =>
      [radio, ...childElements(radio)].some((one) => inputOf(one)?.attribs.checked !== undefined)
    );
}

function radioOffer(radio: HtmlElement, locale: string | null): Priced | null {
  const text = unstruckText(radio).slice(0, 1_000).replace(/\s+/g, " ").slice(0, CHARACTERS_MAX);
  if (SUBSCRIPTION.test(text.toLowerCase())) return null;
  const price = pricesInText(text, { locale })
    .find(({ currency, isMarked }) => currency !== null && !isMarked);
  const at = text.indexOf(price?.number ?? "");
  const value = withoutEndSigns(text.slice(0, at));
  const minor = price ? minorOfDecimal(price.decimal, EXPONENT) : null;
  if (price === undefined || minor === null || value === "" || /\+\s*$/.test(price.before)) {
    return null;
  }
  const offer = {
    ...offerOf(value, minor, onlyCode(price.currency?.codes)),
    availability: readAvailability(text.slice(at)),
  };
  const { href } = radio.attribs;
  return href === undefined ? offer : { ...offer, offer: { ...offer.offer, urls: [href] } };
}

function unstruckText(node: HtmlNode, depth = 0): string {
  if (typeof node === "string") return node;
  if (isStruckByTag(node)) return "";
  if (depth === LEVELS) return textOf(node, CHARACTERS_MAX);
  return node.children.slice(0, 12).map((part) => unstruckText(part, depth + 1)).join(" ");
}

function mayBePriced(option: HtmlNode): boolean {
  return typeof option !== "string" &&
    option.children.some((text) => typeof text === "string" && PRICED.test(text));
}

const PRICED = /\d[.,]\d\d(?!\d)|\p{Sc}|\bEUR\b/u;

/** `minor` is the price or surcharge in hundredths; 0 for an option without a price. */
function pricedOption(element: HtmlElement, locale: string | null) {
  if (element.attribs.value === "" || element.attribs.disabled !== undefined) return null;
  const text = textOf(element, CHARACTERS_MAX);
  const prices = pricesInText(text, { locale }).filter(({ currency }) => currency !== null);
  const [price] = prices;
  if (PRICE_REDUCTION.test(text)) return null;
  if (!price) return { value: text, minor: 0, isAdded: false, currency: null };
  const minor = minorOfDecimal(price.decimal, EXPONENT);
  if (prices.length > 1 || minor === null) return null;
  return {
    value: withoutEndSigns(price.before),
    minor,
    isAdded: /\+\s*$/.test(price.before),
    currency: onlyCode(price.currency?.codes),
  };
}

function withoutEndSigns(text: string): string {
  return withoutAtEnd(text, /[\s(:+–-]/).trim();
}

const PRICE_REDUCTION = /\(\s?[-−]/;

function offerOf(value: string, minor: number, currency: string | null): Priced {
  return {
    ...VARIANT,
    amount: { decimal: formatMajor(minor, EXPONENT), currency, isSure: true },
    traits: { ...NO_TRAITS, attributes: [{ name: null, value }] },
  };
}

const LABELS: ReadonlySet<string> = new Set(["option", "label", "button"]);
const LABEL_CHARACTERS_MAX = 60;

/** Sizes such as `XL` and colours are ignored, because they rarely change the price. */
export function choiceAmongLabels(
  { shown: { digits } }: HtmlPage,
  title: string,
  names: readonly string[],
): VariantChoice | null {
  const labels = digits.filter(({ element: { name } }) => LABELS.has(name)).slice(0, OPTIONS_MAX)
    .map(({ element }) => ({ element, text: textOf(element, LABEL_CHARACTERS_MAX + 1) }))
    .filter(({ text }) => text.length <= LABEL_CHARACTERS_MAX);
  if (labels.length < 2) return null;
  const traits = textTraits(title);
  const kinds = [...traits.kinds].filter(([kind]) => kind !== "size" && kind !== "colour");
  const ours = { words: traits.words, numbers: traits.numbers, kinds: new Map(kinds) };
  const options = labels.map(({ text }) => textTraits(text)).filter(({ kinds }) =>
    [...kinds.keys()].some((kind) => ours.kinds.has(kind))
  );
  if (options.length < 2) return null;
  const selected = labels.filter(({ element }) => isSelected(element)).map(({ text }) => text);
  const named = [...names, ...selected].map(textTraits).filter(({ kinds }) =>
    [...ours.kinds.keys()].some((kind) => kinds.has(kind))
  );
  if (named.length > 0 && unknownValue(named, ours) === null) return null;
  const unknown = unknownValue(options, ours);
  return {
    method: "variants",
    by: null,
    chosen: null,
    left: [],
    amounts: new Set(),
    lists: [],
    state: unknown ? "unknown" : "open",
    unknown,
    confidenceMost: unknown ? CONTRADICTED : DOUBTFUL,
  };
}

const SELECTED = /(?:^|[\s_-])(?:selected|active|checked|current)(?:$|[\s_-])/i;

function isSelected({ attribs, children, parent }: HtmlElement): boolean {
  if (attribs.selected !== undefined || SELECTED.test(attribs.class?.slice(0, 200) ?? "")) {
    return true;
  }
  if (attribs["aria-checked"] === "true" || attribs["aria-pressed"] === "true") return true;
  const near = [...children, ...parent?.children.slice(0, 40) ?? []];
  return near.some((one) =>
    typeof one !== "string" && one.name === "input" && one.attribs.checked !== undefined &&
    (children.includes(one) || one.attribs.id === attribs.for)
  );
}
