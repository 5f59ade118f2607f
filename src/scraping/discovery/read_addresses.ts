/**
 * Reads addresses of pages from a sitemap (sitemaps.org), and from a page of search results. Runs
 * in the sandbox, because files and pages may be hostile.
 */
import { DAY_MS } from "../../base/time.ts";
import { constants, gunzipSync } from "node:zlib";
import { domainOf, normaliseUrl, parseAddress } from "../../shops/domain.ts";
import { ChunkDecoder, decideEncoding, ENCODING_HEAD_BYTES } from "../../base/bytes.ts";
import { XmlReader } from "../../engine/xml/reader.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import { type HtmlElement, textOf } from "../../engine/extraction/page/html_element.ts";
import { parseHtml } from "../../engine/extraction/page/html_page.ts";

export const SITEMAP_BYTES_MAX = 50 * 1024 * 1024;
/** The sitemap protocol allows at most 50,000 URLs in a sitemap file. */
const URLS_PER_FILE_MAX = 50_000;
export const FILES_MAX = 500;
const LOC_MAX = 2_048;
const CHUNK_BYTES = 256 * 1024;

export interface SitemapQuestion {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly fileUrl: string;
  readonly domain: string;
  readonly country: string | null;
}

export interface SitemapUrl {
  readonly url: string;
  /** Day of the page's last change, in days since 1970; 0 if unknown. */
  readonly lastmodDay: number;
}

export interface SitemapReport {
  /** `unreadable`: the file is empty, cannot be unpacked or decoded, or is XML but no sitemap. */
  readonly kind: "index" | "urls" | "unreadable";
  readonly files: readonly string[];
  readonly urls: readonly SitemapUrl[];
  readonly foreign: number;
  readonly isCut: boolean;
}

const UNREADABLE: SitemapReport = {
  kind: "unreadable",
  files: [],
  urls: [],
  foreign: 0,
  isCut: true,
};

export function readSitemap(question: SitemapQuestion): SitemapReport {
  const body = unpacked(question.body);
  if (body === null || body.length === 0) return UNREADABLE;
  const decided = decideEncoding(body.subarray(0, ENCODING_HEAD_BYTES), null);
  if ("unknown" in decided) return UNREADABLE;
  const decoder = new ChunkDecoder(decided.encoding);
  const found = createFound(question);
  const first = decoder.text(body.subarray(0, CHUNK_BYTES));
  const reader = first.trimStart().startsWith("<") ? xmlList(found) : plainList(found);
  let isGoingOn = reader.read(first);
  for (let at = CHUNK_BYTES; isGoingOn && at < body.length; at += CHUNK_BYTES) {
    isGoingOn = reader.read(decoder.text(body.subarray(at, at + CHUNK_BYTES)));
  }
  const isWhole = isGoingOn && reader.end(decoder.text(null));
  return { kind: reader.kind, ...found.report(), isCut: !isWhole };
}

function unpacked(body: Uint8Array<ArrayBuffer>): Uint8Array | null {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    // `Z_SYNC_FLUSH` makes zlib accept a truncated file.
    const finishFlush = constants.Z_SYNC_FLUSH;
    return gunzipSync(body, { maxOutputLength: SITEMAP_BYTES_MAX, finishFlush });
  } catch {
    return null;
  }
}

type Found = ReturnType<typeof createFound>;

function createFound({ fileUrl, domain, country }: SitemapQuestion) {
  const urls = new Map<string, number>();
  const files = new Set<string>();
  let foreign = 0;
  const parsed = (text: string): URL | null => {
    const loc = text.trim();
    return loc === "" ? null : parseAddress(loc, fileUrl);
  };
  return {
    addPage(loc: string, alternates: readonly Alternate[], lastmod: string): boolean {
      if (urls.size >= URLS_PER_FILE_MAX) return false;
      const url = parsed(preferred(loc, alternates, country));
      if (url !== null && domainOf(url) !== domain) foreign += 1;
      else if (url !== null) {
        const normal = normaliseUrl(url);
        urls.set(normal, Math.max(urls.get(normal) ?? 0, dayOf(lastmod)));
      }
      return true;
    },
    addFile(loc: string): boolean {
      if (files.size >= FILES_MAX) return false;
      const url = parsed(loc);
      if (url !== null) files.add(url.href);
      return true;
    },
    report: () => ({
      files: [...files],
      urls: Array.from(urls, ([url, lastmodDay]) => ({ url, lastmodDay })),
      foreign,
    }),
  };
}

interface Alternate {
  readonly lang: string;
  readonly href: string;
}

function preferred(loc: string, alternates: readonly Alternate[], country: string | null): string {
  if (alternates.length === 0) return loc;
  const region = country === null ? null : `-${country.toLowerCase()}`;
  const wishes: ((lang: string) => boolean)[] = [
    (lang) => region !== null && lang === `de${region}`,
    (lang) => region !== null && lang.endsWith(region),
    (lang) => lang === "de" || lang === "de-de",
    (lang) => lang === "x-default",
  ];
  for (const fits of wishes) {
    const found = alternates.find(({ lang }) => fits(lang));
    if (found) return found.href;
  }
  return loc;
}

function dayOf(lastmod: string): number {
  const day = Math.floor(Date.parse(lastmod.trim().slice(0, 10)) / DAY_MS);
  return day > 0 && day < 65_536 ? day : 0;
}

interface List {
  kind: SitemapReport["kind"];
  read(text: string): boolean;
  end(text: string): boolean;
}

function plainList(found: Found): List {
  let rest = "";
  const read = (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(0, LOC_MAX + 1);
    // Skips lines that do not begin with `http`, because they would be read as relative URLs.
    return lines.map((line) => line.trim())
      .every((loc) => !/^https?:/i.test(loc) || found.addPage(loc, [], ""));
  };
  return { kind: "urls", read, end: (text) => read(`${text}\n`) };
}

function xmlList(found: Found): List {
  const open: string[] = [];
  let [loc, lastmod] = ["", ""];
  let alternates: Alternate[] = [];
  let isFull = false;
  const reader = new XmlReader({
    open(prefixed, { rel, hreflang, href }) {
      const name = prefixed.slice(prefixed.indexOf(":") + 1);
      const depth = open.push(name);
      if (depth === 1 && name === "urlset") list.kind = "urls";
      if (depth === 1 && name === "sitemapindex") list.kind = "index";
      if (depth === 2) [loc, lastmod, alternates] = ["", "", []];
      if (depth !== 3 || name !== "link" || rel !== "alternate" || !hreflang || !href) return;
      alternates.push({ lang: hreflang.toLowerCase(), href });
    },
    text(piece) {
      if (open.length !== 3) return;
      if (open[2] === "loc") loc = (loc + piece).slice(0, LOC_MAX + 1);
      if (open[2] === "lastmod") lastmod = (lastmod + piece).slice(0, 40);
    },
    close() {
      const name = open.pop();
      if (open.length !== 1 || isFull) return;
      if (name === "url" && list.kind === "urls") isFull = !found.addPage(loc, alternates, lastmod);
      if (name === "sitemap" && list.kind === "index") isFull = !found.addFile(loc);
    },
  });
  const read = (text: string) => reader.write(text) === null && !isFull;
  const end = (text: string) => read(text) && reader.end() === null;
  const list: List = { kind: "unreadable", read, end };
  return list;
}

const LINKS_MAX = 300;
const TEXT_CHARACTERS_MAX = 300;
const NAVIGATION_ELEMENTS: ReadonlySet<string> = new Set([
  "nav",
  "header",
  "footer",
  "aside",
  "form",
  "template",
]);

export interface LinksQuestion {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
  readonly url: string;
  readonly domain: string;
}

export interface PageLink {
  readonly url: string;
  readonly text: string;
}

export function readLinks({ body, contentType, url, domain }: LinksQuestion): PageLink[] {
  const { document, baseUrl } = parseHtml(decodePage(body, contentType));
  const base = URL.parse(baseUrl ?? "", url) ?? new URL(url);
  const own = new URL(url).pathname;
  const found = new Map<string, string>();
  const open: HtmlElement[] = [document];
  for (let element = open.pop(); element; element = open.pop()) {
    if (NAVIGATION_ELEMENTS.has(element.name)) continue;
    const address = element.name === "a"
      ? addressOf(element.attribs.href, base, domain, own)
      : null;
    if (address !== null) {
      const known = found.get(address);
      if (known === undefined && found.size >= LINKS_MAX) break;
      const label = `${textOf(element, TEXT_CHARACTERS_MAX)} ${element.attribs.title ?? ""}`
        .replace(/\s+/g, " ").trim();
      // A result's picture and name may both link its page: keep the longer text.
      if (label.length >= (known ?? "").length) {
        found.set(address, label.slice(0, TEXT_CHARACTERS_MAX).toWellFormed());
      }
    }
    for (const child of element.children.toReversed()) {
      if (typeof child !== "string") open.push(child);
    }
  }
  return Array.from(found, ([address, label]) => ({ url: address, text: label }));
}

function addressOf(
  href: string | undefined,
  base: URL,
  domain: string,
  own: string,
): string | null {
  const url = href === undefined ? null : parseAddress(href, base);
  if (url === null || domainOf(url) !== domain) return null;
  return url.pathname === own || url.pathname === "/" ? null : normaliseUrl(url);
}
