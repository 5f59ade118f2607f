/** Seeks the permit for the next target of a run. */
import type { StoredProduct } from "../../catalogue/products/product_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { domainOf, fetchedUrl } from "../../shops/domain.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { dropSlot, findFree, type NextPermit, type StoredDomain } from "../page/permit.ts";
import { paceOf, type ScrapeDeps } from "../page/scraper.ts";
import {
  askForJob,
  awaitPermit,
  type Brought,
  isLong,
  type Parked,
  parkedAt,
  type PermitCache,
} from "../page/visit.ts";
import { completeRefused, type FetchedTarget, type Target } from "./complete_target.ts";
import { FETCHING_PHASE, type RunCursor, type RunJob } from "./run.ts";

export interface Subjects {
  readonly product: StoredProduct | null;
  readonly live: readonly LiveMatch[];
  readonly readMs: number;
}

export interface Sought {
  readonly heldUntilMs: number;
  readonly subjects: Subjects;
}

export interface Work {
  readonly deps: ScrapeDeps;
  readonly cache: PermitCache<Brought<FetchedTarget>>;
  readonly sought: PermitCache<Sought>;
  readonly tools: StepTools<RunJob>;
}

type Step = StepResult<RunJob>;
/** `live` is null if the match or its product was deleted, or if the match was disabled. */
export function targetOf(
  { job, cursor }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
): Target {
  const matchId = cursor.targets[cursor.n];
  const { product, live } = subjects;
  return { job, cursor, product, live: live.find(({ match }) => match.id === matchId) ?? null };
}

export async function seekPermit(
  work: Work,
  { job, cursor: first }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
): Promise<Step> {
  const { deps, tools } = work;
  let target = targetOf({ job, cursor: first }, subjects);
  const next = await awaitPermit(deps, tools, async () => {
    const cursor = await withFreeShop(work, { job, cursor: first }, subjects, null);
    target = targetOf({ job, cursor }, subjects);
    const { live } = target;
    return live === null
      ? { kind: "none" } as const
      : await askFor(work, { ...target, live }, null);
  });
  const { cursor } = target;
  if (next.kind === "none") {
    const message = "The match was removed or switched off during the run";
    return await completeRefused(tools, target, { status: "skipped", errorCode: null, message });
  }
  if (next.kind === "refused") return await completeRefused(tools, target, next);
  const { domain } = next.kind === "taken" ? next.permit : next.slot;
  // The slot may be for another shop.
  if (cursor.ticket && cursor.ticket.domain !== domain) dropSlot(tools.write, cursor.ticket);
  if (next.kind === "taken") return withPermit(work, target, next, subjects);
  return withPlace(target, next);
}

export async function goOn(
  work: Work,
  { job, step, subjects, given }: {
    readonly job: RunJob;
    readonly step: Step;
    readonly subjects: Subjects;
    readonly given: StoredDomain | null;
  },
): Promise<Step> {
  const { tools } = work;
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
  // A commit can write the offers only once.
  if (next.kind === "refused") return step;
  if (next.kind === "taken") return { ...step, ...withPermit(work, target, next, subjects) };
  const nowMs = tools.now().getTime();
  if (!isLong(next, nowMs)) return { ...step, cursor };
  return { ...step, ...withPlace(target, parkedAt(tools.write, next, nowMs)) };
}

async function withFreeShop(
  { deps, tools }: Work,
  { job, cursor }: Pick<Target, "job" | "cursor">,
  subjects: Subjects,
  given: StoredDomain | null,
): Promise<RunCursor> {
  const { n, targets, url } = cursor;
  const isBegun = url !== null;
  if (isBegun || n + 1 >= targets.length) return cursor;
  const domains = new Map<number, string>();
  // The store reads ten domains in one call.
  for (let at = n; at < Math.min(targets.length, n + 10); at++) {
    const { live } = targetOf({ job, cursor: { ...cursor, n: at } }, subjects);
    const parsed = live && URL.parse(live.match.url);
    // An invalid URL needs no permit.
    if (!parsed) return exchanged(cursor, at);
    domains.set(at, domainOf(parsed));
  }
  const free = await findFree(tools, new Set(domains.values()), paceOf(deps), given);
  const places = [...domains].flatMap(([at, domain]) =>
    free.has(domain) && !deps.permits.isBeingTaken(domain, job.jobId) ? [at] : []
  );
  if (places.length === 0 || places[0] === n) return cursor;
  return exchanged(cursor, places[Number.parseInt(job.jobId.slice(-6), 16) % places.length] ?? n);
}

function exchanged(cursor: RunCursor, at: number): RunCursor {
  const targets = [...cursor.targets];
  [targets[cursor.n], targets[at]] = [targets[at] ?? "", targets[cursor.n] ?? ""];
  return { ...cursor, targets };
}

function askFor(
  { deps, tools }: Work,
  { job, cursor, live }: Target & { readonly live: LiveMatch },
  given: StoredDomain | null,
): Promise<NextPermit> {
  const { trigger, orderMs } = job.args;
  const place = { lane: trigger === "manual" ? 0 : 1, orderMs } as const;
  return askForJob(deps, tools, cursor.url ?? fetchedUrl(live.match.url), place, given);
}

function withPermit(
  { sought }: Work,
  { job, cursor }: Target,
  { permit, heldUntilMs }: Extract<NextPermit, { kind: "taken" }>,
  subjects: Subjects,
): Step {
  sought.note(job.jobId, permit.token, { heldUntilMs, subjects });
  return { phase: FETCHING_PHASE, cursor: { ...cursor, turn: permit, ticket: null } };
}

function withPlace({ cursor }: Target, { slot, notBefore }: Parked): Step {
  return { cursor: { ...cursor, ticket: slot }, ...(notBefore && { notBefore }) };
}
