import type { CommitCost, Write } from "../../platform/store/kv.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Finding, findingOf } from "../files/finding.ts";
import { APPLY_FROM, saveFinding } from "../files/finding_store.ts";
import { listFiles } from "../state/import_row_store.ts";
import type { RecordLine } from "../records/record_line.ts";
import type { Warning } from "./decide_record.ts";

/** What applying a record found, before its file is looked up. */
export interface RecordNote extends Warning {
  readonly severity: Finding["severity"];
  readonly record: RecordLine;
}

/** What so many notes take of a commit, at most. */
export function costOfNotes(count: number): CommitCost {
  return { checks: 0, mutations: count, keyBytes: 100 * count, bytes: 2_600 * count };
}

/** Adds the notes to the commit as findings, numbered within their records. */
export async function saveNotes(
  write: Write,
  workspace: WorkspaceStore,
  jobId: string,
  notes: readonly RecordNote[],
): Promise<void> {
  if (notes.length === 0) return;
  const files = await listFiles(workspace, jobId);
  const counts = new Map<number, number>();
  for (const { record, severity, code, message, value } of notes) {
    const n = counts.get(record.index) ?? APPLY_FROM;
    counts.set(record.index, n + 1);
    const { index, line, sku } = record;
    const place = { index, file: files[record.file]?.name ?? null, line, sku, value };
    const finding = findingOf(severity, code, message, place);
    saveFinding(write, workspace.workspaceId, jobId, finding, n);
  }
}
