/** The steps of a scrape run. A crash repeats one page only. */
import { HOUR_MS } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { findProduct, putLastScraped } from "../../catalogue/products/product_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Job, JobKind, JobTools, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Actor, ClockAndIds } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";
import {
  identities,
  type KeptIdentity,
  knownShopSku,
  NO_IDENTITY,
} from "../../shops/matches/match_identity.ts";
import { fetchedUrl, variantUrl } from "../../shops/domain.ts";
import { recipeTag } from "../../shops/recipes/shop_lessons.ts";
import { dropPermit, type PermitInFlight } from "../page/permit.ts";
import {
  type Asked,
  type Brought,
  fetchPage,
  followed,
  NO_VISIT,
  PermitCache,
  requestOf,
  usePermit,
  type Visited,
} from "../page/visit.ts";
import {
  NOT_LEARNING,
  type PageLearning,
  REDIRECTS_MAX,
  type ScrapeDeps,
} from "../page/scraper.ts";
import { findKnownPage, learningOf, type PageQuestion, wantedOf } from "../page/last_page.ts";
import {
  dropDueRow,
  dueAfter,
  type DueRow,
  keepSchedule,
  planDue,
  saveDue,
  schedules,
  walkDue,
} from "../schedule/schedule.ts";
import {
  completeFetched,
  completeRefused,
  type FetchedTarget,
  type Target,
} from "./complete_target.ts";
import {
  addDueRun,
  deleteRunRows,
  endRunRows,
  findRunInFlight,
  NO_COUNTS,
  RUN_KIND,
  type RunJob,
} from "./run.ts";
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

async function takeRunStep(work: Work, job: RunJob): Promise<Step> {
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

async function visit(work: Work, { job, cursor }: Place, permit: PermitInFlight): Promise<Step> {
  const { deps, cache, tools } = work;
  const { jobId, args: { productId } } = job;
  const isNew = cache.of(jobId, permit.token) === null;
  const sought = isNew ? recent(work.sought.of(jobId, permit.token), tools) : null;
  const subjects = sought?.subjects ?? await readSubjects(tools, productId);
  const target = targetOf({ job, cursor }, subjects);
  const { live } = target;
  if (live === null) {
    deps.permits.leave(permit.domain);
    await dropPermit(tools, { turn: permit });
    const committed = () => deps.permits.wakeUp(permit.domain);
    return { cursor: { ...cursor, turn: null }, committed };
  }
  const url = cursor.url ?? fetchedUrl(live.match.url);
  const isHeld = sought ? sought.heldUntilMs - tools.now().getTime() >= deps.timeoutMs : undefined;
  const used = await usePermit(
    deps,
    tools,
    { cache, permit, url, isHeld },
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
  // Older data is read again, because a match may have been disabled.
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
  // A 304 cannot be judged without a stored article.
  const known = !isJudged || identity.page !== null
    ? await findKnownPage(tools, live.match.id, question)
    : null;
  const { answer, aftermath } = await fetchPage(deps, {
    ...requestOf(deps, tools, signal),
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

/** True if an explicit extractor is set, so that no recipe is used. */
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

export function createRunKind(deps: ScrapeDeps): JobKind<RunJob> {
  const cache = new PermitCache<Brought<FetchedTarget>>();
  const sought = new PermitCache<Sought>();
  return {
    kind: RUN_KIND,
    // A waiting run needs little memory.
    slotsPerProcess: 64,
    waitsForOthers: true,
    step: (run, tools) => takeRunStep({ deps, cache, sought, tools }, run),
    finish: async (run, tools) => {
      // The last step may run again until its commit succeeds.
      if (run.status !== "succeeded") {
        cache.forget(run.jobId);
        sought.forget(run.jobId);
      }
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

/** Maximum number of due products per bucket and minute. */
const DUE_PER_BUCKET = 250;

export const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

interface ScheduleTools {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly delayMs: number;
}

/** Adds each due run once. Returns the number of added runs. */
export async function enqueueDue(tools: ScheduleTools): Promise<number> {
  const { store, clock: { now, newId }, delayMs } = tools;
  await keepSchedule({ store, delayMs, now, newId });
  let count = 0;
  await eachApart("due", walkDue(store, now().getTime(), DUE_PER_BUCKET), async (row) => {
    if (await enqueue(tools, row)) count++;
  });
  return count;
}

async function enqueue({ store, clock }: ScheduleTools, row: DueRow): Promise<boolean> {
  const { workspaceId, productId, dueAtMs } = row;
  const ctx = { ...clock, store, workspaceId, actor: SCHEDULE };
  return await transact({ store }, async (write) => {
    const stored = await schedules.find(ctx, { productId });
    const due = stored?.row;
    if (due?.dueAtMs !== dueAtMs) {
      dropDueRow(write, row);
      return false;
    }
    const found = await findProduct(ctx, productId);
    const { run, active } = await findRunInFlight(ctx, productId);
    if (!found) return false;
    const added = run ? null : await addDueRun(write, ctx, found.product, dueAtMs, active);
    const later = dueAfter(productId, {
      baseMs: clock.now().getTime(),
      intervalHours: due.intervalHours,
      stretch: 1,
    });
    saveDue(write, workspaceId, productId, stored, { ...due, dueAtMs: later });
    return added !== null;
  });
}

async function finishRun(deps: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  await dropPermit(tools, run.cursor ?? NO_VISIT);
  await endRunRows(tools.write, tools, run);
  if (run.stats.ok > 0) await noteScraped(run, tools);
  // A run for one shop does not change the due time.
  if (run.args.competitorId === undefined) await moveDue(deps, run, tools);
  publishEnd(run, tools);
}

async function noteScraped(run: RunJob, tools: JobTools): Promise<void> {
  const found = await findProduct(tools, run.args.productId);
  if (!found) return;
  const at = tools.now().toISOString();
  putLastScraped(tools.write, tools.workspaceId, found, at);
}

/** The next run is due within an hour if targets were skipped. */
async function moveDue({ delayMs }: ScrapeDeps, run: RunJob, tools: JobTools): Promise<void> {
  const { productId } = run.args;
  const stored = await schedules.find(tools, { productId });
  if (!stored) return;
  const nowMs = tools.now().getTime();
  const tried = new Set(run.cursor?.targets ?? []);
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
