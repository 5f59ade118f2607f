/** Which currency a page most likely means where what it writes stands for several. */

const CURRENCY_BY_COUNTRY: ReadonlyMap<string, string> = new Map(
  ([
    ["EUR", "at be cy de ee es fi fr gr hr ie it lt lu lv mt nl pt si sk"],
    ["USD", "us"],
    ["GBP", "gb uk"],
    ["CHF", "ch li"],
    ["SEK", "se"],
    ["NOK", "no"],
    ["DKK", "dk"],
    ["ISK", "is"],
    ["PLN", "pl"],
    ["CZK", "cz"],
    ["HUF", "hu"],
    ["RON", "ro"],
    ["BGN", "bg"],
    ["RSD", "rs"],
    ["UAH", "ua"],
    ["RUB", "ru"],
    ["BYN", "by"],
    ["TRY", "tr"],
    ["CAD", "ca"],
    ["AUD", "au"],
    ["NZD", "nz"],
    ["SGD", "sg"],
    ["HKD", "hk"],
    ["TWD", "tw"],
    ["JPY", "jp"],
    ["CNY", "cn"],
    ["KRW", "kr"],
    ["INR", "in"],
    ["PKR", "pk"],
    ["LKR", "lk"],
    ["NPR", "np"],
    ["MXN", "mx"],
    ["ARS", "ar"],
    ["CLP", "cl"],
    ["COP", "co"],
    ["BRL", "br"],
    ["ZAR", "za"],
    ["AED", "ae"],
    ["SAR", "sa"],
    ["MAD", "ma"],
  ] as const).flatMap(([currency, countries]) =>
    countries.split(" ").map((country): [string, string] => [country, currency])
  ),
);

/** Endings that shops all over the world use, whatever country they stand for. */
const WORLDWIDE: ReadonlySet<string> = new Set(["co", "io", "me", "tv", "ai"]);

/** What the country of an address or of a language tag pays with; null where neither names one. */
export function currencyOfPage(url: string, locale: string | null): string | null {
  const host = URL.parse(url)?.hostname ?? "";
  const ending = host.slice(host.lastIndexOf(".") + 1);
  const byHost = WORLDWIDE.has(ending) ? undefined : CURRENCY_BY_COUNTRY.get(ending);
  if (byHost !== undefined) return byHost;
  const region = locale?.split(/[-_]/).slice(1).find((part) => part.length === 2)?.toLowerCase();
  return CURRENCY_BY_COUNTRY.get(region ?? "") ?? (locale?.toLowerCase() === "de" ? "EUR" : null);
}
