/**
 * The job of a scrape run visits the linked pages of one product. Each page is completed by a
 * commit of its own, so a crash repeats only one page.
 */
import { HOUR_MS } from "../../base/time.ts";
import {
  findProduct,
  putLastScraped,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Job, JobKind, JobTools, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { domainOf, fetchedUrl, variantUrl } from "../../shops/domain.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/list_matches.ts";
import type { Match } from "../../shops/matches/match.ts";
import { identities, knownShopSku, NO_IDENTITY } from "../../shops/matches/match_identity.ts";
import { recipeTag } from "../../shops/pages/recipe_store.ts";
import { findKnownPage, learningOf, type PageQuestion, wantedOf } from "../page/last_page.ts";
import { dropPermit } from "../page/permit.ts";
import { NOT_LEARNING, type ScrapeDeps } from "../page/visit_tools.ts";
import {
  askForJob,
  fetchPage,
  isLong,
  NO_VISIT,
  requestOf,
  Visits,
  waitFor,
} from "../page/visit.ts";
import { planDue, saveDue, schedules } from "../schedule/schedule.ts";
import {
  completeFetched,
  completeGone,
  completeRefused,
  type FetchedTarget,
  type Place,
  type Target,
} from "./complete_target.ts";
import {
  deleteRunRows,
  endRunRows,
  FETCHING_PHASE,
  NO_COUNTS,
  RUN_KIND,
  type RunCursor,
  type RunJob,
} from "./run.ts";

type Step = StepResult<RunJob>;

interface Subjects {
  readonly product: StoredProduct | null;
  readonly live: readonly LiveMatch[];
}

interface Work {
  readonly deps: ScrapeDeps;
  readonly visits: Visits<FetchedTarget>;
  readonly tools: StepTools<RunJob>;
}

async function takeRunStep(work: Work, job: RunJob): Promise<Step> {
  const { cursor } = job;
  if (cursor === null) return await begin(work, job);
  if (cursor.n >= cursor.targets.length) {
    return { end: { status: "succeeded" } };
  }
  return await visit(work, { job, cursor }, await readSubjects(work, job));
}

async function begin(work: Work, job: RunJob): Promise<Step> {
  const subjects = await readSubjects(work, job);
  const { competitorId } = job.args;
  const targets = subjects.live
    .filter(({ competitor }) => competitorId === undefined || competitor.id === competitorId)
    .map(({ match }) => match.id);
  const cursor = { ...NO_VISIT, targets, n: 0 };
  const stats = { ...NO_COUNTS, targets: targets.length };
  const begun = { cursor, stats, progress: { processed: 0, total: targets.length } };
  if (targets.length === 0) return { ...begun, end: { status: "succeeded" } };
  return { ...begun, ...await visit(work, { job: { ...job, stats }, cursor }, subjects) };
}

async function readSubjects({ tools }: Work, { args: { productId } }: RunJob): Promise<Subjects> {
  const product = await findProduct(tools, productId);
  const live = product ? await listLiveMatches(tools, productId) : [];
  return { product, live };
}

function targetOf(place: Place, { product, live }: Subjects): Target | null {
  const matchId = place.cursor.targets[place.cursor.n];
  const found = live.find(({ match }) => match.id === matchId);
  return product && found ? { ...place, product, live: found } : null;
}

async function visit(work: Work, place: Place, subjects: Subjects): Promise<Step> {
  const { deps, visits, tools } = work;
  const { job, cursor, cursor: { turn } } = place;
  const target = targetOf(place, subjects);
  if (target === null) {
    await dropPermit(tools, { turn });
    return await goOn(work, job, completeGone(tools, place), subjects, turn?.domain);
  }
  const { url: matchUrl } = target.live.match;
  const isOfLink = cursor.redirected === undefined || cursor.redirected === matchUrl;
  const at = isOfLink ? cursor : { ...cursor, url: null, hops: 0 };
  const asked = { url: at.url ?? fetchedUrl(matchUrl), ...queueOf(job) };
  const next = await visits.step(deps, tools, at, asked, (signal) => {
    return fetchFor(work, target, { url: asked.url, hops: at.hops, signal });
  });
  if (next.kind === "waits") return waiting({ ...at, redirected: matchUrl }, next);
  if (next.kind === "refused") {
    const step = await completeRefused(tools, target, next);
    return await goOn(work, job, step, subjects, turn?.domain);
  }
  const { committed } = next;
  // The link may have been changed or removed while the page was fetched.
  const current = targetOf(place, await readSubjects(work, job));
  if (current !== null && current.live.match.url !== next.answer.question.matchUrl) {
    return { cursor: { ...cursor, ...NO_VISIT }, committed };
  }
  const step = current ? await completeFetched(tools, current, next) : completeGone(tools, place);
  return { ...await goOn(work, job, step, subjects, turn?.domain), committed };
}

function waiting(cursor: RunCursor, { state, rest }: ReturnType<typeof waitFor>): Step {
  return { cursor: { ...cursor, ...state }, ...(state.turn && { phase: FETCHING_PHASE }), ...rest };
}

/** If possible, the commit that stores a page's result also requests a permit for the next page. */
async function goOn(
  { deps, tools }: Work,
  job: RunJob,
  step: Step,
  subjects: Subjects,
  usedDomain?: string,
): Promise<Step> {
  const { cursor } = step;
  if (!cursor) return step;
  if (cursor.n >= cursor.targets.length) return { ...step, end: { status: "succeeded" } };
  if (tools.shouldYield()) return step;
  const target = targetOf({ job, cursor }, subjects);
  if (target === null) return step;
  const url = fetchedUrl(target.live.match.url);
  // The commit gives back a permit for `usedDomain`, so it cannot also take one for this domain.
  if (URL.canParse(url) && domainOf(new URL(url)) === usedDomain) return step;
  const next = await askForJob(deps, tools, { url, ...queueOf(job) });
  // Let the next step store a refusal, because this commit may already write the same offers.
  if (next.kind === "refused") return step;
  if (next.kind === "wait" && !isLong(next, tools.now().getTime())) return step;
  return { ...step, ...waiting(cursor, waitFor(tools, cursor, next, true)) };
}

function queueOf({ args: { trigger, orderMs } }: RunJob) {
  return { lane: trigger === "manual" ? 0 : 1, orderMs } as const;
}

async function fetchFor(
  { deps, tools }: Work,
  { product: { product }, live: { match, competitor } }: Target,
  { signal, ...at }: { readonly url: string; readonly hops: number; readonly signal: AbortSignal },
) {
  const extractor = match.extractor ?? competitor.extractor;
  const isPointed = Boolean(extractor?.priceSelector || extractor?.jsonPath);
  const learning = isPointed ? NOT_LEARNING : await learningOf(tools, competitor);
  const isJudged = match.matchType === "exact";
  const stored = isJudged ? await identities.find(tools, { matchId: match.id }) : null;
  const identity = stored?.row ?? NO_IDENTITY;
  const wanted = wantedOf(product, knownShopSku(identity));
  const question: PageQuestion = {
    matchUrl: match.url,
    extractor,
    recipe: learning.recipe && recipeTag(learning.recipe),
    product: wanted,
  };
  // An `exact` link is judged by its page, so send no validators until a full page is known.
  const known = !isJudged || identity.page !== null
    ? await findKnownPage(tools, match.id, question)
    : null;
  const { answer, aftermath } = await fetchPage(deps, {
    ...requestOf(deps, tools, signal),
    ...at,
    askedUrl: variantUrl(match.url),
    extractor,
    product: wanted,
    learning,
    validators: known?.validators ?? null,
  });
  return { answer: answer.kind === "moved" ? answer : { outcome: answer, question }, aftermath };
}

export function createRunKind(deps: ScrapeDeps): JobKind<RunJob> {
  const visits = new Visits<FetchedTarget>();
  return {
    kind: RUN_KIND,
    slotsPerProcess: 64,
    step: (run, tools) => takeRunStep({ deps, visits, tools }, run),
    finish: async (run, tools) => {
      // Keep the fetched page of a successful run, because its last step may be repeated.
      if (run.status !== "succeeded") visits.forget(run.jobId);
      await finishRun(deps, run, tools);
    },
  };
}

export async function removeRunRows(store: Store, job: Job): Promise<void> {
  if (!isRun(job)) return;
  await transact({ store }, (write) => deleteRunRows(write, store, job));
}

export function isRun(job: Job): job is RunJob {
  return job.kind === RUN_KIND;
}

async function finishRun(deps: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  await dropPermit(tools, run.cursor ?? NO_VISIT);
  await endRunRows(tools.write, tools, run);
  const found = run.stats.ok > 0 ? await findProduct(tools, run.args.productId) : null;
  if (found) putLastScraped(tools.write, tools.workspaceId, found, tools.now().toISOString());
  if (run.args.competitorId === undefined) await moveDue(deps, run, tools);
  publishEnd(run, tools);
}

async function moveDue({ delayMs }: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  const { productId } = run.args;
  const stored = await schedules.find(tools, { productId });
  if (!stored) return;
  const nowMs = tools.now().getTime();
  const targets = new Set(run.cursor?.targets);
  const tried = ({ id, updatedAt }: Match) => targets.has(id) && updatedAt <= run.createdAt;
  const question = { productId, before: stored.row, nowMs, delayMs, tried };
  const planned = await planDue(tools, question);
  const isSoon = planned !== null && run.stats.skipped > 0;
  const after = isSoon
    ? { ...planned, dueAtMs: Math.min(planned.dueAtMs, nowMs + HOUR_MS) }
    : planned;
  saveDue(tools.write, tools.workspaceId, productId, stored, after);
}

function publishEnd({ jobId, args, hasErrors, status, stats }: RunJob, tools: JobTools): void {
  if (status === "queued" || status === "running") return;
  const { productId, sku } = args;
  const data = { runId: jobId, productId, sku, status, hasErrors, counts: stats };
  publish(tools.write, tools, [
    { type: "scrape_run.finished", data },
    ...(stats.ok === 0 ? [] : [
      {
        type: "products.touched",
        data: { cause: "scrape_run", ref: jobId, productIds: [productId] },
      } as const,
    ]),
  ]);
}
