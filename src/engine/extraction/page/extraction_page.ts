/** A page as extractors read it: its bytes decoded, then parsed once as HTML or as JSON. */

import type { Writing } from "../amount.ts";
import { type HtmlPage, parseHtml } from "./html_page.ts";

export interface DecodedPage {
  readonly text: string;
  /** Name of the WHATWG Encoding Standard. */
  readonly encoding: string;
}

const LABEL_OF_HEADER = /^["']?([^\s"',]{1,100})/;
const LABEL_OF_META = /^[\w.:-]{1,100}/;
const BOMS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

/**
 * Decodes the bytes of a page: byte order mark, `charset` of the Content-Type, then of a `meta`
 * element, else UTF-8 where all bytes fit, else windows-1252. A label that the decoder does not know
 * is read as windows-1252. Never throws; broken bytes become U+FFFD.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): DecodedPage {
  const bom = BOMS.find(({ bytes: mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (bom) return decodedAs(bytes, bom.label);

  const head = bytes.subarray(0, 4096);
  for (const label of [headerLabel(contentType), metaLabel(head, contentType)]) {
    if (label === null) continue;
    // A page that was readable as ASCII so far is not UTF-16, whatever it says.
    if (/^utf-?16/i.test(label) && !head.includes(0)) continue;
    return decodedAs(bytes, label);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    // Not UTF-8: that is the answer.
    return decodedAs(bytes, "windows-1252");
  }
}

function decodedAs(bytes: Uint8Array, label: string): DecodedPage {
  const decoder = decoderOf(label);
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown label; every byte has a meaning in windows-1252.
    return new TextDecoder("windows-1252");
  }
}

function headerLabel(contentType: string | null): string | null {
  const parameters = (contentType ?? "").split(";").slice(1);
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    const label = name.toLowerCase() === "charset" ? LABEL_OF_HEADER.exec(value)?.[1] : undefined;
    if (label !== undefined) return label;
  }
  return null;
}

/** `charset` of the first `meta` element that has one; JSON is not looked at. */
function metaLabel(head: Uint8Array, contentType: string | null): string | null {
  if (/[/+]json\b/i.test(contentType ?? "")) return null;
  const text = new TextDecoder("windows-1252").decode(head).replace(/<!--[^]*?(?:-->|$)/g, "");
  for (const [tag] of text.matchAll(/<meta\b[^>]*/gi)) {
    const label = labelIn(tag);
    if (label !== null) return label;
  }
  return null;
}

/** The first `charset=` of a tag that a name follows, with or without a quote before it. */
function labelIn(tag: string): string | null {
  for (const { index } of tag.matchAll(/charset/gi)) {
    const rest = tag.slice(index + "charset".length).trimStart();
    if (!rest.startsWith("=")) continue;
    const value = rest.slice(1).trimStart().replace(/^["']/, "").trimStart();
    const label = LABEL_OF_META.exec(value)?.[0];
    if (label !== undefined) return label;
  }
  return null;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells objects from lists, and from all that is not made of parts. */
export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

export interface PageAnswer {
  /** Where it came from after redirects. */
  readonly url: string;
  readonly contentType: string | null;
  readonly text: string;
}

/** How a person says where a page has its price (docs/decisions/competitors.md). */
export interface ExplicitExtractor {
  readonly priceSelector?: string | null;
  readonly stockSelector?: string | null;
  readonly jsonPath?: string | null;
  readonly currency?: string | null;
  readonly locale?: string | null;
}

/** The input of every extractor: the page parsed once, as HTML or as JSON. */
export interface ExtractionPage {
  readonly html: HtmlPage | null;
  /** Undefined for HTML. */
  readonly json: unknown;
  readonly writing: Writing;
  readonly extractor: ExplicitExtractor;
}

/**
 * Parses an answer. Refuses what is neither HTML nor JSON by its Content-Type or, without one, by
 * its first character, and what is longer than 4 Mi characters. Throws `TooComplex` for a page of
 * more parts than any honest one.
 */
export function readPage(
  { contentType, text }: PageAnswer,
  extractor: ExplicitExtractor,
): { page: ExtractionPage } | { unsupported: string } {
  if (text.length > 4 * 1024 * 1024) return { unsupported: "The page is longer than 4 MiB" };
  const media = contentType?.slice(0, 200) ?? null;
  const kind = kindOf(media, text, Boolean(extractor.jsonPath));
  if (kind === null) {
    return { unsupported: `The page is neither HTML nor JSON but "${media ?? "unknown"}"` };
  }
  if (kind === "html") {
    const html = parseHtml(text);
    const writing = { currency: null, locale: extractor.locale ?? localeOf(html.language) };
    return { page: { html, json: undefined, writing, extractor } };
  }
  try {
    const json: unknown = JSON.parse(text);
    const writing = { currency: null, locale: extractor.locale ?? null };
    return { page: { html: null, json, writing, extractor } };
  } catch {
    return { unsupported: "The page says that it is JSON, and cannot be parsed as JSON" };
  }
}

function kindOf(
  contentType: string | null,
  text: string,
  wantsJson: boolean,
): "html" | "json" | null {
  const media = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (/^[\w.+-]+\/[\w.+-]+$/.test(media) && /[/+]json$/.test(media)) return "json";
  const begin = text.slice(0, 1024).trimStart();
  if (begin.includes("\0")) return null;
  // Some shops serve the JSON that a path was set for as HTML.
  if (wantsJson && /^[{[]/.test(begin)) return "json";
  if (media === "text/html" || media === "application/xhtml+xml") return "html";
  const isAnything = media === "" || media === "text/plain" || media === "application/octet-stream";
  if (isAnything && /^[{[]/.test(begin)) return "json";
  const isHtml = /^<(?:!doctype html|html|head|body|!--|meta|script|div)\b/i.test(begin);
  return isHtml && (isAnything || media.endsWith("xml")) ? "html" : null;
}

/** A tag that is none (`lang="german"`) says nothing. */
function localeOf(language: string | null): string | null {
  const tag = language?.trim().replace("_", "-") ?? "";
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,8}$/i.test(tag) ? tag : null;
}
