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

/** A workspace runs one import at a time, in the order in which they were sent. */
export const IMPORT_KIND = "import";

/** The error with which the runner ends a job that has crashed too often at the same position. */
export const CRASH_LOOP = "crash_loop";

/** `replace` also deletes products of earlier imports that the file lacks. */
export const IMPORT_MODES = ["upsert", "insert", "update", "replace"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Must stay small, because the job's row is written with every batch. */
export interface ImportArgs {
  /** The blob with all parts of the upload, followed by their list. */
  readonly blobId: string;
  readonly manifestAt: number;
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  /** True if the file is imported even if a whole column of its prices cannot be used. */
  readonly allowsNoPrices: boolean;
  /** The profile of the request; null if the content of the file decides. */
  readonly profile: string | null;
  readonly tier: string | null;
  /** The named source of the file; absent for the default source. */
  readonly source?: string;
  /** Number of excluded SKUs, whose hashes are in a row of the job. */
  readonly excluded?: number;
  /** The reason given by the person who applies it. */
  readonly reason?: string;
  /** Id of the dry run or held import whose file this job applies. */
  readonly appliedFrom: string | null;
  /** Fixed when the job is created, so that a restarted check has the same result. */
  readonly setting: ImportSetting;
}

export interface ImportSetting {
  readonly currency: string;
  readonly timeZone: string;
  /** The day in that time zone, as `2026-11-20`. */
  readonly today: string;
  readonly vat: { readonly side: PriceSide; readonly ratePct: number | null };
}

/**
 * Each record counts in exactly one of the first four (docs/decisions/imports.md, "stats").
 * `soldDays`: number of product days whose units changed. `beyondBounds`: number of prices that the
 * file has set beyond a bound of their product. A record may have several findings.
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

/** The position of the walk over the shards, from which it continues after a crash. */
export interface ImportCursor {
  /** The first shard of the current span; 64 after the last one. */
  readonly shard: number;
  /** Number of processed records of the span; each SKU has one, its last record. */
  readonly position: number;
  /** True if the record at `position` was written and counted, and only links of it are left. */
  readonly isCounted: boolean;
  /** `replace`: missing products were deleted up to this SKU; null while records are left. */
  readonly removedUpTo: string | null;
  readonly lines: readonly number[];
  readonly records: number;
  /** True if any record has our price. */
  readonly bringsPrices: boolean;
  /** Counts of the check, with which plan and application start. */
  readonly checked: ImportStats;
  /** Seconds for ids in the order of the file; null: in the order of application. */
  readonly idSeconds: number | null;
  /** Figures of the plan so far; null outside of the plan phase. */
  readonly plan: ImportPlan | null;
  /** Price changes applied so far; absent before the application. */
  readonly impact?: ImportImpact;
  /** Percentage of a move above which a product gets a warning; null for no warnings. */
  readonly warnsBeyondPct: number | null;
  readonly undo: UndoRows;
}

export interface ImportPlan {
  readonly stats: ImportStats;
  /** Number of active products that imports created, and how many of them the file lacks. */
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

/** Factors between a wrong and an earlier price if the unit or the decimal sign was misread. */
export const PRICE_FACTORS = ["1000", "100", "10", "0.1", "0.01", "0.001"] as const;
export type PriceFactor = (typeof PRICE_FACTORS)[number];

/** Counts of prices that consist of at least three digits only. */
interface WholePrices {
  readonly prices: number;
  /** Those that end like usual decimals: 99, 95, 90, 50, 49, 00. */
  readonly endings: number;
}

/** The evidence that prices are in another unit than assumed. */
export interface PriceUnits {
  /** The table column of our price, named as in the header; null if there is none. */
  readonly column: string | null;
  /** Records with price and cost, and those of them with a price far above the cost. */
  readonly pairs: number;
  readonly beyondCost: number;
  /** Tables: our prices while no amount of the file has a decimal sign; null as soon as one has. */
  readonly wholes?: WholePrices | null;
  /** Number of existing products by the approximate factor between new and earlier price. */
  readonly factors: Readonly<Partial<Record<PriceFactor, number>>>;
  readonly sample?: {
    readonly sku: string;
    readonly fromCents: number;
    readonly toCents: number;
    readonly currency: string;
  };
}

/** Counts products whose price or cost is in the file or removed by it. New ones do not count. */
export interface HoldCounters extends Readonly<Pick<ImportHeld, "products" | "moved" | "causes">> {
  /** The setting when the plan began: the workspace's, or that of a named source. */
  readonly bounds: ImportHold | SourceHold;
  readonly samples: readonly HoldSample[];
  /** Further figures of a named source; absent if the workspace's setting counts. */
  readonly whole?: WholeCounters;
}

export interface WholeCounters {
  /** True until an import of the source has succeeded: everything is new or changed. */
  readonly isFirst: boolean;
  readonly skus: number;
  readonly changed: number;
  readonly created: number;
  readonly changedSkus: readonly string[];
  readonly createdSkus: readonly string[];
}

export type ImportJob = Job<ImportArgs, ImportCursor, ImportStats>;

/** Arguments of the job that undoes an import. It is queued with the imports of its workspace. */
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
  /** The source of the import that is undone; absent for `default`. */
  readonly source?: string;
}

/** The position of the undo, from which it continues after a crash. */
export interface UndoCursor {
  /** The row with the next commit of the import. */
  readonly row: number;
  readonly position: number;
  readonly counts: UndoCounts;
  /** Price changes of the undo; only for dry runs. */
  readonly impact: ImportImpact;
}

export type UndoJob = Job<UndoArgs, UndoCursor, ImportStats>;

export type QueuedImport = ImportJob | UndoJob;

export function isUndo(job: QueuedImport): job is UndoJob {
  return "undoes" in job.args;
}

/** After a dry run, and after an import that is held or failed because of its prices. */
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
