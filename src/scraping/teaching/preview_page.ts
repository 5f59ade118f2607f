/** Reads a page for a preview, without storing the page or its prices. */
import type { Product } from "../../catalogue/products/product.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import {
  competitors,
  Extractor,
  type ExtractorCheck,
  requireUsable,
} from "../../shops/competitor_store.ts";
import { requireTarget } from "../../shops/matches/change_match.ts";
import { judgeLink } from "../../shops/matches/link_plan.ts";
import { keptShopSku } from "../../shops/matches/list_matches.ts";
import type { KeptArticle } from "../../shops/matches/match_identity.ts";
import { fetchedUrl, variantUrl } from "../../shops/domain.ts";
import { type RefusedPermit, slots } from "../page/permit.ts";
import {
  fetchPage,
  NO_VISIT,
  type PageOutcome,
  readingOf,
  requestOf,
  Visits,
} from "../page/visit.ts";
import {
  type AnswerVerdict,
  failed,
  NOT_LEARNING,
  type PageLearning,
  type ScrapeDeps,
} from "../page/visit_tools.ts";
import {
  articleOf,
  ArticleStatement,
  articleStatement,
  learningOf,
  PriceCandidate,
  wantedOf,
} from "../page/last_page.ts";
import { FOUND_FIELDS, foundOn, NOTHING_FOUND } from "../runs/run.ts";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import { Failure, TooComplex } from "../../base/failure.ts";
import { requireProduct } from "../../catalogue/lists/find_product.ts";

const NO_PREVIEW = {
  ...NOTHING_FOUND,
  listPrice: null,
  lowest30: null,
  page: null,
  candidates: [],
  errorCode: null,
  message: null,
};

export async function previewPage(
  ctx: Context,
  deps: ScrapeDeps,
  { url, extractor, productId }: PreviewRequest,
  errorsOf: ExtractorCheck,
): Promise<Preview> {
  const ours = productId ? await requireProduct(ctx, productId, false) : null;
  const { urlHash } = requireTarget(url, deps.limits.allowed);
  const product = ours && wantedOf(ours, await keptShopSku(ctx, ours.id, urlHash));
  const asked = { url, extractor: extractor ?? null, product };
  const read = toPreview(await visitAsked(ctx, deps, asked, errorsOf));
  return { ...read, ...compareWithPage(ours, read) };
}

interface AskedPage {
  readonly url: string;
  readonly extractor: Extractor | null;
  readonly product: WantedProduct | null;
}

export type VisitedPage =
  | AnswerVerdict
  | Extract<PageOutcome, { kind: "unchanged" }>
  | RefusedPermit;

async function visitAsked(
  ctx: Context,
  deps: ScrapeDeps,
  asked: AskedPage,
  errorsOf: ExtractorCheck,
): Promise<VisitedPage> {
  await requireUsable(ctx, errorsOf, asked.extractor);
  const { url, domain } = requireTarget(asked.url, deps.limits.allowed);
  const shop = await competitors.findBy(ctx, "domain", { domain });
  const known = shop ? await learningOf(ctx, shop.row) : NOT_LEARNING;
  const learning = { ...known, isLearning: false };
  // A person waits for the answer, so a preview gives up if the shop stays busy for 15 s.
  return await visit(ctx, deps, { ...asked, url, learning }, performance.now() + 15_000);
}

export async function visit(
  ctx: Context,
  deps: ScrapeDeps,
  { url: given, ...asked }: AskedPage & { readonly learning: PageLearning },
  waitUntilMs: number,
): Promise<VisitedPage> {
  const visits = new Visits<PageOutcome>();
  const tools = { ...ctx, ...ALONE, requestId: ctx.newId() };
  const queue = { lane: 0, orderMs: ctx.now().getTime() } as const;
  let state = NO_VISIT;
  for (;;) {
    const { hops } = state;
    const url = state.url ?? fetchedUrl(given);
    const page = { ...asked, url, hops, askedUrl: variantUrl(given) };
    const ask = (signal: AbortSignal) =>
      fetchPage(deps, { ...page, ...requestOf(deps, ctx, signal, readingOf(tools)) });
    const next = await transact(
      ctx,
      (write) => visits.step(deps, { ...tools, write }, state, { url, ...queue }, ask),
    );
    if (next.kind === "refused") return next;
    if (next.kind === "answered") return next.answer;
    state = next.state;
    const { ticket } = state;
    if (ticket === null) continue;
    const waitMs = Math.max(0, (next.rest.notBefore?.getTime() ?? 0) - ctx.now().getTime());
    if (performance.now() + waitMs >= waitUntilMs) {
      await transact(ctx, (write) => slots.drop(write, {}, ticket));
      const message = "Other requests wait for this shop: try again in a minute";
      return { kind: "refused", status: "skipped", errorCode: "backing_off", message };
    }
    await pause(waitMs);
  }
}

/** A preview runs outside of the job runner, so it needs stand-ins for the runner's tools. */
const ALONE = {
  shouldYield: () => false,
  stopping: new AbortController().signal,
  checkpoint: () => Promise.resolve(),
  // If twelve pages of a workspace wait to be read, further requests get the status 503.
  waitingMax: 12,
};

export function toPreview(visited: VisitedPage): ReadPage {
  switch (visited.kind) {
    case "priced":
      return {
        ...NO_PREVIEW,
        status: "ok",
        ...foundOn(visited.found),
        listPrice: visited.found.listPrice,
        lowest30: visited.found.lowest30,
        ...toPageFacts(visited.facts),
      };
    case "refused": {
      const { status, errorCode, message } = visited;
      return { ...NO_PREVIEW, status, errorCode, message };
    }
    case "unchanged":
      return refused("http_error", "The shop answers 304");
    case "failed": {
      const { errorCode, message, alternatives, facts } = visited;
      const content = visited.httpStatus === null ? {} : toPageFacts(facts);
      return { ...refused(errorCode, message), alternatives: [...alternatives], ...content };
    }
  }
}

function toPageFacts(facts: PageFacts) {
  const { pageStatus, warnings: [...warnings] } = facts;
  return { pageStatus, warnings, page: articleStatement(facts), candidates: facts.candidates };
}

function refused(errorCode: string, message: string): ReadPage {
  return { ...NO_PREVIEW, status: "failed", errorCode, message };
}

export const PreviewRequest = z.strictObject({
  url: z.string().min(1).max(4_096).meta({
    format: "uri",
    example: "https://www.mediamarkt.de/p/1.html",
  }),
  extractor: Extractor.nullish(),
  productId: z.string().max(100).nullish()
    .describe(
      "Id of our product. The page is compared with the product, and if the page has several " +
        "variants, the product's variant is read",
    ),
}).meta({ id: "PreviewRequest" });
export type PreviewRequest = z.infer<typeof PreviewRequest>;

export const ReadPage = z.object({
  status: z.enum(["ok", "failed", "skipped"])
    .describe(
      "`ok`: the page has a price; `skipped`: the shop gets no requests now; `failed`: otherwise",
    ),
  price: z.int().nullable().describe("Minor units of `currency`"),
  listPrice: z.int().nullable(),
  lowest30: z.int().nullable(),
  ...FOUND_FIELDS,
  page: ArticleStatement.nullable()
    .describe("The article as the page describes it; null if no page was read"),
  candidates: z.array(PriceCandidate).describe("The prices of the page, best first, at most 8"),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
});
export type ReadPage = Readonly<z.infer<typeof ReadPage>>;

export const Preview = ReadPage.extend({
  verdict: z.enum(VERDICTS).nullable()
    .describe("Whether the page shows our product; null without a product or a page"),
  reasons: z.array(IdentityEvidence).describe("The reasons, the deciding one first"),
}).meta({ id: "Preview" });
export type Preview = Readonly<z.infer<typeof Preview>>;

export function compareWithPage(
  ours: Product | null,
  { status, page, pageStatus }: Pick<ReadPage, "status" | "page" | "pageStatus">,
  judge = (product: Product, article: KeptArticle) => judgeLink(product, 1, article),
): Pick<Preview, "verdict" | "reasons"> {
  // A page with neither price nor title says too little about its product for a verdict.
  if (ours === null || page === null || (status !== "ok" && page.title === null)) {
    return { verdict: null, reasons: [] };
  }
  const { verdict, reasons } = judge(ours, articleOf(page, pageStatus ?? "unread"));
  return { verdict, reasons: [...reasons] };
}

/** Stands for the URL if a client sends the HTML of a page without its URL. */
export const NOWHERE = "https://page.invalid/";
const OK = 200;

export async function extractPage(
  ctx: Context,
  deps: ScrapeDeps,
  { url, extractor, product, ...sent }: ExtractRequest,
  errorsOf: ExtractorCheck,
): Promise<ExtractReport> {
  const asked = { url: url ?? NOWHERE, extractor: extractor ?? null, product: product ?? null };
  if (!("html" in sent)) return reportOf(await visitAsked(ctx, deps, asked, errorsOf));
  await requireUsable(ctx, errorsOf, asked.extractor);
  if (!/^https?:$/.test(URL.parse(asked.url)?.protocol ?? "")) {
    throw new Failure("validation_failed", "`url` must begin with http:// or https://");
  }
  return reportOf(await readSent(ctx, deps, asked, sent.html));
}

async function readSent(
  ctx: Context,
  { reader }: ScrapeDeps,
  { url, extractor, product }: AskedPage,
  html: string,
): Promise<VisitedPage> {
  try {
    const answer = { ...sentPage(url, html), extractor, product };
    return await reader.page(answer, readingOf({ ...ctx, ...ALONE }));
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return failed(OK, "too_complex", `The page is too complex to read: ${error.message}`);
  }
}

export function sentPage(url: string, html: string) {
  const contentType = "text/html; charset=utf-8";
  const body = new TextEncoder().encode(html);
  const how = { isChallenge: false, learning: NOT_LEARNING };
  return { url, askedUrl: url, status: OK, contentType, body, ...how };
}

export function reportOf(visited: VisitedPage): ExtractReport {
  const found = visited.kind === "priced" ? visited.found : null;
  return {
    ...toPreview(visited),
    shipping: found?.shipping ?? null,
    httpStatus: "httpStatus" in visited ? visited.httpStatus : null,
    trace: "trace" in visited ? [...visited.trace] : [],
  };
}

const HTML_CHARACTERS_MAX = 4 * 1024 * 1024;
/** `HTML_CHARACTERS_MAX` counts UTF-16 code units, which take up to 3 bytes each in UTF-8. */
export const EXTRACT_BYTES_MAX = 3 * HTML_CHARACTERS_MAX;

const url = z.string().min(1).max(4_096).meta({
  format: "uri",
  description: "The address of the page. Without `html`, the page is fetched once, with the " +
    "pauses and robots.txt rules of a scrape run",
  example: "https://www.mediamarkt.de/p/1.html",
});
const html = z.string().min(1).max(HTML_CHARACTERS_MAX)
  .describe("The HTML of the page; if `html` is given, nothing is fetched");
const asked = {
  extractor: Extractor.nullish(),
  product: z.strictObject({
    ean: z.string().max(14).nullish(),
    mpn: z.string().max(200).nullish(),
    title: z.string().max(500).nullish(),
    currency: z.string().max(3).nullish(),
  }).optional().describe("The product to look for on the page"),
};

export const ExtractRequest = z.union([
  z.strictObject({ html, url: url.optional(), ...asked }).meta({ id: "ExtractSentPage" }),
  z.strictObject({ url, ...asked }).meta({ id: "ExtractAddress" }),
], { error: "Must have `url`, `html` or both; only `extractor` and `product` may be added" })
  .meta({ id: "ExtractRequest" });
export type ExtractRequest = z.infer<typeof ExtractRequest>;

export const ExtractReport = ReadPage.extend({
  shipping: z.int().nullable().describe("Shipping cost in minor units; 0: free"),
  httpStatus: z.int().nullable(),
  trace: z.array(z.string()).describe(
    "The findings of each method, the evidence for each displayed price, and the decision; in English",
  ),
}).meta({ id: "ExtractReport" });
export type ExtractReport = Readonly<z.infer<typeof ExtractReport>>;
