/**
 * The market tables of a process (docs/decisions/market.md): loaded on first use, updated from the
 * change log before each answer, within one memory bound for all workspaces.
 */

import { Failure } from "../../base/failure.ts";
import type { Rewrites } from "../../catalogue/lists/catalogue_cache.ts";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/change_log_store.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import { comesWithin } from "../../platform/event_loop.ts";
import { roomLog } from "../../platform/log.ts";
import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import { commitsOf } from "../../platform/store/kv.ts";
import { LoanEnded } from "../../platform/store/store_loan.ts";
import type { RuleBook } from "../../rules/evaluation/rule_book.ts";
import { MarketTally } from "../market_tally.ts";
import { MarketTable } from "../table/market_table.ts";
import { readCheckpoint, type TableMoment, writeCheckpoint } from "./checkpoint.ts";
import { findCheckpointHead } from "./checkpoint_store.ts";
import {
  fillLabels,
  fillTable,
  findTermsVersion,
  type MarketTerms,
  readRows,
  readTerms,
} from "./read_market.ts";
import { setTimeout as pause } from "node:timers/promises";

/** A table as of a moment. It goes on changing: who reads it does so before the next `await`. */
export interface CurrentMarket {
  readonly table: MarketTable;
  readonly terms: MarketTerms;
  /** Commits before this time are in the table. */
  readonly asOfMs: number;
  /** Changes before this time are unknown to this process. */
  readonly knownSinceMs: number;
}

/** One per process. */
export interface MarketMemory {
  /**
   * The table with all that this process has committed, and what others had committed 250 ms ago.
   * Refuses with `market_too_large` a workspace whose table has no room, and with `unavailable` while
   * loading takes longer than 10 s.
   */
  read(workspace: Reader): Promise<CurrentMarket>;
  /** As `read`, of a table that knows what products are called; refuses too many products alike. */
  readLabelled(workspace: Reader): Promise<CurrentMarket>;
  /**
   * Like `read`, but answers `null` where a table that is not small must be loaded first; the load
   * begins then, or when the catalogue's rewrite is over.
   */
  readIfLoaded(workspace: Reader): Promise<CurrentMarket | null>;
  /**
   * Starts to load the table in the background for a person who has signed in, unless the catalogue
   * is being rewritten; failures are logged.
   */
  warm(workspace: Reader): void;
  /**
   * Updates large tables in use, and writes due checkpoints. Call it every second; one call at a
   * time.
   */
  tend(): Promise<void>;
  /** Bytes of all tables. */
  size(): number;
  /** Ends background work; resolves when it no longer reads the store. */
  close(): Promise<void>;
}

type Reader = WorkspaceStore & Pick<Clockwork, "now">;

interface Loaded extends TableMoment {
  position: string;
  readonly terms: MarketTerms;
  /** When time alone changes a fact next. */
  nextDueMs: number;
  asOfMs: number;
  /** More has changed since than is read product by product. */
  isBehind: boolean;
}

interface Look {
  /** The commits that were answered when it began. */
  readonly commits: number;
  readonly begunMs: number;
  /** The table that it brought up to date. */
  readonly done: Promise<Loaded>;
}

interface Entry {
  loaded: Loaded | null;
  loading: Promise<void> | null;
  look: Look | null;
  /** Accesses to the table run one after the other. */
  turn: Promise<unknown>;
  /** The last reader, and its time. */
  asked: { readonly workspace: Reader; readonly atMs: number } | null;
  /** When it is worth a look whether a checkpoint is due. */
  checkpointMs: number;
  /** Until this process time, many changes do not cause another load. */
  restUntilMs: number;
  /** The end of the log when too much had changed, and when that was seen first. */
  end: { readonly position: string; readonly seenMs: number } | null;
}

export interface MarketMemoryOptions {
  readonly bytesMax: number;
  readonly book: RuleBook;
  /** For checkpoints. */
  newId(): string;
  readonly tally?: MarketTally;
  /** Products of a table that is loaded before the answer and has no checkpoint; tests make it smaller. */
  readonly smallMax?: number;
  /** The maximum wait for a load; tests shorten it. */
  readonly patienceMs?: number;
  /** For how many times as long as its last load took a table rests; tests make it longer. */
  readonly restTimes?: number;
  /** The catalogues that are being rewritten. */
  readonly rewrites: Rewrites;
  /** Products of a catalogue whose table waits for the end of that; tests make it smaller. */
  readonly heavyMin?: number;
}

/** Interval for the commits of other processes; own commits are seen at once. */
const LOOK_MS = 250;
const PATIENCE_MS = 10_000;
const ROWS_AT_ONCE = 250;
/**
 * Above this number of changed products and a share of all, the table is reloaded in the
 * background.
 */
const CAUGHT_UP_MAX = 2_000;
const CAUGHT_UP_SHARE = 0.05;
/**
 * While an import changes everything, a table would be loaded all the time, and the import would take
 * twice as long: so it is a sixth of the time at most, and the table says as of when it is.
 */
const REST_TIMES = 5;
/** The table of so many takes so much memory and time that it is loaded once an import has ended. */
const HEAVY_PRODUCTS = 20_000;
/** When nothing has changed for so long, it rests no more. */
const STILL_MS = 1_000;
/** The labels of more would take too much memory. */
const LABELLED_MAX = 500_000;
/** A table of this size is reloaded before the answer; a checkpoint would not be faster. */
const SMALL_PRODUCTS = 2_000;
/** A table is in use when it was read within this time. */
const WARM_MS = 10 * 60_000;
/** A table read within a day has a checkpoint of at most an hour. */
const CHECKPOINT_ASKED_MS = 24 * 3_600_000;
const CHECKPOINT_AGE_MS = 3_600_000;
/** Another process may write it, so its age is looked at now and then. */
const CHECKPOINT_LOOK_MS = 60_000;
/** About, before anything is loaded: with five offers each. */
const BYTES_PER_PRODUCT = 260;
/** Rows compared between two pauses of the thread. */
const ROWS_PER_BREATH = 5_000;

const log = roomLog("market");

export function createMarketMemory(
  options: MarketMemoryOptions,
): MarketMemory {
  const { bytesMax, book, newId, tally = new MarketTally() } = options;
  const { smallMax = SMALL_PRODUCTS, heavyMin = HEAVY_PRODUCTS, rewrites } = options;
  const { patienceMs = PATIENCE_MS, restTimes = REST_TIMES } = options;
  const entries = new Map<string, Entry>();
  let isClosed = false;

  /** The entry of a workspace with a reader. */
  const entryOf = (workspace: Reader): Entry => {
    const { workspaceId } = workspace;
    const entry = entries.get(workspaceId) ??
      {
        loaded: null,
        loading: null,
        look: null,
        turn: Promise.resolve(),
        asked: null,
        checkpointMs: -Infinity,
        restUntilMs: -Infinity,
        end: null,
      };
    // The one that was asked for longest ago stands first.
    entries.delete(workspaceId);
    entries.set(workspaceId, entry);
    entry.asked = { workspace: plain(workspace), atMs: workspace.now().getTime() };
    return entry;
  };

  const size = () =>
    entries.values().reduce((sum, { loaded }) => sum + (loaded?.table.memoryBytes ?? 0), 0);

  const forgetOldest = (keptId: string) => {
    for (const [id, { loaded }] of entries) {
      if (size() <= bytesMax) return;
      if (id !== keptId && loaded !== null) entries.delete(id);
    }
  };

  const load = async (workspace: Reader, entry: Entry): Promise<void> => {
    const products = await requireRoom(workspace, bytesMax);
    const terms = await readTerms(workspace, book);
    const kept = products > smallMax ? await findKept(workspace, terms, entry.loaded) : null;
    if (isClosed) return;
    if (kept !== null) {
      tally.loads.checkpoint++;
      await take(entry, { ...kept, terms });
      return forgetOldest(workspace.workspaceId);
    }
    const table = new MarketTable(Math.ceil(products * 1.02));
    const nowMs = workspace.now().getTime();
    const before = entry.loaded;
    if (before?.table.hasLabels) table.keepLabels();
    const tickMs = before === null ? nowMs : tickOf(before, nowMs);
    const isStopped = () => isClosed;
    const position = await fillTable(workspace, table, terms, nowMs, isStopped, tickMs);
    if (isClosed) return;
    tally.loads.catalogue++;
    await take(entry, { table, terms, position, asOfMs: tickMs, knownSinceMs: tickMs });
    forgetOldest(workspace.workspaceId);
  };

  /** The checkpoint, where it is nearer to now than the table that there is, and near enough. */
  const findKept = async (
    workspace: Reader,
    terms: MarketTerms,
    before: Loaded | null,
  ): Promise<TableMoment | null> => {
    const { workspaceId } = workspace;
    const seen = before?.position ?? null;
    const kept = await readCheckpoint(workspace, terms.version, () => isClosed, seen)
      .catch((error: unknown) => {
        // The catalogue says the same; it only takes longer.
        log.warning("checkpoint not read", { workspaceId, error });
        return null;
      });
    if (kept === null) return null;
    const { isTooLong, ids } = await readBacklog(workspace, kept);
    const most = caughtUpMax(kept);
    const due = kept.table.dueAt(workspace.now().getTime(), most);
    return isTooLong || ids.size + due.ids.length > most ? null : kept;
  };

  /** Puts a table in the place of the one before. */
  const take = (entry: Entry, { table, ...moment }: TableMoment & Pick<Loaded, "terms">) =>
    inTurn(entry, async () => {
      const old = entry.loaded;
      for (let row = 0; old !== null && row < table.rows; row += ROWS_PER_BREATH) {
        table.keepTimesOf(old.table, row, row + ROWS_PER_BREATH);
        // By a timer: else sockets are looked at once in some 60 turns.
        await pause(0);
      }
      entry.loaded = {
        table,
        ...moment,
        nextDueMs: table.dueAt(-Infinity, 0).nextMs,
        asOfMs: Math.max(moment.asOfMs, old?.asOfMs ?? 0),
        knownSinceMs: old?.knownSinceMs ?? moment.knownSinceMs,
        isBehind: false,
      };
      entry.look = null;
    });

  /** One load at a time; concurrent callers wait for it, or continue with the current table. */
  const beginLoad = (workspace: Reader, entry: Entry): Promise<void> => {
    const begunMs = performance.now();
    entry.loading ??= load(plain(workspace), entry).finally(() => {
      entry.loading = null;
      const endedMs = performance.now();
      entry.restUntilMs = endedMs + restTimes * (endedMs - begunMs);
    });
    return entry.loading;
  };

  const loadBeside = (workspace: Reader, entry: Entry): void => {
    const { workspaceId } = workspace;
    beginLoad(workspace, entry)
      .catch((error) => {
        if (error instanceof LoanEnded) return;
        if (!isTooLarge(error)) return log.warning("market not loaded", { workspaceId, error });
        // A reader of more than a page is told; others miss nothing.
        entry.loaded = null;
        entry.look = null;
      });
  };

  /** True after a load while changes keep coming, and of a heavy table while all of it is changed. */
  const restsNow = async (workspace: Reader, entry: Entry, { table }: Loaded): Promise<boolean> => {
    if (await waitsForRewrite(workspace)) return true;
    if (table.size <= smallMax) return false;
    const position = await findLogEnd(workspace);
    const nowMs = performance.now();
    if (entry.end?.position !== position) entry.end = { position, seenMs: nowMs };
    return nowMs < entry.restUntilMs && nowMs < entry.end.seenMs + STILL_MS;
  };

  const waitsForRewrite = async (workspace: Reader): Promise<boolean> =>
    rewrites.isOngoing(workspace.workspaceId) && await countActiveProducts(workspace) >= heavyMin;

  const catchUp = async (workspace: Reader, entry: Entry): Promise<Loaded> => {
    const { loaded } = entry;
    if (loaded === null) throw notYet();
    const nowMs = workspace.now().getTime();
    const [version, backlog] = await Promise.all([
      findTermsVersion(workspace),
      readBacklog(workspace, loaded),
    ]);
    const most = caughtUpMax(loaded);
    const due = nowMs >= loaded.nextDueMs ? loaded.table.dueAt(nowMs, most) : null;
    const ids = new Set([...backlog.ids, ...due?.ids ?? []]);
    const isTooMuch = backlog.isTooLong || ids.size > most;
    const rests = isTooMuch && await restsNow(workspace, entry, loaded);
    if (version !== loaded.terms.version || (isTooMuch && !rests)) loadBeside(workspace, entry);
    loaded.isBehind = isTooMuch;
    if (isTooMuch) return loaded;
    const nextDueMs = due?.nextMs ?? loaded.nextDueMs;
    await apply(workspace, loaded, { ...backlog, ids, nextDueMs }, nowMs);
    tally.productsReadAnew += ids.size;
    return loaded;
  };

  const look = (workspace: Reader, entry: Entry): Promise<Loaded> => {
    const commits = commitsOf(workspace.store);
    const begunMs = performance.now();
    const isDue = entry.loaded !== null && workspace.now().getTime() >= entry.loaded.nextDueMs;
    const isFresh = entry.look !== null && entry.look.commits === commits && !isDue &&
      begunMs - entry.look.begunMs < LOOK_MS;
    if (entry.look !== null && isFresh) return entry.look.done;
    const done = inTurn(entry, () => catchUp(plain(workspace), entry));
    entry.look = { commits, begunMs, done };
    // The caller gets the error; the next one tries again.
    done.catch(() => entry.look = null);
    return done;
  };

  const labelling = new Map<MarketTable, Promise<void>>();

  /** Concurrent callers share one load of labels. */
  const beginLabels = (workspace: Reader, table: MarketTable): Promise<void> => {
    const known = labelling.get(table);
    if (known !== undefined) return known;
    table.keepLabels();
    const filling = fillLabels(plain(workspace), table, () => isClosed)
      .finally(() => labelling.delete(table));
    labelling.set(table, filling);
    return filling;
  };

  const tendEntry = async (entry: Entry): Promise<void> => {
    const { asked, loaded } = entry;
    if (asked === null || loaded === null || loaded.table.size <= smallMax) return;
    const { workspace, atMs } = asked;
    const nowMs = workspace.now().getTime();
    if (nowMs - atMs <= WARM_MS) await look(workspace, entry);
    if (nowMs - atMs > CHECKPOINT_ASKED_MS || nowMs < entry.checkpointMs) return;
    entry.checkpointMs = nowMs + CHECKPOINT_LOOK_MS;
    const found = await findCheckpointHead(workspace);
    if (found !== null && nowMs - found.head.atMs < CHECKPOINT_AGE_MS) return;
    await look(workspace, entry);
    const current = entry.loaded;
    if (current === null || entry.loading !== null) return;
    const isUnwanted = () => isClosed || entry.loaded !== current;
    const { terms: { version }, ...moment } = current;
    try {
      const isWritten = await writeCheckpoint(
        { ...workspace, newId, isUnwanted },
        version,
        moment,
      );
      tally.checkpoints[isWritten ? "written" : "superseded"]++;
    } catch (error) {
      tally.checkpoints.failed++;
      throw error;
    }
  };

  const memory: MarketMemory = {
    async tend() {
      for (const [workspaceId, entry] of [...entries]) {
        if (isClosed) return;
        await tendEntry(entry).catch((error: unknown) => {
          // Readers get the store's error; the next round tries again.
          if (!(error instanceof LoanEnded)) log.warning("market not kept", { workspaceId, error });
        });
      }
    },
    async read(workspace) {
      const entry = entryOf(workspace);
      for (;;) {
        if (entry.loaded === null) await patiently(beginLoad(workspace, entry), patienceMs);
        const { table, terms, asOfMs, knownSinceMs } = await look(workspace, entry);
        // A small table that is being reloaded is waited for, because it contains the latest
        // changes.
        if (entry.loading === null || table.size > smallMax) {
          return { table, terms, asOfMs, knownSinceMs };
        }
        await patiently(entry.loading, patienceMs);
      }
    },
    async readLabelled(workspace) {
      for (;;) {
        const current = await memory.read(workspace);
        const { table } = current;
        if (table.size > LABELLED_MAX) throw tooLarge();
        if (table.hasLabels && !labelling.has(table)) return current;
        await patiently(beginLabels(workspace, table), patienceMs);
      }
    },
    async readIfLoaded(workspace) {
      const entry = entries.get(workspace.workspaceId);
      if (isClosed) return null;
      const isQuick = entry?.loaded || await countActiveProducts(workspace) <= smallMax;
      if (!isQuick) {
        memory.warm(workspace);
        return null;
      }
      const current = await memory.read(workspace);
      const waits = entry?.loaded?.isBehind && await waitsForRewrite(workspace);
      return waits ? null : current;
    },
    warm(workspace) {
      const entry = entryOf(workspace);
      if (isClosed || entry.loaded !== null || entry.loading !== null) return;
      if (!rewrites.isOngoing(workspace.workspaceId)) loadBeside(workspace, entry);
    },
    size,
    async close() {
      isClosed = true;
      const waited = entries.values().flatMap(({ loading, turn }) => [loading, turn]);
      await Promise.allSettled([...waited, ...labelling.values()]);
    },
  };
  return memory;
}

/** The request that started it may be over before the work ends. */
function plain({ store, workspaceId, now }: Reader): Reader {
  return { store, workspaceId, now: () => now() };
}

async function requireRoom(workspace: WorkspaceStore, bytesMax: number): Promise<number> {
  const products = await countActiveProducts(workspace);
  if (products * BYTES_PER_PRODUCT <= bytesMax) return products;
  throw tooLarge();
}

/** True for the refusal of a workspace whose table has no room. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Failure && error.code === "market_too_large";
}

function tooLarge(): Failure {
  return new Failure("market_too_large", "The catalogue is too large for its market to be kept");
}

function caughtUpMax({ table }: TableMoment): number {
  return Math.max(CAUGHT_UP_MAX, table.size * CAUGHT_UP_SHARE);
}

/** A time behind the one that was answered last: what changes now is told from what was known then. */
function tickOf({ asOfMs }: Pick<Loaded, "asOfMs">, nowMs: number): number {
  return Math.max(nowMs, asOfMs + 1);
}

interface Backlog {
  readonly ids: ReadonlySet<string>;
  readonly position: string;
  /** True when it is not worth reading, or parts of it are gone. */
  readonly isTooLong: boolean;
}

async function readBacklog(workspace: WorkspaceStore, loaded: TableMoment): Promise<Backlog> {
  const ids = new Set<string>();
  let { position } = loaded;
  for (;;) {
    const changes = await listChanges(workspace, position, ROWS_AT_ONCE);
    for (const { productIds } of changes) for (const id of productIds) ids.add(id);
    position = changes.at(-1)?.position ?? position;
    if (ids.size > caughtUpMax(loaded)) return { ids, position, isTooLong: true };
    if (changes.length < ROWS_AT_ONCE) break;
  }
  // Read behind the rows: whatever was missing of them was noted before it went.
  const sweep = await findLogSweep(workspace);
  return { ids, position, isTooLong: sweep !== null && sweep.swept > loaded.position };
}

/** The products to read again, and the position afterwards. */
interface News extends Pick<Backlog, "ids" | "position"> {
  readonly nextDueMs: number;
}

/**
 * Reads the products again. The table is never older than its position: after an error the work is
 * repeated.
 */
async function apply(
  workspace: Reader,
  loaded: Loaded,
  { ids, position, nextDueMs }: News,
  nowMs: number,
): Promise<void> {
  const { table, terms } = loaded;
  const tickMs = tickOf(loaded, nowMs);
  let [isMoved, dueMs] = [false, nextDueMs];
  for await (const { asked, rows } of readRows(workspace, [...ids], terms, nowMs)) {
    const active = new Set<string>();
    for (const row of rows) {
      active.add(row.id);
      isMoved = table.put(row, tickMs) || isMoved;
      dueMs = Math.min(dueMs, row.facts.changesAtMs ?? Infinity);
    }
    for (const id of asked) {
      if (!active.has(id)) isMoved = table.remove(id) || isMoved;
    }
  }
  loaded.nextDueMs = dueMs;
  loaded.position = position;
  loaded.asOfMs = isMoved ? tickMs : Math.max(loaded.asOfMs, nowMs);
}

function inTurn<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
  const next = entry.turn.then(work, work);
  entry.turn = next.catch(() => {});
  return next;
}

function notYet(): Failure {
  return new Failure("unavailable", "The market is being loaded, try again in a moment");
}

async function patiently(loading: Promise<void>, patienceMs: number): Promise<void> {
  if (!await comesWithin(patienceMs, loading)) throw notYet();
}
