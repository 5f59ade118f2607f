/** Patterns of words next to a number in a price text. The words are in lower case. */

/** Endings have a maximum length, because a search would otherwise take quadratic time. */
const EXTRAS_BEFORE = [
  ..."versand\\p{L}{0,60} (?<!(?:einmalig\\p{L}|einzel)[\\s-]?)liefer\\p{L}{0,60} porto pfand shipping delivery postage livraison"
    .split(" "),
  ..."spedizione env[ií]o verzend\\p{L}{0,60}".split(" "),
];
const SAVINGS_BEFORE = [
  ..."spar\\p{L}{0,60} gespart ersparnis rabatt gutschein\\p{L}{0,60} coupon cashback bonus".split(
    " ",
  ),
  ..."save savings? économisez économies? discount remise sconto descuento korting".split(" "),
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
/** Excludes words for "free": the amount after `Versand in DE gratis` is not for delivery. */
const DELIVERY_BEFORE = "(?:versand|lieferung|shipping|delivery|postage|livraison)" +
  "\\s(?:innerhalb|in|nach|within|to|vers|en|kostet|beträgt|costs?|is|coûte)" +
  "(?:\\s(?!kostenlos|gratis|frei|free|offert|gratuit|ink?l)\\p{L}{2,30}){0,3}[\\s:]*$";
const LITTLE_WORDS = "bis zu|von|ab|um|nur|you|up to|up|of|on|orders|over|from|de|da|dès";

export const NOT_THE_PRICE_BEFORE = new RegExp(
  `(?:${
    oneOf(EXTRAS_BEFORE, SAVINGS_BEFORE, NUMBERS_OF_ARTICLES, PARTS_BEFORE)
  })(?!\\p{L})[\\s\\p{P}]*(?:(?:${LITTLE_WORDS})[\\s\\p{P}]*){0,3}$|${DELIVERY_BEFORE}`,
  "u",
);

const EXTRAS_AFTER = [
  "versand(?!kostenfrei|frei)\\p{L}*",
  ..."lieferkosten porto pfand shipping delivery".split(" "),
  ..."gespart sparen ersparnis rabatt gutschein günstiger billiger".split(" "),
  ..."off discount saved cashback bonus\\p{L}*".split(" "),
];

/** A word before a colon belongs to the next number. */
export const NOT_THE_PRICE_AFTER = new RegExp(
  `^[\\s\\p{P}]*(?:${oneOf(EXTRAS_AFTER)})(?!\\p{L}|\\s*(?::|gratis|kostenlos|frei|inkl))`,
  "u",
);

const OLD_PRICES = [
  ..."statt uvp unverb\\p{L}* preisempf\\p{L}* früher\\p{L}* vorher\\p{L}* bisher\\p{L}*".split(
    " ",
  ),
  ..."zuvor ehemals ursprüng\\p{L}* alt streichpreis listenpreis normalpreis normal war".split(" "),
  ...["alter preis", "30[- ]tage\\P{L}\\p{L}*", "(?:bester|niedrigster) preis\\p{L}*"],
  ...["(?:letzten?|vergangenen) 30 tagen?", "(?:last|past|previous|prior) 30 days"],
  ...["30 (?:derniers )?jours", "ancien prix", "prix (?:initial|précédent)"],
  ..."was rrp msrp srp retail regular reg originally previously before avant prima antes".split(
    " ",
  ),
  ..."anziché van było".split(" "),
  ...["list price", "instead of", "au lieu de", "prix conseillé", "invece di"],
];

export const OLD_PRICE_BEFORE = new RegExp(
  `(?:^|\\P{L})(?:${oneOf(OLD_PRICES)})[\\s\\p{P}]*` +
    "(?:(?:price|preis|des herstellers|der|von|at|für|is)[\\s\\p{P}]*){0,2}$",
  "u",
);

/** After an `=`, the price of the pack follows: `1 Paket (2,49 m²) =`. */
export const UNIT_PRICE_BEFORE =
  /(?:(?<!(?:^|\P{L})(?:paket|packung|pack|karton|gebinde|colis|paquet|box) ?(?:\([^()=]{1,20}\))? ?)=|≙|(?:^|\P{L})(?:grundpreis|entspricht|rate\p{L}*|per unit))[\s\p{P}]*$/u;

const UNITS_OF_PRICES = [
  ..."kg g mg l ml cl liter litre m m² m2 qm cm stk stück st".split(" "),
  ..."monat mon month mo mtl mois mese".split(" "),
];

export const UNIT_PRICE_AFTER = new RegExp(
  `^\\s*(?:(?:/|pro|je|per|al|le|les|par)\\s*(?:\\d+\\s*)?(?:${
    oneOf(UNITS_OF_PRICES)
  })(?!\\p{L})|` +
    "mtl|monatl\\p{L}*|im monat|monthly)",
  "u",
);

const UNITS = [
  ..."St(?:ü|ue)ck Stk?\\.? stk\\.? Paar Pack(?:ung)?(?:en)? er[-\\s]Pack teilig pcs pieces".split(
    " ",
  ),
  ..."kg mg g ml cl l Liter mm cm m km m² m³ qm Zoll inch GB TB MB GHz MHz Hz mAh Ah".split(" "),
  ..."kWh Wh kW W Watt V Volt bar dB rpm Grad Uhr Raten".split(" "),
  ..."Tage?n? Werktage?n? Std\\.? Stunden? Min\\.? Minuten? Wochen? Monate?n? Jahre?n?".split(" "),
  ..."days? weeks? months? years? hours? mins?".split(" "),
  ..."Sterne? stars? Bewertungen Rezensionen reviews? ratings? Kunden Stimmen von of".split(" "),
];

/** Case matters: `KM` is a currency, `km` is a length. */
export const UNIT_AFTER = new RegExp(
  `^[\\s-]*(?:[x×](?![\\p{L}$])|(?:mal|out of|${oneOf(UNITS)})(?!\\p{L}))`,
  "u",
);

const MONTHS =
  "janvier|january|januar|jan|février|february|februar|feb|march|märz|mars|avril|april|" +
  "apr|may|mai|june|juin|juni|jun|july|juillet|juli|jul|august|août|aug|septembre|september|sept?|" +
  "octobre|october|oktober|oct|okt|novembre|november|nov|décembre|december|dezember|dec|dez";

/** `MONTH_BEFORE` finds a month before a year, `MONTH_AFTER` a month after a day. */
export const MONTH_BEFORE = new RegExp(`(?:^|\\P{L})(?:${MONTHS})[.,]{0,2}\\s*$`, "u");
export const MONTH_AFTER = new RegExp(`^\\.?\\s*(?:${MONTHS})(?!\\p{L})`, "u");
export const YEAR = /^(?:19|20)\d\d$/;

export const MAGNITUDE_AFTER =
  /^\s*(?:tsd|mio|mill?ion\p{L}*|mrd|milliard\p{L}*|billion\p{L}*|[km])(?!\p{L})/u;

export const SHARE_AFTER = /^\s*(?:%|‰|prozent|percent)/u;

/** In `10 % Rabatt 29,99 €` the noun does not describe the amount. */
export const SHARE_WITH_NOUN = /\d\s*%\s*\p{L}+/gu;

export const RANGE_BETWEEN = /^[\s*]*(?:[-–—]|bis(?: zu)?|to|through|à|a)\s*$/u;

export const BETWEEN_BEFORE = /(?:^|\P{L})(?:zwischen|between|entre)[\s\p{P}]*$/u;
export const BETWEEN_AFTER = /^[\s*]*(?:und|and|et)\s*$/u;

export const FROM_BEFORE =
  /(?:^|\P{L})(?:ab|from|starting at|as low as|dès|à partir de|desde|vanaf)[\s:]*$/u;

/** Matches the whole text. */
export const FREE_TEXT = /^\P{L}*(?:free|gratis|kostenlos|umsonst|gratuit|gratuito|zdarma)\P{L}*$/u;

/** Matches a text that only introduces a price, such as `Unser Preis:`. */
export const PRICE_LABEL_BEFORE = new RegExp(
  "^[\\s\\p{P}]*(?:(?:ab|nur|jetzt|preis|unser|ihr|aktionspreis|price|our|now|from|only|" +
    "cena|prix|prezzo|precio|prijs|pris)[\\s\\p{P}]*){0,3}$",
  "u",
);

function oneOf(...lists: readonly (readonly string[])[]): string {
  return lists.flat().join("|");
}
