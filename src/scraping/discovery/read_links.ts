/** Reads the links of a page of search results. Runs in the sandbox: pages may be hostile. */
import { domainOf, normaliseUrl } from "../../shops/domain.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import { type HtmlElement, textOf } from "../../engine/extraction/page/html_element.ts";
import { parseHtml } from "../../engine/extraction/page/html_page.ts";

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
      // A search result may link its page twice: from the picture and from the name.
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
  if (href === undefined || href.length > 2_048) return null;
  const url = URL.parse(href, base);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  const isElsewhere = domainOf(url) !== domain || url.username !== "" || url.password !== "";
  return isElsewhere || url.pathname === own || url.pathname === "/" ? null : normaliseUrl(url);
}
