/**
 * Turns at shops: one is taken in a commit before it is used, and given back in the commit that has what
 * came of it. So after a crash nothing that is stored is fetched again, and no shop has two requests at
 * once. Where the robots.txt of an address is not known, the turn is for that.
 */
import { judgeUrl } from "../../platform/fetch/address_guard.ts";
import type { Clockwork } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { domainOf } from "../../shops/domain.ts";
import {
  countAhead,
  dropTicket,
  findDomain,
  findDomains,
  judgeTurn,
  type Pace,
  released,
  saveDomain,
  type StoredDomain,
  type Ticket,
  type Turn,
  type TurnInHand,
  type TurnVerdict,
  type UsedTurn,
} from "./domain_queue.ts";
import { judgeByRobots } from "./robots_file.ts";
import { paceOf, type ReadingTurn, type ScrapeDeps } from "./scrape_deps.ts";

type Clock = Pick<Clockwork, "now"> & { readonly store: Store };

/** Who takes a turn, in a commit of its own. */
export type Caller = Clock & Pick<Clockwork, "newId"> & { readonly write: Write };

/** A commit seldom takes longer. */
const COMMIT_MS = 100;

/** The free domains: their rows allow a fetch now, and their queues are empty. */
export async function findFree(
  { store, now }: Clock,
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
  { store, now }: Clock,
  domain: string,
  used: UsedTurn,
): Promise<StoredDomain> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  return after === stored.state ? stored : saveDomain(write, stored, after);
}

/** Gives a turn back, and a place in a queue up, that no request was made in. */
export async function dropTurn(
  tools: Omit<Caller, "newId">,
  { turn, ticket = null }: { readonly turn: Turn | null; readonly ticket?: Ticket | null },
): Promise<void> {
  if (ticket) dropTicket(tools.write, ticket);
  if (!turn) return;
  const { domain, token } = turn;
  const unused = { token, aftermath: { kind: "unused" }, nextAtMs: 0 } as const;
  await giveTurnBack(tools.write, tools, domain, unused);
}

/** Whether a turn is still its holder's for as long as a request may take. */
export async function isHeld(
  { store, now }: Clock,
  { domain, token }: Turn,
  timeoutMs: number,
): Promise<boolean> {
  const { state } = await findDomain(store, domain);
  return state.token === token && state.busyUntilMs - now().getTime() >= timeoutMs;
}

/** Holds a turn on for another while, in the caller's commit; false where it is another's meanwhile. */
export async function holdTurn(
  write: Write,
  { store, now }: Clock,
  { domain, token }: Turn,
  holdMs: number,
): Promise<boolean> {
  const stored = await findDomain(store, domain);
  if (stored.state.token !== token) return false;
  saveDomain(write, stored, { ...stored.state, busyUntilMs: now().getTime() + holdMs });
  return true;
}

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

/** The caller, as a queue sees it, and in whose turn robots.txt is read. */
export interface Asking extends Omit<Ticket, "domain"> {
  readonly reading: ReadingTurn;
}

/**
 * Looks at the URL, at what is known of its robots.txt and at the shop's queue, and takes a turn in
 * the caller's commit where that is possible. Who would lose a race within this process waits instead;
 * who waits puts the ticket. `given` is the domain that this commit gives a turn back to.
 */
export async function askTurn(
  deps: ScrapeDeps,
  caller: Caller,
  text: string,
  { reading, ...asking }: Asking,
  given: StoredDomain | null = null,
): Promise<NextTurn> {
  const judged = judgeUrl(text, deps.limits);
  if ("misfit" in judged) return refusedAddress(judged.misfit === "private_address");
  const { url } = judged;
  const ticket: Ticket = { ...asking, domain: domainOf(url) };
  const nowMs = caller.now().getTime();
  if (!deps.turns.begin(ticket.domain, ticket.id)) {
    return { kind: "wait", untilMs: nowMs + COMMIT_MS, earliestMs: nowMs, ahead: 0, ticket };
  }
  let isTaken = false;
  try {
    const { reader, userAgent } = deps;
    const asker = { store: caller.store, reader, userAgent, turn: reading };
    const robots = await judgeByRobots(asker, url, nowMs);
    if (robots.kind === "refused") {
      // An earlier request may have a place in the queue.
      dropTicket(caller.write, ticket);
      return { ...robots, status: "failed" };
    }
    const next = await takeTurn(caller, ticket, paceOf(deps), given);
    isTaken = next.kind === "taken";
    if (next.kind === "wait") return { ...next, ticket };
    if (next.kind === "resting") return refusedUntil(next.untilMs);
    const isForRobots = robots.kind === "unknown";
    const { turn, state: { busyUntilMs } } = next;
    return { kind: "taken", turn: { ...turn, isForRobots }, heldUntilMs: busyUntilMs };
  } finally {
    if (!isTaken) deps.turns.leave(ticket.domain);
  }
}

/** A commit that loses the race is judged again. */
async function takeTurn(
  { write, store, now, newId }: Caller,
  ticket: Ticket,
  pace: Pace,
  given: StoredDomain | null,
): Promise<TurnVerdict> {
  const nowMs = now().getTime();
  const { domain } = ticket;
  const stored = given?.domain === domain ? given : await findDomain(store, domain);
  const ahead = await countAhead(store, ticket, nowMs);
  const verdict = judgeTurn(stored.state, { domain, token: newId(), ahead, nowMs, pace });
  if (verdict.kind !== "wait") dropTicket(write, ticket);
  if (verdict.kind === "taken") saveDomain(write, stored, verdict.state);
  return verdict;
}

function refusedAddress(isPrivate: boolean): NextTurn {
  const errorCode = isPrivate ? "private_address" : "unreachable";
  const message = isPrivate
    ? "Leads to an address that is not public"
    : "Leads to a port that is not open to this service";
  return { kind: "refused", status: "failed", errorCode, message };
}

function refusedUntil(restsUntilMs: number): NextTurn {
  const until = new Date(restsUntilMs).toISOString();
  const message = `The shop is left in peace until ${until}, after what it answered last`;
  return { kind: "refused", status: "skipped", errorCode: "backing_off", message, restsUntilMs };
}
