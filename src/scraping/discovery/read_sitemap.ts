/** Reads a sitemap (sitemaps.org) in the sandbox, because sitemaps may be hostile. */
import { DAY_MS } from "../../base/time.ts";
import { constants, gunzipSync } from "node:zlib";
import { domainOf, normaliseUrl } from "../../shops/domain.ts";
import {
  ChunkDecoder,
  decideEncoding,
  ENCODING_HEAD_BYTES,
  XmlReader,
} from "../../engine/xml/reader.ts";

export const SITEMAP_BYTES_MAX = 50 * 1024 * 1024;
/** The sitemap protocol allows at most 50,000 URLs in a file. */
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
  /** `unreadable` means that the file is too large, or has neither XML nor URLs. */
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
  const found = new Found(question);
  const first = decoder.text(body.subarray(0, CHUNK_BYTES));
  const reader = first.trimStart().startsWith("<") ? new XmlList(found) : new PlainList(found);
  let isGoingOn = reader.read(first);
  for (let at = CHUNK_BYTES; isGoingOn && at < body.length; at += CHUNK_BYTES) {
    isGoingOn = reader.read(decoder.text(body.subarray(at, at + CHUNK_BYTES)));
  }
  const isWhole = isGoingOn && reader.end(decoder.text(null));
  return found.report(reader.kind, !isWhole);
}

function unpacked(body: Uint8Array<ArrayBuffer>): Uint8Array | null {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    // With this flush mode, zlib accepts a truncated file.
    const finishFlush = constants.Z_SYNC_FLUSH;
    return gunzipSync(body, { maxOutputLength: SITEMAP_BYTES_MAX, finishFlush });
  } catch {
    return null;
  }
}

class Found {
  readonly #question: SitemapQuestion;
  readonly #urls = new Map<string, number>();
  readonly #files = new Set<string>();
  #foreign = 0;

  constructor(question: SitemapQuestion) {
    this.#question = question;
  }

  addPage(loc: string, alternates: readonly Alternate[], lastmod: string): boolean {
    if (this.#urls.size >= URLS_PER_FILE_MAX) return false;
    const url = this.#parse(preferred(loc, alternates, this.#question.country));
    if (url !== null && domainOf(url) !== this.#question.domain) this.#foreign += 1;
    else if (url !== null) {
      const normal = normaliseUrl(url);
      this.#urls.set(normal, Math.max(this.#urls.get(normal) ?? 0, dayOf(lastmod)));
    }
    return true;
  }

  addFile(loc: string): boolean {
    if (this.#files.size >= FILES_MAX) return false;
    const url = this.#parse(loc);
    if (url !== null) this.#files.add(url.href);
    return true;
  }

  report(kind: SitemapReport["kind"], isCut: boolean): SitemapReport {
    return {
      kind,
      files: [...this.#files],
      urls: Array.from(this.#urls, ([url, lastmodDay]) => ({ url, lastmodDay })),
      foreign: this.#foreign,
      isCut,
    };
  }

  #parse(text: string): URL | null {
    const loc = text.trim();
    if (loc === "" || loc.length > LOC_MAX) return null;
    const url = URL.parse(loc, this.#question.fileUrl);
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return url && isWeb && url.username === "" && url.password === "" ? url : null;
  }
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
  readonly kind: SitemapReport["kind"];
  read(text: string): boolean;
  end(text: string): boolean;
}

class PlainList implements List {
  readonly kind: SitemapReport["kind"] = "urls";
  readonly #found: Found;
  #rest = "";

  constructor(found: Found) {
    this.#found = found;
  }

  read(text: string): boolean {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? "").slice(0, LOC_MAX + 1);
    return lines.every((line) => this.#add(line));
  }

  end(text: string): boolean {
    return this.read(`${text}\n`);
  }

  #add(line: string): boolean {
    const loc = line.trim();
    // Skips lines that do not begin with `http`, because they would be read as relative URLs.
    return loc === "" || !/^https?:/i.test(loc) || this.#found.addPage(loc, [], "");
  }
}

class XmlList implements List {
  kind: SitemapReport["kind"] = "unreadable";
  readonly #found: Found;
  readonly #reader: XmlReader;
  readonly #open: string[] = [];
  #loc = "";
  #lastmod = "";
  #alternates: Alternate[] = [];
  #isFull = false;

  constructor(found: Found) {
    this.#found = found;
    this.#reader = new XmlReader({
      open: (name, attributes) => this.#enter(name.slice(name.indexOf(":") + 1), attributes),
      text: (piece) => this.#note(piece),
      close: () => this.#leave(),
    });
  }

  read(text: string): boolean {
    return this.#reader.write(text) === null && !this.#isFull;
  }

  end(text: string): boolean {
    return this.read(text) && this.#reader.end() === null;
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    const depth = this.#open.push(name);
    if (depth === 1) {
      if (name === "urlset") this.kind = "urls";
      if (name === "sitemapindex") this.kind = "index";
    }
    if (depth === 2) [this.#loc, this.#lastmod, this.#alternates] = ["", "", []];
    if (depth !== 3 || name !== "link") return;
    const { rel, hreflang, href } = attributes;
    if (rel !== "alternate" || !hreflang || !href) return;
    this.#alternates.push({ lang: hreflang.toLowerCase(), href });
  }

  #note(piece: string): void {
    if (this.#open.length !== 3) return;
    if (this.#open[2] === "loc") this.#loc = (this.#loc + piece).slice(0, LOC_MAX + 1);
    if (this.#open[2] === "lastmod") this.#lastmod = (this.#lastmod + piece).slice(0, 40);
  }

  #leave(): void {
    const name = this.#open.pop();
    if (this.#open.length !== 1 || this.#isFull) return;
    if (name === "url" && this.kind === "urls") {
      this.#isFull = !this.#found.addPage(this.#loc, this.#alternates, this.#lastmod);
    }
    if (name === "sitemap" && this.kind === "index") {
      this.#isFull = !this.#found.addFile(this.#loc);
    }
  }
}
