/**
 * Queue, delay and back-off of each domain. A domain gets one request at a time, from the holder of
 * the domain's permit. A slot is the place of a request in the domain's queue.
 */
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";

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
  about: "a job that waits for a domain, and until when; expires after a day",
  key: { domain: "text", lane: "number", orderMs: "number", id: "text" },
  value: "wakeAtMs",
  expireInMs: 86_400_000,
});

export interface StoredDomain {
  readonly domain: string;
  readonly state: DomainState;
  readonly found: Found<DomainRow> | null;
  /** True if the caller's commit already checks and writes the row of the domain. */
  readonly isChecked: boolean;
}

export async function findDomain(store: Store, domain: string): Promise<StoredDomain> {
  return storedOf(domain, await domains.find({ store }, { domain }));
}

export async function findDomains(store: Store, names: readonly string[]): Promise<StoredDomain[]> {
  const rows = await domains.getMany({ store }, names.map((domain) => ({ domain })));
  return rows.map((found, at) => storedOf(names[at] ?? "", found));
}

function storedOf(domain: string, found: Found<DomainRow> | null): StoredDomain {
  return { domain, state: found?.row ?? CALM, found, isChecked: false };
}

/** The commit fails if the state was changed after the read. */
export function saveDomain(write: Write, stored: StoredDomain, state: DomainState): StoredDomain {
  const { domain, found, isChecked } = stored;
  if (!isChecked) domains.check(write, {}, { domain }, found);
  domains.put(write, {}, { ...state, domain });
  return { ...stored, state, isChecked: true };
}

/** Counts at most 1,000 slots before `slot`, without those overdue by more than a minute. */
export async function countAhead(store: Store, slot: Slot, nowMs: number): Promise<number> {
  const { domain } = slot;
  const before = { within: { domain }, after: slot, order: "desc", limit: 1_000 } as const;
  const waiting = await slots.list({ store }, before);
  return waiting.filter(({ row }) => row.wakeAtMs + SLOT_LATE_MS > nowMs).length;
}

export function putSlot(write: Write, slot: Slot, wakeAtMs: number): void {
  slots.put(write, {}, { ...slot, wakeAtMs });
}

export function dropSlot(write: Write, slot: Slot): void {
  slots.drop(write, {}, slot);
}

export interface DomainState {
  readonly token: string | null;
  /** Time when the permit expires if its holder does not give it back. */
  readonly busyUntilMs: number;
  readonly nextAtMs: number;
  /** End of the back-off after failures; 0 without one. */
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

export interface Slot {
  readonly domain: string;
  /** 0 for requests of people, 1 for the schedule, 2 for less urgent work. */
  readonly lane: 0 | 1 | 2;
  readonly orderMs: number;
  readonly id: string;
}

function isBefore(one: Slot, other: Slot): boolean {
  const order = one.lane - other.lane || one.orderMs - other.orderMs;
  return order < 0 || (order === 0 && one.id < other.id);
}

export interface Permit {
  readonly domain: string;
  readonly token: string;
}

export interface PermitInFlight extends Permit {
  readonly isForRobots: boolean;
}

export interface Pace {
  /** Minimum time between the starts of two requests. */
  readonly delayMs: number;
  /** Time after which the holder of a permit is considered crashed. */
  readonly holdMs: number;
}

/** A request does not wait for a longer back-off. */
const BACKOFF_MS_MAX = 30_000;

/** A slot that is overdue by more than this belongs to a crashed process. */
const SLOT_LATE_MS = 60_000;

const POLL_MS = 1_000;
const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

export type PermitVerdict =
  | { readonly kind: "taken"; readonly state: DomainState; readonly permit: Permit }
  | {
    readonly kind: "wait";
    readonly untilMs: number;
    readonly earliestMs: number;
    readonly ahead: number;
  }
  | { readonly kind: "backing_off"; readonly untilMs: number };

/** `ahead` is the number of slots before the request. */
export function judgePermit(
  state: DomainState,
  { domain, token, ahead, nowMs, pace }: {
    readonly domain: string;
    readonly token: string;
    readonly ahead: number;
    readonly nowMs: number;
    readonly pace: Pace;
  },
): PermitVerdict {
  // If the clock was set back, a stored time may be too far in the future.
  const noted = (atMs: number, aheadMsMax: number) => atMs - nowMs > aheadMsMax ? nowMs : atMs;
  const nextAtMs = noted(state.nextAtMs, pace.delayMs);
  const backoffUntilMs = noted(state.backoffUntilMs, RETRY_AFTER_MS_MAX);
  if (backoffUntilMs - nowMs > BACKOFF_MS_MAX) {
    return { kind: "backing_off", untilMs: backoffUntilMs };
  }
  const busyMs = state.busyUntilMs - nowMs;
  const isBusy = state.token !== null && busyMs > 0 && busyMs <= pace.holdMs;
  const readyMs = Math.max(nowMs, nextAtMs, backoffUntilMs);
  const freeAtMs = isBusy ? Math.max(readyMs, nowMs + POLL_MS) : readyMs;
  if (ahead === 0 && freeAtMs <= nowMs) {
    return { kind: "taken", state: taken(state, token, nowMs, pace), permit: { domain, token } };
  }
  const gapMs = Math.max(pace.delayMs, POLL_MS / 10);
  const untilMs = Math.max(freeAtMs, nowMs + 1) + ahead * gapMs;
  return { kind: "wait", untilMs, earliestMs: readyMs + ahead * pace.delayMs, ahead };
}

function taken(state: DomainState, token: string, nowMs: number, pace: Pace): DomainState {
  const { delayMs, holdMs } = pace;
  return { ...state, token, busyUntilMs: nowMs + holdMs, nextAtMs: nowMs + delayMs };
}

export type Aftermath =
  | { readonly kind: "fine" }
  | { readonly kind: "unused" }
  /** `retryAfterMs` is the delay that the shop asked for, or null. */
  | { readonly kind: "trouble"; readonly retryAfterMs: number | null };

export function aftermathOf(result: FetchResult, nowMs: number): Aftermath {
  if (result.kind === "moved") return { kind: "fine" };
  if (result.kind === "failed") {
    const isTrouble = result.errorCode === "timeout" || result.errorCode === "unreachable";
    return isTrouble ? { kind: "trouble", retryAfterMs: null } : { kind: "fine" };
  }
  const { status, headers } = result;
  if (status !== 429 && status < 500) return { kind: "fine" };
  return { kind: "trouble", retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs) };
}

export interface UsedPermit {
  readonly token: string;
  readonly aftermath: Aftermath;
  /** Start of this request plus the shop's delay; 0 if no request was made. */
  readonly nextAtMs: number;
}

/** Returns the same state if another holder has the permit. */
export function released(
  state: DomainState,
  { token, aftermath, nextAtMs }: UsedPermit,
  nowMs: number,
): DomainState {
  if (state.token !== token) return state;
  const next = Math.max(state.nextAtMs, nextAtMs);
  const free = { ...state, token: null, busyUntilMs: 0, nextAtMs: next };
  if (aftermath.kind === "unused") return free;
  if (aftermath.kind === "fine") return { ...free, failures: 0, backoffUntilMs: 0 };
  const failures = state.failures + 1;
  const ownMs = Math.min(10_000 * 2 ** (failures - 1), 6 * 3_600_000);
  const askedMs = Math.min(aftermath.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return { ...free, failures, backoffUntilMs: nowMs + Math.max(ownMs, askedMs) };
}

/** Accepts seconds and dates (RFC 9110 §10.2.3); null if missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

interface Waiting {
  readonly slot: Slot;
  wake(): void;
}

/** Callers in this process that take a permit or wait for one. */
export class Permits {
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #taking = new Map<string, { readonly id: string; readonly atMs: number }>();

  isBeingTaken(domain: string, id: string): boolean {
    const taking = this.#taking.get(domain);
    if (taking === undefined || taking.id === id) return false;
    // After five seconds, the caller has probably continued in another process.
    if (performance.now() - taking.atMs <= 5_000) return true;
    this.#taking.delete(domain);
    return false;
  }

  /** False if another caller is taking the domain's permit. After true, call `leave`. */
  begin(domain: string, id: string): boolean {
    if (this.isBeingTaken(domain, id)) return false;
    for (const [other, taking] of this.#taking) if (taking.id === id) this.#taking.delete(other);
    this.#taking.set(domain, { id, atMs: performance.now() });
    return true;
  }

  leave(domain: string): void {
    this.#taking.delete(domain);
  }

  /** Returns `full` if too many callers already wait for a permit of the domain. */
  wait(slot: Slot, delayMs: number, signal: AbortSignal): Promise<"woken" | "over" | "full"> {
    if (signal.aborted) return Promise.resolve("over");
    const others = this.#waiting.get(slot.domain) ?? new Set();
    // A waiting job occupies a slot of the runner.
    if (others.size >= 8) return Promise.resolve("full");
    this.#waiting.set(slot.domain, others);
    return new Promise((resolve) => {
      const end = (how: "woken" | "over") => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        others.delete(waiting);
        if (others.size === 0) this.#waiting.delete(slot.domain);
        resolve(how);
      };
      const giveUp = () => end("over");
      const waiting: Waiting = { slot, wake: () => end("woken") };
      const timer = setTimeout(giveUp, delayMs);
      signal.addEventListener("abort", giveUp);
      others.add(waiting);
    });
  }

  countBefore(slot: Slot): number {
    const others = this.#waiting.get(slot.domain) ?? new Set();
    return [...others].filter((other) => isBefore(other.slot, slot)).length;
  }

  wakeUp(domain: string): void {
    let first: Waiting | null = null;
    for (const one of this.#waiting.get(domain) ?? []) {
      if (first === null || isBefore(one.slot, first.slot)) first = one;
    }
    first?.wake();
  }
}
