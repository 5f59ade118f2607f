/** A sitemap is fetched. */
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { ShopRequest } from "../page/fetch_page.ts";
import type { FetchDeps } from "../page/scrape_deps.ts";
import type { DirectivesQuestion, RobotsDirectives } from "../page/robots_directives.ts";
import { askShop, failureIn, type Fetched } from "./ask_shop.ts";
import { SITEMAP_BYTES_MAX, type SitemapQuestion, type SitemapReport } from "./read_sitemap.ts";

/** Reads what shops say of their pages; throws `TooComplex` when that is too much work. */
export interface SitemapReader {
  sitemap(question: SitemapQuestion, turn: SandboxTurn): Promise<SitemapReport>;
  directives(question: DirectivesQuestion, turn: SandboxTurn): Promise<RobotsDirectives>;
}

const ACCEPT = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5";

/** Fetches one file of a shop. */
export async function fetchSitemap(
  deps: FetchDeps,
  reader: SitemapReader,
  { domain, country, ...request }: ShopRequest & Pick<SitemapQuestion, "domain" | "country">,
): Promise<Fetched<{ readonly report: SitemapReport }>> {
  const wanted = { accept: ACCEPT, bytesMax: SITEMAP_BYTES_MAX };
  return await askShop(deps, request, wanted, async (answer, turn) => {
    const failure = failureIn(answer);
    if (failure) return failure;
    const { url: fileUrl, body } = answer;
    const report = await reader.sitemap({ body, fileUrl, domain, country }, turn);
    return report.kind === "unreadable"
      ? { kind: "failed", errorCode: "unreadable_sitemap" }
      : { kind: "read", report };
  });
}
