import type { Availability } from "../../base/codes.ts";
import { withoutSlashes } from "./page_identity.ts";

/** Values of schema.org and of product feeds, letters only. */
const BY_TERM: ReadonlyMap<string, Availability> = new Map([
  ...terms("in_stock", "instock onlineonly instoreonly instoreandonline madetoorder available"),
  ...terms("limited", "limitedavailability limited lowstock limitedstock"),
  ...terms("out_of_stock", "outofstock soldout oos reserved unavailable notavailable nostock"),
  ...terms("pre_order", "preorder presale"),
  ...terms("back_order", "backorder backordered availablefororder"),
  ...terms("discontinued", "discontinued"),
]);

/** Where a language is read that says yes, its no has to be read as well. */
const DENIALS = oneOf(
  /(?:not|none|no longer|n['’]t)(?: \p{L}+)? (?:available|in stock)/u,
  /(?<![\d.,])0 (?:in stock|auf lager|verfügbar|lieferbar|vorrätig)/,
  /indisponib|(?<!\p{L})(?:non|no|pas|plus)(?: (?:più|est[aá]))? disponib/u,
  /(?<!\p{L})(?:rupture de|hors|sin|pas en|non in) stock/u,
  /(?<!\p{L})niet (?:meer )?op voorraad/u,
  /(?<!\p{L})nen[ií](?: \p{L}+)? skladem|(?<!\p{L})nie (?:je |jest )?(?:na sklade|dostępn)/u,
);

const SELLABLE = "(?:da|lieferbar|verfügbar|erhältlich|vorrätig|auf lager)";
/** A day without a price behind it: `3.12.`, `3. Dezember`. */
const DAY = "(?:dem )?\\d{1,2}\\.\\s?(?:\\d{1,2}\\.(?:\\d{2,4})?|\\p{L}+)";
const LATER = oneOf(
  /back-?order|nachbestellt|nachlieferung|available soon|lieferbar ab(?! (?:lager|sofort|werk))/,
  new RegExp(`wieder ${SELLABLE} ab|(?:bald|demnächst|in kürze) (?:wieder )?${SELLABLE}`),
  new RegExp(`verfügbar ab ${DAY}|ab ${DAY} (?:wieder )?${SELLABLE}`, "u"),
);

/** The first that fits counts: what says no stands before the words that it denies. */
const BY_WORDS: readonly (readonly [RegExp, Availability])[] = [
  [
    /nicht mehr (?:lieferbar|erhältlich|verfügbar|im sortiment|produziert)|no longer (?:available|sold)|discontinued|eingestellt|ausgelaufen/,
    "discontinued",
  ],
  [
    /(?:nicht|derzeit kein\p{L}*|zur\s?zeit kein\p{L}*|momentan kein\p{L}*) [^.]{0,30}?(?:lager|verfügbar|lieferbar|vorrätig|bestellbar|bestand)|ausverkauft|vergriffen|out of stock|sold out|unavailable|not (?:currently )?(?:available|in stock)|currently not|épuisé|esaurito|agotado|uitverkocht|vyprod|niedostępn|nicht vorrätig/u,
    "out_of_stock",
  ],
  [DENIALS, "out_of_stock"],
  [/vorbestell|pre-?order|erscheint am|coming soon|précommande/, "pre_order"],
  [LATER, "back_order"],
  [
    /nur noch|noch \d+|only \d+ left|few left|\d left in stock|letzte[snr]? (?:stück|exemplar)|restbestand|geringer bestand|wenige/,
    "limited",
  ],
  [
    /auf lager|ab lager|lagernd|am lager|lieferbar|verfügbar|vorrätig|in stock|available|en stock|disponib|op voorraad|skladem|na sklade|dostępn|in den warenkorb|add to (?:cart|basket)/,
    "in_stock",
  ],
];

const CHARACTERS_MAX = 300;

/**
 * What a text says of the stock: a term of schema.org, with or without its address, a term of a
 * product feed, or German and English shop language. `unknown` when it says nothing known.
 */
export function readAvailability(text: string): Availability {
  const lower = text.slice(0, CHARACTERS_MAX).trim().toLowerCase();
  const known = BY_TERM.get(termOf(lower).replace(/^schema:/, "").replace(/[^a-z]/g, ""));
  if (known !== undefined) return known;
  return BY_WORDS.find(([words]) => words.test(lower))?.[1] ?? "unknown";
}

/** The last part of an address, slashes at its end aside. */
function termOf(text: string): string {
  const bare = withoutSlashes(text);
  return bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("#")) + 1);
}

function oneOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "u");
}

function terms(availability: Availability, words: string): [string, Availability][] {
  return words.split(" ").map((word) => [word, availability]);
}
