/** Notes that shops put behind a price and that are about that price: tax, delivery, payment. */

const TAX = "(?:ges(?:etzl)?\\.?\\p{L}* )?(?:mwst|mw\\.?st|ust|mehrwertsteuer|umsatzsteuer|" +
  "vat|tax(?:es)?|gst|tva|iva|btw|moms)\\.?";
const DELIVERY = "(?:versand(?:kosten)?|lieferung|liefer(?:ung und )?kosten|porto|shipping|" +
  "delivery|postage|p&p|frais de (?:port|livraison)|livraison|spedizione|verzendkosten|env[ií]o)" +
  "(?: (?:costs?|charges?|fees?))?";
const ADDED = "(?:zzgl|zuzügl(?:ich)?|exkl?(?:usive)?|excl(?:uding)?|plus|ohne|inkl(?:usive)?|" +
  "incl(?:uding|usive of)?|hors|und|and|et|\\+)\\.?";
const LEGAL = [
  `${ADDED} ${DELIVERY}(?![^|\\d]{0,12}\\d)`,
  "(?:shipping|delivery|versand(?:kosten)?|livraison)[^|\\d.;]{0,12}" +
  "(?:calculated|berechnet|calculés?)[^|\\d.;]{0,30}",
  `${ADDED} (?:\\d{1,2}(?:[.,]\\d)? ?% ?)?${TAX}`,
  `(?:tax|vat) (?:included|inclusive)`,
];
/** That a price may be paid in parts, without the amount of a part. */
const PAYMENT = [
  "(?:possibility of )?(?:payment|zahlung|zahlbar|paiement|pay)\\P{L}{0,2}" +
  "[^|\\d€$£]{0,30}(?:in )?\\d{1,2} (?:\\p{L}{2,12} )?(?:instal+ments?|raten|monatsraten|fois)" +
  "(?: without interest| zinsfrei| sans frais)?",
  "(?:ratenzahlung|ratenkauf|0 ?% ?-?finanzierung|finanzierung) (?:ist )?(?:möglich|verfügbar)",
];
const NOTES = new RegExp(
  `(?<!\\p{L})(?:${[...LEGAL, ...PAYMENT].join("|")})(?!\\p{L})`,
  "giu",
);

/** A text without its notes; numbers of money stay. */
export function withoutNotes(text: string): string {
  return text.slice(0, 500).replace(NOTES, " ");
}
