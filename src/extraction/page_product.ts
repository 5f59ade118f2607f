import { compareDecimals } from "./amount.ts";
import type { Candidate, Identity, Subject } from "./candidate.ts";
import type { HtmlPage } from "./page/html_page.ts";

/** The product that a page is about, as far as its address and headings tell. */
export interface PageIdentity {
  /** Addresses as `addressKey` writes them. */
  readonly addresses: ReadonlySet<string>;
  /** The address of the page with its query. */
  readonly url: string;
  readonly baseUrl: string;
  readonly names: readonly string[];
  readonly nameWords: ReadonlySet<string>;
  /** Words of path and query, to be compared with SKUs. */
  readonly urlWords: ReadonlySet<string>;
}

/** The product that is looked for, as far as its owner knows it. */
export interface WantedProduct {
  readonly sku?: string | null;
  readonly ean?: string | null;
  readonly mpn?: string | null;
}

/** The candidates of one product. */
export interface ChosenProduct {
  readonly candidates: readonly Candidate[];
  /** Why this one, for people. */
  readonly why: string;
  /** False when only its place on the page speaks for it. */
  readonly isSure: boolean;
}

const NAME_CHARACTERS_MIN = 6;
const NAME_CHARACTERS_MAX = 300;
/** Shorter numbers are the same in many shops by chance. */
const NUMBER_CHARACTERS_MIN = 4;

/** What the page says of itself outside of its markup. */
export function pageIdentity(url: string, html: HtmlPage | null): PageIdentity {
  const baseUrl = absolute(html?.baseUrl ?? url, url) ?? url;
  const own = [url, html?.canonicalUrl, metaOf(html, "og:url")];
  const names = [...html?.headings ?? [], metaOf(html, "og:title"), html?.title];
  return {
    addresses: new Set(own.flatMap((address) => addressKey(address ?? "", baseUrl) ?? [])),
    url: addressWithQuery(url, url) ?? "",
    baseUrl,
    names: names.flatMap((name) => nameKey(name ?? "") || []),
    nameWords: new Set(names.flatMap((name) => wordsOf(name ?? ""))),
    urlWords: new Set(wordsOfUrl(url)),
  };
}

/**
 * Chooses among the products of a page: the one with the number that is looked for, else the one
 * that bears the address or the heading of the page, else the first. Products of one rank that both
 * the address or the heading fit are variants of one product. A priced product never stands in for
 * another one that fits the page better and has no price.
 */
export function chooseProduct(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): ChosenProduct | null {
  const ranked = ranksOf(candidates, page, wanted);
  const priced = ranked.filter(({ hasPrice }) => hasPrice);
  const best = priced.toSorted((a, b) => b.rank - a.rank)[0];
  if (!best) return null;
  const isForeign = best.isNamed && ranked.some(({ rank, fits }) => fits && rank > best.rank);
  if (isForeign) return null;

  const peers = priced.filter(({ rank }) => rank === best.rank);
  if (best.fits) {
    return { candidates: peers.flatMap(({ own }) => own), why: best.why, isSure: true };
  }
  const isOnly = peers.length === 1 || haveOnePrice(priced);
  const isSure = isOnly && best.subject.standing !== "listed" && !isElsewhere(best.subject, page);
  return { candidates: best.own, why: isOnly ? "the only product" : "the first product", isSure };
}

/** Host and path, by which pages of one product agree; null for what is no address. */
export function addressKey(address: string, baseUrl: string): string | null {
  const url = absolute(address, baseUrl);
  if (url === null) return null;
  const { host, pathname } = new URL(url);
  const path = decoded(pathname).replace(/\/+$/, "").toLowerCase();
  return path === "" ? null : host.replace(/^www\./, "") + path;
}

/** As `addressKey`, with the query: variants differ there. */
export function addressWithQuery(address: string, baseUrl: string): string | null {
  const key = addressKey(address, baseUrl);
  const url = absolute(address, baseUrl);
  return key === null || url === null ? null : key + decoded(new URL(url).search);
}

interface RankedSubject {
  readonly subject: Subject;
  readonly own: readonly Candidate[];
  readonly rank: number;
  /** True when address, heading or number say that the page is about it. */
  readonly fits: boolean;
  readonly why: string;
  readonly hasPrice: boolean;
  /** True when it has a name or an address that could have fitted. */
  readonly isNamed: boolean;
  readonly prices: readonly string[];
}

function ranksOf(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): RankedSubject[] {
  const bySubject = Map.groupBy(candidates, ({ subject }) => subject);
  return [...bySubject].map(([subject, own]) => {
    const identities = [subject, ...own.map(({ offer }) => offer)];
    const likeness = likenessOf(subject, page);
    const reasons = [
      {
        points: 16,
        why: "has the number that is looked for",
        holds: fitsWanted(identities, wanted),
      },
      { points: 4, why: "has the address of the page", holds: hasAddress(subject, page) },
      { points: likeness, why: "has the heading of the page", holds: likeness > 0 },
      { points: 2, why: "is the main entity", holds: subject.standing === "main" },
    ].filter(({ holds }) => holds);
    const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
    const prices = own.flatMap(({ amount }) => "decimal" in amount ? [amount.decimal] : []);
    return {
      subject,
      own,
      rank: points + (subject.standing === "listed" ? 0 : 1),
      fits: reasons.length > 0,
      why: reasons.map(({ why }) => why).join(", "),
      hasPrice: prices.length > 0,
      isNamed: subject.names.length + subject.urls.length > 0,
      prices,
    };
  });
}

function haveOnePrice(ranked: readonly RankedSubject[]): boolean {
  const prices = ranked.flatMap(({ prices }) => prices);
  return prices.every((price) => compareDecimals(price, prices[0] ?? "") === 0);
}

function fitsWanted(identities: readonly Identity[], wanted: WantedProduct | null): boolean {
  if (!wanted) return false;
  return identities.some(({ gtins, numbers }) =>
    isAmong(wanted.ean, [...gtins, ...numbers]) || isAmong(wanted.mpn, numbers)
  );
}

/** True when a product or an offer has this number. */
export function isAmong(wanted: string | null | undefined, numbers: readonly string[]): boolean {
  const key = numberKey(wanted ?? "");
  return key.length >= NUMBER_CHARACTERS_MIN && numbers.some((number) => numberKey(number) === key);
}

/** True when the address of the page names the number as a word of its own. */
export function isInAddress(number: string, { urlWords }: PageIdentity): boolean {
  const key = numberKey(number);
  return key.length >= NUMBER_CHARACTERS_MIN && urlWords.has(key);
}

/** Numbers are written with and without leading zeros, blanks and hyphens. */
function numberKey(number: string): string {
  return number.toLowerCase().replace(/[\s./-]+/g, "").replace(/^0+(?=\d)/, "");
}

function hasAddress(subject: Subject, page: PageIdentity): boolean {
  return subject.urls.some((url) => {
    const key = addressKey(url, page.baseUrl);
    return key !== null && page.addresses.has(key);
  });
}

/**
 * How well a name fits a heading, from 0 to 5. A heading may say more than the name (`Details about
 * …`), or the name more than the heading; but a case for a phone bears the name of the phone too.
 */
function likenessOf(subject: Subject, page: PageIdentity): number {
  const points = subject.names.map(nameKey).flatMap((name) =>
    page.names.map((heading) => {
      if (name === heading) return name.length > 0 ? 5 : 0;
      const isIn = heading.includes(name) || name.startsWith(heading);
      const [short = 0, long = 0] = [name.length, heading.length].sort((a, b) => a - b);
      return !isIn || short < NAME_CHARACTERS_MIN ? 0 : short * 2 > long ? 4 : 3;
    })
  );
  return Math.max(0, ...points);
}

/** True when the product has a name, the page has headings, and they share no word. */
function isElsewhere(subject: Subject, page: PageIdentity): boolean {
  const words = subject.names.flatMap(wordsOf);
  return words.length > 0 && page.nameWords.size > 0 &&
    !words.some((word) => page.nameWords.has(word));
}

function wordsOf(name: string): string[] {
  return name.slice(0, NAME_CHARACTERS_MAX).normalize("NFKC").toLowerCase().split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3);
}

function nameKey(name: string): string {
  return name.slice(0, NAME_CHARACTERS_MAX).normalize("NFKC").toLowerCase()
    .replace(/&(?:[a-z]+|#\d+);/g, "").replace(/[^\p{L}\p{N}]+/gu, "");
}

function metaOf(html: HtmlPage | null, name: string): string | null {
  const meta = html?.metas.find(({ attribs }) => (attribs.property ?? attribs.name) === name);
  return meta?.attribs.content ?? null;
}

function wordsOfUrl(url: string): string[] {
  return decoded(url).split(/[/?&=#;]+/).flatMap((word) => numberKey(word) || []);
}

function absolute(address: string, baseUrl: string): string | null {
  if (address.trim() === "" || address.length > 4096) return null;
  const url = URL.parse(address.trim(), baseUrl);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: the text stands for itself.
    return text;
  }
}
