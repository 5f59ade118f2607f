/**
 * A permit allows one request to a shop. Only one caller at a time has a shop's permit, so a shop
 * never gets two requests at the same time. If robots.txt is not stored yet, the permit is for
 * fetching robots.txt.
 */
import { judgeUrl } from "../../platform/fetch/address_guard.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { domainOf } from "../../shops/domain.ts";
import {
  countAhead,
  dropSlot,
  findDomain,
  findDomains,
  judgePermit,
  type Pace,
  type Permit,
  type PermitInFlight,
  type PermitVerdict,
  released,
  saveDomain,
  type Slot,
  type StoredDomain,
  type UsedPermit,
} from "./domain_queue.ts";
import { judgeByRobots } from "./robots_file.ts";
import { paceOf, type ReadingPermit, type ScrapeDeps } from "./scrape_deps.ts";

type Clock = Pick<ClockAndIds, "now"> & { readonly store: Store };

type Caller = Clock & Pick<ClockAndIds, "newId"> & { readonly write: Write };

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
      judgePermit(state, { domain, token: "", ahead: 0, nowMs, pace }).kind === "taken"
    );
  return new Set(free.map(({ domain }) => domain));
}

/** Does nothing if another holder has the permit. */
export async function givePermitBack(
  write: Write,
  { store, now }: Clock,
  domain: string,
  used: UsedPermit,
): Promise<StoredDomain> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  return after === stored.state ? stored : saveDomain(write, stored, after);
}

export async function dropPermit(
  tools: Omit<Caller, "newId">,
  { turn, ticket = null }: { readonly turn: Permit | null; readonly ticket?: Slot | null },
): Promise<void> {
  if (ticket) dropSlot(tools.write, ticket);
  if (!turn) return;
  const { domain, token } = turn;
  const unused = { token, aftermath: { kind: "unused" }, nextAtMs: 0 } as const;
  await givePermitBack(tools.write, tools, domain, unused);
}

/** True if the permit lasts long enough for a request. */
export async function isHeld(
  { store, now }: Clock,
  { domain, token }: Permit,
  timeoutMs: number,
): Promise<boolean> {
  const { state } = await findDomain(store, domain);
  return state.token === token && state.busyUntilMs - now().getTime() >= timeoutMs;
}

/** False if another holder has the permit. */
export async function holdPermit(
  write: Write,
  { store, now }: Clock,
  { domain, token }: Permit,
  holdMs: number,
): Promise<boolean> {
  const stored = await findDomain(store, domain);
  if (stored.state.token !== token) return false;
  saveDomain(write, stored, { ...stored.state, busyUntilMs: now().getTime() + holdMs });
  return true;
}

export type NextPermit =
  | {
    readonly kind: "taken";
    readonly permit: PermitInFlight;
    readonly heldUntilMs: number;
  }
  | Extract<PermitVerdict, { kind: "wait" }> & { readonly slot: Slot }
  | {
    readonly kind: "refused";
    readonly status: "failed" | "skipped";
    readonly errorCode: string;
    readonly message: string;
    /** False if the shop did not send its robots.txt. */
    readonly isAnswered?: boolean;
    /** Set if the request is refused because of the shop's back-off. */
    readonly backoffUntilMs?: number;
  };

interface Asking extends Omit<Slot, "domain"> {
  readonly reading: ReadingPermit;
}

/**
 * A caller that waits must store its slot. `given` is the domain whose permit the caller's commit
 * gives back.
 */
export async function askPermit(
  deps: ScrapeDeps,
  caller: Caller,
  text: string,
  { reading, ...asking }: Asking,
  given: StoredDomain | null = null,
): Promise<NextPermit> {
  const judged = judgeUrl(text, deps.limits);
  if ("error" in judged) {
    const isPrivate = judged.error === "private_address";
    return isPrivate
      ? refused("failed", "private_address", "Leads to an address that is not public")
      : refused("failed", "unreachable", "Leads to a port that is not open to this service");
  }
  const { url } = judged;
  const slot: Slot = { ...asking, domain: domainOf(url) };
  const nowMs = caller.now().getTime();
  if (!deps.permits.begin(slot.domain, slot.id)) {
    // The other caller's commit rarely takes longer than 100 ms.
    return { kind: "wait", untilMs: nowMs + 100, earliestMs: nowMs, ahead: 0, slot };
  }
  let isTaken = false;
  try {
    const { reader, userAgent } = deps;
    const asker = { store: caller.store, reader, userAgent, permit: reading };
    const robots = await judgeByRobots(asker, url, nowMs);
    if (robots.kind === "refused") {
      // An earlier attempt may have left a slot in the queue.
      dropSlot(caller.write, slot);
      return { ...robots, status: "failed" };
    }
    const next = await takePermit(caller, slot, paceOf(deps), given);
    isTaken = next.kind === "taken";
    if (next.kind === "wait") return { ...next, slot };
    if (next.kind === "backing_off") {
      const until = new Date(next.untilMs).toISOString();
      const message = `The shop gets no requests until ${until}, because of its last answer`;
      return { ...refused("skipped", "backing_off", message), backoffUntilMs: next.untilMs };
    }
    const isForRobots = robots.kind === "unknown";
    const { permit, state: { busyUntilMs } } = next;
    return { kind: "taken", permit: { ...permit, isForRobots }, heldUntilMs: busyUntilMs };
  } finally {
    if (!isTaken) deps.permits.leave(slot.domain);
  }
}

async function takePermit(
  { write, store, now, newId }: Caller,
  slot: Slot,
  pace: Pace,
  given: StoredDomain | null,
): Promise<PermitVerdict> {
  const nowMs = now().getTime();
  const { domain } = slot;
  const stored = given?.domain === domain ? given : await findDomain(store, domain);
  const ahead = await countAhead(store, slot, nowMs);
  const verdict = judgePermit(stored.state, { domain, token: newId(), ahead, nowMs, pace });
  if (verdict.kind !== "wait") dropSlot(write, slot);
  if (verdict.kind === "taken") saveDomain(write, stored, verdict.state);
  return verdict;
}

function refused(
  status: "failed" | "skipped",
  errorCode: string,
  message: string,
): Extract<NextPermit, { kind: "refused" }> {
  return { kind: "refused", status, errorCode, message };
}
