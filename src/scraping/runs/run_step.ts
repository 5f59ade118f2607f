import type { Product } from "../../catalogue/products/product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { identities } from "../../shops/matches/identity_store.ts";
import {
  type KeptIdentity,
  knownShopSku,
  NO_IDENTITY,
} from "../../shops/matches/match_identity.ts";
import { fetchedUrl, variantUrl } from "../../shops/matches/match_url.ts";
import { recipeTag } from "../../shops/recipes/shop_lessons.ts";
import type { PermitInFlight } from "../page/domain_queue.ts";
import { type Asked, fetchPage } from "../page/fetch_page.ts";
import { NOT_LEARNING, type PageLearning } from "../page/judge_answer.ts";
import { findKnownPage, type PageQuestion, wantedOf } from "../page/last_page.ts";
import { learningOf } from "../page/note_lesson.ts";
import { REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import { dropPermit } from "../page/take_permit.ts";
import {
  followed,
  jobRequester,
  NO_VISIT,
  requestOf,
  usePermit,
  type Visited,
} from "../page/visit.ts";
import {
  completeFetched,
  completeRefused,
  type FetchedTarget,
  type Target,
} from "./complete_target.ts";
import { NO_COUNTS, type RunJob } from "./run.ts";
import {
  goOn,
  seekPermit,
  type Sought,
  type Subjects,
  targetOf,
  type Work,
} from "./seek_permit.ts";

type Tools = StepTools<RunJob>;
type Step = StepResult<RunJob>;
type Place = Pick<Target, "job" | "cursor">;

/**
 * One step of a run. The first step fixes the targets and takes a permit at the shop of the first
 * one. Each further step uses a permit; its commit contains the result and the permit for the next
 * target, or the end of the run.
 */
export async function takeRunStep(work: Work, job: RunJob): Promise<Step> {
  const { cursor } = job;
  if (cursor === null) return await begin(work, job);
  if (cursor.n >= cursor.targets.length) {
    return { end: { status: "succeeded" }, committed: () => work.sought.forget(job.jobId) };
  }
  if (cursor.turn) return await visit(work, { job, cursor }, cursor.turn);
  const subjects = await readSubjects(work.tools, job.args.productId);
  return await seek(work, { job, cursor }, subjects);
}

async function begin(work: Work, job: RunJob): Promise<Step> {
  const subjects = await readSubjects(work.tools, job.args.productId);
  const { competitorId } = job.args;
  const targets = subjects.live
    .filter(({ competitor }) => competitorId === undefined || competitor.id === competitorId)
    .map(({ match }) => match.id);
  const cursor = { ...NO_VISIT, targets, n: 0 };
  const stats = { ...NO_COUNTS, targets: targets.length };
  const begun = { cursor, stats, progress: { processed: 0, total: targets.length } };
  if (targets.length === 0) return { ...begun, end: { status: "succeeded" } };
  return { ...begun, ...await seek(work, { job: { ...job, stats }, cursor }, subjects) };
}

/** Seeks a permit. A refused target ends, and the next one follows. */
async function seek(work: Work, { job, cursor }: Place, subjects: Subjects): Promise<Step> {
  const step = await seekPermit(work, { job, cursor }, subjects);
  if (step.cursor === undefined || step.cursor.n === cursor.n) return step;
  return await goOn(work, { job, step, subjects, given: null });
}

async function readSubjects(tools: Tools, productId: string): Promise<Subjects> {
  const readMs = tools.now().getTime();
  const product = await findProduct(tools, productId);
  const live = product ? await listLiveMatches(tools, productId) : [];
  return { product, live, readMs };
}

async function visit(work: Work, { job, cursor }: Place, turn: PermitInFlight): Promise<Step> {
  const { deps, cache, tools } = work;
  const { jobId, args: { productId } } = job;
  const isNew = cache.of(jobId, turn.token) === null;
  const sought = isNew ? recent(work.sought.of(jobId, turn.token), tools) : null;
  const subjects = sought?.subjects ?? await readSubjects(tools, productId);
  const target = targetOf({ job, cursor }, subjects);
  const { live } = target;
  if (live === null) {
    deps.turns.leave(turn.domain);
    await dropPermit(tools, { turn });
    const committed = () => deps.turns.wakeUp(turn.domain);
    return { cursor: { ...cursor, turn: null }, committed };
  }
  const url = cursor.url ?? fetchedUrl(live.match.url);
  const isHeld = sought ? sought.heldUntilMs - tools.now().getTime() >= deps.timeoutMs : undefined;
  const used = await usePermit(
    deps,
    tools,
    { cache, turn, url, isHeld },
    (signal) => fetchFor(deps, tools, { ...target, live }, url, signal),
  );
  const { committed } = used;
  const step = await stepOf(tools, target, used);
  if (step.cursor === undefined || step.cursor.n === cursor.n) return { ...step, committed };
  const next = await goOn(work, { job, step, subjects, given: used.given });
  return {
    ...next,
    committed() {
      committed();
      if (next.end) work.sought.forget(jobId);
    },
  };
}

function recent(sought: Sought | null, tools: Tools): Sought | null {
  const passedMs = tools.now().getTime() - (sought?.subjects.readMs ?? 0);
  // Maximum age of the cached match; a match that was disabled longer ago is not fetched.
  return passedMs >= 0 && passedMs <= 1_000 ? sought : null;
}

async function stepOf(
  tools: Tools,
  target: Target,
  { visit: visited }: Visited<FetchedTarget>,
): Promise<Step> {
  const { cursor } = target;
  if (visited === null) return { cursor: { ...cursor, turn: null } };
  const { answer: { outcome, question }, atMs, durationMs } = visited;
  if (outcome.kind !== "moved") {
    return await completeFetched(tools, target, outcome, { atMs, durationMs, question });
  }
  const next = followed(cursor, outcome);
  if (next) return { cursor: { ...cursor, ...next } };
  const message = `More than ${REDIRECTS_MAX} redirects`;
  const refusal = { status: "failed", errorCode: "redirect_refused", message } as const;
  return await completeRefused(tools, target, refusal);
}

async function fetchFor(
  deps: ScrapeDeps,
  tools: Tools,
  { cursor, product, live }: Target & { readonly live: LiveMatch },
  url: string,
  signal: AbortSignal,
): Promise<Asked<FetchedTarget>> {
  const learning = isPointed(live) ? NOT_LEARNING : await learningOf(tools, live.competitor);
  const isJudged = live.match.matchType === "exact";
  const stored = isJudged ? await identities.find(tools, { matchId: live.match.id }) : null;
  const identity = stored?.row ?? NO_IDENTITY;
  const question = questionOf(live, product?.product ?? null, identity, learning);
  // A page whose article is not stored must be sent again.
  const known = !isJudged || identity.page !== null
    ? await findKnownPage(tools, live.match.id, question)
    : null;
  const { answer, aftermath } = await fetchPage(deps, {
    ...requestOf(deps, jobRequester(tools), signal),
    url,
    askedUrl: variantUrl(live.match.url),
    extractor: question.extractor,
    product: question.product,
    learning,
    validators: known?.validators ?? null,
    hops: cursor.hops,
  });
  return { answer: { outcome: answer, question }, aftermath };
}

/** True if there is an explicit extractor; then no recipe is used or learned. */
function isPointed({ match, competitor }: LiveMatch): boolean {
  const extractor = match.extractor ?? competitor.extractor;
  return Boolean(extractor?.priceSelector || extractor?.jsonPath);
}

function questionOf(
  { match, competitor }: LiveMatch,
  product: Product | null,
  identity: KeptIdentity,
  { recipe }: PageLearning,
): PageQuestion {
  return {
    matchUrl: match.url,
    extractor: match.extractor ?? competitor.extractor,
    recipe: recipe && recipeTag(recipe),
    product: product && wantedOf(product, knownShopSku(identity)),
  };
}
