/**
 * One visit to a shop, for runs, link checks, discovery and previews. `awaitPermit` takes a permit or
 * waits for one; `usePermit` makes the request and advances the shop's queue. The caller passes the
 * function that makes the request, and gets its answer.
 */
import { withHeartbeat } from "../../platform/jobs/job_timing.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import {
  type Aftermath,
  type PermitInFlight,
  putSlot,
  type Slot,
  type StoredDomain,
} from "./domain_queue.ts";
import type { Asked, ShopRequest } from "./fetch_page.ts";
import { fetchRobots, judgeByRobots, type KnownRobots, saveRobots } from "./robots_file.ts";
import {
  type FetchDeps,
  type ReadingPermit,
  REDIRECTS_MAX,
  type ScrapeDeps,
} from "./scrape_deps.ts";
import { dropPermit, givePermitBack, isHeld, type NextPermit } from "./take_permit.ts";

/** A wait that is no longer than the runner takes to look for due jobs is waited in place. */
export const WAIT_MS_MAX = 1_000;

/** How far a visit has come, in the cursor of its job. */
export interface VisitState {
  /** Where a redirect led that is followed with a permit of its own; null for the first address. */
  readonly url: string | null;
  readonly hops: number;
  readonly turn: PermitInFlight | null;
  /** The place in the queue of a shop, while the job waits there. */
  readonly ticket: Slot | null;
}

export const NO_VISIT: VisitState = { url: null, hops: 0, turn: null, ticket: null };

type Waiting = Extract<NextPermit, { kind: "wait" }>;

/** A place in a queue, and when to look again; absent: at once. */
export interface Parked {
  readonly kind: "parked";
  readonly ticket: Slot;
  readonly notBefore?: Date;
}

/** A shop that is only busy may be free at any moment, and wakes who waits. */
export function isLong({ earliestMs }: Waiting, nowMs: number): boolean {
  return earliestMs - nowMs > WAIT_MS_MAX;
}

/** Leaves the slot to others, with a place in the queue. A sweep comes once in a second: a little early is in time. */
export function parkedAt(write: Write, next: Waiting, nowMs: number): Parked {
  return parkedUntil(write, next, Math.max(nowMs, next.untilMs - WAIT_MS_MAX));
}

function parkedUntil(write: Write, { ticket, untilMs }: Waiting, atMs: number): Parked {
  putSlot(write, ticket, untilMs);
  return { kind: "parked", ticket, notBefore: new Date(atMs) };
}

/** Takes a permit, waits a little for one, or leaves the job in the shop's queue. `ask` may ask elsewhere each time. */
export async function awaitPermit<Other extends { readonly kind: "none" } = never>(
  { turns }: ScrapeDeps,
  tools: StepTools,
  ask: () => Promise<NextPermit | Other>,
): Promise<Exclude<NextPermit, Waiting> | Other | Parked> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const next = await ask();
    if (next.kind !== "wait") return next;
    const nowMs = tools.now().getTime();
    if (isLong(next, nowMs) || tools.shouldYield()) return parkedAt(tools.write, next, nowMs);
    const waitMs = Math.min(Math.max(1, next.untilMs - nowMs), WAIT_MS_MAX);
    const heard = await turns.wait(next.ticket, waitMs, tools.stopping);
    if (heard === "full") return parkedUntil(tools.write, next, next.untilMs);
    if (performance.now() < giveUpAt && !tools.shouldYield()) continue;
    // A job in this process keeps its place in the queue; abandoned tickets lose theirs.
    const isNext = next.ahead <= turns.countBefore(next.ticket);
    if (!isNext) return parkedAt(tools.write, next, nowMs);
    putSlot(tools.write, next.ticket, next.untilMs);
    return { kind: "parked", ticket: next.ticket };
  }
}

interface Spent {
  readonly aftermath: Aftermath;
  readonly atMs: number;
  readonly durationMs: number;
}

export type Brought<Answer> =
  & Spent
  & (
    | { readonly kind: "robots"; readonly robots: KnownRobots }
    | { readonly kind: "answer"; readonly answer: Answer }
  );

/** Makes the request of a permit: that for robots.txt, or `ask`. Only an abort is thrown. */
export async function request<Answer>(
  deps: FetchDeps,
  { url, isForRobots, signal, now }: {
    readonly url: string;
    readonly isForRobots: boolean;
    readonly signal: AbortSignal;
    now(): Date;
  },
  ask: (signal: AbortSignal) => Promise<Asked<Answer>>,
): Promise<Brought<Answer>> {
  const startedAt = performance.now();
  const { origin } = new URL(url);
  const brought = isForRobots
    ? { kind: "robots", ...await fetchRobots(deps, { origin, signal, now }) } as const
    : { kind: "answer", ...await ask(signal) } as const;
  const durationMs = Math.round(performance.now() - startedAt);
  return { ...brought, atMs: now().getTime(), durationMs };
}

/** Gives a permit back in a commit: the shop's queue goes on, and robots.txt is known to all. */
export async function settle(
  { delayMs }: ScrapeDeps,
  write: Write,
  clock: Parameters<typeof givePermitBack>[1],
  { domain, token }: PermitInFlight,
  url: string,
  brought: Brought<unknown>,
): Promise<StoredDomain> {
  const { aftermath, atMs, durationMs } = brought;
  const used = { token, aftermath, nextAtMs: atMs - durationMs + delayMs };
  const given = await givePermitBack(write, clock, domain, used);
  if (brought.kind === "robots") saveRobots(write, new URL(url).origin, token, brought.robots);
  return given;
}

/**
 * More than are ever active at once; jobs that continued in another process are not removed otherwise.
 */
const KEPT_MAX = 1_000;

/** The last permit of each job in this process, so that a lost race never causes a second fetch. */
export class PermitCache<Known> {
  readonly #kept = new Map<string, { readonly token: string; readonly known: Known }>();

  of(jobId: string, token: string): Known | null {
    const kept = this.#kept.get(jobId);
    return kept?.token === token ? kept.known : null;
  }

  note(jobId: string, token: string, known: Known): void {
    this.#kept.delete(jobId);
    this.#kept.set(jobId, { token, known });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}

export interface UsedBy<Answer> {
  readonly cache: PermitCache<Brought<Answer>>;
  readonly turn: PermitInFlight;
  readonly url: string;
  /** Whether the job still has the permit; read from the store if absent. */
  readonly isHeld?: boolean | undefined;
  /** True if the shop is not to wait for what is done with the answer: the permit ends in a commit before. */
  readonly isLong?: boolean;
}

/** The answer; null if the visit begins again, because robots.txt is known now or the permit was lost. */
export interface Visited<Answer> {
  readonly visit: Extract<Brought<Answer>, { kind: "answer" }> | null;
  /** Start of the request, also for robots.txt; null without a request. */
  readonly askedAtMs: number | null;
  /** The domain as it is within this commit from here on. */
  readonly given: StoredDomain | null;
  /** For the step's result: forgets what was brought, and wakes the next one who waits. */
  readonly committed: () => void;
}

/** Uses a permit that was committed, and settles it in the step's commit. */
export async function usePermit<Answer>(
  deps: ScrapeDeps,
  tools: StepTools,
  { cache, turn, url, isHeld: isKnownHeld, isLong = false }: UsedBy<Answer>,
  ask: (signal: AbortSignal) => Promise<Asked<Answer>>,
): Promise<Visited<Answer>> {
  const { requestId: jobId, write } = tools;
  deps.turns.leave(turn.domain);
  const committed = () => {
    cache.forget(jobId);
    deps.turns.wakeUp(turn.domain);
  };
  const kept = cache.of(jobId, turn.token);
  if (!kept && !(isKnownHeld ?? await isHeld(tools, turn, deps.timeoutMs))) {
    await dropPermit(tools, { turn });
    return { visit: null, askedAtMs: null, given: null, committed };
  }
  const { isForRobots } = turn;
  const now = () => tools.now();
  const brought = kept ??
    await withHeartbeat(tools, (signal) => request(deps, { url, isForRobots, signal, now }, ask));
  cache.note(jobId, turn.token, brought);
  const end = (into: Write) => settle(deps, into, tools, turn, url, brought);
  const askedAtMs = brought.atMs - brought.durationMs;
  if (brought.kind === "robots") {
    return { visit: null, askedAtMs, given: await end(write), committed };
  }
  if (!isLong) return { visit: brought, askedAtMs, given: await end(write), committed };
  await tools.checkpoint({}, async (into) => {
    await end(into);
  });
  return { visit: brought, askedAtMs, given: null, committed };
}

/** A redirect is followed with a permit of its own; null if there were too many. */
export function followed(
  { hops: before }: Pick<VisitState, "hops">,
  { url, hops }: { readonly url: string; readonly hops: number },
): VisitState | null {
  const all = before + hops;
  return all <= REDIRECTS_MAX ? { ...NO_VISIT, url, hops: all } : null;
}

/** The maker of a request; texts are parsed in the order of its workspace. */
interface Requester {
  readonly store: Store;
  readonly reading: ReadingPermit;
  now(): Date;
}

/** A job's texts are read after those of waiting people; a stop cancels the reading. */
export function jobRequester(tools: StepTools): Requester {
  return { store: tools.store, reading: readingOf(tools), now: () => tools.now() };
}

export function readingOf({ workspaceId, stopping }: StepTools): ReadingPermit {
  return { lane: workspaceId, signal: stopping };
}

/** A request that is given up with `signal`. */
export function requestOf(
  deps: ScrapeDeps,
  requester: Requester,
  signal: AbortSignal,
): Omit<ShopRequest, "url"> {
  const { reading, now } = requester;
  return { reading, allows: (url) => isAllowed(deps, requester, url), signal, now };
}

/** For redirects within the shop; nothing more is allowed when robots.txt is forgotten just now. */
export async function isAllowed(
  { reader, userAgent }: ScrapeDeps,
  { store, reading, now }: Requester,
  url: URL,
): Promise<boolean> {
  const asker = { store, reader, userAgent, turn: reading };
  const verdict = await judgeByRobots(asker, url, now().getTime());
  return verdict.kind === "allowed";
}
