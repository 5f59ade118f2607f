/** What the words beside a shown price say of it; general words of shops, in several languages. */

/** Kinds of words, by what they say of a price beside them. */
export interface WordsAround {
  readonly shipping: boolean;
  /** Per kilogram, per month. */
  readonly rate: boolean;
  readonly coupon: boolean;
  readonly used: boolean;
  readonly subscription: boolean;
  /** For a quantity. */
  readonly tier: boolean;
  readonly net: boolean;
  readonly gross: boolean;
}

const TAX =
  "(?:ges(?:etzl)?\\.?\\w* )?(?:mwst|mw\\.?st|ust|mehrwertst|umsatzst|vat\\b|tax\\b|gst\\b|tva\\b|iva\\b)";
const RATE_PERCENT = "(?:\\d{1,2}(?:[.,]\\d)? ?% ?)?";

const SHIPPING =
  /(?:versand(?:kosten)?|lieferung|shipping|delivery|postage|livraison|spedizione|verzendkosten|env[ií]o) ?(?:ab|von|from|cost|fee|:)|(?:versand|liefer)(?:kosten|pauschale) ?:?$/;
/**
 * What delivery takes, and the sum that an order must reach (`滿`), in languages whose words need no
 * blanks between them: the word that leads to the amount.
 */
const DELIVERY = /(?:運費|运费|宅配|送料|배송비|滿|满)[^\p{L}\d|]{0,10}(?:\||$)/u;
/** From which sum on delivery costs nothing: no price of an article. */
const FREE_FROM =
  /(?:(?:versand|liefer|porto)(?:kosten)?frei|frei haus|(?:gratis|kostenlose[rn]?) ?(?:versand|lieferung)|free (?:\p{L}{2,12} )?(?:shipping|delivery|postage)|livraison (?:gratuite|offerte)|spedizione grat\p{L}{2,4}|env[ií]o grat\p{L}{2,4}|gratis (?:verzending|bezorging))[^|\d]{0,25}?(?<!\p{L})(?:ab|von|über|over|above|from|d[èe]s|da|desde|vanaf|boven)(?!\p{L})|[滿满][^|\d]{0,12}免[運运]/u;
const RATE =
  /grundpreis|(?:^|\P{L})(?:monatlich|mtl|pro monat|im monat|raten|monatsrate|ratenzahlung|teilzahlung|finanzierung|monthly|per month|instalments?|installments?|a month|leasing|mensual\w*)(?!\p{L})|\/ ?(?:mo|monat|month)(?!\p{L})|(?:\/|pro|je|per) ?(?:\d+ ?)?(?:kg|g|ml|l|liter|m²|qm|m)(?!\p{L})/u;
const COUPON =
  /(?:^|\P{L})(?:(?:mit|with|use|using|code|dem) (?:dem )?(?:code|gutschein|coupon|voucher)|gutscheincode|rabattcode|promo ?code|coupon|voucher|gutschein)/u;
const USED =
  /(?:^|\P{L})(?:gebraucht\p{L}*|refurb\p{L}*|generalüberholt\p{L}*|b-ware|renewed|used|second hand|pre-owned|occasion|aus zweiter hand)(?!\p{L})/u;
const SUBSCRIPTION =
  /(?:^|\P{L})(?:(?:spar-?)?abo(?:nnement)?|im abo|subscri\p{L}*|auto-?delivery|mitglied\p{L}*|members?|prime|clubpreis|kundenkarte)(?!\p{L})/u;
const TIER =
  /(?:^|\P{L})(?:ab|bis|from|über|mindestens|bei) \d{1,5} ?(?:stück|stk|st\.|pcs|pieces|units|$)|staffel|mengenrabatt|bei abnahme|\d\+ ?(?:stück|stk|pcs)?/u;
const NET = new RegExp(
  `(?:^|\\P{L})netto|(?:zzgl|zuzügl(?:ich)?|plus|exkl?(?:usive)?|excl(?:uding)?|ex|ohne|hors|\\+)\\.? ?${RATE_PERCENT}${TAX}`,
  "u",
);
const GROSS = new RegExp(
  `(?:^|\\P{L})brutto|(?:inkl(?:usive)?|incl?(?:uding)?|einschl(?:ießlich)?|mit|enthält)\\.? ?${RATE_PERCENT}${TAX}|(?:^|\\P{L})ttc(?!\\p{L})`,
  "u",
);

const CHARACTERS_MAX = 200;

/** Reads a short text, cut at 200 characters. */
export function wordsAround(text: string): WordsAround {
  const lower = text.slice(0, CHARACTERS_MAX).toLowerCase();
  return {
    shipping: SHIPPING.test(lower) || DELIVERY.test(lower) || FREE_FROM.test(lower),
    rate: RATE.test(lower),
    coupon: COUPON.test(lower),
    used: USED.test(lower),
    subscription: SUBSCRIPTION.test(lower),
    tier: TIER.test(lower),
    net: NET.test(lower),
    gross: GROSS.test(lower),
  };
}

const LABEL = new RegExp(
  "^[\\P{L}]*(?:(?:unser|ihr|dein|aktions|angebots|sonder|kauf|verkaufs|einzel|our|your|sale)?[ -]?" +
    "(?:preis|price)|prix|prezzo|precio|prijs|cena|cijena|цена|ціна|einmalkauf)[\\P{L}]*$",
  "iu",
);

/** True for a text that calls what follows it the price, and says nothing else. */
export function isPriceLabel(text: string): boolean {
  return text.length <= LABEL_CHARACTERS_MAX && LABEL.test(text);
}

const LABEL_CHARACTERS_MAX = 40;
const SEPARATOR = /[·|•;(\n，；。]| [-–—] /;
const OF_BEFORE =
  /^[\s*,]*(?:zzgl|zuzügl|inkl|incl|exkl?|excl|netto|brutto|pro |je |per |\/|ttc|plus vat|ex\.? vat|mtl|monatl|im monat)/i;
const AFTER_WORDS = /^[\s*,]*[^\d·|•;(]{0,40}/;

/** What stands between two prices, divided into what belongs to the one before and the one after. */
export function dividedBetween(between: string): { readonly left: string; readonly right: string } {
  const at = between.search(SEPARATOR);
  if (at !== -1) return { left: between.slice(0, at), right: between.slice(at + 1) };
  if (OF_BEFORE.test(between)) {
    const end = AFTER_WORDS.exec(between)?.[0].length ?? 0;
    return { left: between.slice(0, end), right: between.slice(end) };
  }
  return { left: "", right: between };
}

/** What a control that sells is called, on it or in its attributes. */
export const BUYING = new RegExp(
  [
    "(?:^|\\P{L})(?:kaufen|bestellen|jetzt bieten|sofort-?kaufen|vorbestellen|reservieren)(?!\\p{L})",
    "(?:waren|einkaufs)korb",
    "add ?to ?(?:my ?)?(?:cart|bag|basket|trolley|order)|addtocart|addtobag|addtobasket",
    "buy ?(?:it ?)?now|buynow|(?:^|\\P{L})buy(?!\\p{L})|place ?bid|bid ?now|pre-?order|check ?out",
    "panier|acheter|carrello|acquista|a[ñn]adir|carrito|comprar|carrinho|winkel(?:wagen|mand)|bestel(?:len)?(?!\\p{L})",
    "do koszyka|kup teraz|do ko[šs][íi]k|koupit|kúpiť|košaric|kupi(?!\\p{L})|grozā|pirkt|krepšel",
    "купить|корзин|кошик|количк|поръча|купи(?!\\p{L})|장바구니|구매|カート|[购購]物[车車]|[购購][买買]",
    "(?:^|\\P{L})(?:contact(?: the)? seller|chat with seller|make offer|verkäufer kontaktieren|nachricht schreiben|anfrage senden)(?!\\p{L})",
    "l[äa]gg i (?:varu)?kor|k[øo]b|kurv|ostoskori|lisää",
  ].join("|"),
  "iu",
);
