/** Judges whether a fetched page shows our product, and stores the verdict. */
import type { Product } from "../../catalogue/products/product.ts";
import { NO_FACTS, type PageFacts } from "../../engine/extraction/page_facts.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import { identityReasonText } from "../../engine/wording/identity_words.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import {
  countingVerdict,
  identities,
  type KeptArticle,
  type KeptIdentity,
  NO_IDENTITY,
  OTHER_PRODUCT,
  withPage,
} from "../../shops/matches/match_identity.ts";
import { judgeLink } from "../../shops/matches/link_plan.ts";
import type { PageOutcome } from "../page/visit.ts";
import { failed } from "../page/scraper.ts";
import { articleOf, articleStatement, isOfArticle, knownPages } from "../page/last_page.ts";

type Fetched = Exclude<PageOutcome, { kind: "moved" }>;

export interface JudgedFetch {
  readonly outcome: Fetched;
  readonly verdict?: Verdict | null;
  /** True if the verdict changes whether rules may use the price. */
  readonly isTurned: boolean;
  /** True if neither a person nor the page confirms the link. */
  readonly isDoubtful: boolean;
}

const DOUBTFUL_CONFIDENCE = 0.7;

type Judge = Pick<Context, "store" | "workspaceId" | "now" | "newId">;

/** Adds one check and one row to the commit. */
export async function judgeFetched(
  write: Write,
  ctx: Judge,
  { product, live }: { readonly product: Product; readonly live: LiveMatch },
  outcome: Fetched,
  atMs: number,
): Promise<JudgedFetch> {
  const { match } = live;
  const key = { matchId: match.id };
  const stored = await identities.find(ctx, key);
  const before = stored?.row ?? NO_IDENTITY;
  const page = match.matchType === "exact" ? articleIn(outcome, before) : null;
  if (page === null) {
    return { outcome, isTurned: false, isDoubtful: isDoubtful(live, countingVerdict(before)) };
  }
  const judged = judgeLink(product, match.packFactor, page);
  const after = withPage(before, page, judged, atMs);
  const verdict = countingVerdict(after);
  identities.save(write, ctx, stored, { ...after, ...key });
  // A later 304 must not confirm older content.
  if (outcome.kind === "failed") knownPages.drop(write, ctx, key);
  const wasOther = countingVerdict(before) === "different";
  const isOther = verdict === "different";
  if (isOther && !wasOther) {
    const { offer } = live;
    const isFirstCheck = stored === null &&
      (offer.checkedAtMs !== null || offer.status === OTHER_PRODUCT);
    publishOther(write, ctx, { product, live, after, isFirstCheck });
  }
  return {
    outcome: isOther ? refused(outcome, after) : outcome,
    verdict,
    isTurned: isOther !== wasOther,
    isDoubtful: isDoubtful(live, verdict),
  };
}

export function countedPrice(found: ExtractedPrice, { isDoubtful }: JudgedFetch): ExtractedPrice {
  if (!isDoubtful || found.confidence <= DOUBTFUL_CONFIDENCE) return found;
  return { ...found, confidence: DOUBTFUL_CONFIDENCE };
}

function articleIn(outcome: Fetched, before: KeptIdentity): KeptArticle | null {
  switch (outcome.kind) {
    case "unchanged":
      return before.page;
    case "priced":
      return articleOn(outcome.facts);
    case "failed":
      return isOfArticle(outcome.facts) ? articleOn(outcome.facts) : null;
  }
}

function articleOn(facts: PageFacts): KeptArticle {
  return articleOf(articleStatement(facts), facts.pageStatus);
}

/** Links from a person, a file or a pushed price are certain. */
function isDoubtful({ match }: LiveMatch, verdict: Verdict | null): boolean {
  return match.source === "discovery" && verdict !== "same";
}

function refused(outcome: Fetched, { reasons: [first] }: KeptIdentity): Fetched {
  const message = first
    ? identityReasonText(first, "en")
    : "The page shows another article than the linked product";
  const facts = {
    ...(outcome.kind === "unchanged" ? NO_FACTS : outcome.facts),
    pageStatus: "other_product",
    availability: "unknown",
  } as const;
  const { httpStatus } = outcome;
  return failed(httpStatus, OTHER_PRODUCT, message, alternativesOf(outcome), facts);
}

function alternativesOf(outcome: Fetched) {
  if (outcome.kind === "unchanged") return [];
  if (outcome.kind === "failed") return outcome.alternatives;
  const { method, price, currency, alternatives } = outcome.found;
  return [{ method, price, currency }, ...alternatives];
}

function publishOther(
  write: Write,
  ctx: Judge,
  { product, live, after, isFirstCheck }: {
    readonly product: Product;
    readonly live: LiveMatch;
    readonly after: KeptIdentity;
    readonly isFirstCheck: boolean;
  },
): void {
  const { match, competitor } = live;
  publish(write, ctx, [{
    type: "match.mismatch",
    data: {
      competitorProductId: match.id,
      productId: product.id,
      sku: product.sku,
      competitorId: competitor.id,
      competitor: competitor.displayName,
      url: match.url,
      reasons: [...after.reasons],
      isFirstCheck,
    },
  }]);
}
