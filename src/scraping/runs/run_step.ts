import type { Product } from "../../catalogue/products/product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { listLiveMatches, type LiveMatch } from "../../competitors/matches/competitor_prices.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { beating } from "../../platform/jobs/beating.ts";
import { nextTurn } from "./next_turn.ts";
import type { PageRequest } from "../page/fetch_page.ts";
import { fetchTurn, type TurnYield, usedTurn } from "../page/fetch_turn.ts";
import { findKnownPage, type PageQuestion } from "../page/validator_store.ts";
import { dropTicket } from "../politeness/domain_store.ts";
import { giveTurnBack, isHeld, unused } from "../politeness/take_turn.ts";
import { judgeByRobots } from "../robots/robots_verdict.ts";
import { saveRobots } from "../robots/robots_store.ts";
import { type ReadingTurn, REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import { FETCHING_PHASE, NO_COUNTS, type RunCursor, type RunJob } from "./run.ts";
import { completeFetched, completeRefused, type Subject, type Target } from "./complete_target.ts";

type Tools = StepTools<RunJob>;
type Step = StepResult<RunJob>;

/** What is known of the turns that runs have, by the id of the run's job. */
export type KnownTurns = Map<string, KnownTurn>;

interface KnownTurn {
  readonly token: string;
  /** As it was read when the turn was sought; null once it was used, so that a lost race reads anew. */
  readonly subject: (Subject & { readonly readMs: number }) | null;
  /** What the turn brought, kept until its commit succeeds: a lost race never fetches again. */
  readonly brought: Brought | null;
}

/** What a turn brought, and to which question. */
type Brought = TurnYield & { readonly question: PageQuestion };

/** Who was switched off longer ago is not fetched any more. */
const SUBJECT_MS_MAX = 1_000;
/** A wait that is no longer than the runner takes to look for due jobs is waited in place. */
const WAIT_MS_MAX = 1_000;

/**
 * One step of a run: it begins by fixing its targets; then each target first takes a turn at its
 * shop, in a commit of its own, and uses it in the next; after a crash nothing that is stored is
 * fetched again.
 */
export async function takeRunStep(
  deps: ScrapeDeps,
  turns: KnownTurns,
  job: RunJob,
  tools: Tools,
): Promise<Step> {
  const { cursor } = job;
  if (cursor === null) return await begin(job, tools);
  const matchId = cursor.targets[cursor.n];
  if (matchId === undefined) return { end: { status: "succeeded" } };
  if (cursor.turn) return await useTurn(deps, turns, tools, { job, cursor, matchId }, cursor.turn);
  turns.delete(job.jobId);
  const readMs = tools.now().getTime();
  const subject = await readSubject(tools, job.args.productId, matchId);
  const step = await seekTurn(deps, tools, { job, cursor, ...subject });
  const token = step.cursor?.turn?.token;
  if (token) turns.set(job.jobId, { token, subject: { ...subject, readMs }, brought: null });
  return step;
}

async function begin(job: RunJob, tools: Tools): Promise<Step> {
  const product = await findProduct(tools, job.args.productId);
  const live = product ? await listLiveMatches(tools, job.args.productId) : [];
  const targets = live.map(({ match }) => match.id);
  return {
    cursor: { targets, n: 0, url: null, hops: 0, turn: null, ticket: null },
    stats: { ...NO_COUNTS, targets: targets.length },
    progress: { processed: 0, total: targets.length },
  };
}

async function readSubject(tools: Tools, productId: string, matchId: string): Promise<Subject> {
  const product = await findProduct(tools, productId);
  const matches = product ? await listLiveMatches(tools, productId) : [];
  return { product, live: matches.find(({ match }) => match.id === matchId) ?? null };
}

async function seekTurn(deps: ScrapeDeps, tools: Tools, target: Target): Promise<Step> {
  const { job, cursor, live } = target;
  if (live === null) {
    const message = "The match was removed or switched off during the run";
    return await completeRefused(tools, target, { status: "skipped", errorCode: null, message });
  }
  const asking = {
    lane: job.args.trigger === "manual" ? 0 : 1,
    orderMs: job.args.orderMs,
    id: job.jobId,
  } as const;
  const url = cursor.url ?? live.match.url;
  for (let tries = 0;; tries++) {
    const next = await nextTurn(tools.write, tools, deps, url, asking, readingOf(tools));
    if (next.kind === "refused") return await completeRefused(tools, target, next);
    const { domain } = next.kind === "taken" ? next.turn : next.ticket;
    // The match was moved to another shop meanwhile.
    if (cursor.ticket && cursor.ticket.domain !== domain) dropTicket(tools.write, cursor.ticket);
    if (next.kind === "taken") {
      return { phase: FETCHING_PHASE, cursor: { ...cursor, turn: next.turn, ticket: null } };
    }
    const waitMs = next.untilMs - tools.now().getTime();
    if (tries > 0 || waitMs > WAIT_MS_MAX || tools.shouldYield()) {
      // Taken up by a sweep, which comes once in a second: a little early is in time.
      const notBefore = new Date(next.untilMs - Math.min(waitMs, WAIT_MS_MAX));
      return { cursor: { ...cursor, ticket: next.ticket }, notBefore };
    }
    await pause(waitMs, tools.stopping);
  }
}

async function useTurn(
  deps: ScrapeDeps,
  turns: KnownTurns,
  tools: Tools,
  { job, cursor, matchId }: Pick<Target, "job" | "cursor"> & { readonly matchId: string },
  turn: NonNullable<RunCursor["turn"]>,
): Promise<Step> {
  const { token } = turn;
  const known = turns.get(job.jobId);
  const { brought: kept, subject: early } = known?.token === token ? known : NOTHING_KNOWN;
  const isFresh = early && tools.now().getTime() - early.readMs <= SUBJECT_MS_MAX;
  const subject = isFresh ? early : await readSubject(tools, job.args.productId, matchId);
  turns.set(job.jobId, { token, subject: null, brought: kept });
  const { product, live } = subject;
  const target: Target = { job, cursor, product, live };
  const isUsable = live !== null && (kept || await isHeld(tools, turn, deps.timeoutMs));
  if (!isUsable) {
    await giveTurnBack(tools.write, tools, turn.domain, unused(turn));
    return { cursor: { ...cursor, turn: null } };
  }
  const brought = kept ?? await fetchFor(deps, tools, { ...target, live }, turn);
  turns.set(job.jobId, { token, subject: null, brought });
  await giveTurnBack(tools.write, tools, turn.domain, usedTurn(turn, brought, deps.delayMs));
  if (brought.kind === "robots") {
    const nowMs = tools.now().getTime();
    saveRobots(tools.write, brought.origin, turn.token, brought.robots, nowMs);
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

const NOTHING_KNOWN: Pick<KnownTurn, "subject" | "brought"> = { subject: null, brought: null };

async function fetchFor(
  deps: ScrapeDeps,
  tools: Tools,
  { cursor, product, live }: Target & { readonly live: LiveMatch },
  { isForRobots }: NonNullable<RunCursor["turn"]>,
): Promise<Brought> {
  const url = cursor.url ?? live.match.url;
  const question = questionOf(live, product?.product ?? null);
  const known = isForRobots ? null : await findKnownPage(tools, live.match.id, question);
  const allows = isForRobots ? () => Promise.resolve(true) : await allowsOf(deps, tools, url);
  const brought = await beating(tools, (signal) => {
    const request: PageRequest = {
      reading: readingOf(tools),
      url,
      extractor: question.extractor,
      product: question.product,
      validators: known?.validators ?? null,
      redirectsMax: REDIRECTS_MAX - cursor.hops,
      allows,
      timeoutMs: deps.timeoutMs,
      bytesMax: deps.bytesMax,
      signal,
      now: () => tools.now(),
    };
    return fetchTurn(deps, request, isForRobots);
  });
  return { ...brought, question };
}

function questionOf({ match, competitor }: LiveMatch, product: Product | null): PageQuestion {
  return {
    matchUrl: match.url,
    extractor: match.extractor ?? competitor.extractor,
    product: product &&
      { sku: product.sku, ean: product.ean, mpn: product.mpn, title: product.title },
  };
}

/** For redirects within the shop; nothing more is allowed when robots.txt is forgotten just now. */
async function allowsOf({ reader, userAgent }: ScrapeDeps, tools: Tools, url: string) {
  const asker = { store: tools.store, reader, userAgent, turn: readingOf(tools) };
  const verdict = await judgeByRobots(asker, new URL(url), tools.now().getTime());
  return verdict.kind === "allowed" ? verdict.allows : () => Promise.resolve(false);
}

/** What a run reads waits behind what others read; a stop takes it back. */
function readingOf({ workspaceId, stopping }: Tools): ReadingTurn {
  return { lane: workspaceId, signal: stopping };
}

function pause(delayMs: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopping.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    stopping.addEventListener("abort", done);
  });
}
