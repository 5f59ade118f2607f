/**
 * A permit allows one request to a shop. Only one caller at a time has the permit of a domain, so a
 * shop never gets two requests at the same time. If the shop's robots.txt is not stored yet, the
 * request must be for robots.txt.
 */
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import { DAY_MS } from "../../base/time.ts";
import { type Aftermath, paceOf, type ScrapeDeps, type Slot } from "./visit_tools.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";
import { judgeUrl } from "../../platform/fetch/fetch_limits.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import { domainOf } from "../../shops/domain.ts";
import { judgeByRobots } from "./robots_file.ts";

type DomainRow = DomainState & { readonly domain: string };

export const domains = defineStoreTable<DomainRow, "domain">({
  prefix: "dom",
  about: "the state of requests to a shop's domain; expires after a week",
  key: { domain: "text" },
  expireInMs: 7 * 86_400_000,
});

interface StoredSlot extends Omit<Slot, "lane"> {
  readonly lane: number;
  readonly wakeAtMs: number;
}

export const slots = defineStoreTable<StoredSlot, "domain" | "lane" | "orderMs" | "id">({
  prefix: "dq",
  about: "a job that waits to visit a domain, and when it tries again; expires after a day",
  key: { domain: "text", lane: "number", orderMs: "number", id: "text" },
  value: "wakeAtMs",
  expireInMs: 86_400_000,
});

interface StoredDomain {
  readonly domain: string;
  readonly state: DomainState;
  readonly found: Found<DomainRow> | null;
}

export async function findDomain(store: Store, domain: string): Promise<StoredDomain> {
  const found = await domains.find({ store }, { domain });
  return { domain, state: found?.row ?? CALM, found };
}

function saveDomain(write: Write, { domain, found }: StoredDomain, state: DomainState): void {
  domains.save(write, {}, found, { ...state, domain });
}

export async function countAhead(store: Store, slot: Slot, nowMs: number): Promise<number> {
  const { domain } = slot;
  const before = { within: { domain }, after: slot, order: "desc", limit: 1_000 } as const;
  const waiting = await slots.list({ store }, before);
  return waiting.filter(({ row }) => row.wakeAtMs + SLOT_LATE_MS > nowMs).length;
}

export interface DomainState {
  readonly token: string | null;
  /** Time when the permit expires if its holder does not give it back. */
  readonly busyUntilMs: number;
  readonly nextAtMs: number;
  /** Start of the last request; absent in rows of earlier versions of Kurant. */
  readonly askedAtMs?: number;
  readonly backoffUntilMs: number;
  readonly failures: number;
}

export const CALM: DomainState = {
  token: null,
  busyUntilMs: 0,
  nextAtMs: 0,
  backoffUntilMs: 0,
  failures: 0,
};

interface Permit {
  readonly domain: string;
  readonly token: string;
}

export interface PermitInFlight extends Permit {
  readonly isForRobots: boolean;
}

interface Pace {
  readonly delayMs: number;
  readonly holdMs: number;
}

const WAITED_BACKOFF_MS_MAX = 30_000;

const HOLD_MS_MAX = 6 * 60_000;

/** A queued request that is this late holds up no others: its process has probably crashed. */
const SLOT_LATE_MS = 60_000;

const POLL_MS = 100;
const WAIT_MS_PER_REQUEST_MIN = 125;
const RETRY_AFTER_MS_MAX = DAY_MS;

type PermitVerdict =
  | { readonly kind: "taken"; readonly state: DomainState }
  | { readonly kind: "wait"; readonly untilMs: number }
  | { readonly kind: "backing_off"; readonly untilMs: number };

export function judgePermit(
  state: DomainState,
  { token, ahead, nowMs, pace }: {
    readonly token: string;
    readonly ahead: number;
    readonly nowMs: number;
    readonly pace: Pace;
  },
): PermitVerdict {
  // A time too far in the future was stored before the clock was set back, so treat it as now.
  const noted = (atMs: number, aheadMsMax: number) => atMs - nowMs > aheadMsMax ? nowMs : atMs;
  // Use the caller's own delay, because `nextAtMs` may contain another caller's longer delay.
  const ownNextAtMs = (state.askedAtMs ?? Infinity) + pace.delayMs;
  const nextAtMs = noted(Math.min(state.nextAtMs, ownNextAtMs), pace.delayMs);
  const backoffUntilMs = noted(state.backoffUntilMs, RETRY_AFTER_MS_MAX);
  if (backoffUntilMs - nowMs > WAITED_BACKOFF_MS_MAX) {
    return { kind: "backing_off", untilMs: backoffUntilMs };
  }
  const busyMs = state.busyUntilMs - nowMs;
  const isBusy = state.token !== null && busyMs > 0 && busyMs <= HOLD_MS_MAX;
  const readyMs = Math.max(nowMs, nextAtMs, backoffUntilMs);
  const freeAtMs = isBusy ? Math.max(readyMs, nowMs + POLL_MS) : readyMs;
  if (ahead === 0 && freeAtMs <= nowMs) {
    const { delayMs, holdMs } = pace;
    const held = { token, busyUntilMs: nowMs + holdMs };
    const asked = { askedAtMs: nowMs, nextAtMs: nowMs + delayMs };
    return { kind: "taken", state: { ...state, ...held, ...asked } };
  }
  const gapMs = Math.max(pace.delayMs, WAIT_MS_PER_REQUEST_MIN);
  const untilMs = Math.max(freeAtMs, nowMs + 1) + ahead * gapMs;
  return { kind: "wait", untilMs };
}

interface UsedPermit {
  readonly token: string;
  readonly aftermath: Aftermath;
  /** Time when the request began; if none was sent, `askedAtMs` and `nextAtMs` are 0. */
  readonly askedAtMs: number;
  readonly nextAtMs: number;
}

export function released(
  state: DomainState,
  { token, aftermath, askedAtMs, nextAtMs }: UsedPermit,
  nowMs: number,
): DomainState {
  if (state.token !== token) return state;
  const next = {
    ...askedAtMs > (state.askedAtMs ?? 0) && { askedAtMs },
    nextAtMs: Math.max(state.nextAtMs, nextAtMs),
  };
  const free = { ...state, token: null, busyUntilMs: 0, ...next };
  if (aftermath.kind === "unused") return free;
  if (aftermath.kind === "fine") return { ...free, failures: 0, backoffUntilMs: 0 };
  const failures = state.failures + 1;
  const ownMs = Math.min(10_000 * 2 ** (failures - 1), 6 * 3_600_000);
  const askedMs = Math.min(aftermath.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return { ...free, failures, backoffUntilMs: nowMs + Math.max(ownMs, askedMs) };
}

type Clock = Pick<ClockAndIds, "now"> & { readonly store: Store };

type Caller = Clock & Pick<ClockAndIds, "newId"> & { readonly write: Write };

export async function givePermitBack(
  write: Write,
  { store, now }: Clock,
  domain: string,
  used: UsedPermit,
): Promise<void> {
  const stored = await findDomain(store, domain);
  const after = released(stored.state, used, now().getTime());
  if (after !== stored.state) saveDomain(write, stored, after);
}

export async function dropPermit(
  tools: Omit<Caller, "newId">,
  { turn, ticket = null }: { readonly turn: Permit | null; readonly ticket?: Slot | null },
): Promise<void> {
  if (ticket) slots.drop(tools.write, {}, ticket);
  if (!turn) return;
  const { domain, token } = turn;
  const unused = { token, aftermath: { kind: "unused" }, askedAtMs: 0, nextAtMs: 0 } as const;
  await givePermitBack(tools.write, tools, domain, unused);
}

export async function isHeld(
  { store, now }: Clock,
  { domain, token }: Permit,
  timeoutMs: number,
): Promise<boolean> {
  const { state } = await findDomain(store, domain);
  return state.token === token && state.busyUntilMs - now().getTime() >= timeoutMs;
}

export interface RefusedPermit {
  readonly kind: "refused";
  readonly status: "failed" | "skipped";
  readonly errorCode: string;
  readonly message: string;
  /** If `isAnswered` is absent, `errorCode` tells whether the shop answered. */
  readonly isAnswered?: boolean;
  readonly backoffUntilMs?: number;
}

export type NextPermit =
  | { readonly kind: "taken"; readonly permit: PermitInFlight }
  | Extract<PermitVerdict, { kind: "wait" }> & { readonly slot: Slot }
  | RefusedPermit;

interface Asking extends Omit<Slot, "domain"> {
  readonly reading: SandboxPermit;
}

/** If the result is `wait`, the caller must store `slot`, the request's place in the queue. */
export async function askPermit(
  deps: ScrapeDeps,
  caller: Caller,
  text: string,
  { reading, ...asking }: Asking,
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
  // Read the domain first, so that the commit fails if another job stores robots.txt meanwhile.
  const stored = await findDomain(caller.store, slot.domain);
  const { reader, userAgent } = deps;
  const asker = { store: caller.store, reader, userAgent, permit: reading };
  const robots = await judgeByRobots(asker, url, caller.now().getTime());
  if (robots.kind === "refused") {
    // Remove the request from the shop's queue, where an earlier attempt may have left it.
    slots.drop(caller.write, {}, slot);
    return { ...robots, status: "failed" };
  }
  const next = await takePermit(caller, stored, slot, paceOf(deps));
  if (next.kind === "wait") return { ...next, slot };
  if (next.kind === "backing_off") {
    const until = new Date(next.untilMs).toISOString();
    const message = `The shop gets no requests until ${until}, because of its last answer`;
    return { ...refused("skipped", "backing_off", message), backoffUntilMs: next.untilMs };
  }
  const { token } = next.state;
  const isForRobots = robots.kind === "unknown";
  const permit = { domain: slot.domain, token: token ?? "", isForRobots };
  return { kind: "taken", permit };
}

async function takePermit(
  { write, store, now, newId }: Caller,
  stored: StoredDomain,
  slot: Slot,
  pace: Pace,
): Promise<PermitVerdict> {
  const nowMs = now().getTime();
  const ahead = await countAhead(store, slot, nowMs);
  const verdict = judgePermit(stored.state, { token: newId(), ahead, nowMs, pace });
  if (verdict.kind !== "wait") slots.drop(write, {}, slot);
  if (verdict.kind === "taken") saveDomain(write, stored, verdict.state);
  return verdict;
}

function refused(
  status: "failed" | "skipped",
  errorCode: string,
  message: string,
): RefusedPermit {
  return { kind: "refused", status, errorCode, message };
}
