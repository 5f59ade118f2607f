/**
 * Reads the words around a product's price on a page: stock, condition, seller, price on request,
 * price without tax.
 */

import type { Availability, Condition } from "../../base/codes.ts";
import { once } from "../../base/collections.ts";
import type { Writing } from "./amount.ts";
import {
  mainAnchors,
  type NearText,
  sellsAfter,
  sentencesOf,
  textsAfter,
  textsBefore,
} from "./shown/price_context.ts";
import { ancestorsOf, type HtmlElement, textOf } from "./page/html_element.ts";
import type { ReadingSide } from "./reading.ts";
import { hasMoney, namesMoney } from "./shown/shown_prices.ts";
import { aloneWord, anyWord, leadingWord, oneOfWords, STOCK_ORDER } from "./shop_words.ts";

const BEFORE_NAME = { characters: 150, blocks: 10 };
const AFTER_NAME = { characters: 800, blocks: 14 };
/** Range after the product's name if no price is shown: `auf Anfrage` may be far away. */
const AFTER_NAME_ALONE = { characters: 1_500, blocks: Infinity };
const BEFORE_PRICE = { characters: 300, blocks: 10 };
const AFTER_PRICE = { characters: 600, blocks: 14 };
const STATEMENT_CHARACTERS_MAX = 110;

type Statement = ReturnType<typeof statementsOf>[number];

/** `place` is the element that shows the chosen price; null if there is none. */
export function readBuyArea(
  { page: { html, writing }, wanted }: Pick<ReadingSide, "page" | "wanted">,
  place: HtmlElement | null,
) {
  const [anchor] = html ? mainAnchors(html.shown) : [];
  const statements = statementsOf(anchor?.element ?? null, place, writing);
  const named = html?.headings.slice(0, 2).map((text) => text.toLowerCase()) ?? [];
  const taxTexts = once(() => {
    const footer = html?.footer ? textOf(html.footer, 3_000) : "";
    return [...statements.map(({ lower }) => lower), ...sentencesOf(footer.toLowerCase())];
  });
  return {
    texts: statements.map(({ lower }) => lower),
    ...stockOf(statements, () => html !== null && sellsAfter(html.shown)),
    condition: conditionOf(statements, named, place?.parent ?? null),
    seller: sellerOf(statements),
    noSale: noSaleOf(statements, named, wanted?.title?.toLowerCase() ?? ""),
    isOnRequest: () =>
      statements.some((one) =>
        (ON_REQUEST_ALONE.test(one.lower) || ON_REQUEST.test(one.lower)) && !one.hasAmount()
      ),
    isWithContract: () =>
      [...statements.map(({ lower }) => lower), ...named].some((text) => CONTRACT.test(text)),
    isNet: () =>
      taxTexts().some((text) => ALL_PRICES.test(text) && isNetText(text)) &&
      !statements.some(({ lower }) => GROSS.test(lower)),
    taxPercent: () => taxOf(taxTexts().filter(isNetText)),
  };
}

export type BuyArea = ReturnType<typeof readBuyArea>;

function isNetText(text: string): boolean {
  return NET.test(text) && !GROSS.test(text);
}

const NET = anyWord(({ net }) => net);
const GROSS = anyWord(({ gross }) => gross);
const ALL_PRICES = leadingWord(({ allNet }) => allNet, "(?!\\p{L})");
const CONTRACT = anyWord(({ contract }) => contract);
const ON_REQUEST = new RegExp(
  `${anyWord(({ onRequest }) => onRequest).source}|prezzo su richiesta|` +
    "precio (?:a consultar|bajo pedido)|prijs op aanvraag",
  "u",
);
const ON_REQUEST_ALONE = aloneWord(({ onRequestAlone }) => onRequestAlone);

function statementsOf(name: HtmlElement | null, place: HtmlElement | null, writing: Writing) {
  const lists: (readonly NearText[])[] = [];
  const own = (text: string | null, at: HtmlElement) => text ? [{ text, parts: [at] }] : [];
  if (place) {
    const after = textsAfter(place, AFTER_PRICE);
    const before = textsBefore(place, BEFORE_PRICE);
    lists.push([...own(after.own, place), ...after.blocks]);
    lists.push([...before.blocks.toReversed(), ...own(before.own, place)]);
  }
  if (name) {
    lists.push(textsAfter(name, place ? AFTER_NAME : AFTER_NAME_ALONE).blocks);
    lists.push(textsBefore(name, BEFORE_NAME).blocks.toReversed());
  }
  const known = new Set<string>();
  return lists.flatMap((blocks) =>
    blocks.flatMap(({ text, parts }, at) => {
      const next = blocks[at + 1]?.text ?? "";
      const previous = blocks[at - 1]?.text.toLowerCase() ?? "";
      const key = `${previous}|${text}`;
      if (known.has(key)) return [];
      known.add(key);
      const hasAmount = once(() => hasMoney(text, writing));
      return [{ text, lower: text.toLowerCase(), parts, next, previous, hasAmount }];
    })
  );
}

const STOCK_BEFORE = `^[^\\p{L}\\d]*(?:${
  oneOfWords(({ stockLabel }) => stockLabel)
}[^\\p{L}\\d]*)*(?:(?:mehr als|über|over|more than|plus de|>)? ?\\d+\\+? ?(?:stück|stk\\.?|x|pcs|items?|pièces?)? )?`;
const STOCK: readonly (readonly [Availability, RegExp])[] = STOCK_ORDER.map((code) => [
  code,
  new RegExp(`${STOCK_BEFORE}${oneOfWords(({ stock }) => stock[code])}(?![\\p{L}\\d])`, "u"),
]);
const DELIVERY = new RegExp(
  `${STOCK_BEFORE}${oneOfWords(({ deliveryTime }) => deliveryTime)}`,
  "u",
);
const STOCK_COUNT =
  /^[^\p{L}\d]*(?:(?:lager|waren)?bestand|auf lager|(?:in |en )?stock)[^\p{L}\d]*(?:über |mehr als |over |more than |plus de )?(\d{1,5})(?![\d.,%])/u;
const NOT_THE_STOCK = anyWord(({ notTheStock }) => notTheStock);
const OTHER_LABEL = aloneWord(({ notTheStock }) => notTheStock);
const BUY = anyWord(({ buyControl }) => buyControl);
const CHOICES: ReadonlySet<string> = new Set(["li", "label", "option", "a"]);

/** `isStockStated` is false if the stock is unknown, or was inferred from a delivery time. */
function stockOf(
  statements: readonly Statement[],
  sells: () => boolean,
): { readonly availability: Availability; readonly isStockStated: boolean } {
  const isSelling = once(() =>
    statements.some(({ lower, parts }) =>
      BUY.test(lower) && !parts.some((part) => isIn(part, isDisabled))
    ) || sells()
  );
  let isDelivered = false;
  for (const statement of statements) {
    const { parts, previous, next } = statement;
    const isLong = statement.lower.length > STATEMENT_CHARACTERS_MAX;
    const lower = isLong ? sentencesOf(statement.lower)[0] ?? "" : statement.lower;
    if (lower.length > STATEMENT_CHARACTERS_MAX) continue;
    const code = STOCK.find(([, words]) => words.test(lower))?.[0] ?? countedStock(lower, next);
    if (code === undefined && (isDelivered || !DELIVERY.test(lower))) continue;
    if (NOT_THE_STOCK.test(lower) || OTHER_LABEL.test(previous)) continue;
    if (statement.hasAmount() && namesMoney(sentencesOf(lower)[0] ?? "")) continue;
    if (code === undefined) isDelivered = true;
    else if (isOfProduct(code, parts) || !isSelling()) {
      return { availability: code, isStockStated: true };
    }
  }
  return { availability: isDelivered ? "in_stock" : "unknown", isStockStated: false };
}

function countedStock(lower: string, next: string): Availability | undefined {
  const text = /\d/.test(lower) ? lower : `${lower} ${next.toLowerCase()}`;
  const count = STOCK_COUNT.exec(text)?.[1];
  return count === undefined ? undefined : Number(count) > 0 ? "in_stock" : "out_of_stock";
}

function isOfProduct(code: Availability, parts: readonly HtmlElement[]): boolean {
  if (code === "in_stock" || code === "limited") return true;
  if (parts.some(({ attribs }) => /badge/i.test(attribs.class?.slice(0, 100) ?? ""))) return false;
  return !parts.some((part) => isIn(part, ({ name }) => CHOICES.has(name)));
}

function isDisabled({ attribs }: HtmlElement): boolean {
  return attribs.disabled !== undefined || attribs["aria-disabled"] === "true";
}

function isIn(part: HtmlElement, isIt: (at: HtmlElement) => boolean): boolean {
  return ancestorsOf(part, 2).some(isIt);
}

/** The worst condition comes first, because texts about used articles may contain `new`. */
const CONDITION_ORDER = ["damaged", "used", "refurbished", "new"] as const;
const CONDITION_ANYWHERE = CONDITION_ORDER.filter((code) => code !== "new")
  .map((code) => [code, anyWord(({ condition }) => condition[code])] as const);
const CONDITION_END = "(?!\\p{L})(?: ?[-–—:,(/|·]+ ?(?:[\\p{L}-]+ ?){1,3})?[^\\p{L}]*$";
const CONDITION_ALONE = CONDITION_ORDER.map((code) =>
  [code, leadingWord(({ condition }) => condition[code], CONDITION_END)] as const
);
const CONDITION_LABELLED = [
  ...CONDITION_ANYWHERE,
  ["new", leadingWord(({ condition }) => condition.new, "(?!\\p{L})")] as const,
];
const CONDITION_LABEL = leadingWord(({ conditionLabel }) => conditionLabel, " ?:? ?(.{0,45})$");

function conditionOf(
  statements: readonly Statement[],
  named: readonly string[],
  box: HtmlElement | null,
): Condition | null {
  for (const name of named) {
    const code = CONDITION_ANYWHERE.find(([, words]) => words.test(name))?.[0];
    if (code) return code;
  }
  const found = statements.flatMap((statement, at) => {
    const { parts, next } = statement;
    if (statement.lower.length > STATEMENT_CHARACTERS_MAX) return [];
    const lower = sentencesOf(statement.lower)[0] ?? "";
    const label = CONDITION_LABEL.exec(lower);
    const value = label?.[1] || (label && next.toLowerCase()) || null;
    const isLink = parts.some(({ name, parent }) => name === "a" || parent?.name === "a");
    if (value === null && (lower.length > 45 || isLink)) return [];
    const words = value === null ? CONDITION_ALONE : CONDITION_LABELLED;
    const code = words.find(([, one]) => one.test(value ?? lower))?.[0];
    return code === undefined || statement.hasAmount() ? [] : [{ code, parts, at }];
  });
  const near = found.filter(({ parts }) => parts.some(({ parent }) => parent === box));
  const codesOf = (some: typeof found) => new Set(some.map(({ code }) => code));
  const all = codesOf(near.length > 0 ? near : found);
  const other = all.size < 2
    ? -1
    : statements.findIndex(({ hasAmount }, at) => at > 0 && hasAmount());
  const own = codesOf(near.length > 0 ? [] : found.filter(({ at }) => at < other));
  const codes = own.size > 0 ? own : all;
  const [first] = codes;
  return first !== undefined && codes.size === 1 ? first : null;
}

const SOLD_BY = new RegExp(
  `(?:(?<!\\p{L})${oneOfWords(({ soldBy }) => soldBy)}(?!\\p{L})|` +
    `^[^\\p{L}]*${oneOfWords(({ sellerLabel }) => sellerLabel)} ?:) ?:? ?([^]*)`,
  "u",
);
const SELLER_LABEL = aloneWord(({ sellerLabel }) => sellerLabel);
const LABELLED_SELLER = leadingWord(({ sellerLabel }) => sellerLabel, " ?:? ?(.*)$");
const AFTER_SELLER = new RegExp(
  `[,;|•·(]| - |\\.(?:\\s|$)|(?:^|[^\\p{L}])${
    oneOfWords(({ afterSeller }) => afterSeller)
  }(?!\\p{L})`,
  "u",
);
const MAKER =
  /(?<![\p{L}-])(?:brand|manufacturer|hersteller|marke|fabricant|marque)s?(?![\p{L}-])/iu;

function isOfMaker({ attribs: { itemprop = "", href = "" } }: HtmlElement): boolean {
  return MAKER.test(itemprop.slice(0, 50)) || MAKER.test(href.slice(0, 100));
}

const US = aloneWord(({ us }) => us);

function sellerOf(statements: readonly Statement[]): string | null {
  for (const statement of statements) {
    const { text, lower, next, parts } = statement;
    if (lower.length > STATEMENT_CHARACTERS_MAX || parts.some(isOfMaker)) continue;
    const [label] = parts;
    const isLabelled = parts.length > 1 && label &&
      SELLER_LABEL.test(textOf(label, 30).toLowerCase());
    const found = (isLabelled ? LABELLED_SELLER : SOLD_BY).exec(lower);
    // Lower-casing can change the length of a text; then positions in `lower` and `text` differ.
    if (!found || lower.length !== text.length || statement.hasAmount()) continue;
    const rest = found[1] ?? "";
    const named = rest.trim() === "" ? next : text.slice(-rest.length);
    const plain = named.replace(/\s\d{1,3}(?:[.,]\d)? ?%[^]*/u, "");
    const end = plain.toLowerCase().search(AFTER_SELLER);
    const name = (end === -1 ? plain : plain.slice(0, end)).trim();
    if (name !== "" && name.length <= 60 && !US.test(name.toLowerCase())) {
      return name;
    }
  }
  return null;
}

const RENTED_NAME = new RegExp(oneOfWords(({ rentedName }) => rentedName), "u");
const PAID_AHEAD_NAME = new RegExp(oneOfWords(({ paidAheadName }) => paidAheadName), "u");
const RENT_CONTROL = aloneWord(({ rentControl }) => rentControl);
const BID_CONTROL = aloneWord(({ bidControl }) => bidControl);

function noSaleOf(statements: readonly Statement[], named: readonly string[], ownTitle: string) {
  const isNamed = (words: RegExp) =>
    !words.test(ownTitle) && named.some((name) => words.test(name));
  if (isNamed(PAID_AHEAD_NAME)) return "deposit";
  if (isNamed(RENTED_NAME)) return "rent";
  const isWritten = (words: RegExp) => statements.some(({ lower }) => words.test(lower));
  const control = isWritten(BID_CONTROL) ? "bid" : isWritten(RENT_CONTROL) ? "rent" : null;
  return control !== null && isWritten(BUY) ? null : control;
}

const EACH_NET = new RegExp(NET, "gu");

function taxOf(texts: readonly string[]): string | null {
  const marks = texts.flatMap((text) => text.match(EACH_NET) ?? []);
  for (const mark of marks) {
    const percent = /(?<![\d.,])(\d{1,2}(?:[.,]\d)?) ?%/.exec(mark)?.[1];
    if (percent !== undefined) return percent.replace(",", ".");
  }
  return null;
}
