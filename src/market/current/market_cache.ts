/**
 * Keeps the market tables of workspaces in memory (docs/decisions/market.md). A table contains our
 * market position for each product. Each read first applies new changes from the change log. A
 * table is rebuilt after too many changes, or after a change of settings, shops or rules.
 */
import { Failure } from "../../base/failure.ts";
import { changesSince, countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import { withTimeout } from "../../platform/event_loop.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { commitsOf } from "../../platform/store/kv.ts";
import type { RuleCache } from "../../rules/rule.ts";
import { MarketTable } from "../table/market_table.ts";
import {
  apply,
  fillTable,
  findTermsVersion,
  type Loaded,
  type Reader,
  readTerms,
  tickOf,
} from "./read_market.ts";

/** Read all values before the next `await`, because the table may change then. */
export type CurrentMarket = Readonly<
  Pick<Loaded, "table" | "terms" | "asOfMs" | "knownSinceMs" | "isBehind">
>;

interface TableSetup {
  readonly bytesMax: number;
  readonly ruleCache: RuleCache;
  /** While a table with more than `smallMax` products is rebuilt, readers get the old table. */
  readonly smallMax: number;
  readonly patienceMs: number;
  /** Minimum pause after a rebuild, as a multiple of the duration of this rebuild. */
  readonly backOffFactor: number;
  readonly ended: AbortSignal;
}

const log = roomLog("market");

class KeptTable {
  readonly #setup: TableSetup;
  readonly #onLoaded: () => void;
  #loaded: Loaded | null = null;
  #rebuild: Promise<void> | null = null;
  #refresh: {
    readonly commits: number;
    readonly begunMs: number;
    readonly done: Promise<Loaded>;
  } | null = null;
  #lastWork: Promise<unknown> = Promise.resolve();
  #needsLabels = false;
  #asked: { readonly workspace: Reader; readonly atMs: number } | null = null;
  #backOffUntilMs = -Infinity;

  constructor(setup: TableSetup, onLoaded: () => void) {
    this.#setup = setup;
    this.#onLoaded = onLoaded;
  }

  get bytes(): number {
    return this.#loaded?.table.memoryBytes ?? 0;
  }

  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  noteAsked(workspace: Reader): void {
    this.#asked = { workspace: plain(workspace), atMs: workspace.now().getTime() };
  }

  async read(workspace: Reader, isLabelled = false): Promise<CurrentMarket> {
    const { patienceMs, smallMax } = this.#setup;
    this.#needsLabels ||= isLabelled;
    for (;;) {
      while (this.#loaded === null || isLabelled && this.#loaded.table.labels === null) {
        if (this.#isEnded) throw notYet();
        await patiently(this.#load(workspace), patienceMs);
      }
      const current = await this.#upToDate(workspace);
      if (this.#rebuild === null || current.table.size > smallMax) return { ...current };
      await patiently(this.#rebuild, patienceMs);
    }
  }

  warm(workspace: Reader): void {
    if (this.#isEnded || this.#loaded !== null || this.#rebuild !== null) return;
    this.#loadInBackground(workspace);
  }

  async tend(): Promise<void> {
    const { smallMax } = this.#setup;
    if (this.#asked === null || this.#loaded === null) return;
    const { workspace, atMs } = this.#asked;
    const isInUse = workspace.now().getTime() - atMs <= 10 * 60_000;
    if (isInUse && this.#loaded.table.size > smallMax) await this.#upToDate(workspace);
  }

  async settle(): Promise<void> {
    await Promise.allSettled([this.#rebuild, this.#lastWork]);
  }

  get #isEnded(): boolean {
    return this.#setup.ended.aborted;
  }

  #load(workspace: Reader): Promise<void> {
    const begunMs = performance.now();
    this.#rebuild ??= this.#build(plain(workspace)).finally(() => {
      this.#rebuild = null;
      const endedMs = performance.now();
      this.#backOffUntilMs = endedMs + this.#setup.backOffFactor * (endedMs - begunMs);
    });
    return this.#rebuild;
  }

  #loadInBackground(workspace: Reader): void {
    const { workspaceId } = workspace;
    this.#load(workspace).catch((error) => {
      if (this.#isEnded) return;
      if (!isTooLarge(error)) return log.warning("market not loaded", { workspaceId, error });
      this.#loaded = null;
      this.#refresh = null;
    });
  }

  async #build(workspace: Reader): Promise<void> {
    const { ruleCache, bytesMax } = this.#setup;
    const products = await requireRoom(workspace, bytesMax);
    const terms = await readTerms(workspace, ruleCache);
    const table = new MarketTable(Math.ceil(products * 1.02), this.#needsLabels);
    const nowMs = workspace.now().getTime();
    const isStopped = () => this.#isEnded;
    const position = await fillTable(workspace, table, terms, nowMs, isStopped);
    if (this.#isEnded) return;
    await this.#serially(() => {
      const asOfMs = this.#loaded === null ? nowMs : tickOf(this.#loaded, nowMs);
      const nextDueMs = table.dueAt(-Infinity, 0).nextMs;
      const knownSinceMs = asOfMs;
      this.#loaded = { table, terms, position, nextDueMs, asOfMs, knownSinceMs, isBehind: false };
      this.#refresh = null;
    });
    this.#onLoaded();
  }

  /** The table may lack commits that other processes made in the last 250 ms. */
  #upToDate(workspace: Reader): Promise<Loaded> {
    const commits = commitsOf(workspace.store);
    const begunMs = performance.now();
    const isDue = this.#loaded !== null && workspace.now().getTime() >= this.#loaded.nextDueMs;
    const refresh = this.#refresh;
    const isFresh = !isDue && refresh?.commits === commits && begunMs - refresh.begunMs < 250;
    if (refresh !== null && isFresh) return refresh.done;
    const done = this.#serially(() => this.#catchUp(plain(workspace)));
    this.#refresh = { commits, begunMs, done };
    done.catch(() => this.#refresh = null);
    return done;
  }

  async #catchUp(workspace: Reader): Promise<Loaded> {
    const loaded = this.#loaded;
    if (loaded === null) throw notYet();
    const nowMs = workspace.now().getTime();
    const most = Math.max(2_000, loaded.table.size * 0.05);
    const [version, changes] = await Promise.all([
      findTermsVersion(workspace),
      changesSince(workspace, loaded.position, most),
    ]);
    const due = nowMs >= loaded.nextDueMs ? loaded.table.dueAt(nowMs, most) : null;
    const ids = new Set([...changes?.ids ?? [], ...due?.ids ?? []]);
    loaded.isBehind = changes === null || ids.size > most;
    const isRebuilt = loaded.isBehind && performance.now() >= this.#backOffUntilMs;
    if (version !== loaded.terms.version || isRebuilt) this.#loadInBackground(workspace);
    if (changes === null || loaded.isBehind) return loaded;
    const nextDueMs = due?.nextMs ?? loaded.nextDueMs;
    await apply(workspace, loaded, { ...changes, ids, nextDueMs }, nowMs);
    return loaded;
  }

  #serially<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.#lastWork.then(work, work);
    this.#lastWork = next.catch(() => {});
    return next;
  }
}

function plain({ store, workspaceId, now }: Reader): Reader {
  return { store, workspaceId, now: () => now() };
}

async function requireRoom(workspace: WorkspaceStore, bytesMax: number): Promise<number> {
  const products = await countActiveProducts(workspace);
  // A product with five offers takes about 260 bytes of memory.
  if (products * 260 <= bytesMax) return products;
  throw tooLarge();
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof Failure && error.code === "market_too_large";
}

export function nullIfTooLarge(error: unknown): null {
  if (isTooLarge(error)) return null;
  throw error;
}

function tooLarge(): Failure {
  return new Failure(
    "market_too_large",
    "The catalogue is too large for the market table: use no market order or filter, or raise " +
      "MARKET_MEMORY_BYTES",
  );
}

function notYet(): Failure {
  return new Failure("unavailable", "The market is being loaded, try again in a moment");
}

async function patiently(loading: Promise<void>, patienceMs: number): Promise<void> {
  if (!await withTimeout(patienceMs, loading)) throw notYet();
}

export type MarketCacheOptions = Partial<TableSetup> & {
  readonly bytesMax: number;
  readonly ruleCache: RuleCache;
};

export class MarketCache {
  readonly #tables = new Map<string, KeptTable>();
  readonly #ended = new AbortController();
  readonly #setup: TableSetup;

  constructor(options: MarketCacheOptions) {
    this.#setup = {
      smallMax: 2_000,
      patienceMs: 10_000,
      backOffFactor: 5,
      ended: this.#ended.signal,
      ...options,
    };
  }

  /** Throws `market_too_large`, or `unavailable` if loading takes more than 10 s. */
  async read(workspace: Reader): Promise<CurrentMarket> {
    return await this.#tableOf(workspace).read(workspace);
  }

  async readLabelled(workspace: Reader): Promise<CurrentMarket> {
    const kept = this.#tableOf(workspace);
    const { table } = await kept.read(workspace);
    if (table.size > 500_000) throw tooLarge();
    return await kept.read(workspace, true);
  }

  /** Until a large table is loaded, starts to load it in the background and returns null. */
  async readIfLoaded(workspace: Reader): Promise<CurrentMarket | null> {
    if (this.#ended.signal.aborted) return null;
    const isLoaded = this.#tables.get(workspace.workspaceId)?.isLoaded === true;
    if (!isLoaded && await countActiveProducts(workspace) > this.#setup.smallMax) {
      this.warm(workspace);
      return null;
    }
    const kept = this.#tableOf(workspace);
    return await kept.read(workspace);
  }

  warm(workspace: Reader): void {
    this.#tableOf(workspace).warm(workspace);
  }

  /** Must be called every second, but never before the previous call has ended. */
  async tend(): Promise<void> {
    for (const [workspaceId, kept] of [...this.#tables]) {
      if (this.#ended.signal.aborted) return;
      await kept.tend().catch((error: unknown) => {
        log.warning("market not kept", { workspaceId, error });
      });
    }
  }

  size(): number {
    return this.#tables.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#tables.values().map((kept) => kept.settle()));
  }

  #tableOf(workspace: Reader): KeptTable {
    const { workspaceId } = workspace;
    const kept = this.#tables.get(workspaceId) ??
      new KeptTable(this.#setup, () => this.#forgetOldest(workspaceId));
    this.#tables.delete(workspaceId);
    this.#tables.set(workspaceId, kept);
    kept.noteAsked(workspace);
    return kept;
  }

  #forgetOldest(keptId: string): void {
    for (const [id, kept] of this.#tables) {
      if (this.size() <= this.#setup.bytesMax) return;
      if (id !== keptId && kept.isLoaded) this.#tables.delete(id);
    }
  }
}
