/**
 * A job that visits the pages of a link check at one shop. A page is not requested if a link check
 * has compared it with the same product in the last seven days.
 */
import { findProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import {
  type JobKind,
  type StepResult,
  type StepTools,
  withHeartbeat,
} from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { type Competitor, competitors } from "../../shops/competitor_store.ts";
import { fetchedUrl, urlHashOf, variantUrl } from "../../shops/domain.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { dropPermit, slots } from "../page/permit.ts";
import { fetchPage, NO_VISIT, type PageOutcome, requestOf, Visits } from "../page/visit.ts";
import { learningOf, wantedOf } from "../page/last_page.ts";
import type { ScrapeDeps } from "../page/visit_tools.ts";
import { judgePage, type ProductIndexes } from "../suggestions/product_indexes.ts";
import { judgedAsPack } from "../../shops/matches/link_plan.ts";
import { compareWithPage, type ReadPage, toPreview } from "../teaching/preview_page.ts";
import type { CheckOutcome } from "./check_codes.ts";
import {
  CHECK_KIND,
  type CheckJob,
  type StoredCheckLine,
  VISIT_KIND,
  type VisitCursor,
  type VisitJob,
  type WaitingLine,
} from "./link_check.ts";
import { CheckRows, PAGE_KEPT_MS, type SeenPage, seenPages } from "./link_check_store.ts";
import { blankLine, refusedLine } from "./check_kind.ts";
import { pick } from "../../base/collections.ts";

type Tools = StepTools<VisitJob>;
type Step = StepResult<VisitJob>;

interface VisitSetup {
  readonly deps: ScrapeDeps;
  readonly indexes: ProductIndexes;
  readonly visits: Visits<PageOutcome>;
}

interface Place {
  readonly job: VisitJob;
  readonly cursor: VisitCursor;
  readonly line: WaitingLine;
  readonly product: StoredProduct;
  readonly shop: Competitor;
  readonly indexes: ProductIndexes;
}

const BEGIN: VisitCursor = { ...NO_VISIT, blocked: 0 };

async function takeVisitStep(setup: VisitSetup, job: VisitJob, tools: Tools): Promise<Step> {
  const { checkId, competitorId } = job.args;
  const cursor = job.cursor ?? BEGIN;
  const check = await findJob<CheckJob>(tools, CHECK_KIND, checkId);
  const [line = null] = await new CheckRows(tools, checkId).listWaiting(competitorId, 1);
  const isOver = check === null || check.status === "cancelled" || check.cancelRequested;
  if (isOver || line === null) return { end: { status: "succeeded" } };
  const product = await findProduct(tools, line.productId);
  const shop = (await competitors.find(tools, { id: competitorId }))?.row ?? null;
  if (product && shop?.enabled) {
    return await visit(setup, tools, { job, cursor, line, product, shop, indexes: setup.indexes });
  }
  await dropPermit(tools, { turn: cursor.turn });
  const errorCode = product === null ? "unknown_sku" : shop === null ? "unknown_shop" : "shop_off";
  const refused = refusedLine(line, tools.now().toISOString(), errorCode);
  return finished(tools, { job, cursor }, { ...refused, competitorId });
}

async function visit({ deps, visits }: VisitSetup, tools: Tools, place: Place): Promise<Step> {
  const { job, cursor, line } = place;
  if (cursor.turn === null) {
    const seen = (await seenPages.find(tools, pageOf(place)))?.row;
    if (seen && tools.now().getTime() - seen.atMs < PAGE_KEPT_MS) {
      return await judged(tools, place, seen, await verdictOn(tools, place, seen.read));
    }
    if (cursor.blocked >= 3) {
      return await conclude(tools, place, tools.now(), {
        outcome: "failed",
        errorCode: "blocked",
        message: "The shop blocks programs",
      });
    }
  }
  const url = cursor.url ?? fetchedUrl(line.url);
  const asked = { url, lane: 2, orderMs: Date.parse(job.createdAt) } as const;
  const next = await visits.step(deps, tools, cursor, asked, (signal) => {
    return fetchFor(deps, tools, place, url, signal);
  });
  if (next.kind === "waits") return { cursor: { ...cursor, ...next.state }, ...next.rest };
  if (next.kind === "answered") {
    const { answer, atMs, committed } = next;
    const seen = { ...pageOf(place), read: toPreview(answer), atMs };
    const judgement = await verdictOn(tools, place, seen.read);
    // A page that could not be compared is not stored, so the next link check visits it again.
    if (seen.read.page !== null && judgement.verdict !== null) {
      seenPages.put(tools.write, tools, seen);
    }
    return { ...await judged(tools, place, seen, judgement), committed };
  }
  const nowMs = tools.now().getTime();
  const waitMs = (next.backoffUntilMs ?? nowMs) - nowMs;
  if (waitMs > 0 && waitMs <= 3_600_000) {
    return { cursor: { ...cursor, ticket: null }, notBefore: new Date(nowMs + waitMs) };
  }
  const { errorCode, message } = next;
  return await conclude(tools, place, tools.now(), { outcome: "failed", errorCode, message });
}

function pageOf({ line, product }: Pick<Place, "line" | "product">) {
  return { urlHash: urlHashOf(new URL(line.url.trim())), productId: product.id };
}

async function verdictOn(
  tools: Tools,
  { product, line: { packFactor }, indexes }: Pick<Place, "product" | "line" | "indexes">,
  read: ReadPage,
) {
  const { words } = await withHeartbeat(tools, () => indexes.of(tools));
  const { price, currency } = read;
  return compareWithPage(product.product, read, (ours, { isOtherVariant, ...article }) => {
    const sold = { price, currency, isOpenVariant: isOtherVariant, pack: packFactor };
    return judgedAsPack(ours.ean, packFactor ?? 1, (ean) => {
      return judgePage({ ...ours, ean }, { ...article, ...sold }, words, "link");
    });
  });
}

async function fetchFor(
  deps: ScrapeDeps,
  tools: Tools,
  { cursor, line, product, shop }: Place,
  url: string,
  signal: AbortSignal,
) {
  return await fetchPage(deps, {
    ...requestOf(deps, tools, signal),
    url,
    askedUrl: variantUrl(line.url),
    extractor: shop.extractor,
    product: wantedOf(product.product),
    learning: { ...await learningOf(tools, shop), isLearning: false },
    hops: cursor.hops,
  });
}

const OUTCOMES: Readonly<Record<Verdict, CheckOutcome>> = {
  same: "sure",
  probably: "check",
  unknown: "check",
  different: "wrong",
};

async function judged(
  tools: Tools,
  place: Place,
  { read, atMs }: SeenPage,
  { verdict, reasons }: Awaited<ReturnType<typeof verdictOn>>,
): Promise<Step> {
  return await conclude(tools, place, new Date(atMs), {
    ...pick(read, ["price", "currency", "errorCode", "message"]),
    outcome: verdict === null ? "failed" : OUTCOMES[verdict],
    verdict,
    reasons: reasons.slice(0, 6),
    page: verdict === null ? null : read.page,
  });
}

async function conclude(
  tools: Tools,
  place: Place,
  at: Date,
  result: Pick<StoredCheckLine, "outcome"> & Partial<StoredCheckLine>,
): Promise<Step> {
  const { job: { args: { competitorId } }, line, product: { product: { sku, title } } } = place;
  const { urlHash, productId } = pageOf(place);
  const { offers } = await findOffers(tools, productId);
  const existing = offers.find((offer) => offer.urlHash === urlHash)?.matchId ?? null;
  return finished(tools, place, {
    ...blankLine({ ...line, sku }, at.toISOString()),
    status: existing === null ? "open" : "existing",
    productId,
    title,
    competitorId,
    competitorProductId: existing,
    ...result,
  });
}

function finished(
  tools: Tools,
  { job, cursor }: Pick<Place, "job" | "cursor">,
  line: StoredCheckLine,
): Step {
  if (cursor.ticket) slots.drop(tools.write, {}, cursor.ticket);
  const { checkId, competitorId } = job.args;
  new CheckRows(tools, checkId).putChecked(tools.write, line, competitorId);
  const blocked = line.errorCode === "blocked" ? cursor.blocked + 1 : 0;
  return { cursor: { ...BEGIN, blocked } };
}

export function createVisitKind(deps: ScrapeDeps, indexes: ProductIndexes): JobKind<VisitJob> {
  const visits = new Visits<PageOutcome>();
  return {
    kind: VISIT_KIND,
    slotsPerProcess: 16,
    step: (job, tools) => takeVisitStep({ deps, visits, indexes }, job, tools),
    finish: async ({ jobId, cursor }, tools) => {
      visits.forget(jobId);
      await dropPermit(tools, cursor ?? NO_VISIT);
    },
  };
}
