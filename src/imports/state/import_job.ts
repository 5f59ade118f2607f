/** Declares the durable job of an import, or of its undo (docs/decisions/imports.md). */
import {
  HOLD_CODES,
  type ImportMode,
  isHoldCode,
  PRICES_REFUSED,
  type PriceSide,
  UNIT_REMEDIES,
} from "../choices.ts";
import type { SourceHold } from "./import_source.ts";
import type { ImportHold } from "../../accounts/workspace.ts";
import { fromKeys } from "../../base/collections.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { z } from "@hono/zod-openapi";

export const IMPORT_KIND = "import";

export const CRASH_LOOP = "crash_loop";

/** `ImportArgs` must stay small, because every commit of an import writes them again. */
export interface ImportArgs {
  /** Id of the upload: the bytes of all files and, at byte `manifestAt`, a list of the files. */
  readonly blobId: string;
  readonly manifestAt: number;
  readonly label: string;
  readonly mode: ImportMode;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  readonly allowsNoPrices: boolean;
  readonly profile: string | null;
  readonly tier: string | null;
  readonly source?: string;
  readonly excluded?: number;
  readonly reason?: string;
  /** Id of the dry run, or of the stopped import, whose file this job applies. */
  readonly appliedFrom: string | null;
  /** The workspace's settings when the job was created; later changes do not affect the job. */
  readonly setting: ImportSetting;
}

export interface ImportSetting {
  readonly currency: string;
  readonly timeZone: string;
  readonly today: string;
  readonly vat: { readonly side: PriceSide; readonly ratePct: number | null };
}

/**
 * Each record counts once: as `inserted`, `updated`, `skipped` or `errors`. `soldDays` counts pairs
 * of a product and a day whose sales changed.
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
  /** All shards (parts of the catalogue) below this number are finished; from 0 to 64. */
  readonly shard: number;
  readonly position: number;
  readonly isCounted: boolean;
  /**
   * In the mode `replace`, the missing products in the current shards are deleted up to this SKU;
   * null before the deletions begin.
   */
  readonly removedUpTo: string | null;
  readonly lines: readonly number[];
  readonly records: number;
  readonly bringsPrices: boolean;
  /** The next day on which a price in the file begins or ceases to be valid. */
  readonly turnsOn?: string | null;
  readonly checked: ImportStats;
  /** The time (Unix seconds) with which all ids of new products begin; null to use `newId`. */
  readonly idSeconds: number | null;
  readonly plan: ImportPlan | null;
  readonly impact?: ImportImpact;
  /** Percentage above which a price change gets a warning; null for no warnings. */
  readonly warnsBeyondPct: number | null;
  readonly undo: UndoRows;
}

export interface ImportPlan {
  stats: ImportStats;
  /** Active products that imports of this source created; may be 0 if no guard needs the number. */
  importMade: number;
  /** Number of products in `importMade` that are absent from the file or deleted by it. */
  missing: number;
  missingSkus: readonly string[];
  readonly hold: HoldCounters | null;
  readonly units: PriceUnits;
  changes: number;
  removals: number;
  additions: number;
  readonly impact: ImportImpact;
}

export const PRICE_FACTORS = ["1000", "100", "10", "0.1", "0.01", "0.001"] as const;
export type PriceFactor = (typeof PRICE_FACTORS)[number];

interface WholePrices {
  /** Number of records whose first price has at least three digits and no decimal sign. */
  prices: number;
  /** Number of the `prices` whose last two digits are typical of cents, as in `2999`. */
  endings: number;
}

export interface PriceUnits {
  column: string | null;
  pairs: number;
  beyondCost: number;
  /**
   * Null as soon as an amount shows that the file's amounts are not in cents, for example by a
   * decimal sign.
   */
  wholes?: WholePrices | null;
  readonly factors: Partial<Record<PriceFactor, number>>;
  sample?: Omit<PriceMove, "marginPct">;
}

export interface HoldCounters extends Pick<ImportHeld, "products" | "moved" | "causes"> {
  readonly bounds: ImportHold | SourceHold;
  samples: readonly HoldSample[];
  readonly whole?: WholeCounters;
}

export interface WholeCounters {
  readonly isFirst: boolean;
  skus: number;
  changed: number;
  created: number;
  readonly changedSkus: string[];
  readonly createdSkus: string[];
}

export type ImportJob = Job<ImportArgs, ImportCursor, ImportStats>;

export interface UndoArgs
  extends Pick<ImportArgs, "label" | "mode" | "isDryRun" | "reason" | "source"> {
  readonly undoes: string;
  readonly beganAt: string;
  readonly endedAt: string;
  readonly entries: number;
  readonly pausesSource: boolean;
}

export interface UndoCursor {
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

export function keepsUpload(job: QueuedImport): job is ImportJob {
  if (isUndo(job)) return false;
  const { args, status, error } = job;
  if (status === "succeeded") return args.isDryRun;
  if (status !== "failed") return false;
  return isHoldCode(error?.code) || (error?.code === PRICES_REFUSED && !args.isDryRun);
}

export const FieldChange = z.object({
  sku: z.string(),
  field: z.string(),
  date: z.iso.date().optional().describe("For `units`: the day of the sales"),
  from: z.unknown().describe("The value before"),
  to: z.unknown().describe("The value afterwards"),
  fromCurrency: z.string().optional()
    .describe("For prices: currency of `from`, which is in minor units"),
  toCurrency: z.string().optional()
    .describe("For prices: currency of `to`, which is in minor units"),
  written: z.string().optional().describe(
    "The text of the file, shortened; present if the value that was read looks " +
      "different, for example a number in another format or a converted net price",
  ),
  fromMarginPct: z.number().nullable().optional().describe(
    "For `ourPrice` and `costPrice`: the product's margin before; null if cost, " +
      "price or VAT rate is unknown",
  ),
  toMarginPct: z.number().nullable().optional()
    .describe("The margin after all changes of the file"),
});
export type FieldChange = Readonly<z.infer<typeof FieldChange>>;

export const Addition = z.object({
  sku: z.string(),
  title: z.string(),
  priceCents: z.int().nullable().describe("Our price in minor units; null: none"),
  currency: z.string(),
});

export const Removal = z.object({ sku: z.string(), productId: z.string() });

export type ReportEntry =
  | { readonly kind: "change"; readonly row: FieldChange }
  | { readonly kind: "addition"; readonly row: Readonly<z.infer<typeof Addition>> }
  | { readonly kind: "removal"; readonly row: Readonly<z.infer<typeof Removal>> };

const MoveAnswer = z.object({
  sku: z.string(),
  fromCents: z.int().describe("Our price before, in minor units"),
  toCents: z.int().describe("Our price afterwards, in minor units"),
  currency: z.string(),
  marginPct: z.number().nullable()
    .describe("The margin afterwards; null if cost or VAT rate is unknown"),
});

export type PriceMove = Readonly<z.infer<typeof MoveAnswer>>;

export const ImpactAnswer = z.object({
  priceChanges: z.int(),
  up: z.int(),
  down: z.int(),
  over20pct: z.int(),
  belowCost: z.int(),
  raisedCents: z.int().describe(
    "Sum of the increases, for one piece of each product, in the workspace's " +
      "currency; products in another currency are omitted",
  ),
  loweredCents: z.int().describe("Sum of the reductions, counted in the same way"),
  largest: z.array(MoveAnswer),
}).meta({ id: "ImportImpact" });

export type ImportImpact = z.infer<typeof ImpactAnswer>;

export const NO_IMPACT: Readonly<ImportImpact> = {
  priceChanges: 0,
  up: 0,
  down: 0,
  over20pct: 0,
  belowCost: 0,
  raisedCents: 0,
  loweredCents: 0,
  largest: [],
};

const HOLD_CAUSES = ["price", "cost", "currency"] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

const BEFORE = "The price or cost before, in minor units";
const AFTERWARDS = "The price or cost afterwards, in minor units";

const HoldSample = z.object({
  sku: z.string(),
  cause: z.enum(HOLD_CAUSES),
  fromCents: z.int().describe(BEFORE),
  fromCurrency: z.string(),
  toCents: z.int().describe(AFTERWARDS),
  toCurrency: z.string(),
});
export type HoldSample = Readonly<z.infer<typeof HoldSample>>;

const Guard = z.object({
  code: z.enum(HOLD_CODES).describe("The guard"),
  binds: z.boolean().describe("True if `count` is more than `sharePct` percent of `of`"),
  count: z.int().describe("Number of products or SKUs that violate the guard"),
  of: z.int().describe("Number of examined products or SKUs"),
  sharePct: z.number().describe("Maximum share in percent"),
  samples: z.array(z.object({
    sku: z.string(),
    fromCents: z.int().nullable().describe(BEFORE),
    fromCurrency: z.string().nullable(),
    toCents: z.int().nullable().describe(AFTERWARDS),
    toCurrency: z.string().nullable(),
  })).describe("Up to 10 per reason; with amounts if the reason is a price or a cost"),
  column: z.string().nullable()
    .describe("For `unit_guard`: the table column of the prices"),
  remedy: z.enum(UNIT_REMEDIES).nullable().describe(
    "For `unit_guard`: `minor`: amounts are in cents; `decimals`: a thousands " +
      "separator was read as a decimal sign, or the reverse",
  ),
});
export type Guard = Readonly<z.infer<typeof Guard>>;

export const ImportHeld = z.object({
  held: z.boolean().describe(
    "True if a guard binds: the import ended and nothing was applied, or for a dry run, this " +
      "would happen. `…/apply?force=true` applies it nevertheless",
  ),
  movePct: z.number()
    .describe("A price or cost counts as moved if it changes by more than this percentage"),
  sharePct: z.number().describe("Maximum percentage of moved products"),
  products: z.int().describe("Number of existing products whose price or cost is in the file"),
  moved: z.int().describe(
    "Number of these products whose price or cost moves by more than `movePct`, or whose currency changes",
  ),
  causes: z.object({
    price: z.int().describe("Number of moved prices"),
    cost: z.int().describe("Number of moved costs"),
    currency: z.int().describe("Number of changed currencies"),
  }).describe("Number of moved products per reason; a product may have several"),
  samples: z.array(HoldSample)
    .describe("Up to 10 per reason, largest moves first"),
  guards: z.array(Guard)
    .describe("All guards that were evaluated, including those that did not bind"),
}).meta({ id: "ImportHeld" });
export type ImportHeld = z.infer<typeof ImportHeld>;

export const Undone = z.object({
  entries: z.int().describe("Number of products of the import that were processed so far"),
  setBack: z.int().describe("Number of existing products with restored values"),
  deleted: z.int().describe("Number of products that the import created and the undo deletes"),
  restored: z.int().describe("Number of deleted products that are restored"),
  prices: z.int().describe("Number of restored own prices"),
  links: z.int()
    .describe("Number of links that the undo deletes, or that are enabled or disabled as before"),
  soldDays: z.int().describe("Number of days whose units sold are restored"),
  kept: z.int().describe(
    "Number of products with values that stay because they have changed since; see `…/errors`",
  ),
}).meta({ id: "ImportUndone" });

export type UndoCounts = Readonly<z.infer<typeof Undone>>;

export const NO_UNDO_COUNTS: UndoCounts = fromKeys(Undone.keyof().options, () => 0);
