/** A shop's search is asked. */
import { domainOf } from "../../shops/domain.ts";
import { normaliseUrl } from "../../shops/matches/match_url.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { ShopRequest } from "../page/fetch_page.ts";
import type { FetchDeps } from "../page/scrape_deps.ts";
import { askShop, failureIn, type Fetched } from "./ask_shop.ts";
import type { LinksQuestion, PageLink } from "./read_links.ts";

/** Reads where a page leads; throws `TooComplex` when that is too much work. */
export interface LinkReader {
  links(question: LinksQuestion, turn: SandboxTurn): Promise<PageLink[]>;
}

/** What the search has found. */
export interface SearchAnswer {
  /** The shop leads to its only hit at once; null where it does not. */
  readonly landed: string | null;
  readonly links: readonly PageLink[];
}

const ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/** Asks for hits of a shop's own domain. */
export async function fetchSearch(
  deps: FetchDeps,
  reader: LinkReader,
  { domain, ...request }: ShopRequest & { readonly domain: string },
): Promise<Fetched<SearchAnswer>> {
  const wanted = { accept: ACCEPT, bytesMax: deps.bytesMax };
  return await askShop(deps, request, wanted, async (answer, turn) => {
    const { status, headers, url, body } = answer;
    // A search that finds nothing may say so by this.
    if (status === 404) return { kind: "read", landed: null, links: [] };
    const failure = failureIn(answer);
    if (failure) return failure;
    const at = new URL(url);
    const hasLanded = at.pathname !== new URL(request.url).pathname && domainOf(at) === domain;
    if (hasLanded) return { kind: "read", landed: normaliseUrl(at), links: [] };
    const question = { body, contentType: headers.get("Content-Type"), url, domain };
    return { kind: "read", landed: null, links: await reader.links(question, turn) };
  });
}
