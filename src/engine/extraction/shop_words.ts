/**
 * Builds regular expressions from the shop words of all languages. Reads whether an article is in
 * stock, and recognises words that mean another product, such as `Hülle für` (case for).
 */
import { ENGLISH } from "./words/english.ts";
import { FRENCH } from "./words/french.ts";
import { GERMAN, type ShopLanguage } from "./words/german.ts";
import type { Availability } from "../../base/codes.ts";
import { withoutAtEnd } from "../../base/text.ts";
import { foldWord, unitOf } from "../../base/title_atoms.ts";

const LANGUAGES: readonly ShopLanguage[] = [GERMAN, ENGLISH, FRENCH];

type PickWords = (language: ShopLanguage) => readonly string[];

/** Replaces parts such as `\d+` by `\d{1,4}`, so that a search takes linear time. */
export function oneOfWords(pick: PickWords): string {
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

/**
 * The returned pattern matches only lower-case text. It also finds a word directly after `stück`,
 * as in `/ stückinkl. mwst.`, because pages often join two texts without a blank.
 */
export function anyWord(pick: PickWords): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?<=stück)|(?!\\p{L}))${oneOfWords(pick)}(?!\\p{L})`, "u");
}

export function aloneWord(pick: PickWords): RegExp {
  return new RegExp(`^[^\\p{L}/]*${oneOfWords(pick)}\\P{L}*$`, "u");
}

export function leadingWord(pick: PickWords, rest: string): RegExp {
  return new RegExp(`^[^\\p{L}]*${oneOfWords(pick)}${rest}`, "u");
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

const BY_TERM: ReadonlyMap<string, Availability> = new Map([
  ...terms("in_stock", "instock onlineonly instoreonly instoreandonline madetoorder available"),
  ...terms("limited", "limitedavailability limited lowstock limitedstock"),
  ...terms("out_of_stock", "outofstock soldout oos reserved unavailable notavailable nostock"),
  ...terms("pre_order", "preorder presale"),
  ...terms("back_order", "backorder backordered availablefororder"),
  ...terms("discontinued", "discontinued"),
]);

/** Without this list, `niet op voorraad` would match the words of `in_stock`. */
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

/**
 * Each string lists words with the same meaning, written without accents. `#` stands for a number
 * above 1, so `#er pack` also finds `2er Pack`.
 */
const ALONE = [
  "huelle, huellen, schutzhuelle, schutzhuellen, handyhuelle, silikonhuelle, lederhuelle, " +
  "klapphuelle, handytasche, bookcase, flip case, phone case, cell phone case, " +
  "protective case, backcover, back cover",
  "schutzfolie, displayfolie, displayschutz, displayschutzfolie, panzerglas, panzerfolie, " +
  "schutzglas, screen protector, tempered glass, protective film",
  "ersatzteil, ersatzteile, spare part, spare parts, replacement part, replacement parts",
  "ersatzakku, ersatzbatterie, replacement battery, ersatzfilter, replacement filter, " +
  "ersatzlampe, replacement lamp, ersatzband",
  "kompatibel mit, kompatibel zu, kompatibel fuer, compatible with, compatible for, " +
  "passend fuer, passend zu, geeignet fuer, suitable for, fits for",
  "bundle, im set, als set, set mit, set aus, sparset, vorteilsset, kombiset, set with, " +
  "set of, vorteilspack, sparpack, multipack, mehrfachpack",
  "#er pack, #er packung, #er set, #er karton, # pack, pack of #, # pk, set of #, " +
  "lot of #, doppelpack, dreierpack, viererpack, twinpack, twin pack, double pack, " +
  "two pack, three pack, zweierpack, zweierset, dreierset",
  "nachfuellpack, nachfuellpackung, nachfuellbeutel, nachfuellung, refill, refill pack",
  "ohne akku, ohne akkus, bare tool, tool only, bare unit, body only, nur gehaeuse",
];
const BEFORE_FOR = [
  "zubehoer, zubehoerset, zubehoerteil, accessory, accessories",
  "ersatz, replacement, case, cases, cover, covers, etui, sleeve",
  "tasche, taschen, bag, pouch, koffer, rucksack",
  "folie, halterung, halter, wandhalterung, wandhalter, staender, holder, mount, " +
  "wall mount, stand, stativ",
  "akku, batterie, battery, netzteil, ladegeraet, ladekabel, ladestation, charger, kabel, " +
  "cable, adapter, power supply, fernbedienung, remote, remote control",
  "armband, strap, band, filter, deckel, lid",
];
const USED = [
  "gebraucht, gebrauchte, gebrauchter, gebrauchtes, gebrauchtware, used, pre owned, " +
  "preowned, pre loved, second hand, secondhand, 2nd hand, zweite hand, aus zweiter hand",
  "refurbished, refurb, renewed, reconditioned, remanufactured, recertified, " +
  "generalueberholt, generalueberholte, generalueberholter, generalueberholtes, " +
  "aufbereitet, aufbereitete, wiederaufbereitet, rebuy",
  "b ware, c ware, bware, b stock, open box, ausstellungsstueck, vorfuehrgeraet, " +
  "vorfuehrmodell, retoure, ruecklaeufer, ex demo, demo unit",
  "defekt, defektes, defective, bastler, for parts, as is",
];
const TITLE_CHARACTERS_MAX = 500;
const FOR = "(?=(?: [^ ]+){0,3}? (?:fuer|for|zu|zum|zur) )";

function meaningOf(row: string, after = ""): RegExp {
  const words = row.split(", ").toSorted((a, b) => b.length - a.length).join("|")
    .replaceAll("#", "(?![01]\\D)\\d{1,3}");
  return new RegExp(`(?<= )(?:${words})(?= )${after}`, "g");
}

const USED_MEANINGS = USED.map((row) => meaningOf(row));
const MEANINGS = [
  ...ALONE.map((row) => meaningOf(row)),
  ...BEFORE_FOR.map((row) => meaningOf(row, FOR)),
  ...USED_MEANINGS,
];

export function addedWord(names: readonly string[], ownTitle: string): string | null {
  const title = spaced(ownTitle.slice(0, TITLE_CHARACTERS_MAX));
  for (const name of names.slice(0, 20)) {
    const text = spaced(name.slice(0, 300));
    const added = MEANINGS.flatMap((meaning) => {
      const own = new Set(title.match(meaning)?.map(numberIn));
      return [...text.matchAll(meaning)]
        .filter(([word]) => !own.has(numberIn(word)) && !title.includes(` ${word} `));
    }).toSorted((a, b) => a.index - b.index || b[0].length - a[0].length)[0];
    if (added) return added[0];
  }
  return null;
}

export function namesUsed(title: string): boolean {
  const text = spaced(title.slice(0, TITLE_CHARACTERS_MAX));
  return USED_MEANINGS.some((meaning) => text.search(meaning) !== -1);
}

function numberIn(word: string): string {
  return /\d+/.exec(word)?.[0] ?? "";
}

function spaced(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

const VERSIONS: ReadonlySet<string> = new Set(
  "pro max plus ultra mini lite xl xxl se ii iii iv gen generation mk2 mk3 mkii solo duo trio"
    .split(" "),
);
const NUMERALS: ReadonlyMap<string, string> = new Map([["ii", "2"], ["iii", "3"], ["iv", "4"]]);
/** In `120 Blatt pro Packung`, the word `pro` does not mean a version of a product. */
const PER_UNIT =
  /(?<=\d \p{L}{2,20} )pro (?:packung|pack|stück|stk|st|paar|rolle|karton|set|kg|liter|l|meter|m|qm)(?!\p{L})/giu;

/**
 * Returns a word that shows that `names[0]` is another version: a word such as `Pro` that only one
 * title has, or our number 640 if `Lumia 640` meets `Lumia 950`. Returns null if any of the first
 * four `names` has the same version as our title, or does not resemble our title.
 */
export function versionApart(names: readonly string[], ownTitle: string): string | null {
  const versionWords = (text: string) =>
    wordsOf(text.slice(0, TITLE_CHARACTERS_MAX).replaceAll(PER_UNIT, " "));
  const ours = versionWords(ownTitle);
  const apart = names.slice(0, 4).map((name) => {
    const theirs = versionWords(name);
    const has = (words: readonly string[], word: string) =>
      words.includes(word) || words.includes(NUMERALS.get(word) ?? word);
    const shared = ours.filter((word) => theirs.includes(word)).length;
    if (2 * shared < Math.min(ours.length, theirs.length)) return null;
    const isApart = (word: string) => VERSIONS.has(word) && has(ours, word) !== has(theirs, word);
    return [...ours, ...theirs].find(isApart) ?? numberApart(ours, theirs);
  });
  return apart.every((word) => word !== null) ? apart[0] ?? null : null;
}

/** Returns our number, as in `Lumia 640`, if `theirs` has another one, as in `Lumia 950`. */
function numberApart(ours: readonly string[], theirs: readonly string[]): string | null {
  const hasOther = (before: string | undefined) =>
    theirs.some((_, at) =>
      isNumber(theirs, at) && theirs[at - 1] === before && !ours.includes(theirs[at] ?? "")
    );
  return ours.find((word, at) =>
    isNumber(ours, at) && !theirs.includes(word) && hasOther(ours[at - 1])
  ) ?? null;
}

/** True for a number after a word of letters, unless a unit follows. */
function isNumber(words: readonly string[], at: number): boolean {
  return /^\d{1,4}$/.test(words[at] ?? "") && /^\p{L}+$/u.test(words[at - 1] ?? "") &&
    unitOf(foldWord(words[at + 1] ?? ""), false) === null;
}

function wordsOf(text: string): string[] {
  return text.normalize("NFC").toLowerCase()
    .replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss")
    .normalize("NFKD").replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
