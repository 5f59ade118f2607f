/**
 * Decides which product of a page is the wanted product. A product gets points if it has our
 * article number, fits the page's address or heading, or is the main product.
 */
import { withoutAtEnd } from "../../base/text.ts";
import {
  type Candidate,
  compareDecimals,
  type Identity,
  NO_IDENTITY,
  type Subject,
} from "./amount.ts";
import type { HtmlPage } from "./page/html_page.ts";

export type WantedProduct = Readonly<
  Partial<Record<"sku" | "ean" | "mpn" | "shopSku" | "title" | "currency", string | null>>
>;

export interface OurSide {
  readonly identity: PageIdentity;
  readonly wanted: WantedProduct | null;
  readonly urls: readonly string[];
}

/**
 * Returns products that fit equally well together, as variants. Returns null if no product has a
 * price, or if the best is another article or one of several list entries with different prices.
 */
export function chooseProduct(candidates: readonly Candidate[], side: OurSide) {
  const ranked = ranksOf(candidates, side);
  const priced = ranked.filter(({ prices }) => prices.length > 0);
  const best = priced.toSorted((a, b) => b.rank - a.rank)[0];
  if (!best) return null;
  const peers = priced.filter(({ rank }) => rank === best.rank);
  if (best.fits) {
    return { candidates: peers.flatMap(({ own }) => own), why: best.why, isSure: true };
  }
  if (isOtherProduct(best.subject, ranked)) return null;
  const [price = "", ...prices] = priced.flatMap(({ prices }) => prices);
  const isOnly = peers.length === 1 ||
    prices.every((other) => compareDecimals(other, price) === 0);
  if (best.subject.standing === "listed" && !isOnly) return null;
  // The URLs of `best` are not this page's URL, so `best` may belong to another page.
  const isElsewhere = best.subject.urls.length > 0;
  const isSure = isOnly && best.subject.standing !== "listed" && !isElsewhere &&
    !isNamedOtherwise(best.subject, side.identity);
  return { candidates: best.own, why: isOnly ? "the only product" : "the first product", isSure };
}

export type DescribedProduct = NonNullable<ReturnType<typeof describedProduct>>;

export function describedProduct(candidates: readonly Candidate[], side: OurSide) {
  const ranked = ranksOf(candidates, side).filter(({ fits, subject }) =>
    fits || subject.standing !== "listed"
  ).toSorted((a, b) => b.rank - a.rank);
  const [best, next] = ranked;
  if (!best || (!best.fits && next !== undefined)) return null;
  const availability = best.own.find((one) => one.availability !== "unknown")?.availability;
  return {
    subject: best.subject,
    offer: best.own.length === 1 ? best.own[0]?.offer ?? NO_IDENTITY : NO_IDENTITY,
    availability: availability ?? "unknown",
    condition: best.own.find((one) => one.condition !== null)?.condition ?? null,
  };
}

function ranksOf(candidates: readonly Candidate[], { identity: page, wanted }: OurSide) {
  const bySubject = Map.groupBy(candidates, ({ subject }) => subject);
  return [...bySubject].map(([subject, own]) => {
    const isWanted = fitsWanted([subject, ...own.map(({ offer }) => offer)], wanted);
    const reasons = [
      { points: isWanted ? 16 : 0, why: "has the number that is looked for" },
      { points: hasAddressOf(subject, page) ? 4 : 0, why: "has the address of the page" },
      { points: likenessOf(subject, page), why: "has the heading of the page" },
      { points: subject.standing === "main" ? 2 : 0, why: "is the main entity" },
    ].filter(({ points }) => points > 0);
    const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
    return {
      subject,
      own,
      rank: points + (subject.standing === "listed" ? 0 : 1),
      fits: reasons.length > 0,
      why: reasons.map(({ why }) => why).join(", "),
      prices: own.flatMap(({ amount }) => "decimal" in amount ? [amount.decimal] : []),
    };
  });
}

/**
 * True if the page has none of our numbers, but a number that differs from our MPN in only 1 to 3
 * characters, such as `06019K6002` for `06019K6005`.
 */
export function isSiblingOf(identities: readonly Identity[], wanted: WantedProduct | null) {
  const ours = wanted?.mpn ? numberKey(wanted.mpn) : "";
  if (ours.length < 6 || fitsWanted(identities, wanted)) return false;
  return identities.flatMap(({ numbers }) => numbers).map(numberKey).some((theirs) => {
    if (theirs.length !== ours.length) return false;
    const differences = [...ours].filter((character, at) => character !== theirs[at]).length;
    return differences > 0 && differences <= 3;
  });
}

export function fitsWanted(identities: readonly Identity[], wanted: WantedProduct | null): boolean {
  if (!wanted) return false;
  return identities.some(({ gtins, numbers }) =>
    isAmong(wanted.ean, [...gtins, ...numbers]) || isAmong(wanted.mpn, numbers)
  );
}

function isOtherProduct(subject: Subject, ranked: ReturnType<typeof ranksOf>): boolean {
  if (subject.names.length + subject.urls.length === 0) return false;
  const words = wordsOfNames(subject);
  return ranked.some(({ fits, subject: main }) => fits && !areOneName(words, wordsOfNames(main)));
}

const EURO_COUNTRIES = "at be cy de ee es fi fr gr hr ie it lt lu lv mt nl pt si sk";
const OTHER_CURRENCIES =
  "AED ARS AUD BGN BRL BYN CAD CHF CLP CNY COP CZK DKK GBP HKD HUF INR ISK " +
  "JPY KRW LKR MAD MXN NOK NPR NZD PKR PLN RON RSD RUB SAR SEK SGD TRY TWD UAH USD ZAR";
const CURRENCY_BY_COUNTRY: ReadonlyMap<string, string> = new Map([
  ["uk", "GBP"],
  ["li", "CHF"],
  ...EURO_COUNTRIES.split(" ").map((country): [string, string] => [country, "EUR"]),
  ...OTHER_CURRENCIES.split(" ").map((code): [string, string] => [
    code.slice(0, 2).toLowerCase(),
    code,
  ]),
]);

const WORLDWIDE: ReadonlySet<string> = new Set(["co", "io", "me", "tv", "ai"]);

function currencyOfPage(url: string, locale: string | null): string | null {
  const host = URL.parse(url)?.hostname ?? "";
  const ending = host.slice(host.lastIndexOf(".") + 1);
  const byHost = WORLDWIDE.has(ending) ? undefined : CURRENCY_BY_COUNTRY.get(ending);
  if (byHost !== undefined) return byHost;
  const region = locale?.split(/[-_]/).slice(1).find((part) => part.length === 2)?.toLowerCase();
  return CURRENCY_BY_COUNTRY.get(region ?? "") ?? (locale?.toLowerCase() === "de" ? "EUR" : null);
}

export type PageIdentity = Readonly<ReturnType<typeof pageIdentity>>;

const NAME_CHARACTERS_MAX = 300;
/** Shorter article numbers are ignored, because shops use them for different articles. */
const NUMBER_CHARACTERS_MIN = 4;

export function pageIdentity(url: string, html: HtmlPage | null, locale: string | null) {
  const baseUrl = absoluteUrl(html?.baseUrl ?? "", url)?.href ?? url;
  const claimed = [html?.canonicalUrl ?? "", metaOf(html, "og:url") ?? ""];
  const address = parseAddress(url, url);
  const named = titlesOf(html).map(wordsOf);
  return {
    address,
    addresses: [
      ...(address ? [address] : []),
      ...claimed.flatMap((claim) => parseAddress(claim, baseUrl) ?? []),
    ],
    baseUrl,
    addressWords: new Set(
      decoded(url.slice(0, ADDRESS_CHARACTERS_MAX)).split(/[/?&=#;]/).map(numberKey),
    ),
    shopNames: [shopOfHost(url), nameKey(metaOf(html, "og:site_name") ?? "")]
      .filter((name) => name.length >= 3),
    currency: currencyOfPage(url, locale),
    /** The headings and titles of the page, reduced to letters and digits. */
    headings: named.map(keyOfWords).filter((heading) => heading !== ""),
    headingWords: new Set(named.flat().filter((word) => word.length >= 3)),
  };
}

export function isOwnShop(seller: string, { shopNames }: PageIdentity): boolean {
  const key = nameKey(seller);
  return shopNames.some((name) => key.includes(name) || (key !== "" && name.includes(key)));
}

function shopOfHost(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? "").split(".").slice(0, -1);
  const own = labels.filter((label) => !/^(?:www|shop|store|m|co|com)$/.test(label));
  return nameKey(own.at(-1) ?? labels.at(-1) ?? "");
}

function hasAddressOf({ urls }: Identity, page: PageIdentity): boolean {
  return urls.some((url) => {
    const address = parseAddress(url, page.baseUrl);
    return address !== null && page.addresses.some((own) => isSamePage(own, address));
  });
}

export function likenessOf({ names }: Identity, page: PageIdentity): number {
  const points = names.map(nameKey).flatMap((name) =>
    page.headings.map((heading): number => {
      if (name === heading) return 5;
      const isIn = heading.includes(name) || name.startsWith(heading);
      const [short = 0, long = 0] = [name.length, heading.length].sort((a, b) => a - b);
      return !isIn || short < 6 ? 0 : short * 2 > long ? 4 : 3;
    })
  );
  return points.reduce((most, point) => Math.max(most, point), 0);
}

function isNamedOtherwise({ names }: Identity, { headingWords }: PageIdentity): boolean {
  const words = names.flatMap(wordsOf).filter((word) => word.length >= 3);
  return words.length > 0 && headingWords.size > 0 && !words.some((word) => headingWords.has(word));
}

export function wordsOfNames({ names }: Identity): ReadonlySet<string> {
  return new Set(names.flatMap(wordsOf));
}

function areOneName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = [one, other].toSorted((a, b) => a.size - b.size);
  return few !== undefined && many !== undefined && few.size > 0 && few.isSubsetOf(many);
}

export function isAmong(wanted: string | null | undefined, numbers: readonly string[]): boolean {
  const key = numberKey(wanted ?? "");
  return key.length >= NUMBER_CHARACTERS_MIN && numbers.some((number) => numberKey(number) === key);
}

export function isInAddress(number: string, { addressWords }: PageIdentity): boolean {
  const key = numberKey(number);
  return key.length >= NUMBER_CHARACTERS_MIN && addressWords.has(key);
}

function numberKey(number: string): string {
  return number.toLowerCase().replace(/[\s./-]/g, "")
    .replace(/^0+(?=\d)/, "");
}

function nameKey(name: string): string {
  return keyOfWords(wordsOf(name));
}

function keyOfWords(words: readonly string[]): string {
  return words.join("").slice(0, NAME_CHARACTERS_MAX);
}

function wordsOf(name: string): string[] {
  return name.slice(0, NAME_CHARACTERS_MAX).normalize("NFKC").toLowerCase()
    // `normalize` can expand one letter to 18 letters, so the text is cut a second time.
    .slice(0, 600).replace(/&(?:[a-z]{1,30}|#\d{1,7});/g, " ")
    .split(/[^\p{L}\p{N}]/u).filter((word) => word !== "");
}

export function titlesOf(html: HtmlPage | null): string[] {
  return [...html?.headings ?? [], metaOf(html, "og:title") ?? "", html?.title ?? ""];
}

function metaOf(html: HtmlPage | null, name: string): string | null {
  return html?.metas.get(name)?.[0] ?? null;
}

type WebAddress = NonNullable<ReturnType<typeof parseAddress>>;

const ADDRESS_CHARACTERS_MAX = 4096;

/** Returns null for an invalid address, and for a home page, which shows no single product. */
export function parseAddress(address: string, baseUrl: string) {
  const url = absoluteUrl(address, baseUrl);
  if (url === null) return null;
  const path = withoutAtEnd(decoded(url.pathname), /\//).toLowerCase();
  if (path === "") return null;
  return {
    /** The host without `www.`, followed by the path without a final slash. */
    path: url.host.replace(/^www\./, "") + path,
    query: new Map(url.searchParams),
  };
}

function isSamePage(one: WebAddress, other: WebAddress): boolean {
  if (one.path !== other.path) return false;
  return [...one.query].every(([name, value]) => (other.query.get(name) ?? value) === value);
}

export function isSameAddress(one: WebAddress, other: WebAddress): boolean {
  return one.query.size === other.query.size && isSamePage(one, other) &&
    [...one.query.keys()].every((name) => other.query.has(name));
}

export function absoluteUrl(address: string, baseUrl: string): URL | null {
  if (address.length > ADDRESS_CHARACTERS_MAX || address.trim() === "") return null;
  const url = URL.parse(address.trim(), baseUrl);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // `decodeURIComponent` throws if a percent sign does not begin an escape sequence.
    return text;
  }
}
