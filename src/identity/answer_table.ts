/** Tables as answers; the times of a workbook are on the clock of the workspace. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { OutgoingTable } from "../platform/tables/cell.ts";
import type { CsvDialect } from "../platform/tables/csv_table.ts";
import { tableResponse, worded } from "../platform/tables/table_answer.ts";
import type { Language } from "../wording/language.ts";
import { requireWorkspace } from "./workspace_store.ts";

/** How a table was asked for; without a language it has the names of its columns. */
interface AskedCsv {
  readonly dialect: CsvDialect;
  readonly lang?: Language | undefined;
}

/** A CSV has its times in UTC. */
export function answerCsv(table: OutgoingTable, { dialect, lang }: AskedCsv): Response {
  return tableResponse(worded(table, lang), { format: "csv", dialect, timeZone: "UTC" });
}

/** Looks for the clock before it answers. */
export async function answerWorkbook(
  workspace: WorkspaceStore,
  table: OutgoingTable,
  lang?: Language,
): Promise<Response> {
  const { timeZone } = await requireWorkspace(workspace);
  const form = { format: "xlsx", dialect: "excel", timeZone } as const;
  return tableResponse(worded(table, lang), form);
}
