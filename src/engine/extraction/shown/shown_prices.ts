/** Finds the prices in a page's shown texts, and reads the words around them. */

import { type PriceOfText, pricesInText } from "../../../base/price_text.ts";
import { plainDecimal, type Writing } from "../amount.ts";
import {
  ancestorsOf,
  type HtmlElement,
  type HtmlNode,
  means,
  onOneLine,
  rawTextOf,
  StruckStyles,
  textOf,
} from "../page/html_element.ts";
import type { PlacedElement, ShownPlaces } from "../page/html_page.ts";
import { anyWord } from "../shop_words.ts";
import { type ShownPrice, withoutNotes } from "./scored_price.ts";

const SHIPPING =
  /(?:versand(?:kosten)?|lieferung|shipping|delivery|postage|livraison|spedizione|verzendkosten|env[ií]o) ?(?:ab|von|from|cost|fee|:)|\| {0,2}(?:de |d['’]|for |für )(?:livraison|frais|port|delivery|shipping|versand|lieferung)(?!\p{L})|(?:versand|liefer)(?:kosten|pauschale) ?:?$/u;
/** Chinese, Japanese, Korean and Hebrew words that announce delivery costs or a minimum order. */
const DELIVERY = /(?:運費|运费|宅配|送料|배송비|滿|满|משלוח)[^\p{L}\d|]{0,10}(?:\||$)/u;
const FREE_FROM =
  /(?:(?:versand|liefer|porto)(?:kosten)?frei|frei haus|(?:gratis|kostenlose[rn]?) ?(?:versand|lieferung)|(?:versand|lieferung) (?:ist )?(?:kostenlos|gratis)|free (?:\p{L}{2,12} )?(?:shipping|delivery|postage)|livraison (?:gratuite|offerte)|spedizione grat\p{L}{2,4}|env[ií]o grat\p{L}{2,4}|gratis (?:verzending|bezorging))[^|\d]{0,25}?(?<!\p{L})(?:ab|von|über|over|above|from|d[èe]s|da|desde|vanaf|boven)(?!\p{L})|(?<!\p{L})(?:ab|von|über|over|above|from|d[èe]s) ?\|[\s|]*(?:(?:versand|porto)(?:kosten)?frei|frei haus|(?:gratis|kostenlose[rn]?) (?:versand|lieferung)|free (?:shipping|delivery)|livraison (?:gratuite|offerte)|entfallen|entfällt)|(?<!\p{L})(?:frei|free|gratis|kostenlos|gratuite?|offerte?) (?:over|above|from|ab|über|dès)(?!\p{L})|[滿满][^|\d]{0,12}免[運运]/u;
const RATE =
  /grundpreis|(?:^|\P{L})(?:monatlich|mtl|pro monat|im monat|raten|monatsrate|ratenzahlung|teilzahlung|finanzierung|monthly|per month|instalments?|installments?|a month|leasing|mensual\w*)(?!\p{L})|\/ ?(?:mo|monat|month|jahr|year|yr|an)(?!\p{L})|(?:\/|pro|je|per) ?(?:\d+ ?)?(?:kg|g|ml|l|liter|m²|qm|m)(?!\p{L})|(?:payments|zahlungen|raten|paiements|versements) (?:of|von|zu|zu je|à|de) ?(?:\||$)|(?:^|\d) ?[x×] ?(?:\||$)|\| {0,2}[x×] ?\d|(?:^|\P{L})soit ?\| ?(?:l['’]|l[ae]s? |par )/u;
const COUPON =
  /(?:^|\P{L})(?:(?:mit|with|use|using|code|dem|avec) (?:dem |le )?(?:code|gutschein|coupon|voucher)|gutscheincode|rabattcode|promo ?code|coupon|voucher|gutschein|\p{L}*guthaben|gutschrift|store credit|bon d['’]achat|\p{L}{0,24}ankaufswert|trade-?in (?:value|credit)|valeur de reprise)|\| {0,2}(?:[\p{L}-]{2,20} )?\p{L}{0,24}(?:bonus|prämie|cash ?back|rebate)(?!\p{L})|(?:nach|abzgl\.?|abzüglich|after|après|déduction) (?:\p{L}+ ){0,2}cash ?back|effektivpreis|effective price|prix effectif|(?:remboursement|erstattung|rebate|refund)(?: \p{L}{2,12})? (?:de|von|of)(?!\p{L})/u;
const USED =
  /(?:^|\P{L})(?:gebraucht\p{L}*|refurb\p{L}*|generalüberholt\p{L}*|b-ware|renewed|used|second hand|pre-owned|occasion|aus zweiter hand)(?!\p{L})/u;
/** Matches words about subscribers or members, such as `im abo`; expects lower case. */
export const SUBSCRIPTION =
  /(?:^|(?<!(?<!\p{L})(?:non|nicht|no|ohne|without|sans|hors))\P{L})(?:(?:spar-?)?abo(?:nnement)?|im abo|tarif réduit|concessions?|subscri\p{L}*|auto-?delivery|mitglied\p{L}*|members?|prime|clubpreis|kundenkarte|(?:alle|jede[nr]?|every|tou(?:te)?s les) (?:\d{1,2} )?(?:wochen?|monate?|weeks?|months?|semaines?|mois))(?!\p{L})/u;
const PIECES =
  "(?:stück|flaschen?|packung(?:en)?|kartons?|rollen?|bottles?|bouteilles?|stk\\.?|st\\.|pcs|pieces|pièces|units)";
const TIER = new RegExp(
  `(?:^|\\P{L})(?:ab|from|über|mindestens|bei|dès|à partir de) (?!1(?!\\d))\\d{1,5} {0,2}(?:${PIECES}|\\||$)` +
    `|(?<![\\d.,])(?:[2-9]|[1-9]\\d{1,3}) ?(?:[-–]|bis|to|à) ?\\d{1,5} ?${PIECES}|[>≥] ?\\d{1,5} ?${PIECES}|(?<![\\d.,])(?:[2-9]|[1-9]\\d{1,3}) ?${PIECES} (?:et plus|(?:und|oder) mehr|(?:and|or) more)` +
    `|(?:^|\\P{L})(?:any )?\\d{1,2} (?:for|für|pour)(?!\\p{L})|staffel|mengenrabatt|bei abnahme|\\d\\+ ?${PIECES}?`,
  "u",
);
const NET = anyWord(({ net }) => net);
const GROSS = anyWord(({ gross }) => gross);

const CHARACTERS_MAX = 200;

export function wordsAround(before: string, after: string) {
  const lead = before.slice(0, CHARACTERS_MAX).toLowerCase();
  const tail = after.slice(0, CHARACTERS_MAX).toLowerCase();
  const lower = `${lead} | ${withoutNotes(tail)}`;
  const whole = `${lead} | ${tail}`;
  const hasWords = /[\p{L}\d×]/u.test(whole);
  const isSaid = (words: RegExp, text = lower) => hasWords && words.test(text);
  return {
    shipping: isSaid(SHIPPING) || isSaid(DELIVERY) || isSaid(FREE_FROM),
    /** True for an amount such as a price per kilogram or per month. */
    rate: isSaid(RATE),
    coupon: isSaid(COUPON),
    used: isSaid(USED),
    subscription: isSaid(SUBSCRIPTION),
    tier: isSaid(TIER),
    net: isSaid(NET, whole),
    gross: isSaid(GROSS, whole),
  };
}

const LABEL = new RegExp(
  "^[\\P{L}]*(?:(?:unser|ihr|dein|aktions|angebots|sonder|kauf|verkaufs|einzel|our|your|sale)?[ -]?" +
    "(?:preis|price)|prix|prezzo|precio|prijs|cena|cijena|цена|ціна|einmalkauf)[\\P{L}]*$",
  "iu",
);

export function isPriceLabel(text: string): boolean {
  return text.length <= 40 && LABEL.test(text);
}

const SEPARATOR = /[·|•;(\n，；。]| [-–—] /;
const OF_BEFORE =
  /^[\s*,]*(?:zzgl|zuzügl|inkl|incl|exkl?|excl|netto|brutto|pro |je |per |\/|ht\b|ttc|plus vat|ex\.? vat|mtl|monatl|im monat)/i;
const AFTER_WORDS = /^[\s*,]*[^\d·|•;(,]{0,40}/;

export function dividedBetween(between: string): { readonly left: string; readonly right: string } {
  const at = between.search(SEPARATOR);
  if (at !== -1) return { left: between.slice(0, at), right: between.slice(at + 1) };
  if (OF_BEFORE.test(between)) {
    const end = AFTER_WORDS.exec(between)?.[0].length ?? 0;
    return { left: between.slice(0, end), right: between.slice(end) };
  }
  return { left: "", right: between };
}

/** Cuts off the next amount and its label: `mit MwSt + Versand ab 5 €` → `mit MwSt `. */
export function upToAmount(text: string): string {
  const at = text.search(AMOUNT);
  if (at === -1) return text;
  const between = text.slice(0, at);
  return LEAD.exec(between)?.[1] ?? dividedBetween(between).left;
}

const LEAD = /^(.*)(?:[+·|;(]|(?<!\p{L})(?:zzgl|zuzüglich|plus|oder|or|ou)(?!\p{L}))/iu;

const AMOUNT = /\p{Sc}\s?\d|\d[\d.,]{0,15}\s?(?:\p{Sc}|(?:eur|euro|gbp|chf|usd)(?!\p{L}))/iu;

const TEXT_CHARACTERS_MAX = 90;
const SHOWN_MAX = 600;
const PIECE_CHARACTERS_MAX = 24;
/** Matches `29` and `99`, which may be parts of one price in two elements. */
const PIECE = /^[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;
const MONEY =
  /\p{Sc}|[원円元]|(?<!\p{L})(?:euros?|eur|chf|s?fr|usd|us|gbp|pln|czk|k[čnrs]|z[łl]|rs|rp|rm|r|руб\p{L}*|р|б\.р|лв|грн|гривень|ден|дин|din|ft|lei|aed|dhs?|cad|aud|nzd|inr|pkr|hrk|bgn|huf|ron|sek|nok|dkk|jpy|krw|try|tl|lira|ars|brl|mxn|zar|nis|ils|yen|korun|kronor|kroner|franken|dollars?)(?!\p{L})/iu;
const MEASURE =
  /^\d[\d.,]{0,8}(?: ?[x×] ?\d[\d.,]{0,8})? ?(?:kg|g|mg|ml|cl|l|m|cm|mm|m²|gb|tb|mb|w|kw|v|ah|zoll|st|stk|stück|pcs?)$/i;
const NUMBERS = /\d[\d.,'’]*/g;
const CENTS = /\d[.,](?:\d{2}(?!\d)|[-–—])/;
const PRICE_ALONE = /^\p{Sc} ?\d[\d.,]*$|^\d[\d.,]* ?\p{Sc}$/u;
const WHOLE = /^[1-9]\d{0,2}(?:[.,'’\s]?\d{3}){0,2}$/;

export class PriceSearch {
  readonly places: ShownPlaces;
  readonly styles: StruckStyles;
  readonly writing: Writing;
  readonly #names: ReadonlySet<HtmlElement>;
  readonly #texts = new Map<HtmlElement, string>();
  readonly #prices = new Map<HtmlElement, readonly PriceOfText[]>();
  readonly #withPrice = new Map<HtmlElement, boolean>();

  constructor(places: ShownPlaces, writing: Writing) {
    this.places = places;
    this.styles = new StruckStyles(places.styles);
    this.writing = writing;
    this.#names = new Set([...places.headings, ...places.titles].map(({ element }) => element));
  }

  prices(): readonly ShownPrice[] {
    const found: ShownPrice[] = [];
    for (const place of this.places.digits) {
      if (found.length >= SHOWN_MAX) break;
      for (const price of this.#pricesAt(place)) {
        const isFound = found.slice(-8)
          .some(({ whole, decimal }) => whole === price.whole && decimal === price.decimal);
        if (!isFound) found.push(price);
      }
    }
    return found;
  }

  #pricesAt({ element, at }: PlacedElement): readonly ShownPrice[] {
    const own = ownText(element);
    // The product name `05 TOP` is not a price in the currency TOP.
    const isName = ancestorsOf(element, 2).some((at) => this.#names.has(at));
    if (isName && !means(element, "price") && !PRICE_ALONE.test(own)) return [];
    if (MEASURE.test(own)) return [];
    const runs = (own.match(NUMBERS) ?? []).map(digitsOf);
    const isOwn = ({ number }: PriceOfText) => {
      const digits = digitsOf(number);
      return runs.some((run) => isPiece ? digits.startsWith(run) : digits === run);
    };
    const isPiece = PIECE.test(own);
    const isShort = own.length <= PIECE_CHARACTERS_MAX;
    let whole: HtmlElement | null = element;
    for (let level = 0; level <= 4 && whole?.parent; level++, whole = whole.parent) {
      const all: string = this.#texts.get(whole) ?? textOf(whole, TEXT_CHARACTERS_MAX + 1);
      this.#texts.set(whole, all);
      const isLong = all.length > TEXT_CHARACTERS_MAX;
      if (isLong && level > 0) return [];
      // A number beside a complete price is a quantity, such as `ab 3` before `182,50 €`.
      if (
        isPiece && level > 0 && whole.children.length > 1 &&
        this.#withPrice.getOrInsertComputed(whole, ({ children }) => children.some(isPriceAlone))
      ) return [];
      const text = isLong ? own : all;
      const known = this.#prices.get(whole);
      const prices = known ?? readPrices(text, whole, this.writing);
      this.#prices.set(whole, prices);
      const mine = prices.filter(isOwn);
      const place = { element, whole, at, text };
      if (mine.length > 0) return mine.map((price) => toShown(price, prices, place));
      if (level === 0 && namesMoney(own)) return [];
      if (isLong || prices.length > 0 || !isShort) return [];
    }
    return [];
  }
}

export function namesMoney(text: string): boolean {
  return /\d\s?(?:\p{Sc}|(?:eur|euro|gbp|chf|usd)(?!\p{L}))|(?:\p{Sc}|(?<!\p{L})(?:eur|gbp|chf|usd))\s?\d/iu
    .test(text);
}

export function hasMoney(text: string, { locale }: Writing): boolean {
  return /\d/.test(text) &&
    pricesInText(text, { locale }).some(({ currency }) => currency !== null);
}

function isPriceAlone(node: HtmlNode): boolean {
  if (typeof node === "string") return false;
  const text = textOf(node, PIECE_CHARACTERS_MAX);
  return CENTS.test(text) && PRICE_ALONE.test(text);
}

function toShown(
  price: PriceOfText,
  all: readonly PriceOfText[],
  place: Pick<ShownPrice, "element" | "whole" | "at" | "text">,
): ShownPrice {
  const n = all.indexOf(price);
  const before = (n === 0 ? price.before : dividedBetween(price.before).right).trim();
  const after = n === all.length - 1 ? price.after : dividedBetween(price.after).left;
  return {
    ...place,
    decimal: plainDecimal(price.decimal),
    codes: price.currency?.codes ?? [],
    before,
    after,
    beside: `${before} ${after}`.trim(),
    isMarked: price.isMarked,
    isAlone: all.length === 1,
  };
}

function readPrices(text: string, element: HtmlElement, writing: Writing) {
  if (text.length > TEXT_CHARACTERS_MAX) return [];
  const hasMoney = MONEY.test(text);
  const isBare = !hasMoney && isBareAmount(text, element) && isCalledPrice(element);
  if (!hasMoney && !isBare) return [];
  const prices = pricesInText(text, { locale: writing.locale });
  const withCurrency = prices.filter(({ currency, before }) =>
    currency !== null &&
    (!/[\p{L}_]$/u.test(before) || isPriceLabel(before) ||
      // Accepts a currency sign directly after a word, as in `reduced from£429.00`.
      /^[a-z]{2}\p{Sc}/u.test(text.slice(text.indexOf(before) + before.length - 2)))
  );
  if (withCurrency.length > 0) return withCurrency;
  return isBareAmount(text, element) && isCalledPrice(element) ? prices : [];
}

function isBareAmount(text: string, { parent }: HtmlElement): boolean {
  if (CENTS.test(text)) return true;
  return WHOLE.test(text) && parent !== null && textOf(parent, TEXT_CHARACTERS_MAX) === text;
}

function isCalledPrice(element: HtmlElement): boolean {
  const parent = element.parent;
  return means(element, "price") || (parent !== null && means(parent, "price"));
}

function ownText({ children }: HtmlElement): string {
  let text = "";
  for (const child of children) {
    if (typeof child === "string") text += ` ${child.slice(0, TEXT_CHARACTERS_MAX * 2)}`;
    if (text.length > TEXT_CHARACTERS_MAX * 4) break;
  }
  return onOneLine(text).slice(0, TEXT_CHARACTERS_MAX + 1);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

export const SCRIPT_CHARACTERS_MAX = 2 * 1024 * 1024;
const PRICE_KEY =
  /(?:price|preis|amount|value|betrag|prix|cost)[\w-]{0,20}\\?["']?\s*[:=]\s*(?:parseFloat\(\s*)?\\?["']?$/i;
export const OTHER_KEY =
  /old|was|list|regular|original|before|unit|base|ship|total|club|member|loyal|uvp|rrp|msrp|strike|saving|discount|min_|max_|high|low|cart|tax|rate|rating|score/i;
const OTHER_ATTRIBUTE = /old|was|list|regular|original|before|unit|base|ship|total|min|max|high/;

export function attributePrices(elements: readonly HtmlElement[]): ReadonlySet<string> {
  const decimals = new Set<string>();
  for (const { attribs } of elements) {
    for (const [name, value] of Object.entries(attribs)) {
      if (value.length > 60 || !/price|preis/.test(name) || OTHER_ATTRIBUTE.test(name)) continue;
      const number = /^\D{0,5}(\d{1,9}(?:\.\d{1,4})?)\D{0,5}$/.exec(value.trim())?.[1];
      if (number !== undefined) decimals.add(plainDecimal(number));
    }
  }
  return decimals;
}

export function scriptPrices(
  { scripts }: Pick<ShownPlaces, "scripts">,
  decimals: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  let characters = 0;
  for (const script of scripts) {
    const text = rawTextOf(script);
    characters += text.length;
    if (characters > SCRIPT_CHARACTERS_MAX) break;
    for (const decimal of decimals) {
      if (found.has(decimal)) continue;
      for (const writing of writingsOf(decimal)) {
        for (let at = text.indexOf(writing); at !== -1; at = text.indexOf(writing, at + 1)) {
          if (!isPriceAt(text, at, writing)) continue;
          found.add(decimal);
          break;
        }
      }
    }
  }
  return found;
}

function isPriceAt(text: string, at: number, writing: string): boolean {
  if (/^(?:\d|[.,]\d)/.test(text.slice(at + writing.length, at + writing.length + 2))) return false;
  const before = text.slice(Math.max(0, at - 60), at);
  const key = /([\w-]{1,40})\\?["']?\s*[:=]\s*(?:parseFloat\(\s*)?\\?["']?$/.exec(before)?.[1];
  return PRICE_KEY.test(before) && !OTHER_KEY.test(key ?? "");
}

function writingsOf(decimal: string): readonly string[] {
  const [whole = "", cents = ""] = decimal.split(".");
  const base = whole === "" ? "0" : whole;
  if (cents === "") return [base];
  return [`${base}.${cents}`, `${base},${cents.padEnd(2, "0")}`];
}
