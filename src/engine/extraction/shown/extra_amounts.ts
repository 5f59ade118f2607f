/** Amounts near a price that are not the article's price: additions, services, levies, bundles. */

import { anyWord, oneOfWords } from "../words/word_patterns.ts";
import { TAX } from "./shown_prices.ts";

const CHARACTERS_MAX = 200;

/** After one of these words, an amount is the article's price: `Versand kostenlos 49 €`. */
const FREE = "(?<!\\p{L})(?:preis|price|prix|nur|only|jetzt|now|seulement|gratis|kostenlos|free|" +
  "gratuite?|offerte?)(?!\\p{L})";
const LEVY = oneOfWords(({ levy }) => levy);
const INCLUDED =
  "(?:inkl|incl|inklusive|including|included|inclu(?:se|s)?s?|comprise?|dont|davon|darin|enthält|enthalten)\\.?";
const OTHER_OFFERS =
  "(?<!\\p{L})(?:offres|angeboten?|offers|anbietern?|vendeurs|sellers|händlern?)" +
  "(?: (?:neufs?|d['’]occasion|neue?|used|new))? (?:à partir de|dès|ab|from|von)";
const ORDER_VALUE =
  "(?:(?:waren|bestell|auftrags|einkaufs)wert|order value|(?:d['’]|de )(?:achats?|commande)|" +
  "(?:nächste[nr]?|next|prochaine?) (?:einkauf|bestellung|order|purchase|achat|commande))";
/** Matches `Bundle: mit Kopfhörern 788 €`. */
const BUNDLE =
  "(?<!\\p{L})(?:bundle|kombi\\p{L}{0,24}|pack|lot)[^|\\p{L}\\d]{1,3}(?:mit|with|avec) [^|]{1,60}$";
/** Matches `Nachfolger: Belmondo 72 Neo 1.349 €`. */
const SUCCESSOR =
  "(?<!\\p{L})(?:nachfolge\\p{L}{0,24}|successors?|successeur|replace(?:d by|ment)|remplacée? par)[^|\\p{L}]{1,3}[^|]{1,80}$";
const ANOTHER_BEFORE = new RegExp(`${BUNDLE}|${SUCCESSOR}`, "u");
const EXTRA_LEADS = [
  // `+ 45 €`
  "(?:^|[\\s(|:])(?:\\+|(?:zzgl|zuzügl(?:ich)?)\\.?) ?$",
  "(?:^|[,(|:] ?)plus ?$",
  // `Mühle + Bohnen: 129 €`
  "\\p{L} \\+ [^|]{1,60}[:=] ?$",
  BUNDLE,
  // `5 Angebote ab 54 €`
  `${OTHER_OFFERS} ?$`,
  // `Montage vor Ort: 45 €`, but not `Lieferung gratis, jetzt nur 45 €`
  `^(?:\\P{L}*|[\\p{L}-]{2,20} )${
    oneOfWords(({ service, delivery }) => [...service, ...delivery])
  }(?![\\p{L}-])` +
  `(?!.*${FREE})[^|]{0,40}$`,
  // `inkl. MwSt., Versand als Wertpaket 18,50 EUR`
  `[,;] ?${oneOfWords(({ delivery }) => delivery)}(?![\\p{L}-])` +
  `(?![^|,;\\d]{0,30}${FREE})[^|,;\\d]{0,30}$`,
  // `Komplett mit Montage beim Partner: 457,80 €`
  `(?<!\\p{L})(?:komplett mit|inklusive|including|complete with|mit|with|avec) (?:\\p{L}{2,16} )?${
    oneOfWords(({ service }) => service)
  }(?![\\p{L}-])[^|\\d]{0,30}[:=] ?$`,
  // `Mindestbestellwert: 50 €`
  `(?:mindestbestellwert|(?:minimum|min\\.?) (?:order|de commande)|${ORDER_VALUE})[^|\\d]{0,12}$`,
  // `Finance available on purchases over £1,000`
  "(?:purchases?|orders?|einkäufen?|bestellungen|achats) (?:over|above|from|ab|über|dès) ?$",
  // `zzgl. Versand (Sperrgut 9,50 €)`
  `(?<!\\p{L})${oneOfWords(({ delivery }) => delivery)} ?\\([^)|\\d]{0,24}$`,
  // `over £25 (otherwise £2.99)`
  "(?<!\\p{L})(?:otherwise|usually|normally|sonst|ansonsten|normalerweise|sinon|habituellement|worth|\\((?:wert|value|valeur)|im wert von|d['’]une valeur de) ?$",
  // `Recupel inclus (1 €)`
  `(?<!${TAX}\\.? )(?<!\\p{L})${INCLUDED} ?\\( ?$`,
  `${LEVY}[^|\\d]{0,12}$`,
];
const EXTRA_BEFORE = new RegExp(EXTRA_LEADS.join("|"), "u");
const LEVY_AFTER = new RegExp(`^[^\\p{L}\\d]*(?:d['’]|de |of )?${LEVY}`, "u");
const ORDER_VALUE_AFTER = new RegExp(`^ ?${ORDER_VALUE}`, "u");
const INCLUDED_BEFORE = new RegExp(`(?<!\\p{L})${INCLUDED}[^\\p{L}\\d]*$`, "u");

export function isExtra(before: string, after: string): boolean {
  if (before === "" && after === "") return false; // The usual case, for speed.
  const lead = before.slice(-CHARACTERS_MAX).toLowerCase();
  const tail = after.slice(0, 60).toLowerCase();
  return EXTRA_BEFORE.test(lead) || ORDER_VALUE_AFTER.test(tail) ||
    (INCLUDED_BEFORE.test(lead) && LEVY_AFTER.test(tail));
}

export function isOfAnother(before: string): boolean {
  return ANOTHER_BEFORE.test(before.slice(-CHARACTERS_MAX).toLowerCase());
}

const SERVICE = anyWord(({ service }) => service);

export function isService(text: string): boolean {
  return SERVICE.test(text.toLowerCase());
}
