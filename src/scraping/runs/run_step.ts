import type { Product } from "../../catalogue/products/product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { beating } from "../../platform/jobs/job_timing.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { fetchedUrl } from "../../shops/matches/match_url.ts";
import { recipeTag } from "../../shops/recipes/shop_lessons.ts";
import type { TurnInHand } from "../page/domain_queue.ts";
import type { PageRequest } from "../page/fetch_page.ts";
import { learningOf } from "../page/note_lesson.ts";
import { NOT_LEARNING, type PageLearning } from "../page/judge_answer.ts";
import { wantedOf } from "../page/page_said.ts";
import { saveRobots } from "../page/robots_file.ts";
import { REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import { fetchTurn, giveTurnBack, isHeld, requestOf, unused, usedTurn } from "../page/take_turn.ts";
import { findKnownPage, type PageQuestion } from "../page/last_page.ts";
import { completeFetched, completeRefused, type Target } from "./complete_target.ts";
import { isArticleKnown } from "./judge_fetched.ts";
import { NO_COUNTS, type RunJob } from "./run.ts";
import type { Brought, Sought, Subjects } from "./run_memory.ts";
import { goOn, seekTurn, targetOf, type Work } from "./seek_turn.ts";

type Tools = StepTools<RunJob>;
type Step = StepResult<RunJob>;
type Place = Pick<Target, "job" | "cursor">;

/** A match that was switched off longer ago is no longer fetched. */
const SUBJECT_MS_MAX = 1_000;
/**
 * One step of a run. It begins by fixing its targets and taking a turn at the shop of the first one.
 * Each further step uses a turn, and its commit has what came of that and the turn for the next target,
 * or the end of the run. A turn is committed before it is used, so after a crash nothing that is stored
 * is fetched again, and no shop has two requests at once.
 */
export async function takeRunStep(work: Work, job: RunJob): Promise<Step> {
  const { cursor } = job;
  if (cursor === null) return await begin(work, job);
  if (cursor.n >= cursor.targets.length) {
    return { end: { status: "succeeded" }, committed: () => work.memory.forget(job.jobId) };
  }
  if (cursor.turn) return await useTurn(work, { job, cursor }, cursor.turn);
  const subjects = await readSubjects(work.tools, job.args.productId);
  return await seek(work, { job, cursor }, subjects);
}

async function begin(work: Work, job: RunJob): Promise<Step> {
  const subjects = await readSubjects(work.tools, job.args.productId);
  const { competitorId } = job.args;
  const targets = subjects.live
    .filter(({ competitor }) => competitorId === undefined || competitor.id === competitorId)
    .map(({ match }) => match.id);
  const cursor = { targets, n: 0, url: null, hops: 0, turn: null, ticket: null };
  const stats = { ...NO_COUNTS, targets: targets.length };
  const begun = { cursor, stats, progress: { processed: 0, total: targets.length } };
  if (targets.length === 0) return { ...begun, end: { status: "succeeded" } };
  return { ...begun, ...await seek(work, { job: { ...job, stats }, cursor }, subjects) };
}

/** A target that is refused ends, and has another one behind it, or none. */
async function seek(work: Work, { job, cursor }: Place, subjects: Subjects): Promise<Step> {
  const step = await seekTurn(work, { job, cursor }, subjects);
  if (step.cursor === undefined || step.cursor.n === cursor.n) return step;
  return await goOn(work, { job, step, subjects, given: null });
}

async function readSubjects(tools: Tools, productId: string): Promise<Subjects> {
  const readMs = tools.now().getTime();
  const product = await findProduct(tools, productId);
  const live = product ? await listLiveMatches(tools, productId) : [];
  return { product, live, readMs };
}

async function useTurn(work: Work, { job, cursor }: Place, turn: TurnInHand): Promise<Step> {
  const { deps, memory, tools } = work;
  const { jobId, args: { productId } } = job;
  memory.noteTaken(turn.domain);
  const sought = memory.soughtFor(jobId, turn.token);
  const subjects = sought && isRecent(sought.subjects, tools)
    ? sought.subjects
    : await readSubjects(tools, productId);
  const target = targetOf({ job, cursor }, subjects);
  const { live } = target;
  const kept = memory.broughtBy(jobId, turn.token);
  const committed = () => memory.bell.ring(turn.domain);
  const isUsable = live !== null && (kept || await holds(deps, tools, turn, sought));
  if (!isUsable) {
    await giveTurnBack(tools.write, tools, turn.domain, unused(turn));
    return { cursor: { ...cursor, turn: null }, committed };
  }
  const brought = kept ?? await fetchFor(deps, tools, { ...target, live }, turn);
  memory.noteBrought(jobId, turn.token, brought);
  const used = usedTurn(turn, brought, deps.delayMs);
  const given = await giveTurnBack(tools.write, tools, turn.domain, used);
  const step = await stepOf(tools, target, turn, brought);
  if (step.cursor === undefined || step.cursor.n === cursor.n) return { ...step, committed };
  const next = await goOn(work, { job, step, subjects, given });
  return {
    ...next,
    committed() {
      committed();
      if (next.end) memory.forget(jobId);
    },
  };
}

function isRecent({ readMs }: Subjects, tools: Tools): boolean {
  const passedMs = tools.now().getTime() - readMs;
  return passedMs >= 0 && passedMs <= SUBJECT_MS_MAX;
}

/**
 * Whether the run holds the turn for as long as a request may take; the store is asked on a cache
 * miss.
 */
async function holds(
  { timeoutMs }: ScrapeDeps,
  tools: Tools,
  turn: TurnInHand,
  sought: Sought | null,
): Promise<boolean> {
  if (sought === null || !isRecent(sought.subjects, tools)) {
    return await isHeld(tools, turn, timeoutMs);
  }
  return sought.heldUntilMs - tools.now().getTime() >= timeoutMs;
}

/** The step for a target after its turn. */
async function stepOf(
  tools: Tools,
  target: Target,
  turn: TurnInHand,
  brought: Brought,
): Promise<Step> {
  const { cursor } = target;
  if (brought.kind === "robots") {
    saveRobots(tools.write, brought.origin, turn.token, brought.robots);
    return { cursor: { ...cursor, turn: null } };
  }
  const { outcome } = brought;
  if (outcome.kind !== "moved") return await completeFetched(tools, target, outcome, brought);
  const hops = cursor.hops + outcome.hops;
  if (hops <= REDIRECTS_MAX) return { cursor: { ...cursor, url: outcome.url, hops, turn: null } };
  const message = `More than ${REDIRECTS_MAX} redirects`;
  const refusal = { status: "failed", errorCode: "redirect_refused", message } as const;
  return await completeRefused(tools, target, refusal);
}

async function fetchFor(
  deps: ScrapeDeps,
  tools: Tools,
  { cursor, product, live }: Target & { readonly live: LiveMatch },
  { isForRobots }: TurnInHand,
): Promise<Brought> {
  const askedUrl = fetchedUrl(live.match.url);
  const url = cursor.url ?? askedUrl;
  const isPlain = !isForRobots && !isPointed(live);
  const learning = isPlain ? await learningOf(tools, live.competitor) : NOT_LEARNING;
  const question = questionOf(live, product?.product ?? null, learning);
  const isSpared = !isForRobots && await isArticleKnown(tools, live);
  const known = isSpared ? await findKnownPage(tools, live.match.id, question) : null;
  const brought = await beating(tools, (signal) => {
    const request: PageRequest = {
      ...requestOf(deps, tools, signal),
      url,
      askedUrl,
      extractor: question.extractor,
      product: question.product,
      learning,
      validators: known?.validators ?? null,
      isThorough: false,
      redirectsMax: REDIRECTS_MAX - cursor.hops,
    };
    return fetchTurn(deps, request, isForRobots);
  });
  return { ...brought, question };
}

/** Where a person points at the price, no recipe is asked, and none is learned. */
function isPointed({ match, competitor }: LiveMatch): boolean {
  const extractor = match.extractor ?? competitor.extractor;
  return Boolean(extractor?.priceSelector || extractor?.jsonPath);
}

function questionOf(
  { match, competitor }: LiveMatch,
  product: Product | null,
  { recipe }: PageLearning,
): PageQuestion {
  return {
    matchUrl: match.url,
    extractor: match.extractor ?? competitor.extractor,
    recipe: recipe && recipeTag(recipe),
    product: product && wantedOf(product),
  };
}
