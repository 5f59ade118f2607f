/**
 * What a page says in words where its product is sold: stock, condition, seller, a price on request, a
 * price without tax. The area begins a little before the name of the product and ends some lines after
 * the price. Words about branches, other variants and other amounts are left out.
 */

import type { Availability, Condition } from "../../base/codes.ts";
import { pricesInText } from "../../base/price_text.ts";
import type { Writing } from "./amount.ts";
import { type NearText, textsBefore, textsBehind, type TextsFrom } from "./near_texts.ts";
import { type HtmlElement, textOf } from "./page/html_element.ts";
import type { HtmlPage } from "./page/html_page.ts";
import { mainAnchors } from "./shown/page_anchors.ts";
import type { PlaceWordsOf } from "./shown/place_words.ts";
import { namesMoney } from "./shown/shown_prices.ts";
import { aloneWord, anyWord, oneOfWords, STOCK_ORDER } from "./words/word_patterns.ts";

export interface BuyArea {
  /** `unknown` where no words are about it. */
  readonly availability: Availability;
  /** False where only a delivery time speaks for the stock. */
  readonly isStockSaid: boolean;
  readonly condition: Condition | null;
  readonly seller: string | null;
  readonly isOnRequest: boolean;
  /** By the name of the product, or where the only control is one to rent or to bid. */
  readonly noSale: "rent" | "deposit" | "bid" | null;
  /** Says that its amounts come with a contract. */
  readonly isWithContract: boolean;
  /** Says of all prices that tax is still to be added. */
  readonly isNet: boolean;
  /** Percent of the tax that is to be added; null where no text says it. */
  readonly taxPercent: string | null;
}

export const NO_BUY_AREA: BuyArea = {
  availability: "unknown",
  isStockSaid: false,
  condition: null,
  seller: null,
  isOnRequest: false,
  noSale: null,
  isWithContract: false,
  isNet: false,
  taxPercent: null,
};

/** What stands behind more blocks is about other things. */
const BEFORE_NAME = { characters: 150, blocks: 10 };
const BEHIND_NAME = { characters: 800, blocks: 14 };
const BEFORE_PRICE = { characters: 300, blocks: 10 };
const BEHIND_PRICE = { characters: 600, blocks: 14 };
const STATEMENT_CHARACTERS_MAX = 110;
const WORD_CHARACTERS_MAX = 45;
const FOOTER_CHARACTERS_MAX = 3_000;

/** One block of the area, in lower case. */
class Statement {
  readonly lower: string;
  #hasAmount: boolean | null = null;

  constructor(
    readonly text: string,
    readonly parts: readonly HtmlElement[],
    readonly next: string,
    readonly previous: string,
    readonly locale: string | null,
  ) {
    this.lower = text.toLowerCase();
  }

  /** Read last: few statements have words that count. */
  get hasAmount(): boolean {
    return this.#hasAmount ??= /\d/.test(this.text) &&
      pricesInText(this.text, { locale: this.locale }).some(({ currency }) => currency !== null);
  }
}

/**
 * `place` is where the page shows the price that was taken; null where it does not. `ownTitle` is our
 * name of the product: what it says itself is no veto.
 */
export function readBuyArea(
  html: HtmlPage,
  place: HtmlElement | null,
  { writing, words, ownTitle }: {
    readonly writing: Writing;
    readonly words: PlaceWordsOf;
    readonly ownTitle: string | null;
  },
): BuyArea {
  const [anchor] = mainAnchors(html.shown);
  const statements = statementsOf(anchor?.element ?? null, place, writing, words);
  const named = html.headings.slice(0, 2).map((text) => text.toLowerCase());
  const isGross = statements.some(({ lower }) => GROSS.test(lower));
  const footer = html.footer === null ? "" : textOf(html.footer, FOOTER_CHARACTERS_MAX);
  const netTexts = [
    ...statements.map(({ lower }) => lower),
    ...footer.toLowerCase().split(SENTENCE_END),
  ].filter((text) => NET.test(text) && !GROSS.test(text));
  return {
    ...stockOf(statements),
    condition: conditionOf(statements, named, place?.parent ?? null),
    seller: sellerOf(statements),
    isOnRequest: statements.some((one) =>
      (ON_REQUEST.test(one.lower) || ON_REQUEST_ALONE.test(one.lower)) && !one.hasAmount
    ),
    noSale: noSaleOf(statements, named, ownTitle?.toLowerCase() ?? ""),
    isWithContract: statements.some(({ lower }) => CONTRACT.test(lower)) ||
      named.some((name) => CONTRACT.test(name)),
    isNet: !isGross && netTexts.some((text) => ALL_PRICES.test(text)),
    taxPercent: taxOf(netTexts),
  };
}

/** A full stop behind `zzgl` ends no sentence. */
const SENTENCE_END = /(?<=[.!*|•])(?<!(?:zzgl|zuzügl|inkl|exkl|excl|incl|ges|gesetzl)\.)\s/;
const NET = anyWord(({ net }) => net);
const GROSS = anyWord(({ gross }) => gross);
const ALL_PRICES = new RegExp(`^[^\\p{L}]*${oneOfWords(({ allNet }) => allNet)}(?!\\p{L})`, "u");
const CONTRACT = anyWord(({ contract }) => contract);
const ON_REQUEST = anyWord(({ onRequest }) => onRequest);
const ON_REQUEST_ALONE = aloneWord(({ onRequestAlone }) => onRequestAlone);

/** The blocks behind the price first, then those before it, then those behind the name. */
function statementsOf(
  name: HtmlElement | null,
  place: HtmlElement | null,
  writing: Writing,
  words: PlaceWordsOf,
): readonly Statement[] {
  const lists: (readonly NearText[])[] = [];
  const own = ({ own }: TextsFrom, at: HtmlElement) => own ? [{ text: own, parts: [at] }] : [];
  if (place) {
    const behind = textsBehind(place, BEHIND_PRICE, words);
    const before = textsBefore(place, BEFORE_PRICE, words);
    lists.push([...own(behind, place), ...behind.blocks]);
    lists.push([...before.blocks.toReversed(), ...own(before, place)]);
  }
  if (name) {
    lists.push(textsBehind(name, BEHIND_NAME, words).blocks);
    lists.push(textsBefore(name, BEFORE_NAME, words).blocks.toReversed());
  }
  const known = new Set<string>();
  return lists.flatMap((blocks) =>
    blocks.flatMap(({ text, parts }, at) => {
      const next = blocks[at + 1]?.text ?? "";
      const previous = blocks[at - 1]?.text.toLowerCase() ?? "";
      const key = `${previous}|${text}`;
      if (known.has(key)) return [];
      known.add(key);
      return [new Statement(text, parts, next, previous, writing.locale)];
    })
  );
}

const STOCK_BEFORE = `^[^\\p{L}\\d]*(?:${
  oneOfWords(({ stockLabel }) => stockLabel)
}[^\\p{L}\\d]*)*(?:>? ?\\d+\\+? ?(?:stück|stk\\.?|x|pcs|items?|pièces?)? )?`;
const STOCK: readonly (readonly [Availability, RegExp])[] = STOCK_ORDER.map((code) => [
  code,
  new RegExp(`${STOCK_BEFORE}${oneOfWords(({ stock }) => stock[code])}(?![\\p{L}\\d])`, "u"),
]);
const DELIVERY = new RegExp(
  `${STOCK_BEFORE}${oneOfWords(({ deliveryTime }) => deliveryTime)}`,
  "u",
);
const NOT_THE_STOCK = anyWord(({ notTheStock }) => notTheStock);
/** Leads to the stock of something else. */
const OTHER_LABEL = aloneWord(({ notTheStock }) => notTheStock);
const BUY = anyWord(({ buyControl }) => buyControl);
/** Places of one choice among several, where another one may be sold out. */
const CHOICES: ReadonlySet<string> = new Set(["li", "label", "option", "a"]);
const CHOICE_LEVELS = 2;

function stockOf(
  statements: readonly Statement[],
): Pick<BuyArea, "availability" | "isStockSaid"> {
  const isSelling = statements.some(({ lower, parts }) => BUY.test(lower) && isEnabled(parts));
  let isDelivered = false;
  for (const statement of statements) {
    const { lower, parts, previous } = statement;
    if (lower.length > STATEMENT_CHARACTERS_MAX) continue;
    const code = STOCK.find(([, words]) => words.test(lower))?.[0];
    if (code === undefined && (isDelivered || !DELIVERY.test(lower))) continue;
    if (NOT_THE_STOCK.test(lower) || OTHER_LABEL.test(previous)) continue;
    // The first sentence counts alone: `In stock. Free delivery over €60.00`.
    if (statement.hasAmount && namesMoney(lower.split(SENTENCE_END, 1)[0] ?? "")) continue;
    if (code === undefined) isDelivered = true;
    else if (!isSelling || isOfProduct(code, parts)) {
      return { availability: code, isStockSaid: true };
    }
  }
  return { availability: isDelivered ? "in_stock" : "unknown", isStockSaid: false };
}

/** Beside a control that sells, a choice that is sold out is another one. */
function isOfProduct(code: Availability, parts: readonly HtmlElement[]): boolean {
  if (code === "in_stock" || code === "limited") return true;
  return !parts.some((part) => {
    let at: HtmlElement | null = part;
    for (let level = 0; level <= CHOICE_LEVELS && at; level++, at = at.parent) {
      if (CHOICES.has(at.name)) return true;
    }
    return false;
  });
}

function isEnabled(parts: readonly HtmlElement[]): boolean {
  return parts.every((part) => {
    let at: HtmlElement | null = part;
    for (let level = 0; level <= CHOICE_LEVELS && at; level++, at = at.parent) {
      if (at.attribs.disabled !== undefined || at.attribs["aria-disabled"] === "true") return false;
    }
    return true;
  });
}

/** From worst to best: a text that says that something is not new says more. */
const CONDITION_ORDER = ["damaged", "used", "refurbished", "new"] as const;
const CONDITION_ANYWHERE = CONDITION_ORDER.filter((code) => code !== "new")
  .map((code) => [code, anyWord(({ condition }) => condition[code])] as const);
/** `Zustand: gut, gebraucht`; a grade may follow a word that stands alone. */
const CONDITION_ALONE = CONDITION_ORDER.map((code) =>
  [
    code,
    new RegExp(
      `^[^\\p{L}]*${
        oneOfWords(({ condition }) => condition[code])
      }(?!\\p{L})(?: ?[-–—:,(/|·]+ ?(?:[\\p{L}-]+ ?){1,3})?[^\\p{L}]*$`,
      "u",
    ),
  ] as const
);
/** Behind a label: `Gut (gebraucht)`; only what begins with it is new. */
const CONDITION_LABELLED = [
  ...CONDITION_ANYWHERE,
  [
    "new",
    new RegExp(`^[^\\p{L}]*${oneOfWords(({ condition }) => condition.new)}(?!\\p{L})`, "u"),
  ] as const,
];
const CONDITION_LABEL = new RegExp(
  `^[^\\p{L}]*${oneOfWords(({ conditionLabel }) => conditionLabel)} ?:? ?(.{0,45})$`,
  "u",
);

/** Where words differ, those in the same element as the price count: the others are of other offers. */
function conditionOf(
  statements: readonly Statement[],
  named: readonly string[],
  box: HtmlElement | null,
): Condition | null {
  for (const name of named) {
    const code = CONDITION_ANYWHERE.find(([, words]) => words.test(name))?.[0];
    if (code) return code;
  }
  const said = statements.flatMap((statement) => {
    const { lower, parts, next } = statement;
    if (lower.length > STATEMENT_CHARACTERS_MAX) return [];
    const label = CONDITION_LABEL.exec(lower);
    const value = label?.[1] || (label && next.toLowerCase()) || null;
    if (value === null && (lower.length > WORD_CHARACTERS_MAX || parts.some(leads))) return [];
    const words = value === null ? CONDITION_ALONE : CONDITION_LABELLED;
    const code = words.find(([, one]) => one.test(value ?? lower))?.[0];
    return code === undefined || statement.hasAmount ? [] : [{ code, parts }];
  });
  const near = said.filter(({ parts }) => parts.some(({ parent }) => parent === box));
  const codes = new Set((near.length > 0 ? near : said).map(({ code }) => code));
  const [first] = codes;
  return first !== undefined && codes.size === 1 ? first : null;
}

function leads({ name, parent }: HtmlElement): boolean {
  return name === "a" || parent?.name === "a";
}

const SOLD_BY = new RegExp(
  `(?:(?<!\\p{L})${oneOfWords(({ soldBy }) => soldBy)}(?!\\p{L})|` +
    `^[^\\p{L}]*${oneOfWords(({ sellerLabel }) => sellerLabel)} ?:) ?:? ?(.*)$`,
  "u",
);
/** The label in an element of its own needs no colon. */
const SELLER_LABEL = aloneWord(({ sellerLabel }) => sellerLabel);
const LABELLED_SELLER = new RegExp(
  `^[^\\p{L}]*${oneOfWords(({ sellerLabel }) => sellerLabel)} ?:? ?(.*)$`,
  "u",
);
const AFTER_SELLER = new RegExp(
  `[,;|•·(]| - |\\.(?:\\s|$)|(?:^|[^\\p{L}])${
    oneOfWords(({ afterSeller }) => afterSeller)
  }(?!\\p{L})`,
  "u",
);
const MAKER =
  /(?<![\p{L}-])(?:brand|manufacturer|hersteller|marke|fabricant|marque)s?(?![\p{L}-])/iu;

/** A label such as `Anbieter` may lead to the maker of the product. */
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
    // Few letters change their length in lower case, and then the name is left out.
    if (!found || lower.length !== text.length || statement.hasAmount) continue;
    const rest = found[1] ?? "";
    const named = rest.trim() === "" ? next : text.slice(-rest.length);
    const end = named.toLowerCase().search(AFTER_SELLER);
    const name = (end === -1 ? named : named.slice(0, end)).trim();
    if (name !== "" && name.length <= 60 && !US.test(name.toLowerCase())) {
      return name;
    }
  }
  return null;
}

const RENTED_NAME = nameOf(({ rentedName }) => rentedName);
const PAID_AHEAD_NAME = nameOf(({ paidAheadName }) => paidAheadName);
const RENT_CONTROL = aloneWord(({ rentControl }) => rentControl);
const BID_CONTROL = aloneWord(({ bidControl }) => bidControl);

function nameOf(pick: Parameters<typeof oneOfWords>[0]): RegExp {
  return new RegExp(oneOfWords(pick), "u");
}

function noSaleOf(
  statements: readonly Statement[],
  named: readonly string[],
  ownTitle: string,
): BuyArea["noSale"] {
  const isNamed = (words: RegExp) =>
    !words.test(ownTitle) && named.some((name) => words.test(name));
  if (isNamed(PAID_AHEAD_NAME)) return "deposit";
  if (isNamed(RENTED_NAME)) return "rent";
  if (statements.some(({ lower }) => BUY.test(lower))) return null;
  if (statements.some(({ lower }) => BID_CONTROL.test(lower))) return "bid";
  return statements.some(({ lower }) => RENT_CONTROL.test(lower)) ? "rent" : null;
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
