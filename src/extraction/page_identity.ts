import type { Identity } from "./candidate.ts";
import type { HtmlPage } from "./page/html_page.ts";
import {
  absoluteUrl,
  isSameAddress,
  isSamePage,
  parseAddress,
  type WebAddress,
  wordsOfAddress,
} from "./web_address.ts";

/** What a page says of itself outside of its markup: its addresses and its headings. */
export interface PageIdentity {
  /** Where the page is; null when that is no address. */
  readonly address: WebAddress | null;
  /** That, and the addresses that the page claims. */
  readonly addresses: readonly WebAddress[];
  readonly baseUrl: string;
  /** Words of the address, to be compared with SKUs. */
  readonly addressWords: ReadonlySet<string>;
  /** Headings and titles, letters and digits only. */
  readonly headings: readonly string[];
  readonly headingWords: ReadonlySet<string>;
}

const NAME_CHARACTERS_MIN = 6;
const NAME_CHARACTERS_MAX = 300;
/** Shorter numbers are the same in many shops by chance. */
const NUMBER_CHARACTERS_MIN = 4;

/** Reads address, canonical address, headings and titles. */
export function pageIdentity(url: string, html: HtmlPage | null): PageIdentity {
  const baseUrl = absoluteUrl(html?.baseUrl ?? "", url)?.href ?? url;
  const claimed = [html?.canonicalUrl ?? "", metaOf(html, "og:url") ?? ""];
  const address = parseAddress(url, url);
  const texts = [...html?.headings ?? [], metaOf(html, "og:title") ?? "", html?.title ?? ""];
  return {
    address,
    addresses: [
      ...(address ? [address] : []),
      ...claimed.flatMap((claim) => parseAddress(claim, baseUrl) ?? []),
    ],
    baseUrl,
    addressWords: new Set(wordsOfAddress(url).map(numberKey)),
    headings: texts.map(nameKey).filter((heading) => heading !== ""),
    headingWords: new Set(texts.flatMap(wordsOf).filter((word) => word.length >= 3)),
  };
}

/** True when a product bears an address of the page. */
export function hasAddressOf({ urls }: Identity, page: PageIdentity): boolean {
  return urls.some((url) => {
    const address = parseAddress(url, page.baseUrl);
    return address !== null && page.addresses.some((own) => isSamePage(own, address));
  });
}

/** True when an address is exactly that of the page. */
export function isAddressOf(url: string, page: PageIdentity): boolean {
  const address = parseAddress(url, page.baseUrl);
  return address !== null && page.address !== null && isSameAddress(page.address, address);
}

/**
 * How well names fit a heading of the page, from 0 to 5. A heading may say more than the name
 * (`Details about …`), or the name more than the heading; but a case for a phone bears the name of
 * the phone too.
 */
export function likenessOf({ names }: Identity, page: PageIdentity): number {
  const points = names.map(nameKey).flatMap((name) =>
    page.headings.map((heading): number => {
      if (name === heading) return 5;
      const isIn = heading.includes(name) || name.startsWith(heading);
      const [short = 0, long = 0] = [name.length, heading.length].sort((a, b) => a - b);
      return !isIn || short < NAME_CHARACTERS_MIN ? 0 : short * 2 > long ? 4 : 3;
    })
  );
  return points.reduce((most, point) => Math.max(most, point), 0);
}

/** True when there are a name and headings, and they share no word. */
export function isNamedOtherwise({ names }: Identity, { headingWords }: PageIdentity): boolean {
  const words = names.flatMap(wordsOf).filter((word) => word.length >= 3);
  return words.length > 0 && headingWords.size > 0 && !words.some((word) => headingWords.has(word));
}

/** True when one of two names has all the words of the other: `KM 300` and `Bosch KM 300`. */
export function haveOneName(one: Identity, other: Identity): boolean {
  const [few, many] = [one, other].map(({ names }) => new Set(names.flatMap(wordsOf)))
    .sort((a, b) => a.size - b.size);
  return few !== undefined && many !== undefined && few.size > 0 && few.isSubsetOf(many);
}

/** True when a product or an offer has this number. */
export function isAmong(wanted: string | null | undefined, numbers: readonly string[]): boolean {
  const key = numberKey(wanted ?? "");
  return key.length >= NUMBER_CHARACTERS_MIN && numbers.some((number) => numberKey(number) === key);
}

/** True when the address of the page names the number as a word of its own. */
export function isInAddress(number: string, { addressWords }: PageIdentity): boolean {
  const key = numberKey(number);
  return key.length >= NUMBER_CHARACTERS_MIN && addressWords.has(key);
}

/** Numbers are written with and without leading zeros, blanks and hyphens. */
function numberKey(number: string): string {
  return number.toLowerCase().replace(/[\s./-]+/g, "").replace(/^0+(?=\d)/, "");
}

function nameKey(name: string): string {
  return wordsOf(name).join("");
}

function wordsOf(name: string): string[] {
  return name.slice(0, NAME_CHARACTERS_MAX).normalize("NFKC").toLowerCase()
    .replace(/&(?:[a-z]+|#\d+);/g, " ").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function metaOf(html: HtmlPage | null, name: string): string | null {
  const meta = html?.metas.find(({ attribs }) => (attribs.property ?? attribs.name) === name);
  return meta?.attribs.content ?? null;
}
