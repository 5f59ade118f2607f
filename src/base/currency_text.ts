/** Recognises currencies next to a price. */
import { currencyExponent } from "./money.ts";
import { withoutAtEnd } from "./text.ts";

const WRITINGS = [
  ["EUR", "€ euro euros"],
  ["GBP", "£ ₤"],
  ["CHF", "Fr Fr. fr. FR. SFr SFr. sFr. sfr. CHF. ₣ franken"],
  ["USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD", "$ dollar dollars"],
  ["USD", "us$ $us u$s us-dollar"],
  ["CAD", "c$ ca$ $ca $cad cdn$"],
  ["AUD", "a$ au$ $au $aud"],
  ["NZD", "nz$"],
  ["SGD", "s$"],
  ["HKD", "hk$"],
  ["TWD", "nt$"],
  ["BRL", "r$ reais"],
  ["MXN", "mx$"],
  ["DOP", "rd$"],
  ["JPY CNY", "¥ ￥"],
  ["JPY", "円 YEN Yen yen"],
  ["CNY", "RMB 人民币 yuan"],
  ["CNY TWD", "元"],
  ["KRW", "₩ 원"],
  ["VND", "₫ đ vnđ"],
  ["THB", "฿ บาท"],
  ["INR PKR LKR NPR MUR", "Rs Rs. RS RS. rs rs. ₨"],
  ["INR", "₹"],
  ["IDR", "Rp Rp. RP"],
  ["MYR", "RM"],
  ["PHP", "₱"],
  ["BDT", "৳ Tk Tk."],
  ["MMK", "Ks"],
  ["RUB", "₽ руб руб. рубль рубля рублей"],
  ["RUB BYN", "р р."],
  ["UAH", "₴ грн грн. hrn гривен гривень"],
  ["KZT", "₸ тг тг."],
  ["GEL", "₾ ლარი"],
  ["AZN", "₼"],
  ["AMD", "֏"],
  ["BGN", "лв лв. lv lv. лева"],
  ["MKD", "ден ден."],
  ["RSD", "din din. дин дин. dinara"],
  ["HRK", "kn Kn kuna"],
  ["CZK", "kč kč. korun"],
  ["PLN", "zł zł. zl złotych"],
  ["HUF", "Ft Ft. FT forint"],
  ["RON", "lei Lei LEI leu"],
  ["SEK NOK DKK ISK", "kr kr. Kr Kr. KR"],
  ["SEK", "kronor krona"],
  ["NOK DKK", "kroner krone"],
  ["TRY", "₺ TL tl lira"],
  ["ILS", "₪ NIS nis"],
  ["ZAR", "R"],
  ["NGN", "₦"],
  ["GHS", "₵ gh₵"],
  ["KES", "KSh Ksh KSH"],
  ["TZS", "TSh Tsh TSH"],
  ["UGX", "USh Ush USH"],
  ["CRC", "₡"],
  ["PYG", "₲"],
  ["MNT", "₮"],
  ["KHR", "៛"],
  ["LAK", "₭"],
  ["EGP", "جنيه ج.م"],
  ["IRR", "تومان تومن"],
  ["IRR SAR OMR QAR YER", "ریال ريال ﷼"],
  ["SAR", "ر.س"],
  ["AED", "د.إ Dh Dhs DH Dhs."],
  ["AED MAD", "درهم"],
  ["KWD", "KD د.ك"],
  ["BHD", "BD"],
  ["JOD", "JD"],
  ["KWD BHD JOD IQD TND LYD DZD", "دينار"],
] as const;

const WITHDRAWN = "ATS BEF CYP DEM EEK ESP FIM FRF GRD IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK TRL";

/** Currency codes that are also English words are recognised only after a number. */
const WORD_LIKE = new Set("ALL CUP GEL MAD MOP PEN SOS TOP TRY".split(" "));

const ANY_CASE = new Set(
  "EUR USD GBP CHF PLN CZK SEK NOK DKK HUF RON BGN RUB JPY CNY CAD AUD NZD SGD MXN HKD INR".split(
    " ",
  ),
);

const CODES_BY_WRITING: ReadonlyMap<string, readonly string[]> = new Map([
  ...WRITINGS.flatMap(([codes, writings]) =>
    writings.split(" ").map((text): [string, string[]] => [text, codes.split(" ")])
  ),
  ...WITHDRAWN.split(" ").map((code): [string, string[]] => [code, [code]]),
]);

const WRITING_CHARACTERS_MAX = 12;
const LONE_SYMBOL = /^(?:\p{Sc}|[A-Z]{1,3}\$)$/u;
const LETTER = /\p{L}/u;
const UNBROKEN_START = /^[^\s\d]+/;
const UNBROKEN_END = /[^\s\d]+$/;
const SPACED_DOLLAR = /(?<!\p{L})([a-z]{1,3})\s\$$/iu;

export interface WrittenCurrency {
  readonly text: string;
  readonly codes: readonly string[];
}

/** Returns an empty list for an unknown symbol, and null for a text that is not a currency. */
export function currencyCodes(text: string): readonly string[] | null {
  const upper = text.toUpperCase();
  if (text.length === 3 && currencyExponent(upper) !== null) {
    if (text === upper || ANY_CASE.has(upper)) return [upper];
  }
  const code = /^([A-Za-z]{3})\$$/.exec(text)?.[1]?.toUpperCase();
  if (code !== undefined && currencyExponent(code) !== null) return [code];
  const exact = CODES_BY_WRITING.get(text);
  if (exact) return exact;
  const folded = /^[a-z]{1,3}\.?$/i.test(text)
    ? undefined
    : CODES_BY_WRITING.get(text.toLowerCase());
  return folded ?? (LONE_SYMBOL.test(text) ? [] : null);
}

export function currencyAtEnd(text: string): WrittenCurrency | null {
  const end = withoutAtEnd(text, /[\s:]/);
  if (/[^A-Za-z$.\u0080-\uffff]$/.test(end)) return null;
  const [spaced, country = ""] = SPACED_DOLLAR.exec(end) ?? [];
  const dollars = CODES_BY_WRITING.get(`${country.toLowerCase()}$`);
  if (spaced !== undefined && dollars) return { text: spaced, codes: dollars };
  const run = UNBROKEN_END.exec(end.slice(-WRITING_CHARACTERS_MAX))?.[0] ?? "";
  for (let length = run.length; length > 0; length--) {
    const part = run.slice(run.length - length);
    if (LETTER.test(part.charAt(0)) && LETTER.test(end.charAt(end.length - length - 1))) continue;
    const codes = WORD_LIKE.has(part) ? null : currencyCodes(part);
    if (codes) return { text: part, codes };
  }
  return null;
}

export function currencyAtStart(text: string): WrittenCurrency | null {
  const start = text.trimStart();
  if (/^[^A-Za-z$\u0080-\uffff]/.test(start)) return null;
  const run = UNBROKEN_START.exec(start.slice(0, WRITING_CHARACTERS_MAX))?.[0] ?? "";
  for (let length = run.length; length > 0; length--) {
    const part = run.slice(0, length);
    if (LETTER.test(part.charAt(length - 1)) && LETTER.test(start.charAt(length))) continue;
    const codes = currencyCodes(part);
    if (codes) return { text: part, codes };
  }
  return null;
}

export function currencyWithin(text: string): WrittenCurrency | null {
  for (const [word] of text.matchAll(/(?:\p{L}{1,3}\p{Sc}|\p{Sc}|\p{L}+\.?)/gu)) {
    const found = currencyAtEnd(word);
    if (found) return found;
  }
  return null;
}
