/** Tables as answers; the times of a workbook are on the clock of the workspace. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { OutgoingTable } from "../platform/tables/cell.ts";
import type { CsvDialect } from "../platform/tables/csv_table.ts";
import { tableResponse } from "../platform/tables/table_answer.ts";
import { requireWorkspace } from "./workspace_store.ts";

/** A CSV has its times in UTC. */
export function answerCsv(table: OutgoingTable, dialect: CsvDialect): Response {
  return tableResponse(table, { format: "csv", dialect, timeZone: "UTC" });
}

/** Looks for the clock before it answers. */
export async function answerWorkbook(
  workspace: WorkspaceStore,
  table: OutgoingTable,
): Promise<Response> {
  const { timeZone } = await requireWorkspace(workspace);
  return tableResponse(table, { format: "xlsx", dialect: "excel", timeZone });
}
