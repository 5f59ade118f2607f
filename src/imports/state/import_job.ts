/** An import as a durable job (docs/decisions/imports.md): its options, its progress and its counts. */

import type { ImportHold } from "../../accounts/workspace.ts";
import { fromKeys } from "../../base/collections.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { isHoldCode, PRICES_REFUSED } from "../files/hold_codes.ts";
import type { PriceSide } from "../profiles/profile_choices.ts";
import type {
  HoldSample,
  ImportHeld,
  ImportImpact,
  SourceHold,
  UndoCounts,
} from "./import_figures.ts";

/**
 * The kind under which imports are queued; one at a time in a workspace, in the order of their
 * sending.
 */
export const IMPORT_KIND = "import";

/** How the runner ends a job that broke off too often at one place. */
export const CRASH_LOOP = "crash_loop";

/**
 * How a file meets the catalogue; `replace` also deletes what earlier imports made and this one
 * lacks.
 */
export const IMPORT_MODES = ["upsert", "insert", "update", "replace"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Kept small: the record of the job is written with every batch. */
export interface ImportArgs {
  /** All parts of the upload one after the other, then their list. */
  readonly blobId: string;
  readonly manifestAt: number;
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  /** The file is imported, too, where a whole column of prices cannot be used. */
  readonly allowsNoPrices: boolean;
  /** The profile that the request names; null lets the root element decide. */
  readonly profile: string | null;
  readonly tier: string | null;
  /** The named source whose file this is; absent for the default one. */
  readonly source?: string;
  /** Records with so many SKUs are omitted, whose hashes stand in rows of the job. */
  readonly excluded?: number;
  /** Why it is applied so, in the words of who applies it. */
  readonly reason?: string;
  /** The dry run or held job whose file this is. */
  readonly appliedFrom: string | null;
  /** Fixed when the job is made, so that a restarted check finds the same. */
  readonly setting: ImportSetting;
}

export interface ImportSetting {
  readonly currency: string;
  readonly timeZone: string;
  /** The day in that zone, `2026-11-20`. */
  readonly today: string;
  readonly vat: { readonly side: PriceSide; readonly ratePct: number | null };
}

/**
 * Each record counts in exactly one of the first four (docs/decisions/imports.md, "stats").
 * `soldDays`: days of products whose units changed. `beyondBounds`: prices that the file has set
 * beyond a bound of their product. A record may have several findings.
 */
export const STAT_NAMES = [
  "inserted",
  "updated",
  "skipped",
  "errors",
  "competitorsLinked",
  "removed",
  "reverted",
  "soldDays",
  "beyondBounds",
  "errorCount",
  "warningCount",
] as const;

export type ImportStats = Readonly<Record<(typeof STAT_NAMES)[number], number>>;

export const NO_STATS: ImportStats = fromKeys(STAT_NAMES, () => 0);

export function countOf({ inserted, updated, skipped, errors }: ImportStats): number {
  return inserted + updated + skipped + errors;
}

export function addStats(stats: ImportStats, more: Partial<ImportStats>): ImportStats {
  return fromKeys(STAT_NAMES, (name) => stats[name] + (more[name] ?? 0));
}

export interface UndoRows {
  readonly rows: number;
  readonly entries: number;
}

export const NO_UNDO_ROWS: UndoRows = { rows: 0, entries: 0 };

/** Where the walk over the shards stands: after a crash it goes on from exactly here. */
export interface ImportCursor {
  /** The first shard of the current span; 64 when all are done. */
  readonly shard: number;
  /** Records of the span that are dealt with; a SKU counts once, with its last record. */
  readonly position: number;
  /** True when the record at `position` is written and counted, and only links of it are left. */
  readonly isCounted: boolean;
  /** `replace`: the SKU up to which what is missing was removed; null while records are left. */
  readonly removedUpTo: string | null;
  readonly lines: readonly number[];
  readonly records: number;
  /** True when a record has our price. */
  readonly bringsPrices: boolean;
  /** Counts of the check, from which plan and apply go on. */
  readonly checked: ImportStats;
  /**
   * Seconds of the ids of new products in the order of the file; null: in the order of application.
   */
  readonly idSeconds: number | null;
  /** Figures of the plan so far; null outside of it. */
  readonly plan: ImportPlan | null;
  /** Price changes applied so far; absent before the application. */
  readonly impact?: ImportImpact;
  /** A product that moves by more percent is a warning; null: none is. */
  readonly warnsBeyondPct: number | null;
  /** The rows kept to take the import back. */
  readonly undo: UndoRows;
}

export interface ImportPlan {
  readonly stats: ImportStats;
  /** Active products that imports made, and how many of them the file lacks. */
  readonly importMade: number;
  readonly missing: number;
  readonly missingSkus: readonly string[];
  readonly hold: HoldCounters | null;
  /** The unit that prices seem to be in. */
  readonly units: PriceUnits;
  readonly changes: number;
  readonly removals: number;
  readonly additions: number;
  readonly impact: ImportImpact;
}

/** How many times an earlier price a wrong unit or a misread sign makes of it. */
export const PRICE_FACTORS = ["1000", "100", "10", "0.1", "0.01", "0.001"] as const;
export type PriceFactor = (typeof PRICE_FACTORS)[number];

/** Prices of digits alone, three or more of them. */
interface WholePrices {
  readonly prices: number;
  /** Those whose last two digits are such as prices end in after the sign: 99, 95, 90, 50, 49, 00. */
  readonly endings: number;
}

/** The evidence that prices are in another unit than assumed. */
export interface PriceUnits {
  /** Where our price stands, as the header of the table has it; null if there is none. */
  readonly column: string | null;
  /** Records with a price and a cost, and those of them whose price is far beyond it. */
  readonly pairs: number;
  readonly beyondCost: number;
  /** Records of tables with our price, where no amount of the file has a sign; null once one has. */
  readonly wholes?: WholePrices | null;
  /** Existing products by how many times their earlier price they would get, about. */
  readonly factors: Readonly<Partial<Record<PriceFactor, number>>>;
  readonly sample?: {
    readonly sku: string;
    readonly fromCents: number;
    readonly toCents: number;
    readonly currency: string;
  };
}

/**
 * Figures of the hold. It counts existing products, each once however often the file names
 * it, whose price or cost the file brings or takes away: new products and records without either can
 * neither hold an import nor dilute it.
 */
export interface HoldCounters extends Readonly<Pick<ImportHeld, "products" | "moved" | "causes">> {
  /** The setting when the plan began: the workspace's, or that of a named source. */
  readonly bounds: ImportHold | SourceHold;
  readonly samples: readonly HoldSample[];
  /** Further figures of a named source; absent if the workspace's setting counts. */
  readonly whole?: WholeCounters;
}

export interface WholeCounters {
  /** True as long as no import of the source has succeeded: all is new and changed then. */
  readonly isFirst: boolean;
  readonly skus: number;
  readonly changed: number;
  readonly created: number;
  readonly changedSkus: readonly string[];
  readonly createdSkus: readonly string[];
}

export type ImportJob = Job<ImportArgs, ImportCursor, ImportStats>;

/** Takes an applied import back; it is queued with the imports of its workspace. */
export interface UndoArgs {
  readonly undoes: string;
  readonly beganAt: string;
  readonly endedAt: string;
  readonly entries: number;
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  readonly pausesSource: boolean;
  readonly reason?: string;
  /** The source of the import that is taken back; absent for `default`. */
  readonly source?: string;
}

/** Where the undo stands: after a crash it goes on from exactly here. */
export interface UndoCursor {
  /** The row with the commit of the import that comes next. */
  readonly row: number;
  readonly position: number;
  readonly counts: UndoCounts;
  /** Price changes of the undo; of a rehearsal alone. */
  readonly impact: ImportImpact;
}

export type UndoJob = Job<UndoArgs, UndoCursor, ImportStats>;

/** A job in the queue of imports of a workspace. */
export type QueuedImport = ImportJob | UndoJob;

export function isUndo(job: QueuedImport): job is UndoJob {
  return "undoes" in job.args;
}

/**
 * True when the upload of an ended job is kept, so that it can be applied: a dry run, or an import that
 * is held or has failed for its prices.
 */
export function keepsUpload(job: QueuedImport): job is ImportJob {
  if (isUndo(job)) return false;
  const { args, status, error } = job;
  if (status === "succeeded") return args.isDryRun;
  if (status !== "failed") return false;
  return isHoldCode(error?.code) || (error?.code === PRICES_REFUSED && !args.isDryRun);
}

export interface DryRunResult {
  readonly impact: ImportImpact;
}
