/** Lists imports, newest first, and their findings. */
import { z } from "zod";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import { listJobs } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Finding } from "../files/finding.ts";
import { IMPORT_KIND, type ImportJob, isUndo, type QueuedImport } from "../state/import_job.ts";
import { type FindingPlace, listFindings } from "../state/import_row_store.ts";
import { requireImport } from "./apply_import.ts";
import { type ImportSummary, sourceOf, summaryOf } from "./import_document.ts";

const JOBS_PER_PAGE = 50;

/** The newest import that succeeded for real; null where none ever did. */
export async function findLastImport(workspace: WorkspaceStore): Promise<ImportJob | null> {
  for await (const job of newestImports(workspace, null, JOBS_PER_PAGE)) {
    if (!isUndo(job) && job.status === "succeeded" && !job.args.isDryRun) return job;
  }
  return null;
}

/** Imports behind one of them, or all, newest first; `limit` are read at a time. */
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

/** When the import succeeded; one that never came counts from the workspace's beginning. */
export function importedAt(last: ImportJob | null, { createdAt }: { createdAt: string }): string {
  return last ? last.finishedAt ?? last.createdAt : createdAt;
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Imports of other sources are passed over. */
const LOOKED_AT_ONCE = 200;

/** One page, newest first; of all sources where none is named. */
export async function pageOfImports(
  ctx: Context,
  { limit, cursor, source }: PageRequest & { readonly source: string | null },
): Promise<Page<ImportSummary>> {
  const list = source === null ? "imports" : `imports of ${source}`;
  const position = openCursor(ctx, list, cursor);
  const afterId = typeof position === "string" ? position : null;
  const rows: QueuedImport[] = [];
  const step = source === null ? limit + 1 : LOOKED_AT_ONCE;
  for await (const job of newestImports(ctx, afterId, step)) {
    if (source !== null && sourceOf(job) !== source) continue;
    if (rows.push(job) > limit) break;
  }
  const shown = toPage(ctx, { list, rows, limit, positionOf: ({ jobId }) => jobId });
  const items = await Promise.all(shown.items.map((job) => summaryOf(ctx, job)));
  return { ...shown, items };
}

const Place = z.tuple([z.number(), z.number(), z.number()]).nullable();

/** One page of all findings of an import, errors before warnings. Refuses with `not_found`. */
export async function pageOfFindings(
  ctx: Context,
  jobId: string,
  { severity, limit, cursor }: PageRequest & { readonly severity: Finding["severity"] | null },
): Promise<Page<Finding>> {
  await requireImport(ctx, jobId);
  const list = `findings ${jobId} ${severity}`;
  const after: FindingPlace | null = Place.parse(openCursor(ctx, list, cursor));
  const rows = await listFindings(ctx, jobId, { severity, after, limit: limit + 1 });
  const page = toPage(ctx, { list, rows, limit, positionOf: ({ place }) => [...place] });
  return { ...page, items: page.items.map(({ finding }) => finding) };
}
