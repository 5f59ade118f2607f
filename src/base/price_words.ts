/**
 * Words around a number in a price text that say what the number is. German shops first, then what
 * European and English ones print. All are matched in lower case.
 */

/** Before or after an amount that is never the price of the article. */
export const NOT_THE_PRICE_BEFORE =
  /(?:versand\p{L}*|liefer\p{L}*|porto|pfand|shipping|delivery|postage|livraison|spedizione|env[ií]o|verzend\p{L}*|spar\p{L}*|gespart|ersparnis|rabatt|gutschein\p{L}*|coupon|cashback|bonus|save|savings?|discount|remise|sconto|descuento|korting|(?:art(?:ikel)?|bestell|modell|teile)\P{L}{0,3}(?:nr|nummer|no)|(?:^|\P{L})(?:ean|gtin|sku|asin|isbn|mpn|tel|fax))(?!\p{L})[\s\p{P}]*(?:(?:bis zu|von|ab|um|nur|you|up to|up|of|on|orders|over|from|de|da|dès)[\s\p{P}]*){0,3}$/u;
export const NOT_THE_PRICE_AFTER =
  /^[\s\p{P}]*(?:versand(?!kostenfrei|frei)\p{L}*|lieferkosten|porto|pfand|shipping|delivery|gespart|sparen|ersparnis|rabatt|gutschein|günstiger|billiger|off|discount|saved|cashback|bonus\p{L}*)(?!\p{L}|\s*(?::|gratis|kostenlos|frei|inkl))/u;

/** Before an amount that the article once had, or that its maker asks. */
export const OLD_PRICE_BEFORE =
  /(?:^|\P{L})(?:statt|uvp|unverb\p{L}*|preisempf\p{L}*|preisempfehlung des herstellers|früher\p{L}*|vorher\p{L}*|bisher\p{L}*|zuvor|ehemals|ursprüng\p{L}*|alter preis|alt|streichpreis|listenpreis|normalpreis|normal|war|was|rrp|msrp|srp|list price|retail|instead of|regular|reg|originally|before|avant|au lieu de|prix conseillé|prima|invece di|anziché|antes|van|voor|było|30[- ]tage\P{L}\p{L}*|(?:bester|niedrigster) preis\p{L}*|letzten? 30 tagen?)[\s\p{P}]*(?:(?:price|preis|des herstellers|der|von|at|für|is)[\s\p{P}]*){0,2}$/u;

/** Before or after the price of a kilogram, a litre, a metre or a month. */
export const UNIT_PRICE_BEFORE =
  /(?:=|≙|(?:^|\P{L})(?:grundpreis|entspricht|rate\p{L}*|per unit))[\s\p{P}]*$/u;
export const UNIT_PRICE_AFTER =
  /^\s*(?:(?:\/|pro|je|per|al|le|par)\s*\d*\s*(?:kg|g|mg|l|ml|cl|liter|litre|m|m²|m2|qm|cm|stk|stück|st|monat|mon|month|mo|mtl|mois|mese)(?!\p{L})|mtl|monatl\p{L}*|im monat|monthly)/u;

/** After a number that counts or measures. Capitals matter: `KM` is a currency, `km` a length. */
export const UNIT_AFTER =
  /^[\s\u00ad-]*(?:[x×](?![\p{L}$])|mal(?!\p{L})|(?:St(?:ü|ue)ck|St(?:k)?\.?|stk\.?|Paar|Pack(?:ung)?(?:en)?|er[- ]Pack|teilig|kg|mg|g|ml|cl|l|Liter|mm|cm|m|km|m²|m³|qm|Zoll|inch|GB|TB|MB|GHz|MHz|Hz|mAh|Ah|kWh|Wh|kW|W|Watt|V|Volt|bar|dB|rpm|Grad|Tage?n?|Werktage?n?|Std\.?|Stunden?|Min\.?|Minuten?|Wochen?|Monate?n?|Jahre?n?|days?|weeks?|months?|years?|hours?|mins?|pcs|pieces|Sterne?|stars?|Bewertungen|Rezensionen|reviews?|ratings?|Kunden|Raten|Stimmen|Uhr|von|of|out of|de 5)(?!\p{L}))/u;

/** After a number that stands for a thousand or a million times as much. */
export const MAGNITUDE_AFTER =
  /^\s*(?:tsd|mio|mill?ion\p{L}*|mrd|milliard\p{L}*|billion\p{L}*|[km])(?!\p{L})/u;

/** Before a number that is a share: `%` and its like follow it. */
export const SHARE_AFTER = /^\s*(?:%|‰|prozent|percent)/u;

/** A share with its noun says nothing about the amount that follows: `10 % Rabatt 29,99 €`. */
export const SHARE_WITH_NOUN = /\d\s*%\s*\p{L}+/gu;

/** Between the two amounts of a range. */
export const RANGE_BETWEEN = /^\s*(?:[-–—]|bis(?: zu)?|to|à|a)\s*$/u;

/** A whole text that says that nothing is to be paid. */
export const FREE_TEXT = /^\P{L}*(?:free|gratis|kostenlos|umsonst|gratuit|gratuito|zdarma)\P{L}*$/u;

/** A number at the start of a text, or after one of these, may have a blank after its sign. */
export const PRICE_LABEL_BEFORE =
  /^[\s\p{P}]*(?:(?:ab|nur|jetzt|preis|unser|ihr|aktionspreis|price|our|now|from|only|cena|prix|prezzo|precio|prijs|pris)[\s\p{P}]*){0,3}$/u;
