/** Requests for sitemaps and searches. */
import { TooComplex } from "../../base/failure.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import { domainOf, normaliseUrl } from "../../shops/domain.ts";
import { type Asked, askShop, type ShopRequest } from "../page/visit.ts";
import type { DirectivesQuestion, RobotsDirectives } from "../page/robots_rules.ts";
import { type FetchDeps, REDIRECTS_MAX } from "../page/scraper.ts";
import type { LinksQuestion, PageLink } from "./read_links.ts";
import { SITEMAP_BYTES_MAX, type SitemapQuestion, type SitemapReport } from "./read_sitemap.ts";

export type Reading<Content> =
  | { readonly kind: "read" } & Content
  | { readonly kind: "failed"; readonly errorCode: string };

type Answered = Extract<FetchResult, { kind: "answer" }>;

/** Calls `read` for any status. Throws only if aborted. */
async function ask<Content>(
  deps: FetchDeps,
  request: ShopRequest,
  { accept, bytesMax }: { readonly accept: string; readonly bytesMax: number },
  read: (answer: Answered, permit: SandboxPermit) => Promise<Reading<Content>>,
): Promise<Asked<Reading<Content>>> {
  const wanted = { headers: { Accept: accept }, bytesMax, redirectsMax: REDIRECTS_MAX };
  return await askShop(deps, request, wanted, async (result): Promise<Reading<Content>> => {
    if (result.kind === "moved") return { kind: "failed", errorCode: "redirect_refused" };
    if (result.kind === "failed") return { kind: "failed", errorCode: result.errorCode };
    const { reading, signal } = request;
    try {
      return await read(result, { ...reading, signal, transfer: [result.body.buffer] });
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      return { kind: "failed", errorCode: "too_complex" };
    }
  });
}

function failureIn({ status }: Answered): Extract<Reading<unknown>, { kind: "failed" }> | null {
  if (status >= 200 && status < 300) return null;
  const isBlocked = status === 403 || status === 429;
  return { kind: "failed", errorCode: isBlocked ? "blocked" : "http_error" };
}

/** Throws `TooComplex` if reading the page takes too much work. */
export interface LinkReader {
  links(question: LinksQuestion, permit: SandboxPermit): Promise<PageLink[]>;
}

export interface SearchAnswer {
  /** The URL after redirects; null without a redirect. */
  readonly landed: string | null;
  readonly links: readonly PageLink[];
}

const ACCEPT_PAGES = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/** Ignores links to other domains. */
export async function fetchSearch(
  deps: FetchDeps,
  reader: LinkReader,
  { domain, ...request }: ShopRequest & { readonly domain: string },
): Promise<Asked<Reading<SearchAnswer>>> {
  const wanted = { accept: ACCEPT_PAGES, bytesMax: deps.bytesMax };
  return await ask(deps, request, wanted, async (answer, permit) => {
    const { status, headers, url, body } = answer;
    // Some shops answer 404 for a search without hits.
    if (status === 404) return { kind: "read", landed: null, links: [] };
    const failure = failureIn(answer);
    if (failure) return failure;
    const at = new URL(url);
    const hasLanded = at.pathname !== new URL(request.url).pathname && domainOf(at) === domain;
    if (hasLanded) return { kind: "read", landed: normaliseUrl(at), links: [] };
    const question = { body, contentType: headers.get("Content-Type"), url, domain };
    return { kind: "read", landed: null, links: await reader.links(question, permit) };
  });
}

/** Throws `TooComplex` if reading a file takes too much work. */
export interface SitemapReader {
  sitemap(question: SitemapQuestion, permit: SandboxPermit): Promise<SitemapReport>;
  directives(question: DirectivesQuestion, permit: SandboxPermit): Promise<RobotsDirectives>;
}

const ACCEPT_SITEMAPS = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5";

export async function fetchSitemap(
  deps: FetchDeps,
  reader: SitemapReader,
  { domain, country, ...request }: ShopRequest & Pick<SitemapQuestion, "domain" | "country">,
): Promise<Asked<Reading<{ readonly report: SitemapReport }>>> {
  const wanted = { accept: ACCEPT_SITEMAPS, bytesMax: SITEMAP_BYTES_MAX };
  return await ask(deps, request, wanted, async (answer, permit) => {
    const failure = failureIn(answer);
    if (failure) return failure;
    const { url: fileUrl, body } = answer;
    const report = await reader.sitemap({ body, fileUrl, domain, country }, permit);
    return report.kind === "unreadable"
      ? { kind: "failed", errorCode: "unreadable_sitemap" }
      : { kind: "read", report };
  });
}
