/** One visit to a shop, for runs, link checks, discovery and previews. */
import { keepNewest } from "../../base/collections.ts";
import { type StepTools, withHeartbeat } from "../../platform/jobs/job.ts";
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

/** Maximum time for which a step waits for a permit. */
const WAIT_MS_MAX = 1_000;

export interface VisitState {
  /** The target of a redirect; null for the first address. */
  readonly url: string | null;
  readonly hops: number;
  readonly turn: PermitInFlight | null;
  readonly ticket: Slot | null;
}

export const NO_VISIT: VisitState = { url: null, hops: 0, turn: null, ticket: null };

type Waiting = Extract<NextPermit, { kind: "wait" }>;

/** Without `notBefore`, the job is due at once. */
export interface Parked {
  readonly kind: "parked";
  readonly slot: Slot;
  readonly notBefore?: Date;
}

/** True if the job should not occupy the runner, because its shop will be busy for long. */
export function isLong({ earliestMs }: Waiting, nowMs: number): boolean {
  return earliestMs - nowMs > WAIT_MS_MAX;
}

/** The job is due a second early, because the runner looks for due jobs once per second. */
export function parkedAt(write: Write, next: Waiting, nowMs: number): Parked {
  return parkedUntil(write, next, Math.max(nowMs, next.untilMs - WAIT_MS_MAX));
}

function parkedUntil(write: Write, { slot, untilMs }: Waiting, atMs: number): Parked {
  putSlot(write, slot, untilMs);
  return { kind: "parked", slot, notBefore: new Date(atMs) };
}

export async function awaitPermit<Other extends { readonly kind: "none" } = never>(
  { permits }: ScrapeDeps,
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
    const outcome = await permits.wait(next.slot, waitMs, tools.stopping);
    if (outcome === "full") return parkedUntil(tools.write, next, next.untilMs);
    if (performance.now() < giveUpAt && !tools.shouldYield()) continue;
    const isNext = next.ahead <= permits.countBefore(next.slot);
    if (!isNext) return parkedAt(tools.write, next, nowMs);
    putSlot(tools.write, next.slot, next.untilMs);
    return { kind: "parked", slot: next.slot };
  }
}

export type Brought<Answer> =
  & { readonly aftermath: Aftermath; readonly atMs: number; readonly durationMs: number }
  & (
    | { readonly kind: "robots"; readonly robots: KnownRobots }
    | { readonly kind: "answer"; readonly answer: Answer }
  );

/** Throws only if aborted. */
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

/** Keeps the shop's last answer for each job, so that a repeated step makes no second request. */
export class PermitCache<Known> {
  readonly #kept = new Map<string, { readonly token: string; readonly known: Known }>();

  of(jobId: string, token: string): Known | null {
    const kept = this.#kept.get(jobId);
    return kept?.token === token ? kept.known : null;
  }

  note(jobId: string, token: string, known: Known): void {
    keepNewest(this.#kept, jobId, { token, known }, 1_000);
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}

interface UsedBy<Answer> {
  readonly cache: PermitCache<Brought<Answer>>;
  readonly permit: PermitInFlight;
  readonly url: string;
  /** True if the job has the permit. If absent, the store is asked. */
  readonly isHeld?: boolean | undefined;
  /** True to return the permit before the answer is processed, because that takes long. */
  readonly isLong?: boolean;
}

/** `visit` is null if only robots.txt was read or the permit was lost. */
export interface Visited<Answer> {
  readonly visit: Extract<Brought<Answer>, { kind: "answer" }> | null;
  /** Null without a request. */
  readonly askedAtMs: number | null;
  readonly given: StoredDomain | null;
  /** Called after the step's commit. */
  readonly committed: () => void;
}

export async function usePermit<Answer>(
  deps: ScrapeDeps,
  tools: StepTools,
  { cache, permit, url, isHeld: isKnownHeld, isLong = false }: UsedBy<Answer>,
  ask: (signal: AbortSignal) => Promise<Asked<Answer>>,
): Promise<Visited<Answer>> {
  const { requestId: jobId, write } = tools;
  deps.permits.leave(permit.domain);
  const committed = () => {
    cache.forget(jobId);
    deps.permits.wakeUp(permit.domain);
  };
  const kept = cache.of(jobId, permit.token);
  if (!kept && !(isKnownHeld ?? await isHeld(tools, permit, deps.timeoutMs))) {
    await dropPermit(tools, { turn: permit });
    return { visit: null, askedAtMs: null, given: null, committed };
  }
  const { isForRobots } = permit;
  const now = () => tools.now();
  const brought = kept ??
    await withHeartbeat(tools, (signal) => request(deps, { url, isForRobots, signal, now }, ask));
  cache.note(jobId, permit.token, brought);
  const end = (into: Write) => settle(deps, into, tools, permit, url, brought);
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

/** Null after too many redirects. */
export function followed(
  { hops: before }: Pick<VisitState, "hops">,
  { url, hops }: { readonly url: string; readonly hops: number },
): VisitState | null {
  const all = before + hops;
  return all <= REDIRECTS_MAX ? { ...NO_VISIT, url, hops: all } : null;
}

interface Requester {
  readonly store: Store;
  readonly reading: ReadingPermit;
  now(): Date;
}

export function jobRequester(tools: StepTools): Requester {
  return { store: tools.store, reading: readingOf(tools), now: () => tools.now() };
}

export function readingOf({ workspaceId, stopping }: StepTools): ReadingPermit {
  return { partition: workspaceId, signal: stopping };
}

export function requestOf(
  deps: ScrapeDeps,
  requester: Requester,
  signal: AbortSignal,
): Omit<ShopRequest, "url"> {
  const { reading, now } = requester;
  return { reading, allows: (url) => isAllowed(deps, requester, url), signal, now };
}

/** True if an unexpired robots.txt allows the URL. */
export async function isAllowed(
  { reader, userAgent }: ScrapeDeps,
  { store, reading, now }: Requester,
  url: URL,
): Promise<boolean> {
  const asker = { store, reader, userAgent, permit: reading };
  const verdict = await judgeByRobots(asker, url, now().getTime());
  return verdict.kind === "allowed";
}
