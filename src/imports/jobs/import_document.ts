/** An import as both interfaces show it (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { findCards } from "../../catalogue/products/card_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { findArrival } from "../../catalogue/prices/awaited_price_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { hasEnded, JOB_STATUSES } from "../../platform/jobs/job.ts";
import { isBlobThere } from "../../platform/spool/spool.ts";
import { Finding } from "../findings/finding.ts";
import { guardsOf } from "../apply/guards.ts";
import { HOLD_CODES, isHoldCode, UNIT_REMEDIES } from "../findings/hold_codes.ts";
import { DEFAULT_SOURCE } from "../import_sources/import_source.ts";
import {
  countOf,
  CRASH_LOOP,
  HOLD_CAUSES,
  IMPORT_MODES,
  type ImportImpact as Impact,
  isUndo,
  keepsUpload,
  NO_IMPACT,
  NO_UNDO_COUNTS,
  type QueuedImport,
} from "../state/import_job.ts";
import { listFindings } from "../findings/finding_store.ts";
import { findApplier, listFiles, listReport } from "../state/import_row_store.ts";
import { undoableUntil } from "../state/undo_time.ts";
import { findUndoing } from "./find_undoing.ts";

const FINDINGS_SHOWN = 100;

const ImportFile = z.object({
  name: z.string().meta({ description: "As it was sent, or as it is called in its archive" }),
  bytes: z.int(),
  encoding: z.string().meta({ description: "As the WHATWG Encoding Standard names it" }),
  sha256: z.string(),
  items: z.int().meta({ description: "How many records it has" }),
  profile: z.string().meta({ description: "The import profile that read it" }),
}).meta({ id: "ImportFile" });

const ImpactAnswer = z.object({
  priceChanges: z.int(),
  up: z.int(),
  down: z.int(),
  over20pct: z.int(),
  belowCost: z.int(),
  raisedCents: z.int().meta({
    description: "How much dearer one piece of each product gets, together; in the workspace's " +
      "currency, products in another one left out",
  }),
  loweredCents: z.int().meta({ description: "How much cheaper, likewise" }),
  largest: z.array(z.object({
    sku: z.string(),
    fromCents: z.int().meta({ description: "Our price before, in minor units" }),
    toCents: z.int().meta({ description: "Our price afterwards, in minor units" }),
    currency: z.string(),
    marginPct: z.number().nullable().meta({
      description: "Of the price afterwards; null where cost or VAT rate is not known",
    }),
  })),
}).meta({ id: "ImportImpact" });

const ImportHeld = z.object({
  held: z.boolean().meta({
    description:
      "Whether a guard binds. The import ended so, with nothing applied; a dry run says so of " +
      "the real thing. `…/apply?force=true` lets it through",
  }),
  movePct: z.number().meta({
    description: "A price or cost that changes by more percent than this has moved",
  }),
  sharePct: z.number().meta({
    description: "How many percent of the products may have moved",
  }),
  products: z.int().meta({
    description: "Existing products whose price or cost the file brings, each counted once",
  }),
  moved: z.int().meta({
    description:
      "Those whose price or cost moves by more than `movePct`, or whose currency changes",
  }),
  causes: z.object({
    price: z.int().meta({ description: "How many prices moved" }),
    cost: z.int().meta({ description: "How many costs moved" }),
    currency: z.int().meta({ description: "How many currencies changed" }),
  }).meta({ description: "How many of them for which reason; one product may have several" }),
  samples: z.array(z.object({
    sku: z.string(),
    cause: z.enum(HOLD_CAUSES),
    fromCents: z.int().meta({ description: "The price or cost before, in minor units" }),
    fromCurrency: z.string(),
    toCents: z.int().meta({ description: "The price or cost afterwards, in minor units" }),
    toCurrency: z.string(),
  })).meta({ description: "Up to 10 for each reason, the greatest moves first" }),
  guards: z.array(z.object({
    code: z.enum(HOLD_CODES).meta({ description: "Which guard it is" }),
    binds: z.boolean().meta({ description: "More than `sharePct` percent of `of` is counted" }),
    count: z.int().meta({ description: "How many products or SKUs the guard found" }),
    of: z.int().meta({ description: "How many it looked at" }),
    sharePct: z.number().meta({ description: "The largest share that may be found, in percent" }),
    samples: z.array(z.object({
      sku: z.string(),
      fromCents: z.int().nullable().meta({
        description: "The price or cost before, in minor units",
      }),
      fromCurrency: z.string().nullable(),
      toCents: z.int().nullable().meta({
        description: "The price or cost afterwards, in minor units",
      }),
      toCurrency: z.string().nullable(),
    })).meta({
      description: "Up to 10 of each reason; amounts where it is about a price or a cost",
    }),
    column: z.string().nullable()
      .meta({ description: "Of `unit_guard`: the column of a table that the prices stand in" }),
    remedy: z.enum(UNIT_REMEDIES).nullable().meta({
      description:
        "Of `unit_guard`: `minor` amounts in cents, `decimals` a sign of thousands that " +
        "was read as one of decimals, or the reverse",
    }),
  })).meta({ description: "Every guard that was asked, those that let the import pass included" }),
}).meta({ id: "ImportHeld" });

const Stats = z.object({
  inserted: z.int(),
  updated: z.int(),
  skipped: z.int().meta({
    description: "How many records changed nothing, or were left out by the mode or a later one",
  }),
  errors: z.int().meta({ description: "How many records were refused" }),
  competitorsLinked: z.int(),
});

const Undone = z.object({
  entries: z.int().meta({
    description: "Products that the import had touched, as far as looked at",
  }),
  setBack: z.int().meta({ description: "Existing products of which something goes back" }),
  deleted: z.int().meta({ description: "New products that are deleted again" }),
  restored: z.int().meta({ description: "Deleted products that are there again" }),
  prices: z.int().meta({ description: "Own prices that go back" }),
  links: z.int().meta({ description: "Links that go again, or are switched back" }),
  soldDays: z.int().meta({ description: "Days whose units sold go back" }),
  kept: z.int().meta({
    description: "Products of which something stays, as it was changed since: see `…/errors`",
  }),
}).meta({ id: "ImportUndone" });

/** An import in a list. */
export const ImportSummary = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  hasErrors: z.boolean(),
  phase: z.enum(["check", "plan", "apply", "undo"]).meta({
    description: "What the job is at",
  }),
  mode: z.enum(IMPORT_MODES),
  dryRun: z.boolean(),
  force: z.boolean(),
  profile: z.string().nullable().meta({
    description: "The one that the request names; each file has its own",
  }),
  tier: z.string().nullable()
    .meta({ description: "The price group that the request names as our own price" }),
  source: z.string().meta({ description: "The import source whose file it is" }),
  excluded: z.int().meta({ description: "SKUs that were left out when it was applied" }),
  reason: z.string().nullable().meta({
    description: "Why it was applied so, in the words of who did; null where nobody said",
  }),
  appliedFrom: z.string().nullable(),
  undoes: z.string().nullable().meta({
    description: "The import that this job takes back; null for an import",
  }),
  undone: Undone.nullable().meta({
    description: "What this job has taken back; of a dry run: would take back",
  }),
  undoneBy: z.string().nullable().meta({
    description: "The job that takes, or took, this one back",
  }),
  undoableUntil: z.iso.datetime().nullable().meta({
    description:
      "`…/undo` takes the import back until then; null when there is nothing to take back, or no longer",
  }),
  files: z.array(ImportFile).meta({
    description: "Of a job that takes an import back: those of that import",
  }),
  stats: Stats,
  count: z.int().meta({ description: "Records seen: inserted + updated + skipped + errors" }),
  removed: z.int().meta({ description: "Products that `replace` deleted" }),
  soldDays: z.int().meta({ description: "Days of products whose units sold are other ones now" }),
  reverted: z.int().meta({ description: "Prices set back that somebody had changed" }),
  errorCount: z.int(),
  warningCount: z.int(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  progress: z.object({ processed: z.int(), total: z.int().nullable() }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  createdBy: z.object({ type: z.string(), id: z.string(), name: z.string() }),
}).meta({ id: "ImportSummary" });

export type ImportSummary = z.infer<typeof ImportSummary>;

/** An import by itself, with the first of its findings and, for a dry run, what it would do. */
export const ImportDocument = ImportSummary.extend({
  keepsUpload: z.boolean().meta({
    description:
      "True while the file of a dry run or held import is kept, to be applied or discarded",
  }),
  arrival: z.object({
    expected: z.int().meta({ description: "How many were awaited" }),
    arrived: z.int().meta({ description: "How many came as they were fetched" }),
    missing: z.int().meta({ description: "How many have not come by now" }),
  }).nullable().meta({
    description:
      "Of the prices that the ERP had fetched before it sent the file: how many were awaited, came " +
      "as they were fetched, and have not come by now; null while that is not known, and where " +
      "none was awaited",
  }),
  errors: z.array(Finding).meta({ description: `The first ${FINDINGS_SHOWN}` }),
  warnings: z.array(Finding).meta({ description: `The first ${FINDINGS_SHOWN}` }),
  hold: ImportHeld.nullable().meta({
    description:
      "Held import and dry run: what the hold was judged by; null while it is off, and of " +
      "an import that it let pass",
  }),
  changes: z.array(z.object({
    sku: z.string(),
    field: z.string(),
    date: z.iso.date().optional().meta({ description: "Of `units`: the day they were sold on" }),
    from: z.unknown().meta({ description: "The value before" }),
    to: z.unknown().meta({ description: "The value afterwards" }),
    fromCurrency: z.string().optional()
      .meta({ description: "Of a price: `from` is in its minor units" }),
    toCurrency: z.string().optional().meta({
      description: "Of a price: `to` is in its minor units",
    }),
    written: z.string().optional().meta({
      description: "What the file says, shortened; there where the value that was read from it " +
        "reads otherwise: a number written in another way, a price from the other side of VAT",
    }),
    fromMarginPct: z.number().nullable().optional().meta({
      description: "Of `ourPrice` and `costPrice`: the product's margin before; null where cost, " +
        "price or VAT rate is not known",
    }),
    toMarginPct: z.number().nullable().optional().meta({
      description: "Likewise afterwards, by all that the file changes of the product",
    }),
  })).optional().meta({ description: "Dry run: the first 200 differences of existing products" }),
  additions: z.array(z.object({
    sku: z.string(),
    title: z.string(),
    priceCents: z.int().nullable().meta({
      description: "Our price in minor units; null: it would have none",
    }),
    currency: z.string(),
  })).optional().meta({ description: "Dry run: the first 200 products that it would make" }),
  removals: z.array(z.object({ sku: z.string(), productId: z.string() })).optional()
    .meta({ description: "Dry run of `replace`: the first 200 products that it would delete" }),
  impact: ImpactAnswer.optional().meta({
    description:
      "Over existing products: what a dry run or a held import would do to prices, and what one " +
      "that was applied has done",
  }),
  titles: z.record(z.string(), z.string()).meta({
    description:
      "Once it has ended: what products of `changes`, `removals`, `impact` and `hold` are called " +
      "now, by SKU; those that are not there any more are left out",
  }),
}).meta({ id: "Import" });

export type ImportDocument = z.infer<typeof ImportDocument>;

type Reader = WorkspaceStore & Pick<Context, "now">;

export async function summaryOf(
  workspace: Reader,
  job: QueuedImport,
): Promise<ImportSummary> {
  const { args, stats } = job;
  const asked = isUndo(job) ? NOT_ASKED : job.args;
  const undoneBy = await findUndoneBy(workspace, job);
  const { inserted, updated, skipped, errors, competitorsLinked } = stats;
  return {
    jobId: job.jobId,
    status: job.status,
    hasErrors: job.hasErrors,
    phase: phaseOf(job),
    mode: args.mode,
    dryRun: args.isDryRun,
    force: asked.isForced,
    profile: asked.profile,
    tier: asked.tier,
    source: sourceOf(job),
    excluded: isUndo(job) ? 0 : job.args.excluded ?? 0,
    reason: isUndo(job) ? null : job.args.reason ?? null,
    appliedFrom: asked.appliedFrom,
    undoes: isUndo(job) ? job.args.undoes : null,
    undone: isUndo(job) ? { soldDays: 0, ...job.cursor?.counts ?? NO_UNDO_COUNTS } : null,
    undoneBy,
    undoableUntil: undoneBy === null ? openUntil(job, workspace.now()) : null,
    files: await listFiles(workspace, isUndo(job) ? job.args.undoes : job.jobId),
    stats: { inserted, updated, skipped, errors, competitorsLinked },
    count: countOf(stats),
    removed: stats.removed,
    soldDays: stats.soldDays ?? 0,
    reverted: stats.reverted,
    errorCount: stats.errorCount + (job.error?.code === CRASH_LOOP ? 1 : 0),
    warningCount: stats.warningCount,
    error: job.error && { code: job.error.code, message: job.error.message },
    progress: job.progress,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
    createdBy: job.createdBy,
  };
}

/** Whose file it is, by id; of an undo that of the import that it takes back. */
export function sourceOf({ args }: QueuedImport): string {
  return args.source ?? DEFAULT_SOURCE;
}

/** What nobody asks of an undo. */
const NOT_ASKED = { isForced: false, profile: null, tier: null, appliedFrom: null };

async function findUndoneBy(workspace: WorkspaceStore, job: QueuedImport): Promise<string | null> {
  if (isUndo(job) || job.args.isDryRun || !hasEnded(job)) return null;
  return (await findUndoing(workspace, job.jobId)).undoneBy;
}

function openUntil(job: QueuedImport, now: Date): string | null {
  const until = isUndo(job) ? null : undoableUntil(job);
  return until === null || until < now ? null : until.toISOString();
}

export async function documentOf(
  workspace: Reader,
  job: QueuedImport,
): Promise<ImportDocument> {
  const document = await untitledOf(workspace, job);
  return { ...document, titles: hasEnded(job) ? await titlesOf(workspace, document) : {} };
}

type Untitled = Omit<ImportDocument, "titles">;

/** Of the first products of each list, which are a few hundred. */
async function titlesOf(
  workspace: WorkspaceStore,
  { changes = [], removals = [], impact, hold }: Untitled,
): Promise<ImportDocument["titles"]> {
  const told = [...changes, ...removals, ...impact?.largest ?? [], ...hold?.samples ?? []];
  const skus = [...new Set(told.map(({ sku }) => sku))];
  if (skus.length === 0) return {};
  const cards = await findCards(workspace, skus);
  const documents = await findDocuments(workspace, [...cards.values()].map(({ id }) => id));
  return Object.fromEntries(
    documents.map(({ bytes }) => parseProduct(bytes)).map(({ sku, title }) => [sku, title]),
  );
}

async function untitledOf(workspace: Reader, job: QueuedImport): Promise<Untitled> {
  const first = async (severity: Finding["severity"]) => {
    const page = { severity, after: null, limit: FINDINGS_SHOWN };
    return (await listFindings(workspace, job.jobId, page)).map(({ finding }) => finding);
  };
  const summary = await summaryOf(workspace, job);
  const document = {
    ...summary,
    keepsUpload: await isUploadKept(workspace, job),
    arrival: await findArrival(workspace, job.jobId),
    errors: await first("error"),
    warnings: await first("warning"),
    hold: holdOf(job),
  };
  if (isUndo(job)) {
    return job.args.isDryRun
      ? { ...document, impact: shownImpact(job.cursor?.impact ?? NO_IMPACT) }
      : document;
  }
  if (!job.args.isDryRun) {
    const impact = job.cursor?.impact ?? (isHoldCode(job.error?.code) && job.cursor?.plan?.impact);
    return impact ? { ...document, impact: shownImpact(impact) } : document;
  }
  return {
    ...document,
    changes: await listReport(workspace, job.jobId, "change"),
    additions: await listReport(workspace, job.jobId, "addition"),
    removals: await listReport(workspace, job.jobId, "removal"),
    impact: shownImpact(job.cursor?.plan?.impact ?? NO_IMPACT),
  };
}

/** An upload that is applied belongs to the job that does so. */
async function isUploadKept(workspace: WorkspaceStore, job: QueuedImport): Promise<boolean> {
  if (!hasEnded(job) || !keepsUpload(job)) return false;
  if (await findApplier(workspace, job.jobId)) return false;
  return await isBlobThere(workspace, job.args.blobId);
}

function phaseOf(job: QueuedImport): ImportSummary["phase"] {
  if (isUndo(job)) return "undo";
  const { phase } = job;
  return phase === "plan" || phase === "apply" ? phase : "check";
}

function holdOf(job: QueuedImport): ImportDocument["hold"] {
  if (isUndo(job)) return null;
  const { args, cursor, status } = job;
  const tally = cursor?.plan?.hold;
  if (!tally || status === "queued" || status === "running") return null;
  const { bounds: { movePct, sharePct }, products, moved, causes, samples } = tally;
  const guards = guardsOf(cursor.plan, args.mode).map(({ message: _, ...guard }) => ({
    ...guard,
    samples: [...guard.samples],
  }));
  const held = !args.isForced && guards.some(({ binds }) => binds);
  return { held, movePct, sharePct, products, moved, causes, samples: [...samples], guards };
}

function shownImpact(impact: Impact): ImportDocument["impact"] {
  const { raisedCents = 0, loweredCents = 0 } = impact;
  const largest = impact.largest.map((move) => ({ ...move, marginPct: move.marginPct ?? null }));
  return { ...impact, raisedCents, loweredCents, largest };
}
