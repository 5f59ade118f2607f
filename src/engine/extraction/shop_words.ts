/**
 * Builds regular expressions from the words of shops in all languages. Reads whether an article is
 * in stock.
 */
import { ENGLISH } from "./words/english.ts";
import { FRENCH } from "./words/french.ts";
import { GERMAN, type ShopLanguage } from "./words/german.ts";
import type { Availability } from "../../base/codes.ts";
import { withoutAtEnd } from "../../base/text.ts";

const LANGUAGES: readonly ShopLanguage[] = [GERMAN, ENGLISH, FRENCH];

/** Replaces parts such as `\d+` by `\d{1,4}`, so that a search takes linear time. */
export function oneOfWords(pick: (language: ShopLanguage) => readonly string[]): string {
  const words = LANGUAGES.flatMap(pick).map((word) =>
    word.replace(
      /(\\p\{L\}|\\d)([*+])/g,
      (_, one: string, times: string) =>
        `${one}{${times === "*" ? 0 : 1},${one === "\\d" ? DIGITS_MAX : LETTERS_MAX}}`,
    )
  );
  return `(?:${words.join("|")})`;
}

const LETTERS_MAX = 24;
const DIGITS_MAX = 4;

/** Texts that are searched with the pattern must be in lower case. */
export function anyWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?!\\p{L}))${oneOfWords(pick)}(?!\\p{L})`, "u");
}

export function aloneWord(pick: (language: ShopLanguage) => readonly string[]): RegExp {
  return new RegExp(`^[^\\p{L}/]*${oneOfWords(pick)}\\P{L}*$`, "u");
}

/** Stock states in the order of the search: "not available" must be found before "available". */
export const STOCK_ORDER = [
  "discontinued",
  "out_of_stock",
  "pre_order",
  "back_order",
  "limited",
  "in_stock",
] as const;

/** Terms of schema.org and of product feeds, reduced to letters. */
const BY_TERM: ReadonlyMap<string, Availability> = new Map([
  ...terms("in_stock", "instock onlineonly instoreonly instoreandonline madetoorder available"),
  ...terms("limited", "limitedavailability limited lowstock limitedstock"),
  ...terms("out_of_stock", "outofstock soldout oos reserved unavailable notavailable nostock"),
  ...terms("pre_order", "preorder presale"),
  ...terms("back_order", "backorder backordered availablefororder"),
  ...terms("discontinued", "discontinued"),
]);

/** A language with words for "available" also needs words for "not available" in this list. */
const DENIALS = oneOf(
  /(?:not|none|no longer|n['’]t)(?: \p{L}+)? (?:available|in stock)/u,
  /(?<![\d.,])0 (?:in stock|auf lager|verfügbar|lieferbar|vorrätig)/,
  /indisponib|(?<!\p{L})(?:non|no|pas|plus)(?: (?:più|est[aá]))? disponib/u,
  /(?<!\p{L})(?:rupture de|hors|sin|pas en|non in) stock/u,
  /(?<!\p{L})niet (?:meer )?op voorraad/u,
  /(?<!\p{L})nen[ií](?: \p{L}+)? skladem|(?<!\p{L})nie (?:je |jest )?(?:na sklade|dostępn)/u,
);

const SELLABLE = "(?:da|lieferbar|verfügbar|erhältlich|vorrätig|auf lager)";
const DAY = "(?:dem )?\\d{1,2}\\.\\s?(?:\\d{1,2}\\.(?:\\d{2,4})?|\\p{L}+)";
const LATER = oneOf(
  /back-?order|nachbestellt|nachlieferung|available soon|lieferbar ab(?! (?:lager|sofort|werk))/,
  new RegExp(`wieder ${SELLABLE} ab|(?:bald|demnächst|in kürze) (?:wieder )?${SELLABLE}`),
  new RegExp(`verfügbar ab ${DAY}|ab ${DAY} (?:wieder )?${SELLABLE}`, "u"),
);

const OTHER_WORDS: Readonly<Partial<Record<Availability, readonly RegExp[]>>> = {
  discontinued: [/eingestellt|ausgelaufen/],
  out_of_stock: [
    /(?:nicht|(?:derzeit|zur\s?zeit|momentan) kein\p{L}*) [^.]{0,30}?(?:lager|verfügbar|lieferbar|vorrätig|bestellbar|bestand)/u,
    /unavailable|currently not|esaurito|agotado|uitverkocht|vyprod|niedostępn/u,
    DENIALS,
  ],
  pre_order: [/vorbestell|pre-?order|coming soon/],
  back_order: [LATER],
  limited: [/nur noch|noch \d+|only \d+ left|letzte[snr]? (?:stück|exemplar)|wenige/],
  in_stock: [
    /lieferbar|verfügbar|disponib|livrable|op voorraad|skladem|na sklade|dostępn|in den warenkorb|add to (?:cart|basket)/,
  ],
};

const BY_WORDS: readonly (readonly [RegExp, Availability])[] = STOCK_ORDER.map((code) => [
  oneOf(anyWord(({ stock }) => stock[code]), ...OTHER_WORDS[code] ?? []),
  code,
]);

export function readAvailability(text: string): Availability {
  const lower = text.slice(0, 300).trim().toLowerCase();
  const bare = withoutAtEnd(lower, /\//);
  const term = bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("#")) + 1);
  const known = BY_TERM.get(term.replace(/^schema:/, "").replace(/[^a-z]/g, ""));
  if (known !== undefined) return known;
  return BY_WORDS.find(([words]) => words.test(lower))?.[1] ?? "unknown";
}

function oneOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "u");
}

function terms(availability: Availability, words: string): [string, Availability][] {
  return words.split(" ").map((word) => [word, availability]);
}
