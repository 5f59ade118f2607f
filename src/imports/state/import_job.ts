/** An import as a durable job (docs/decisions/imports.md): options, progress and counts. */
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

export const IMPORT_KIND = "import";

/** Error code of a job that crashed too often at the same position. */
export const CRASH_LOOP = "crash_loop";

/** `replace` also deletes products that earlier imports created and the file does not contain. */
export const IMPORT_MODES = ["upsert", "insert", "update", "replace"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Must stay small, because every batch writes the row of the job. */
export interface ImportArgs {
  /** Contains the parts of the upload, and from `manifestAt` on the list of these parts. */
  readonly blobId: string;
  readonly manifestAt: number;
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  /** True imports the file even if a whole column of its prices is unusable. */
  readonly allowsNoPrices: boolean;
  /** If null, the content of the file decides which profile is used. */
  readonly profile: string | null;
  readonly tier: string | null;
  /** Absent for the default source. */
  readonly source?: string;
  /** Number of excluded SKUs. Their hashes are in a row of the job. */
  readonly excluded?: number;
  readonly reason?: string;
  /** The dry run or held import whose file this job applies. */
  readonly appliedFrom: string | null;
  /** Fixed when the job is created, so that a repeated check has the same result. */
  readonly setting: ImportSetting;
}

export interface ImportSetting {
  readonly currency: string;
  readonly timeZone: string;
  /** The day in `timeZone`, such as `2026-11-20`. */
  readonly today: string;
  readonly vat: { readonly side: PriceSide; readonly ratePct: number | null };
}

/**
 * Each record adds to exactly one of the first four counts. `soldDays`: product days whose units
 * changed. `beyondBounds`: prices beyond a bound of their product.
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

export interface ImportCursor {
  /** First shard of the current span; 64 after the last shard. */
  readonly shard: number;
  /** Number of processed records of the span. */
  readonly position: number;
  /** True if the record at `position` was written and counted, but still has links to write. */
  readonly isCounted: boolean;
  /** With `replace`, missing products are deleted up to this SKU; null while records are left. */
  readonly removedUpTo: string | null;
  readonly lines: readonly number[];
  readonly records: number;
  readonly bringsPrices: boolean;
  readonly checked: ImportStats;
  /** Time in the ids of all new products; null if each id has the time of its creation. */
  readonly idSeconds: number | null;
  /** Null outside of the plan phase. */
  readonly plan: ImportPlan | null;
  /** Absent before the apply phase. */
  readonly impact?: ImportImpact;
  /** A price that changes by more than this percentage gets a warning; null for no warnings. */
  readonly warnsBeyondPct: number | null;
  readonly undo: UndoRows;
}

export interface ImportPlan {
  readonly stats: ImportStats;
  /** Active products that imports created. The file lacks `missing` of them. */
  readonly importMade: number;
  readonly missing: number;
  readonly missingSkus: readonly string[];
  readonly hold: HoldCounters | null;
  readonly units: PriceUnits;
  readonly changes: number;
  readonly removals: number;
  readonly additions: number;
  readonly impact: ImportImpact;
}

/** Ratios of new to earlier price that show a misread unit or decimal sign. */
export const PRICE_FACTORS = ["1000", "100", "10", "0.1", "0.01", "0.001"] as const;
export type PriceFactor = (typeof PRICE_FACTORS)[number];

/** Counts of prices with at least three digits and no decimal sign. */
interface WholePrices {
  readonly prices: number;
  /** Prices that end with usual decimals, such as 99 or 50. */
  readonly endings: number;
}

export interface PriceUnits {
  /** Header of the column with our price. */
  readonly column: string | null;
  /** Number of records with price and cost. In `beyondCost` of them, the price is far too high. */
  readonly pairs: number;
  readonly beyondCost: number;
  /** For tables. Null as soon as an amount of the file has a decimal sign. */
  readonly wholes?: WholePrices | null;
  /** Number of existing products for each approximate ratio of new to earlier price. */
  readonly factors: Readonly<Partial<Record<PriceFactor, number>>>;
  readonly sample?: {
    readonly sku: string;
    readonly fromCents: number;
    readonly toCents: number;
    readonly currency: string;
  };
}

/** Counts products whose price or cost the file sets or removes. New products do not count. */
export interface HoldCounters extends Readonly<Pick<ImportHeld, "products" | "moved" | "causes">> {
  readonly bounds: ImportHold | SourceHold;
  readonly samples: readonly HoldSample[];
  readonly whole?: WholeCounters;
}

export interface WholeCounters {
  /** True until an import of the source has succeeded. */
  readonly isFirst: boolean;
  readonly skus: number;
  readonly changed: number;
  readonly created: number;
  readonly changedSkus: readonly string[];
  readonly createdSkus: readonly string[];
}

export type ImportJob = Job<ImportArgs, ImportCursor, ImportStats>;

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
  /** Absent for `default`. */
  readonly source?: string;
}

export interface UndoCursor {
  /** Index of the row of undo data that is undone next. */
  readonly row: number;
  readonly position: number;
  readonly counts: UndoCounts;
  readonly impact: ImportImpact;
}

export type UndoJob = Job<UndoArgs, UndoCursor, ImportStats>;

export type QueuedImport = ImportJob | UndoJob;

export function isUndo(job: QueuedImport): job is UndoJob {
  return "undoes" in job.args;
}

/** True for a successful dry run, and for an import that was held or refused for its prices. */
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
