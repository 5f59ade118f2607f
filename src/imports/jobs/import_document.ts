/**
 * Builds the JSON documents that describe imports in answers of `/api` and `/api/public/v1`
 * (docs/decisions/imports.md).
 */
import { findArrival } from "../../catalogue/prices/awaited_price_store.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { openCursor, type Page, toPage } from "../../platform/http/http.ts";
import { hasEnded, JOB_STATUSES } from "../../platform/jobs/job.ts";
import { findJob, listJobs } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { isBlobThere } from "../../platform/store/spool.ts";
import { guardsOf } from "../apply/plan_step.ts";
import { Finding } from "../files/source_file.ts";
import { IMPORT_MODES, isHoldCode } from "../choices.ts";
import {
  Addition,
  countOf,
  CRASH_LOOP,
  FieldChange,
  ImpactAnswer,
  IMPORT_KIND,
  type ImportArgs,
  ImportHeld,
  type ImportJob,
  isUndo,
  keepsUpload,
  NO_IMPACT,
  NO_UNDO_COUNTS,
  type QueuedImport,
  Removal,
  Undone,
} from "../state/import_job.ts";
import {
  findApplier,
  listFiles,
  listFindings,
  placeOf,
  reportRows,
} from "../state/import_row_store.ts";
import { undoableUntil } from "../state/undo_store.ts";
import { DEFAULT_SOURCE } from "../state/import_source.ts";
import { lastImports } from "../state/sources.ts";
import { FileInfo } from "../upload/read_xml_file.ts";
import { findUndoing, requireImport } from "./start_import.ts";
import { z } from "@hono/zod-openapi";
import { firstOf, pick } from "../../base/collections.ts";

const FINDINGS_SHOWN = 100;

const Stats = z.object({
  inserted: z.int(),
  updated: z.int(),
  skipped: z.int().describe(
    "Number of records that changed nothing, or were skipped because of the mode or a later record",
  ),
  errors: z.int().describe("Number of refused records"),
  competitorsLinked: z.int(),
});

const Phase = z.enum(["check", "plan", "apply", "undo"]);

export const ImportSummary = z.object({
  jobId: z.string(),
  label: z.string().describe("Label: the names of the files; of many files the first names"),
  status: z.enum(JOB_STATUSES),
  hasErrors: z.boolean(),
  phase: Phase.describe("The current phase of the job"),
  mode: z.enum(IMPORT_MODES),
  dryRun: z.boolean(),
  force: z.boolean(),
  profile: z.string().nullable()
    .describe("The profile of the request; each file states the one that was used"),
  tier: z.string().nullable()
    .describe("The price tier of the request that provides our own price"),
  source: z.string().describe("The import source of the file"),
  excluded: z.int().describe("Number of SKUs that were excluded when it was applied"),
  reason: z.string().nullable()
    .describe("The reason given by the person who applied it; null if none"),
  appliedFrom: z.string().nullable(),
  undoes: z.string().nullable().describe("The import that this job undoes; null for an import"),
  undone: Undone.nullable().describe("What this job has undone; for a dry run: what it would undo"),
  undoneBy: z.string().nullable().describe("The job that undoes or has undone this import"),
  undoableUntil: z.iso.datetime().nullable().describe(
    "The import can be undone with `…/undo` until then; null if there is nothing to undo, or no longer",
  ),
  files: z.array(FileInfo)
    .describe("Files that were read to their end. For an undo: those of its import"),
  stats: Stats,
  count: z.int().describe("Number of records: inserted + updated + skipped + errors"),
  removed: z.int().describe("Number of products that `replace` deleted"),
  soldDays: z.int().describe("Number of product days whose units sold have changed"),
  reverted: z.int()
    .describe("Number of prices that the file overwrote although somebody had changed them"),
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

export const ImportDocument = ImportSummary.extend({
  keepsUpload: z.boolean().describe(
    "True while the file of a dry run or a held import is kept and can be applied or discarded",
  ),
  arrival: z.object({
    expected: z.int().describe("Number of awaited prices"),
    arrived: z.int().describe("Number of prices that arrived as fetched"),
    missing: z.int().describe("Number of prices that have not arrived yet"),
  }).nullable().describe(
    "Counts of the prices that the ERP had fetched before it sent the file: awaited, arrived as " +
      "fetched, and missing; null while they are not known, and if none was awaited",
  ),
  pausesSource: z.boolean().nullable().describe(
    "For an undo: whether it pauses the source of its import; for a dry run: whether " +
      "it would do so without `pause`; null for an import",
  ),
  errors: z.array(Finding).describe(`The first ${FINDINGS_SHOWN}`),
  warnings: z.array(Finding).describe(`The first ${FINDINGS_SHOWN}`),
  hold: ImportHeld.nullable().describe(
    "Held import and dry run: the figures of the hold; null if the hold is disabled or did " +
      "not hold the import",
  ),
  changes: z.array(FieldChange).optional()
    .describe("Dry run: the first 200 differences of existing products"),
  additions: z.array(Addition).optional()
    .describe("Dry run: the first 200 products that it would create"),
  removals: z.array(Removal).optional()
    .describe("Dry run of `replace`: the first 200 products that it would delete"),
  impact: ImpactAnswer.optional().describe(
    "Changes of the prices of existing products: those that a dry run or a held import would " +
      "make, or that an applied import has made",
  ),
  titles: z.record(z.string(), z.string()).describe(
    "After the end: current titles of the products in `changes`, `removals`, `impact` and " +
      "`hold`, by SKU; deleted products are absent",
  ),
}).meta({ id: "Import" });
export type ImportDocument = z.infer<typeof ImportDocument>;

type Reader = WorkspaceStore & Pick<Context, "now">;

export async function summaryOf(workspace: Reader, job: QueuedImport): Promise<ImportSummary> {
  const { args, stats } = job;
  const asked: Partial<ImportArgs> = isUndo(job) ? {} : job.args;
  return {
    ...pick(job, ["jobId", "status", "hasErrors", "progress", "createdBy"]),
    ...pick(job, ["createdAt", "startedAt", "finishedAt"]),
    label: args.label,
    phase: isUndo(job) ? "undo" : Phase.safeParse(job.phase).data ?? "check",
    mode: args.mode,
    dryRun: args.isDryRun,
    force: asked.isForced ?? false,
    profile: asked.profile ?? null,
    tier: asked.tier ?? null,
    source: sourceOf(job),
    excluded: asked.excluded ?? 0,
    reason: asked.reason ?? null,
    appliedFrom: asked.appliedFrom ?? null,
    undoes: isUndo(job) ? job.args.undoes : null,
    undone: isUndo(job) ? job.cursor?.counts ?? NO_UNDO_COUNTS : null,
    ...await undoStateOf(workspace, job),
    files: await listFiles(workspace, isUndo(job) ? job.args.undoes : job.jobId),
    stats: pick(stats, ["inserted", "updated", "skipped", "errors", "competitorsLinked"]),
    count: countOf(stats),
    ...pick(stats, ["removed", "soldDays", "reverted", "warningCount"]),
    errorCount: stats.errorCount + (job.error?.code === CRASH_LOOP ? 1 : 0),
    error: job.error && pick(job.error, ["code", "message"]),
  };
}

function sourceOf({ args }: QueuedImport): string {
  return args.source ?? DEFAULT_SOURCE;
}

export const ImportState = ImportDocument.pick({
  undoneBy: true,
  undoableUntil: true,
  finishedAt: true,
  keepsUpload: true,
  hold: true,
});

const NOT_HELD = { keepsUpload: false, hold: null };

export async function findImportState(
  workspace: Reader,
  jobId: string,
): Promise<z.infer<typeof ImportState> | null> {
  const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
  if (job === null) return null;
  const { finishedAt } = job;
  const hold = holdOf(job);
  const held = hold?.held ? { keepsUpload: await isUploadKept(workspace, job), hold } : NOT_HELD;
  return { ...await undoStateOf(workspace, job), finishedAt, ...held };
}

async function undoStateOf(workspace: Reader, job: QueuedImport) {
  const until = isUndo(job) ? null : undoableUntil(job);
  const undoneBy = until && (await findUndoing(workspace, job.jobId)).undoneBy;
  const isOpen = until !== null && undoneBy === null && until >= workspace.now();
  return { undoneBy, undoableUntil: isOpen ? until.toISOString() : null };
}

export async function documentOf(workspace: Reader, job: QueuedImport): Promise<ImportDocument> {
  const first = async (severity: Finding["severity"]) => {
    const rows = await listFindings(workspace, job.jobId, severity, { limit: FINDINGS_SHOWN });
    return rows.map(({ finding }) => finding);
  };
  const [hold, effects] = [holdOf(job), await effectsOf(workspace, job)];
  return {
    ...await summaryOf(workspace, job),
    keepsUpload: await isUploadKept(workspace, job),
    arrival: await findArrival(workspace, job.jobId),
    pausesSource: isUndo(job) ? job.args.pausesSource : null,
    errors: await first("error"),
    warnings: await first("warning"),
    hold,
    ...effects,
    titles: hasEnded(job) ? await titlesOf(workspace, { ...effects, hold }) : {},
  };
}

type Effects = Pick<ImportDocument, "changes" | "additions" | "removals" | "impact">;

async function effectsOf(workspace: WorkspaceStore, job: QueuedImport): Promise<Effects> {
  if (isUndo(job)) return job.args.isDryRun ? { impact: job.cursor?.impact ?? NO_IMPACT } : {};
  if (!job.args.isDryRun) {
    const impact = job.cursor?.impact ?? (isHoldCode(job.error?.code) && job.cursor?.plan?.impact);
    return impact ? { impact } : {};
  }
  const report = (await reportRows.list(workspace, { within: { jobId: job.jobId } }))
    .map(({ row }) => row)
    .toSorted((a, b) => a.at - b.at || a.n - b.n);
  return {
    changes: report.flatMap((one) => one.kind === "change" ? [one.row] : []),
    additions: report.flatMap((one) => one.kind === "addition" ? [one.row] : []),
    removals: report.flatMap((one) => one.kind === "removal" ? [one.row] : []),
    impact: job.cursor?.plan?.impact ?? NO_IMPACT,
  };
}

async function titlesOf(
  workspace: WorkspaceStore,
  { changes = [], removals = [], impact, hold }: Effects & Pick<ImportDocument, "hold">,
): Promise<ImportDocument["titles"]> {
  const listed = [...changes, ...removals, ...impact?.largest ?? [], ...hold?.samples ?? []];
  const skus = [...new Set(listed.map(({ sku }) => sku))];
  if (skus.length === 0) return {};
  const indexRows = await findIndexRows(workspace, skus);
  const documents = await findDocuments(workspace, [...indexRows.values()].map(({ id }) => id));
  return Object.fromEntries(
    documents.map(({ bytes }) => parseProduct(bytes)).map(({ sku, title }) => [sku, title]),
  );
}

async function isUploadKept(workspace: WorkspaceStore, job: QueuedImport): Promise<boolean> {
  if (!hasEnded(job) || !keepsUpload(job)) return false;
  if (await findApplier(workspace, job.jobId)) return false;
  return await isBlobThere(workspace, job.args.blobId);
}

function holdOf(job: QueuedImport): ImportDocument["hold"] {
  if (isUndo(job)) return null;
  const { args, cursor, status } = job;
  const counters = cursor?.plan?.hold;
  if (!counters || status === "queued" || status === "running") return null;
  const { bounds: { movePct, sharePct }, products, moved, causes, samples } = counters;
  const guards = guardsOf(cursor.plan, args.mode).map(({ message: _, ...guard }) => guard);
  const held = !args.isForced && guards.some(({ binds }) => binds);
  return { held, movePct, sharePct, products, moved, causes, samples: [...samples], guards };
}

const JOBS_PER_PAGE = 50;

export async function findLastImport(workspace: WorkspaceStore): Promise<ImportJob | null> {
  for await (const job of newestImports(workspace, null, JOBS_PER_PAGE)) {
    if (!isUndo(job) && job.status === "succeeded" && !job.args.isDryRun) return job;
  }
  return null;
}

async function* newestImports(
  workspace: WorkspaceStore,
  behindId: string | null,
  limit: number,
): AsyncGenerator<QueuedImport> {
  for (let afterId = behindId;;) {
    const page = { kind: IMPORT_KIND, limit, afterId, order: "newest" } as const;
    const { jobs, nextId } = await listJobs<QueuedImport>(workspace, page);
    yield* jobs;
    if (nextId === null) return;
    afterId = nextId;
  }
}

/** Time of the last successful import or fetch of an unchanged file, or else `createdAt`. */
export async function arrivedAt(
  workspace: WorkspaceStore,
  last: ImportJob | null,
  { createdAt }: { readonly createdAt: string },
): Promise<string> {
  const ofSources = (await lastImports.list(workspace)).map(({ row }) => row.succeededAt ?? "");
  return [last ? last.finishedAt ?? last.createdAt : createdAt, ...ofSources].sort().at(-1) ?? "";
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const READ_AT_ONCE = 200;

export async function pageOfImports(
  ctx: Context,
  { limit, cursor, source }: PageRequest & { readonly source: string | null },
): Promise<Page<ImportSummary>> {
  const afterId = openCursor(ctx, cursor, z.string());
  const step = source === null ? limit + 1 : READ_AT_ONCE;
  const fits = (job: QueuedImport) => source === null || sourceOf(job) === source;
  const rows = await firstOf(newestImports(ctx, afterId, step), limit + 1, fits);
  const shown = toPage(ctx, { rows, limit, positionOf: ({ jobId }) => jobId });
  const items = await Promise.all(shown.items.map((job) => summaryOf(ctx, job)));
  return { ...shown, items };
}

const Place = z.object({ rank: z.number(), index: z.number(), n: z.number() });

export async function pageOfFindings(
  ctx: Context,
  jobId: string,
  { severity, limit, cursor }: PageRequest & { readonly severity: Finding["severity"] | null },
): Promise<Page<Finding>> {
  await requireImport(ctx, jobId);
  const after = openCursor(ctx, cursor, Place);
  const rows = await listFindings(ctx, jobId, severity, { after, limit: limit + 1 });
  const page = toPage(ctx, { rows, limit, positionOf: placeOf });
  return { ...page, items: page.items.map(({ finding }) => finding) };
}
