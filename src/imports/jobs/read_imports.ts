import type { Context } from "../../platform/store/context.ts";
import { listJobs } from "../../platform/jobs/job_store.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import { requireImport } from "./apply_import.ts";
import type { Finding } from "../findings/finding.ts";
import { type ImportSummary, summaryOf } from "./import_document.ts";
import { IMPORT_KIND, type ImportJob } from "../state/import_job.ts";
import { type FindingPlace, listFindings } from "../findings/finding_store.ts";
import { z } from "zod";

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const LIST = "imports";

/** One page, newest first. */
export async function pageOfImports(
  ctx: Context,
  { limit, cursor }: PageRequest,
): Promise<Page<ImportSummary>> {
  const position = openCursor(ctx, LIST, cursor);
  const afterId = typeof position === "string" ? position : null;
  const page = { kind: IMPORT_KIND, limit: limit + 1, afterId, order: "newest" } as const;
  const { jobs } = await listJobs<ImportJob>(ctx, page);
  const shown = toPage(ctx, { list: LIST, rows: jobs, limit, positionOf: ({ jobId }) => jobId });
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
