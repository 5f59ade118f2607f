import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  codeCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import { importStateCell } from "../files/state_cell.ts";
import type { ImportSummary } from "./import_document.ts";
import { pageOfImports } from "./read_imports.ts";

const COLUMNS: Columns<ImportSummary> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  files: ({ files }) => files.map(({ name }) => name).join(", "),
  source: ({ source }) => source,
  status: ({ status, error }) => importStateCell(status, error?.code ?? null),
  error: ({ error }) => error && storedCodeCell("findings", error.code, error.message),
  mode: ({ mode }) => codeCell("importModes", mode),
  dryRun: ({ dryRun }) => dryRun,
  force: ({ force }) => force,
  reason: ({ reason }) => reason,
  records: ({ count }) => count,
  inserted: ({ stats }) => stats.inserted,
  updated: ({ stats }) => stats.updated,
  skipped: ({ stats }) => stats.skipped,
  errors: ({ errorCount }) => errorCount,
  warnings: ({ warningCount }) => warningCount,
  excluded: ({ excluded }) => excluded,
  removed: ({ removed }) => removed,
  competitorsLinked: ({ stats }) => stats.competitorsLinked,
  soldDays: ({ soldDays }) => soldDays,
  reverted: ({ reverted }) => reverted,
  createdBy: ({ createdBy }) => createdBy.name,
  startedAt: ({ startedAt }) => momentCell(startedAt),
  finishedAt: ({ finishedAt }) => momentCell(finishedAt),
  undoableUntil: ({ undoableUntil }) => momentCell(undoableUntil),
  undoes: ({ undoes }) => undoes,
  undoneBy: ({ undoneBy }) => undoneBy,
  jobId: ({ jobId }) => jobId,
};

/** Every import, newest first; of all sources where none is named. */
export async function openImportTable(
  ctx: Context,
  source: string | null,
): Promise<OutgoingTable> {
  return await openListTable("imports", COLUMNS, (page) => pageOfImports(ctx, { ...page, source }));
}
