/** A process's cache of its current runs; after a miss it reads and asks again. */

import type { StoredProduct } from "../../catalogue/products/product_store.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { DomainBell } from "../page/domain_queue.ts";
import type { TurnYield } from "../page/take_turn.ts";
import type { PageQuestion } from "../page/last_page.ts";

/** A product and its matches that count, as they were read at a time. */
export interface Subjects {
  /** Null when it was deleted. */
  readonly product: StoredProduct | null;
  readonly live: readonly LiveMatch[];
  readonly readMs: number;
}

/** The result of a turn, and its question. */
export type Brought = TurnYield & { readonly question: PageQuestion };

/** A turn that was taken. */
export interface Sought {
  readonly domain: string;
  readonly token: string;
  /** The turn is reserved until then. */
  readonly heldUntilMs: number;
  /** The subjects that were read when it was sought. */
  readonly subjects: Subjects;
}

/** Of one run; each part belongs to the turn of its token. */
interface KnownRun {
  readonly sought: Sought | null;
  /** The result of the turn, kept until its commit succeeds: a lost race never fetches again. */
  readonly used: { readonly token: string; readonly brought: Brought } | null;
}

/** More than are ever in hand: those that went on elsewhere are not heard of again. */
const RUNS_MAX = 1_000;
/** A commit seldom takes longer. */
export const COMMIT_MS = 100;
/** A run that is later than this has moved to another process. */
const TAKING_MS_MAX = 5_000;
const NOTHING: KnownRun = { sought: null, used: null };

/** One per process. */
export class RunMemory {
  readonly bell = new DomainBell();
  readonly #runs = new Map<string, KnownRun>();
  readonly #taking = new Map<string, { readonly runId: string; readonly atMs: number }>();

  /** The cached turn; `null` once it was used, so that a lost race reads again. */
  soughtFor(runId: string, token: string): Sought | null {
    const { sought, used } = this.#find(runId);
    return sought?.token === token && used?.token !== token ? sought : null;
  }

  broughtBy(runId: string, token: string): Brought | null {
    const { used } = this.#find(runId);
    return used?.token === token ? used.brought : null;
  }

  noteSought(runId: string, sought: Sought): void {
    const known = this.#find(runId);
    // A commit that lost its race may be about another shop when it is tried again.
    if (known.sought) this.leave(known.sought.domain, runId);
    this.#taking.set(sought.domain, { runId, atMs: performance.now() });
    this.#note(runId, { ...known, sought });
  }

  /** The turn is committed: from here on the store says so. */
  noteTaken(domain: string): void {
    this.#taking.delete(domain);
  }

  /** True while another run is about to take a turn there, or commits one: who tries too loses the race. */
  isBeingTaken(domain: string, runId: string): boolean {
    const taking = this.#taking.get(domain);
    if (taking === undefined || taking.runId === runId) return false;
    if (performance.now() - taking.atMs <= TAKING_MS_MAX) return true;
    this.#taking.delete(domain);
    return false;
  }

  /** The run is about to take a turn there, unless another one is; `leave` says that it does not. */
  beginTaking(domain: string, runId: string): boolean {
    if (this.isBeingTaken(domain, runId)) return false;
    this.#taking.set(domain, { runId, atMs: performance.now() });
    return true;
  }

  leave(domain: string, runId: string): void {
    if (this.#taking.get(domain)?.runId === runId) this.#taking.delete(domain);
  }

  noteBrought(runId: string, token: string, brought: Brought): void {
    this.#note(runId, { ...this.#find(runId), used: { token, brought } });
  }

  forget(runId: string): void {
    this.#runs.delete(runId);
  }

  #find(runId: string): KnownRun {
    return this.#runs.get(runId) ?? NOTHING;
  }

  #note(runId: string, known: KnownRun): void {
    this.#runs.delete(runId);
    this.#runs.set(runId, known);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > RUNS_MAX && oldest !== undefined) this.#runs.delete(oldest);
  }
}
