/** A page for the extractors: decoded, and parsed once as HTML or as JSON. */

import { knownLabel, markedEncoding } from "../../../base/bytes.ts";
import type { Writing } from "../amount.ts";
import { type HtmlPage, parseHtml } from "./html_page.ts";

const LABEL_OF_HEADER = /^["']?([^\s"',]{1,100})/;
const LABEL_OF_META = /^[\w.:-]{1,100}/;

/**
 * The encoding comes from the byte order mark, or else from the `charset` in the Content-Type or a
 * `meta` element. If a page names no encoding, valid UTF-8 is read as UTF-8, and other bytes as
 * windows-1252.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const marked = markedEncoding(bytes);
  if (marked) return decodedAs(bytes, marked.label);
  const head = bytes.subarray(0, 4096);
  for (const label of [headerLabel(contentType), metaLabel(head, contentType)]) {
    if (label === null) continue;
    // UTF-16 text contains zero bytes, so a page without them declares UTF-16 wrongly.
    if (/^utf-?16/i.test(label) && !head.includes(0)) continue;
    return decodedAs(bytes, label);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodedAs(bytes, "windows-1252");
  }
}

function decodedAs(bytes: Uint8Array, label: string): string {
  // An unknown encoding is read as windows-1252, in which every byte is a character.
  return new TextDecoder(knownLabel(label) ?? "windows-1252").decode(bytes);
}

function headerLabel(contentType: string | null): string | null {
  return (contentType ?? "").split(";").slice(1).flatMap((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    return name.toLowerCase() === "charset" ? LABEL_OF_HEADER.exec(value)?.[1] ?? [] : [];
  })[0] ?? null;
}

function metaLabel(head: Uint8Array, contentType: string | null): string | null {
  if (/[/+]json\b/i.test(contentType ?? "")) return null;
  const text = new TextDecoder("windows-1252").decode(head).replace(/<!--[^]*?(?:-->|$)/g, "");
  return text.matchAll(/<meta\b[^>]*/gi).map(([tag]) => labelIn(tag))
    .find((label) => label !== null) ?? null;
}

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

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface PageAnswer {
  readonly url: string;
  readonly contentType: string | null;
  readonly text: string;
}

export interface ExplicitExtractor {
  readonly priceSelector?: string | null;
  readonly stockSelector?: string | null;
  readonly jsonPath?: string | null;
  readonly currency?: string | null;
  readonly locale?: string | null;
}

export interface ExtractionPage {
  readonly html: HtmlPage | null;
  readonly json: unknown;
  readonly writing: Writing;
  readonly extractor: ExplicitExtractor;
}

/** Throws `TooComplex` for a page with too many elements. */
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
  const json = parsedJson(text);
  if (json === undefined) {
    return { unsupported: "The page says that it is JSON, but cannot be parsed as JSON" };
  }
  const writing = { currency: null, locale: extractor.locale ?? null };
  return { page: { html: null, json, writing, extractor } };
}

function kindOf(contentType: string | null, text: string, wantsJson: boolean) {
  const media = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (/^[\w.+-]+\/[\w.+-]+$/.test(media) && /[/+]json$/.test(media)) return "json";
  const begin = text.slice(0, 1024).trimStart();
  if (begin.includes("\0")) return null;
  // Some shops send JSON with the content type of HTML.
  if (wantsJson && /^[{[]/.test(begin)) return "json";
  if (media === "text/html" || media === "application/xhtml+xml") return "html";
  const isAnything = media === "" || media === "text/plain" || media === "application/octet-stream";
  if (isAnything && /^[{[]/.test(begin)) return "json";
  const isHtml = /^<(?:!doctype html|html|head|body|!--|meta|script|div)\b/i.test(begin);
  return isHtml && (isAnything || media.endsWith("xml")) ? "html" : null;
}

function localeOf(language: string | null): string | null {
  const tag = language?.trim().replace("_", "-") ?? "";
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,8}$/i.test(tag) ? tag : null;
}
