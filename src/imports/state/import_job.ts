/**
 * An import as a durable job (docs/decisions/imports.md): what it was asked for, where it stands,
 * what it counts.
 */
import type { ImportHold } from "../../identity/workspace.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { isHoldCode } from "../findings/hold_codes.ts";

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
  /** Where the list of parts begins. */
  readonly manifestAt: number;
  /** What the sender calls the upload, for lists. */
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  /** Passes the replace guard and the hold. */
  readonly isForced: boolean;
  /** The profile that the request names; null lets the root element decide. */
  readonly profile: string | null;
  readonly tier: string | null;
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
}

/** Each record counts in exactly one of the first four (docs/decisions/imports.md, "stats"). */
export interface ImportStats {
  readonly inserted: number;
  readonly updated: number;
  readonly skipped: number;
  readonly errors: number;
  readonly competitorsLinked: number;
  readonly removed: number;
  readonly reverted: number;
  /** Findings, of which a record may have several. */
  readonly errorCount: number;
  readonly warningCount: number;
}

export const NO_STATS: ImportStats = {
  inserted: 0,
  updated: 0,
  skipped: 0,
  errors: 0,
  competitorsLinked: 0,
  removed: 0,
  reverted: 0,
  errorCount: 0,
  warningCount: 0,
};

/** Records seen and dealt with. */
export function countOf({ inserted, updated, skipped, errors }: ImportStats): number {
  return inserted + updated + skipped + errors;
}

export function addStats(stats: ImportStats, more: Partial<ImportStats>): ImportStats {
  return {
    inserted: stats.inserted + (more.inserted ?? 0),
    updated: stats.updated + (more.updated ?? 0),
    skipped: stats.skipped + (more.skipped ?? 0),
    errors: stats.errors + (more.errors ?? 0),
    competitorsLinked: stats.competitorsLinked + (more.competitorsLinked ?? 0),
    removed: stats.removed + (more.removed ?? 0),
    reverted: stats.reverted + (more.reverted ?? 0),
    errorCount: stats.errorCount + (more.errorCount ?? 0),
    warningCount: stats.warningCount + (more.warningCount ?? 0),
  };
}

/** Where the walk over the shards stands: after a crash it goes on from exactly here. */
export interface ImportCursor {
  /** The first shard of the span in hand; 64 when all are done. */
  readonly shard: number;
  /** Records of the span that are dealt with; a SKU counts once, with its last record. */
  readonly position: number;
  /** True when the record at `position` is written and counted, and only links of it are left. */
  readonly isCounted: boolean;
  /** `replace`: the SKU up to which what is missing was removed; null while records are left. */
  readonly removedUpTo: string | null;
  /** Lines dealt out to each shard. */
  readonly lines: readonly number[];
  /** Records of the whole upload. */
  readonly records: number;
  /** What the check counted: where plan and apply begin. */
  readonly checked: ImportStats;
  /**
   * Seconds of the ids of new products in the order of the file; null: in the order of application.
   */
  readonly idSeconds: number | null;
  /** What the plan has found so far; null outside of it. */
  readonly plan: ImportPlan | null;
  /**
   * A product that moves by more percent is a warning; null, or absent in an earlier job: none is.
   */
  readonly warnsBeyondPct?: number | null;
}

/** What a plan counts beyond the stats. */
export interface ImportPlan {
  readonly stats: ImportStats;
  /** Active products that imports made, and how many of them the file lacks. */
  readonly importMade: number;
  readonly missing: number;
  /** Null while the hold is off; absent in the plan of an earlier version, which begins again. */
  readonly hold?: HoldTally | null;
  /** Rows of the report that are written. */
  readonly changes: number;
  readonly removals: number;
  readonly impact: ImportImpact;
}

/** Why a product counts as moved; it may have several reasons. */
export const HOLD_CAUSES = ["price", "cost", "currency"] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/**
 * What the hold is judged by. It counts existing products, each once however often the file names
 * it, whose price or cost the file brings or takes away: new products and records without either can
 * neither hold an import nor dilute it.
 */
export interface HoldTally {
  /** The setting when the plan began. */
  readonly bounds: ImportHold;
  readonly products: number;
  readonly moved: number;
  readonly causes: Readonly<Record<HoldCause, number>>;
  /** The greatest moves of each cause. */
  readonly samples: readonly HoldSample[];
}

/** A price or cost before and after, in the smallest units of its currency then. */
export interface HoldSample {
  readonly sku: string;
  readonly cause: HoldCause;
  readonly fromCents: number;
  readonly fromCurrency: string;
  readonly toCents: number;
  readonly toCurrency: string;
}

/** What an import would do to the prices of existing products. */
export interface ImportImpact {
  readonly priceChanges: number;
  readonly up: number;
  readonly down: number;
  readonly over20pct: number;
  readonly belowCost: number;
  /** The greatest moves first. */
  readonly largest: readonly PriceMove[];
}

export interface PriceMove {
  readonly sku: string;
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

export const NO_IMPACT: ImportImpact = {
  priceChanges: 0,
  up: 0,
  down: 0,
  over20pct: 0,
  belowCost: 0,
  largest: [],
};

export type ImportJob = Job<ImportArgs, ImportCursor, ImportStats>;

/**
 * True when the upload of an ended job is kept, so that it can be applied: a dry run or a held
 * import.
 */
export function keepsUpload({ args, status, error }: ImportJob): boolean {
  if (status === "succeeded") return args.isDryRun;
  return status === "failed" && isHoldCode(error?.code);
}

/** What a succeeded dry run answers beside its stats. */
export interface DryRunResult {
  readonly impact: ImportImpact;
}
