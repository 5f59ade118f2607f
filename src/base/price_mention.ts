/**
 * Finds the numbers of a text that may be prices. The words around a number show whether the number
 * is a saving, a unit price or an article number. Only a short piece of text around each number is
 * read, so that the time grows linearly with the length of the text.
 */
import { currencyAtEnd, currencyAtStart, type WrittenCurrency } from "./german_values.ts";

/** `{0,60}` instead of `*` keeps the regular expression fast on long words. */
const EXTRAS_BEFORE = [
  words("versand\\p{L}{0,60} (?<!(?:einmalig\\p{L}|einzel)[\\s-]?)liefer\\p{L}{0,60} porto pfand"),
  words("shipping delivery postage livraison spedizione env[ií]o verzend\\p{L}{0,60}"),
];
const SAVINGS_BEFORE = [
  words("spar\\p{L}{0,60} gespart ersparnis rabatt gutschein\\p{L}{0,60} coupon cashback bonus"),
  words("save savings? économisez économies? discount remise sconto descuento korting"),
  "(?:spar\\p{L}{0,60}|save|économi\\p{L}{0,60}) \\d{1,2} ?% ?[/|(=]",
  "(?:^|\\P{L})(?:(?:ris|increas)es? by|(?:steigt|erhöht sich) um|augmente)",
];
const NUMBERS_OF_ARTICLES = [
  "(?:art(?:ikel)?|bestell|modell|teile)\\P{L}{0,3}(?:nr|nummer|no)",
  "(?:^|\\P{L})(?:ean|gtin|sku|asin|isbn|mpn|tel|fax)",
];
const PARTS_BEFORE = [
  "(?:^|\\P{L})(?:dont|davon|darin|inkl(?:usive)?|incl(?:uding)?|y compris|of which)",
  "(?:^|\\P{L})(?:muster|probe|sample|échantillon)(?: (?:für|for|pour))?",
];
/** Does not match `Versand in DE gratis`, because the price itself may follow this text. */
const DELIVERY_BEFORE = "(?:versand|lieferung|shipping|delivery|postage|livraison)" +
  "\\s(?:innerhalb|in|nach|within|to|vers|en|kostet|beträgt|costs?|is|coûte)" +
  "(?:\\s(?!kostenlos|gratis|frei|free|offert|gratuit|ink?l)\\p{L}{2,30}){0,3}[\\s:]*$";
const LITTLE_WORDS = "bis zu|von|ab|um|nur|you|up to|up|of|on|orders|over|from|de|da|dès";

const NOT_THE_PRICE_BEFORE = new RegExp(
  `(?:${
    oneOf(EXTRAS_BEFORE, SAVINGS_BEFORE, NUMBERS_OF_ARTICLES, PARTS_BEFORE)
  })(?!\\p{L})[\\s\\p{P}]*(?:(?:${LITTLE_WORDS})[\\s\\p{P}]*){0,3}$|${DELIVERY_BEFORE}`,
  "u",
);

const EXTRAS_AFTER = [
  "versand(?!kostenfrei|frei)\\p{L}*",
  words("lieferkosten porto pfand shipping delivery"),
  words("gespart sparen ersparnis rabatt gutschein günstiger billiger"),
  words("off discount saved cashback bonus\\p{L}*"),
];

/** A word with a colon describes the next amount, as in `29,99 € Versand: 4,90 €`. */
const NOT_THE_PRICE_AFTER = new RegExp(
  `^[\\s\\p{P}]*(?:${oneOf(EXTRAS_AFTER)})(?!\\p{L}|\\s*(?::|gratis|kostenlos|frei|inkl))`,
  "u",
);

const OLD_PRICES = [
  words("statt uvp unverb\\p{L}* preisempf\\p{L}* früher\\p{L}* vorher\\p{L}* bisher\\p{L}*"),
  words("zuvor ehemals ursprüng\\p{L}* alt streichpreis listenpreis normalpreis normal war"),
  ...["alter preis", "30[- ]tage\\P{L}\\p{L}*", "(?:bester|niedrigster) preis\\p{L}*"],
  ...["(?:letzten?|vergangenen) 30 tagen?", "(?:last|past|previous|prior) 30 days"],
  ...["30 (?:derniers )?jours", "ancien prix", "prix (?:initial|précédent)"],
  words("was rrp msrp srp retail regular reg originally previously before avant prima antes"),
  words("anziché van było"),
  ...["list price", "instead of", "au lieu de", "prix conseillé", "invece di"],
];

const OLD_PRICE_BEFORE = new RegExp(
  `(?:^|\\P{L})(?:${oneOf(OLD_PRICES)})[\\s\\p{P}]*` +
    "(?:(?:price|preis|des herstellers|der|von|at|für|is)[\\s\\p{P}]*){0,2}$",
  "u",
);

/** Does not match `1 Paket (2,49 m²) =`, because the price of the pack follows. */
const UNIT_PRICE_BEFORE =
  /(?:(?<!(?:^|\P{L})(?:paket|packung|pack|karton|gebinde|colis|paquet|box) ?(?:\([^()=]{1,20}\))? ?)=|≙|(?:^|\P{L})(?:grundpreis|entspricht|rate\p{L}*|per unit))[\s\p{P}]*$/u;

const UNITS_OF_PRICES = [
  words("kg g mg l ml cl liter litre m m² m2 qm cm stk stück st"),
  words("monat mon month mo mtl mois mese"),
];

const UNIT_PRICE_AFTER = new RegExp(
  `^\\s*(?:(?:/|pro|je|per|al|le|les|par)\\s*(?:\\d+\\s*)?(?:${
    oneOf(UNITS_OF_PRICES)
  })(?!\\p{L})|` +
    "mtl|monatl\\p{L}*|im monat|monthly)",
  "u",
);

const UNITS = [
  words("St(?:ü|ue)ck Stk?\\.? stk\\.? Paar Pack(?:ung)?(?:en)? er[-\\s]Pack teilig pcs pieces"),
  words("kg mg g ml cl l Liter mm cm m km m² m³ qm Zoll inch GB TB MB GHz MHz Hz mAh Ah"),
  words("kWh Wh kW W Watt V Volt bar dB rpm Grad Uhr Raten"),
  words("Tage?n? Werktage?n? Std\\.? Stunden? Min\\.? Minuten? Wochen? Monate?n? Jahre?n?"),
  words("days? weeks? months? years? hours? mins?"),
  words("Sterne? stars? Bewertungen Rezensionen reviews? ratings? Kunden Stimmen von of"),
];

/** Case matters: `KM` is a currency, `km` is a length. */
const UNIT_AFTER = new RegExp(
  `^[\\s-]*(?:[x×](?![\\p{L}$])|(?:mal|out of|${oneOf(UNITS)})(?!\\p{L}))`,
  "u",
);

const MONTHS =
  "janvier|january|januar|jan|février|february|februar|feb|march|märz|mars|avril|april|" +
  "apr|may|mai|june|juin|juni|jun|july|juillet|juli|jul|august|août|aug|septembre|september|sept?|" +
  "octobre|october|oktober|oct|okt|novembre|november|nov|décembre|december|dezember|dec|dez";

const MONTH_BEFORE = new RegExp(`(?:^|\\P{L})(?:${MONTHS})[.,]{0,2}\\s*$`, "u");
const MONTH_AFTER = new RegExp(`^\\.?\\s*(?:${MONTHS})(?!\\p{L})`, "u");
const YEAR = /^(?:19|20)\d\d$/;

const MAGNITUDE_AFTER =
  /^\s*(?:tsd|mio|mill?ion\p{L}*|mrd|milliard\p{L}*|billion\p{L}*|[km])(?!\p{L})/u;

const SHARE_AFTER = /^\s*(?:%|‰|prozent|percent)/u;

/** In `10 % Rabatt 29,99 €`, the word `Rabatt` belongs to `10 %`, and not to the price. */
const SHARE_WITH_NOUN = /\d\s*%\s*\p{L}+/gu;

export const RANGE_BETWEEN = /^[\s*]*(?:[-–—]|bis(?: zu)?|to|through|à|a)\s*$/u;

export const BETWEEN_BEFORE = /(?:^|\P{L})(?:zwischen|between|entre)[\s\p{P}]*$/u;
export const BETWEEN_AFTER = /^[\s*]*(?:und|and|et)\s*$/u;

export const FROM_BEFORE =
  /(?:^|\P{L})(?:ab|from|starting at|as low as|dès|à partir de|desde|vanaf)[\s:]*$/u;

export const FREE_TEXT = /^\P{L}*(?:free|gratis|kostenlos|umsonst|gratuit|gratuito|zdarma)\P{L}*$/u;

const PRICE_LABEL_BEFORE = new RegExp(
  "^[\\s\\p{P}]*(?:(?:ab|nur|jetzt|preis|unser|ihr|aktionspreis|price|our|now|from|only|" +
    "cena|prix|prezzo|precio|prijs|pris)[\\s\\p{P}]*){0,3}$",
  "u",
);

function words(text: string): string {
  return text.replaceAll(" ", "|");
}

function oneOf(...lists: readonly (readonly string[])[]): string {
  return lists.flat().join("|");
}

export interface PriceMention {
  readonly number: string;
  readonly currency: WrittenCurrency | null;
  /** True for an old price, a price per unit such as `9,90 €/kg`, or a monthly rate. */
  readonly isMarked: boolean;
  /** True if two numbers may be one amount (`29 99 €`), or one amount two (`S24 799,00 €`). */
  readonly isSplit: boolean;
  /** The last 60 characters before `number` and its currency, without the previous number. */
  readonly before: string;
  /** At most 60 characters after `number` and its currency, up to the next number. */
  readonly after: string;
}

const NUMBERS_MAX = 40;
const NUMBER_CHARACTERS_MAX = 40;
const PLAIN_DIGITS_MAX = 7;

/** Returns null if the text has more than `NUMBERS_MAX` numbers. */
export function priceMentions(text: string): readonly PriceMention[] | null {
  const numbers = numbersInText(text, NUMBERS_MAX);
  if (numbers === null) return null;
  const isPrefixStyle = isCurrencyFirst(numbers);
  const hasSign = numbers.some(({ next }) => next !== null && !LETTER.test(next.text));
  const places = numbers.map((place, n): Place => {
    const { before, after, within, next } = place;
    const written = isPrefixStyle || n === 0 ? currencyBefore(before) : null;
    const isOfWord = hasSign && written !== null && LETTER.test(written.text) &&
      !/\s$/.test(before);
    const left = isOfWord ? null : written;
    const isOfNext = numbers[n + 1] && (OF_NEXT.test(after) || LETTER_OF_NEXT.test(after));
    const near = within === "" ? next : currencyAtStart(within);
    const right = isOfNext ? null : currencyAfter(within || after, near);
    const currency = combined(left, right);
    const lead = isOfWord ? before : withoutCurrency(before, left);
    return { ...place, left, currency, lead, rest: afterCurrency(after, next), isFirst: n === 0 };
  });
  return places
    .map((place, n) => ({ ...place, currency: place.currency ?? rangeCurrency(places, n) }))
    .flatMap((place, n) =>
      isPriceLike(place)
        ? [{
          number: place.number,
          currency: place.currency,
          isMarked: isMarked(place),
          isSplit: isSplit(places[n - 1], places[n]) || isSplit(places[n], places[n + 1]) ||
            beginsInWord(place),
          before: place.lead,
          after: place.rest,
        }]
        : []
    );
}

interface Place extends NumberInText {
  readonly left: WrittenCurrency | null;
  readonly currency: WrittenCurrency | null;
  readonly lead: string;
  readonly rest: string;
  readonly isFirst: boolean;
}

/** True if the text's first currency precedes its number, as in `£412.80`. */
function isCurrencyFirst(numbers: readonly NumberInText[]): boolean {
  for (const [n, { before, after, within, next }] of numbers.entries()) {
    if (currencyAtEnd(before)) return true;
    if (numbers[n + 1] && OF_NEXT.test(after)) return true;
    if (within || next) return false;
  }
  return false;
}

const OF_NEXT = /^\s+\p{Sc}$/u;
/** The `R` in `205/55 R16` or `EOS R7 1.299,00 €` is not the symbol of the currency rand. */
const LETTER = /^[A-Z]$/i;
const LETTER_OF_NEXT = /^\s+[A-Z]$/;

function currencyBefore(before: string): WrittenCurrency | null {
  const bare = before.replace(/[-−–—]$/, "");
  const near = currencyAtEnd(bare);
  if (near === null) return null;
  return combined(near, currencyAtEnd(bare.slice(0, bare.lastIndexOf(near.text))));
}

function currencyAfter(after: string, near: WrittenCurrency | null): WrittenCurrency | null {
  return near && combined(near, currencyAtStart(after.trimStart().slice(near.text.length)));
}

function combined(
  first: WrittenCurrency | null,
  second: WrittenCurrency | null,
): WrittenCurrency | null {
  if (first === null || second === null) return first ?? second;
  if (first.codes.length === 0) return second;
  const both = first.codes.filter((code) => second.codes.includes(code));
  return both.length > 0 ? { text: first.text, codes: both } : first;
}

function beginsInWord({ number, lead }: Place): boolean {
  return /^\d+\s/.test(number) && /\p{L}$/u.test(lead) &&
    !PRICE_LABEL_BEFORE.test(lead.toLowerCase());
}

/** In a range such as `10 – 20 €`, the currency of one price also applies to the other price. */
function rangeCurrency(places: readonly Place[], n: number): WrittenCurrency | null {
  const isRange = (low: Place | undefined, high: Place | undefined) =>
    low !== undefined && high !== undefined && RANGE_BETWEEN.test(low.after.toLowerCase()) &&
    ((hasCents(low) && hasCents(high)) || PRICE_LABEL_BEFORE.test(low.before.toLowerCase()));
  if (isRange(places[n], places[n + 1])) return places[n + 1]?.currency ?? null;
  return isRange(places[n - 1], places[n]) ? places[n - 1]?.currency ?? null : null;
}

function isSplit(whole: Place | undefined, cents: Place | undefined): boolean {
  if (whole === undefined || cents === undefined) return false;
  const isOneOfTwo = (whole.currency === null) !== (cents.currency === null);
  return isOneOfTwo && /^\s+$/.test(whole.after) && /^\d+$/.test(whole.number) &&
    /^\d{2}$/.test(cents.number);
}

function isPriceLike(place: Place): boolean {
  const { number, after, lead, rest, currency } = place;
  if (number.length > NUMBER_CHARACTERS_MAX || isNegative(place)) return false;
  const words = lead.toLowerCase().replace(SHARE_WITH_NOUN, "");
  if (YEAR.test(number) && MONTH_BEFORE.test(words)) return false;
  if (/^\d{1,2}$/.test(number) && MONTH_AFTER.test(after.toLowerCase())) return false;
  if (MAGNITUDE_AFTER.test(after.toLowerCase())) return false;
  if (NOT_THE_PRICE_BEFORE.test(words) || NOT_THE_PRICE_AFTER.test(rest.toLowerCase())) {
    return false;
  }
  return currency !== null || isBarePrice(place);
}

function isBarePrice(place: Place): boolean {
  const { number, before, after } = place;
  if (/\p{L}[-–]?$/u.test(before)) return false;
  if (/^[-–]?[a-z]/i.test(after) && !hasCents(place)) return false;
  const isPlain = /^\d+$/.test(number);
  const isTimeOrFraction = /(?:^|\d)[:/]$/.test(before) || /^[:/](?:$|\d)/.test(after);
  const isPlainRange = isPlain && (/(?:^|\d)[-–]$/.test(before) || /^[-–](?:$|\d)/.test(after));
  return !isTimeOrFraction && !isPlainRange && !(isPlain && number.length > PLAIN_DIGITS_MAX);
}

function isNegative({ before, lead, left, isFirst }: Place): boolean {
  if (!/[-−–—]$/.test(before) && !/(?:^|[\s(])[-−–—]$/.test(lead)) return false;
  const between = withoutCurrency(lead.replace(/[-−–—]$/, ""), null);
  const isRange = !isFirst && between.trim() === "";
  const isHyphen = left === null && /\p{L}[-–]$/u.test(before);
  return !isRange && !isHyphen;
}

function isMarked({ lead, rest }: Place): boolean {
  const words = lead.toLowerCase();
  return OLD_PRICE_BEFORE.test(words) || UNIT_PRICE_BEFORE.test(words) ||
    UNIT_PRICE_AFTER.test(rest.toLowerCase());
}

function hasCents({ number }: Place): boolean {
  return /[.,]\d{2}$/.test(number);
}

function withoutCurrency(before: string, own: WrittenCurrency | null): string {
  return own ? before.slice(0, before.lastIndexOf(own.text)) : afterCurrency(before);
}

function afterCurrency(after: string, currency = currencyAtStart(after)): string {
  return currency === null ? after : after.trimStart().slice(currency.text.length);
}

type NumberInText = NonNullable<ReturnType<typeof numbersInText>>[number];

const AROUND_CHARACTERS = 60;

const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BLANK = "[ \\u00a0\\u2007-\\u2009\\u202f\\u205f]";
const NUMBER = new RegExp(
  `\\d{1,3}(?:${BLANK}\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,'’‘´\`ʼ′]\\d+)*`,
  "g",
);
const DASHES_AFTER = /^[.,] ?(?:-{1,2}|[–—]{1,2}|=)(?!\d)/;
const CENTS_AFTER_BLANK = /^\s{0,3}([.,])\s{0,3}(\d{2})(?![\d.,]*\d)/;
const CENTS_AFTER_EURO = /^€ ?(\d{2})(?![\d.,]*\d)(?! ?[\p{L}\p{Sc}])/u;
const WHOLE = new RegExp(`^(?:\\d+|\\d{1,3}(?:(?:${BLANK}|\\.)\\d{3})+)$`);
const CENTS_ALONE = /(?:^|[^\p{L}\d.,])([-–—]{0,2})[.,]{1,2}$/u;

function numbersInText(text: string, countMax: number) {
  const clean = text.replace(INVISIBLE, "");
  const found: Span[] = [];
  NUMBER.lastIndex = 0;
  for (let match = NUMBER.exec(clean); match !== null; match = NUMBER.exec(clean)) {
    const previousEnd = found.at(-1)?.to ?? 0;
    if (match.index < previousEnd) continue;
    if (found.length === countMax) return null;
    found.push(extended(clean, match[0], match.index, previousEnd));
  }
  const spans = found.filter((span, n) => !isMeasure(clean, span, found[n - 1]?.to ?? 0));
  return spans.map(({ number, within, from, to }, n) => {
    const end = Math.min(spans[n + 1]?.from ?? clean.length, to + AROUND_CHARACTERS);
    const before = clean.slice(Math.max(spans[n - 1]?.to ?? 0, from - AROUND_CHARACTERS), from);
    const after = clean.slice(to, end);
    return { number, within, before, after, next: currencyAtStart(after) };
  });
}

type Span = ReturnType<typeof extended>;

/** Extends the span of `digits` to the whole amount, for example from `12` to `12,-`. */
function extended(text: string, digits: string, from: number, previousEnd: number) {
  const to = from + digits.length;
  const before = text.slice(Math.max(previousEnd, from - AROUND_CHARACTERS), from);
  const after = text.slice(to, to + 12);
  /** `within` is the currency that replaces the decimal sign, as in `9€50`. */
  const span = { number: digits, from, to, within: "" };

  const dashes = DASHES_AFTER.exec(after);
  if (dashes) return { ...span, to: to + dashes[0].length };
  const isPlain = /^\d+$/.test(digits);
  const lead = isPlain && digits.length <= 2 ? CENTS_ALONE.exec(before) : null;
  if (lead) return { ...span, number: `0.${digits}`, from: from - 1 - (lead[1]?.length ?? 0) };
  const euro = WHOLE.test(digits) ? CENTS_AFTER_EURO.exec(after) : null;
  if (euro) {
    const whole = digits.replaceAll(".", "");
    return { number: `${whole}.${euro[1]}`, from, to: to + euro[0].length, within: "€" };
  }
  const cents = /[.,]\d{1,2}$/.test(digits) ? null : CENTS_AFTER_BLANK.exec(after);
  // `118, 99` is one amount only as the text's first number, after nothing, a currency or a label.
  const isLabel = () =>
    currencyAtEnd(before) !== null || PRICE_LABEL_BEFORE.test(before.toLowerCase());
  if (cents && previousEnd === 0 && isLabel()) {
    return { ...span, number: `${digits}${cents[1]}${cents[2]}`, to: to + cents[0].length };
  }
  return span;
}

function isMeasure(text: string, { from, to }: Span, previousEnd: number): boolean {
  const after = text.slice(to, to + AROUND_CHARACTERS);
  if (SHARE_AFTER.test(after.toLowerCase())) return true;
  const before = text.slice(Math.max(previousEnd, from - AROUND_CHARACTERS), from);
  return UNIT_AFTER.test(after) && currencyAtEnd(before) === null;
}
