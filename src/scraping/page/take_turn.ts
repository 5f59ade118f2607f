import { judgeUrl } from "../../platform/fetch/address_guard.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Clockwork } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { domainOf } from "../../shops/domain.ts";
import {
  type Aftermath,
  countAhead,
  dropTicket,
  findDomain,
  findDomains,
  judgeTurn,
  type Pace,
  putTicket,
  released,
  saveDomain,
  type StoredDomain,
  type Ticket,
  type Turn,
  type TurnInHand,
  type TurnVerdict,
  type UsedTurn,
} from "./domain_queue.ts";
import { fetchPage, type PageOutcome, type PageRequest, type ShopRequest } from "./fetch_page.ts";
import { fetchRobots, judgeByRobots, type KnownRobots } from "./robots_file.ts";
import { type FetchDeps, paceOf, type ReadingTurn, type ScrapeDeps } from "./scrape_deps.ts";

type Asker = Pick<Clockwork, "now" | "newId"> & { readonly store: Store };

/**
 * Takes the turn of a ticket in the caller's commit, or notes until when it waits. A commit that
 * loses the race is judged again. `given` is the domain that the commit returns a turn to.
 */
export async function takeTurn(
  write: Write,
  { store, now, newId }: Asker,
  ticket: Ticket,
  pace: Pace,
  given: StoredDomain | null = null,
): Promise<TurnVerdict> {
  const nowMs = now().getTime();
  const { domain } = ticket;
  const stored = given?.domain === domain ? given : await findDomain(store, domain);
  const ahead = await countAhead(store, ticket, nowMs);
  const verdict = judgeTurn(stored.state, { domain, token: newId(), ahead, nowMs, pace });
  if (verdict.kind === "wait") putTicket(write, ticket, verdict.untilMs);
  else dropTicket(write, ticket);
  if (verdict.kind === "taken") saveDomain(write, stored, verdict.state);
  return verdict;
}

/** The free domains: their rows allow a fetch now, and their queues are empty. */
export async function findFree(
  { store, now }: Omit<Asker, "newId">,
  domains: ReadonlySet<string>,
  pace: Pace,
  given: StoredDomain | null,
): Promise<ReadonlySet<string>> {
  const nowMs = now().getTime();
  const stored = await findDomains(store, [...domains]);
  const free = stored.map((one) => one.domain === given?.domain ? given : one)
    .filter(({ domain, state }) =>
      judgeTurn(state, { domain, token: "", ahead: 0, nowMs, pace }).kind === "taken"
    );
  return new Set(free.map(({ domain }) => domain));
}

/**
 * Gives a turn back in the caller's commit; one that was lost meanwhile is left to its new holder.
 * Answers the domain as it is within this commit from here on.
 */
export async function giveTurnBack(
  write: Write,
  { store, now }: Omit<Asker, "newId">,
  domain: string,
  used: UsedTurn,
): Promise<StoredDomain> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  return after === stored.state ? stored : saveDomain(write, stored, after);
}

/** Whether a turn is still its holder's for as long as a request may take. */
export async function isHeld(
  { store, now }: Omit<Asker, "newId">,
  { domain, token }: Turn,
  timeoutMs: number,
): Promise<boolean> {
  const { state } = await findDomain(store, domain);
  return state.token === token && state.busyUntilMs - now().getTime() >= timeoutMs;
}

/** Holds a turn on for another while, in the caller's commit; false where it is another's meanwhile. */
export async function holdTurn(
  write: Write,
  { store, now }: Omit<Asker, "newId">,
  { domain, token }: Turn,
  holdMs: number,
): Promise<boolean> {
  const stored = await findDomain(store, domain);
  if (stored.state.token !== token) return false;
  saveDomain(write, stored, { ...stored.state, busyUntilMs: now().getTime() + holdMs });
  return true;
}

/** A turn that is given back without a request. */
export function unused({ token }: Turn): UsedTurn {
  return { token, aftermath: { kind: "unused" }, nextAtMs: 0 };
}

/**
 * The result of each job's last turn, kept until its commit succeeds: a lost race never fetches
 * again.
 */
export class TurnMemory<Brought> {
  readonly #kept = new Map<string, { readonly token: string; readonly brought: Brought }>();

  broughtBy(jobId: string, token: string): Brought | null {
    const known = this.#kept.get(jobId);
    return known?.token === token ? known.brought : null;
  }

  note(jobId: string, token: string, brought: Brought): void {
    this.#kept.set(jobId, { token, brought });
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}

/** The result of a turn, and its time. */
export type TurnYield =
  & { readonly aftermath: Aftermath; readonly atMs: number; readonly durationMs: number }
  & (
    | { readonly kind: "robots"; readonly origin: string; readonly robots: KnownRobots }
    | { readonly kind: "page"; readonly outcome: PageOutcome }
  );

/** Uses a turn; only an abort is thrown. */
export async function fetchTurn(
  deps: FetchDeps,
  request: PageRequest,
  isForRobots: boolean,
): Promise<TurnYield> {
  const startedAt = performance.now();
  const spent = () => ({
    atMs: request.now().getTime(),
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (isForRobots) {
    const { origin } = new URL(request.url);
    const { robots, aftermath } = await fetchRobots(deps, { ...request, origin });
    return { kind: "robots", origin, robots, aftermath, ...spent() };
  }
  const { outcome, aftermath } = await fetchPage(deps, request);
  return { kind: "page", outcome, aftermath, ...spent() };
}

/** The update of the shop's queue after a turn. */
export function usedTurn(
  { token }: Turn,
  { aftermath, atMs, durationMs }: TurnYield,
  delayMs: number,
): UsedTurn {
  return { token, aftermath, nextAtMs: atMs - durationMs + delayMs };
}

/** A request in a step of a job, given up with `signal`. */
export function requestOf(
  deps: ScrapeDeps,
  tools: StepTools,
  signal: AbortSignal,
): Omit<ShopRequest, "url"> {
  return {
    reading: readingOf(tools),
    allows: (url) => isAllowed(deps, tools, url),
    signal,
    now: () => tools.now(),
  };
}

/** A job's texts are read after those of waiting people; a stop cancels the reading. */
export function readingOf({ workspaceId, stopping }: StepTools): ReadingTurn {
  return { lane: workspaceId, signal: stopping };
}

/** For redirects within the shop; nothing more is allowed when robots.txt is forgotten just now. */
export async function isAllowed(
  { reader, userAgent }: ScrapeDeps,
  tools: StepTools,
  url: URL,
): Promise<boolean> {
  const asker = { store: tools.store, reader, userAgent, turn: readingOf(tools) };
  const verdict = await judgeByRobots(asker, url, tools.now().getTime());
  return verdict.kind === "allowed";
}

/** The possible next step for a URL. */
export type NextTurn =
  | {
    readonly kind: "taken";
    readonly turn: TurnInHand;
    /** The turn is reserved until then. */
    readonly heldUntilMs: number;
  }
  | Extract<TurnVerdict, { kind: "wait" }> & { readonly ticket: Ticket }
  | {
    readonly kind: "refused";
    readonly status: "failed" | "skipped";
    readonly errorCode: string;
    readonly message: string;
    /** False when the shop was asked for its robots.txt and gave no answer. */
    readonly isAnswered?: boolean;
    /** Until when the shop is left in peace, where that is why. */
    readonly restsUntilMs?: number;
  };

/** The caller, as a queue sees it. */
export type Asking = Omit<Ticket, "domain">;

/**
 * Looks at the URL, at what is known of its robots.txt and at the shop's queue, and takes a turn in
 * the caller's commit where that is possible: for robots.txt first, where it is not known. `given` is
 * the domain that this commit gives a turn back to.
 */
export async function nextTurn(
  write: Write,
  asker: Pick<Clockwork, "now" | "newId"> & { readonly store: Store },
  deps: ScrapeDeps,
  text: string,
  asking: Asking,
  reading: ReadingTurn,
  given: StoredDomain | null = null,
): Promise<NextTurn> {
  const verdict = judgeUrl(text, deps.limits);
  if ("misfit" in verdict) return refusedAddress(verdict.misfit === "private_address");
  const { url } = verdict;
  const nowMs = asker.now().getTime();
  const { reader, userAgent } = deps;
  const robotsAsker = { store: asker.store, reader, userAgent, turn: reading };
  const robots = await judgeByRobots(robotsAsker, url, nowMs);
  const ticket = { ...asking, domain: domainOf(url) };
  if (robots.kind === "refused") {
    // An earlier request may have a place in the queue.
    dropTicket(write, ticket);
    return { ...robots, status: "failed" };
  }
  const turn = await takeTurn(write, asker, ticket, paceOf(deps), given);
  switch (turn.kind) {
    case "taken": {
      const { turn: taken, state: { busyUntilMs } } = turn;
      const isForRobots = robots.kind === "unknown";
      return { kind: "taken", turn: { ...taken, isForRobots }, heldUntilMs: busyUntilMs };
    }
    case "wait":
      return { ...turn, ticket };
    case "resting": {
      const until = new Date(turn.untilMs).toISOString();
      const message = `The shop is left in peace until ${until}, after what it answered last`;
      const restsUntilMs = turn.untilMs;
      return {
        kind: "refused",
        status: "skipped",
        errorCode: "backing_off",
        message,
        restsUntilMs,
      };
    }
  }
}

function refusedAddress(isPrivate: boolean): NextTurn {
  const errorCode = isPrivate ? "private_address" : "unreachable";
  const message = isPrivate
    ? "Leads to an address that is not public"
    : "Leads to a port that is not open to this service";
  return { kind: "refused", status: "failed", errorCode, message };
}
