/** What an import has done, as a table for people. */
import { summaryOf } from "../../imports/jobs/import_document.ts";
import { countOf, type QueuedImport } from "../../imports/state/import_job.ts";
import { listFindings } from "../../imports/state/import_row_store.ts";
import type { Context } from "../../platform/store/context.ts";

const FINDINGS_SHOWN = 10;

/** 0 done, 1 failed or cancelled, 3 done with refused records (docs/decisions/running.md). */
export function importExitCode({ status, stats }: QueuedImport): number {
  if (status !== "succeeded") return 1;
  return stats.errors > 0 ? 3 : 0;
}

export async function importReport(ctx: Context, job: QueuedImport): Promise<string[]> {
  const { stats, args, error } = job;
  const { files } = await summaryOf(ctx, job);
  const rows: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ["job", job.jobId],
    ["source", args.source],
    ["status", args.isDryRun ? `${job.status} (dry run)` : job.status],
    ...files.map(({ name, items, encoding, profile }) =>
      ["file", `${name}: ${items} items, ${encoding}, profile ${profile}`] as const
    ),
    ["records", countOf(stats)],
    ["inserted", stats.inserted],
    ["updated", stats.updated],
    ["skipped", stats.skipped],
    ["refused", stats.errors],
    ["competitors linked", stats.competitorsLinked],
    ["removed", args.mode === "replace" ? stats.removed : undefined],
    ["prices set back", stats.reverted],
    ["days of sales", stats.soldDays || undefined],
    ["warnings", stats.warningCount],
  ];
  const known = rows.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  const table = known.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...table, ...(error ? [`error: ${error.message}`] : []), ...await firstErrors(ctx, job)];
}

async function firstErrors(ctx: Context, { jobId, stats }: QueuedImport): Promise<string[]> {
  const page = { severity: "error" as const, after: null, limit: FINDINGS_SHOWN };
  const found = await listFindings(ctx, jobId, page);
  const lines = found.map(({ finding: { file, line, sku, code, message } }) =>
    `${file ?? "upload"}:${line ?? "?"} ${sku ?? ""} ${code}: ${message}`
  );
  const more = stats.errorCount - lines.length;
  return more > 0 ? [...lines, `… and ${more} more errors`] : lines;
}
