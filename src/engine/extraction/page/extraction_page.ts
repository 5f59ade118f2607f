import { TooComplex } from "../../../base/too_complex.ts";
import type { Writing } from "../amount.ts";
import { type HtmlPage, parseHtml } from "./html_page.ts";
import { parseJson } from "./json_text.ts";
import { WorkBudget } from "../work_budget.ts";

/** An answer of a shop, decoded. */
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

/** What every extractor reads from: the page parsed once, as HTML or as JSON. */
export interface ExtractionPage {
  readonly html: HtmlPage | null;
  /** Undefined for HTML. */
  readonly json: unknown;
  readonly writing: Writing;
  readonly extractor: ExplicitExtractor;
  /** What reading the page may still cost; every extractor takes from it. */
  readonly work: WorkBudget;
}

const CHARACTERS_MAX = 4 * 1024 * 1024;
const MEDIA_CHARACTERS_MAX = 200;
const LANGUAGE_CHARACTERS_MAX = 35;

/**
 * Parses an answer. Refuses what is neither HTML nor JSON by its Content-Type or, without one, by
 * its first character, and what is longer than 4 Mi characters. Throws `TooComplex` for a page of
 * more parts than any honest one.
 */
export function readPage(
  { contentType, text }: PageAnswer,
  extractor: ExplicitExtractor,
): { page: ExtractionPage } | { unsupported: string } {
  if (text.length > CHARACTERS_MAX) return { unsupported: "The page is longer than 4 MiB" };
  const media = contentType?.slice(0, MEDIA_CHARACTERS_MAX) ?? null;
  const kind = kindOf(media, text, Boolean(extractor.jsonPath));
  if (kind === null) {
    return { unsupported: `The page is neither HTML nor JSON but "${media ?? "unknown"}"` };
  }
  const work = new WorkBudget(text.length);
  if (kind === "html") {
    const html = parseHtml(text, work);
    const writing = { currency: null, locale: extractor.locale ?? localeOf(html.language) };
    return { page: { html, json: undefined, writing, extractor, work } };
  }
  try {
    const json = parseJson(text, work);
    const writing = { currency: null, locale: extractor.locale ?? null };
    return { page: { html: null, json, writing, extractor, work } };
  } catch (error) {
    if (error instanceof TooComplex) throw error;
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
  if (language === null || language.length > LANGUAGE_CHARACTERS_MAX) return null;
  const tag = language.trim().replace("_", "-");
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,8}$/i.test(tag) ? tag : null;
}
