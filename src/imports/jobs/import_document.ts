/** An import as both interfaces show it (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { hasEnded, JOB_STATUSES } from "../../platform/jobs/job.ts";
import { isBlobThere } from "../../platform/spool/spool.ts";
import { Finding } from "../findings/finding.ts";
import { isBeyond } from "../apply/hold.ts";
import {
  countOf,
  CRASH_LOOP,
  HOLD_CAUSES,
  IMPORT_MODES,
  type ImportJob,
  keepsUpload,
  NO_IMPACT,
} from "../state/import_job.ts";
import { listFindings } from "../findings/finding_store.ts";
import { findApplier, listChanges, listFiles, listRemovals } from "../state/import_row_store.ts";

const FINDINGS_SHOWN = 100;

const ImportFile = z.object({
  name: z.string(),
  bytes: z.int(),
  encoding: z.string().meta({ description: "As the WHATWG Encoding Standard names it" }),
  sha256: z.string(),
  items: z.int(),
  profile: z.string(),
}).meta({ id: "ImportFile" });

const ImportImpact = z.object({
  priceChanges: z.int(),
  up: z.int(),
  down: z.int(),
  over20pct: z.int(),
  belowCost: z.int(),
  largest: z.array(z.object({
    sku: z.string(),
    fromCents: z.int(),
    toCents: z.int(),
    currency: z.string(),
  })),
}).meta({ id: "ImportImpact" });

const ImportHeld = z.object({
  held: z.boolean().meta({
    description:
      "Whether more products moved than `sharePct` lets pass. The import ended so, with " +
      "nothing applied; a dry run says so of the real thing. `…/apply?force=true` lets it through",
  }),
  movePct: z.number(),
  sharePct: z.number(),
  products: z.int().meta({
    description: "Existing products whose price or cost the file brings, each counted once",
  }),
  moved: z.int().meta({
    description:
      "Those whose price or cost moves by more than `movePct`, or whose currency changes",
  }),
  causes: z.object({ price: z.int(), cost: z.int(), currency: z.int() })
    .meta({ description: "How many of them for which reason; one product may have several" }),
  samples: z.array(z.object({
    sku: z.string(),
    cause: z.enum(HOLD_CAUSES),
    fromCents: z.int(),
    fromCurrency: z.string(),
    toCents: z.int(),
    toCurrency: z.string(),
  })).meta({ description: "Up to 5 for each reason, the greatest moves first" }),
}).meta({ id: "ImportHeld" });

const Stats = z.object({
  inserted: z.int(),
  updated: z.int(),
  skipped: z.int(),
  errors: z.int(),
  competitorsLinked: z.int(),
});

/** An import in a list. */
export const ImportSummary = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  hasErrors: z.boolean(),
  phase: z.enum(["check", "plan", "apply"]),
  mode: z.enum(IMPORT_MODES),
  dryRun: z.boolean(),
  force: z.boolean(),
  profile: z.string().nullable().meta({
    description: "The one that the request names; each file has its own",
  }),
  tier: z.string().nullable(),
  appliedFrom: z.string().nullable(),
  files: z.array(ImportFile),
  stats: Stats,
  count: z.int().meta({ description: "Records seen: inserted + updated + skipped + errors" }),
  removed: z.int().meta({ description: "Products that `replace` deleted" }),
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
    from: z.unknown(),
    to: z.unknown(),
    fromCurrency: z.string().optional()
      .meta({ description: "Of a price: `from` is in its minor units" }),
    toCurrency: z.string().optional().meta({
      description: "Of a price: `to` is in its minor units",
    }),
  })).optional().meta({ description: "Dry run: the first 200 differences of existing products" }),
  removals: z.array(z.object({ sku: z.string(), productId: z.string() })).optional()
    .meta({ description: "Dry run of `replace`: the first 200 products that it would delete" }),
  impact: ImportImpact.optional().meta({ description: "Dry run: over existing products" }),
}).meta({ id: "Import" });

export type ImportDocument = z.infer<typeof ImportDocument>;

export async function summaryOf(
  workspace: WorkspaceStore,
  job: ImportJob,
): Promise<ImportSummary> {
  const { args, stats } = job;
  const { inserted, updated, skipped, errors, competitorsLinked } = stats;
  return {
    jobId: job.jobId,
    status: job.status,
    hasErrors: job.hasErrors,
    phase: phaseOf(job),
    mode: args.mode,
    dryRun: args.isDryRun,
    force: args.isForced,
    profile: args.profile,
    tier: args.tier,
    appliedFrom: args.appliedFrom,
    files: await listFiles(workspace, job.jobId),
    stats: { inserted, updated, skipped, errors, competitorsLinked },
    count: countOf(stats),
    removed: stats.removed,
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

export async function documentOf(
  workspace: WorkspaceStore,
  job: ImportJob,
): Promise<ImportDocument> {
  const first = async (severity: Finding["severity"]) => {
    const page = { severity, after: null, limit: FINDINGS_SHOWN };
    return (await listFindings(workspace, job.jobId, page)).map(({ finding }) => finding);
  };
  const summary = await summaryOf(workspace, job);
  const document = {
    ...summary,
    keepsUpload: await isUploadKept(workspace, job),
    errors: await first("error"),
    warnings: await first("warning"),
    hold: holdOf(job),
  };
  if (!job.args.isDryRun) return document;
  return {
    ...document,
    changes: await listChanges(workspace, job.jobId),
    removals: await listRemovals(workspace, job.jobId),
    impact: impactOf(job),
  };
}

/** An upload that is applied belongs to the job that does so. */
async function isUploadKept(workspace: WorkspaceStore, job: ImportJob): Promise<boolean> {
  if (!hasEnded(job) || !keepsUpload(job)) return false;
  if (await findApplier(workspace, job.jobId)) return false;
  return await isBlobThere(workspace, job.args.blobId);
}

function phaseOf({ phase }: ImportJob): ImportSummary["phase"] {
  return phase === "plan" || phase === "apply" ? phase : "check";
}

function holdOf({ args, cursor, status }: ImportJob): ImportDocument["hold"] {
  const tally = cursor?.plan?.hold;
  if (!tally || status === "queued" || status === "running") return null;
  const { bounds, products, moved, causes, samples } = tally;
  const held = !args.isForced && isBeyond(tally);
  return { held, ...bounds, products, moved, causes, samples: [...samples] };
}

function impactOf({ cursor }: ImportJob): ImportDocument["impact"] {
  const impact = cursor?.plan?.impact ?? NO_IMPACT;
  return { ...impact, largest: [...impact.largest] };
}
