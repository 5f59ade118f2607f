/** How a run comes to its next turn at a shop, and what it does where there is none. */

import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { domainOf } from "../../shops/domain.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { fetchedUrl } from "../../shops/matches/match_url.ts";
import { dropTicket, putTicket, type StoredDomain } from "../page/domain_queue.ts";
import { paceOf, type ScrapeDeps } from "../page/scrape_deps.ts";
import { type Asking, findFree, type NextTurn, nextTurn, readingOf } from "../page/take_turn.ts";
import { completeRefused, type Target } from "./complete_target.ts";
import { FETCHING_PHASE, type RunCursor, type RunJob } from "./run.ts";
import { COMMIT_MS, type RunMemory, type Subjects } from "./run_memory.ts";

type Tools = StepTools<RunJob>;

/** The context of a job's step at shops. */
export interface Work<T extends StepTools = Tools> {
  readonly deps: ScrapeDeps;
  /** Of the runs of this process. */
  readonly memory: RunMemory;
  readonly tools: T;
}

type Step = StepResult<RunJob>;
type Taken = Extract<NextTurn, { kind: "taken" }>;
type Waiting = Extract<NextTurn, { kind: "wait" }>;

/** A wait that is no longer than the runner takes to look for due jobs is waited in place. */
const WAIT_MS_MAX = 1_000;
/** One read. */
const TARGETS_LOOKED_AT_MAX = 10;

/** The target `n` of a run; it is not live when its match is gone or switched off, or its product is gone. */
export function targetOf(
  { job, cursor }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
): Target {
  const matchId = cursor.targets[cursor.n];
  const { product, live } = subjects;
  return { job, cursor, product, live: live.find(({ match }) => match.id === matchId) ?? null };
}

/**
 * Takes a turn at the shop of a target, or of another one whose shop is free; waits a little for one,
 * or leaves the run in the shop's queue.
 */
export async function seekTurn(
  work: Work,
  { job, cursor: first }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
): Promise<Step> {
  const { memory, tools } = work;
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const cursor = await withFreeShop(work, { job, cursor: first }, subjects, null);
    const target = targetOf({ job, cursor }, subjects);
    const { live } = target;
    if (live === null) {
      const message = "The match was removed or switched off during the run";
      return await completeRefused(tools, target, { status: "skipped", errorCode: null, message });
    }
    const next = await askFor(work, { ...target, live }, null);
    if (next.kind === "refused") return await completeRefused(tools, target, next);
    const { domain } = next.kind === "taken" ? next.turn : next.ticket;
    // Another target is in hand, or the match was moved to another shop meanwhile.
    if (cursor.ticket && cursor.ticket.domain !== domain) dropTicket(tools.write, cursor.ticket);
    if (next.kind === "taken") return withTurn(memory, target, next, subjects);
    const nowMs = tools.now().getTime();
    if (isLong(next, nowMs) || tools.shouldYield()) return waitingAt(tools, target, next, nowMs);
    const waitMs = Math.min(Math.max(0, next.untilMs - nowMs), WAIT_MS_MAX);
    const heard = await memory.bell.wait(next.ticket, waitMs, tools.stopping);
    const isOver = performance.now() >= giveUpAt || tools.shouldYield();
    if (heard !== "full" && !isOver) continue;
    // A job in this process keeps its place in the queue; abandoned tickets lose theirs.
    const isNext = next.ahead <= memory.bell.countBefore(next.ticket);
    if (heard === "full") return parkedUntil(tools, target, next, next.untilMs);
    if (!isNext) return waitingAt(tools, target, next, nowMs);
    return { cursor: withPlace(tools, target, next) };
  }
}

/**
 * The part of the commit that ends a target and prepares the next one: takes its turn or a place in
 * its queue, and ends the run after the last one. `given` is the domain that the commit returns a
 * turn to.
 */
export async function goOn(
  work: Work,
  { job, step, subjects, given }: {
    readonly job: RunJob;
    readonly step: Step;
    readonly subjects: Subjects;
    readonly given: StoredDomain | null;
  },
): Promise<Step> {
  const { memory, tools } = work;
  if (!step.cursor) return step;
  if (step.cursor.n >= step.cursor.targets.length) {
    return { ...step, end: { status: "succeeded" } };
  }
  if (tools.shouldYield()) return step;
  const cursor = await withFreeShop(work, { job, cursor: step.cursor }, subjects, given);
  const target = targetOf({ job, cursor }, subjects);
  const { live } = target;
  if (live === null) return step;
  const next = await askFor(work, { ...target, live }, given);
  // The end of a target writes its offers, which a commit does once.
  if (next.kind === "refused") return step;
  if (next.kind === "taken") return { ...step, ...withTurn(memory, target, next, subjects) };
  const nowMs = tools.now().getTime();
  if (isLong(next, nowMs)) return { ...step, ...waitingAt(tools, target, next, nowMs) };
  // Who is about to wait in this process needs no place that others would have to wait behind.
  dropTicket(tools.write, next.ticket);
  return { ...step, cursor };
}

/**
 * The run with another target in hand, when the shop of its own is not free and that of the other is:
 * who waits for one shop keeps the others busy. Runs that come together go apart.
 */
async function withFreeShop(
  { deps, memory, tools }: Work,
  { job, cursor }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
  given: StoredDomain | null,
): Promise<RunCursor> {
  const { n, targets, url } = cursor;
  const isBegun = url !== null;
  if (isBegun || n + 1 >= targets.length) return cursor;
  const domains = new Map<number, string>();
  for (let at = n; at < Math.min(targets.length, n + TARGETS_LOOKED_AT_MAX); at++) {
    const { live } = targetOf({ job, cursor: { ...cursor, n: at } }, subjects);
    const parsed = live && URL.parse(live.match.url);
    // A target that cannot be visited ends at once.
    if (!parsed) return exchanged(cursor, at);
    domains.set(at, domainOf(parsed));
  }
  const free = await findFree(tools, new Set(domains.values()), paceOf(deps), given);
  const places = [...domains].flatMap(([at, domain]) =>
    free.has(domain) && !memory.isBeingTaken(domain, job.jobId) ? [at] : []
  );
  if (places.length === 0 || places[0] === n) return cursor;
  return exchanged(cursor, places[Number.parseInt(job.jobId.slice(-6), 16) % places.length] ?? n);
}

function exchanged(cursor: RunCursor, at: number): RunCursor {
  const targets = [...cursor.targets];
  [targets[cursor.n], targets[at]] = [targets[at] ?? "", targets[cursor.n] ?? ""];
  return { ...cursor, targets };
}

/** A shop that is only busy may be free at any moment, and rings then. */
function isLong({ earliestMs }: Waiting, nowMs: number): boolean {
  return earliestMs - nowMs > WAIT_MS_MAX;
}

function askFor(
  work: Work,
  { job, cursor, live }: Target & { readonly live: LiveMatch },
  given: StoredDomain | null,
): Promise<NextTurn> {
  const asking = {
    lane: job.args.trigger === "manual" ? 0 : 1,
    orderMs: job.args.orderMs,
    id: job.jobId,
  } as const;
  const text = cursor.url ?? fetchedUrl(live.match.url);
  return askTurn(work, text, asking, given);
}

/** As `nextTurn`, for a job: who would lose a race within this process waits instead. */
export async function askTurn(
  { deps, memory, tools }: Work<StepTools>,
  text: string,
  asking: Asking,
  given: StoredDomain | null,
): Promise<NextTurn> {
  const url = URL.parse(text);
  const domain = url && domainOf(url);
  if (domain !== null && !memory.beginTaking(domain, asking.id)) {
    const nowMs = tools.now().getTime();
    const ticket = { ...asking, domain };
    return { kind: "wait", untilMs: nowMs + COMMIT_MS, earliestMs: nowMs, ahead: 0, ticket };
  }
  let kind: NextTurn["kind"] | null = null;
  try {
    const next = await nextTurn(tools.write, tools, deps, text, asking, readingOf(tools), given);
    kind = next.kind;
    return next;
  } finally {
    if (domain !== null && kind !== "taken") memory.leave(domain, asking.id);
  }
}

function withTurn(
  memory: RunMemory,
  { job, cursor }: Target,
  { turn, heldUntilMs }: Taken,
  subjects: Subjects,
): Step {
  memory.noteSought(job.jobId, { domain: turn.domain, token: turn.token, heldUntilMs, subjects });
  return { phase: FETCHING_PHASE, cursor: { ...cursor, turn, ticket: null } };
}

/** Leaves the slot to others. The run is taken up by a sweep, which comes once in a second: a little early is in time. */
function waitingAt(tools: Tools, target: Target, next: Waiting, nowMs: number): Step {
  return parkedUntil(tools, target, next, Math.max(nowMs, next.untilMs - WAIT_MS_MAX));
}

function parkedUntil(tools: Tools, target: Target, next: Waiting, untilMs: number): Step {
  return { cursor: withPlace(tools, target, next), notBefore: new Date(untilMs) };
}

function withPlace({ write }: Tools, { cursor }: Target, { ticket, untilMs }: Waiting): RunCursor {
  putTicket(write, ticket, untilMs);
  return { ...cursor, ticket };
}
