/** Consistency of the rows of imports and their sources: one sentence for each disagreement. */
import { findJob } from "../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { shownSource } from "./state/change_sources.ts";
import { NewImportSource } from "./state/import_source.ts";
import { findSource, listIdsBeside, listStoredSources } from "./state/source_store.ts";
import { IMPORT_KIND, isUndo, type QueuedImport } from "./state/import_job.ts";
import { walkUndoRows } from "./state/undo_store.ts";

/** Sources, and what imports keep to be taken back. */
export async function* checkImports(workspace: WorkspaceStore): AsyncGenerator<string> {
  yield* checkSources(workspace);
  yield* checkUndoRows(workspace);
}

/** Every source can be read as one is written, and no rows are left of one that is gone. */
async function* checkSources(workspace: WorkspaceStore): AsyncGenerator<string> {
  for (const source of await listStoredSources(workspace)) {
    const { isDefault: _, createdAt: _created, updatedAt: _updated, ...shown } = shownSource(
      source,
    );
    const { success, error } = NewImportSource.safeParse(shown);
    if (!success) yield `Import source ${source.id} cannot be read: ${error.issues[0]?.message}`;
  }
  for (const id of new Set(await listIdsBeside(workspace))) {
    if (await findSource(workspace, id)) continue;
    yield `Import source ${id} is gone, and what came of it last is not`;
  }
}

/**
 * One sentence for each import of which more or less is kept than it says of itself: then it cannot be
 * taken back, or not as a whole. Rows that are taken away with time go from the first one on.
 */
async function* checkUndoRows(workspace: WorkspaceStore): AsyncGenerator<string> {
  let last: { readonly jobId: string; readonly row: number } | null = null;
  for await (const found of walkUndoRows(workspace)) {
    if (last && last.jobId !== found.jobId) yield* checkEnd(workspace, last);
    else if (last && last.row + 1 !== found.row) {
      yield `What import ${found.jobId} did lacks row ${last.row + 1}`;
    }
    last = found;
  }
  if (last) yield* checkEnd(workspace, last);
}

async function* checkEnd(
  workspace: WorkspaceStore,
  { jobId, row }: { readonly jobId: string; readonly row: number },
): AsyncGenerator<string> {
  const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
  if (job === null || isUndo(job)) {
    yield `What import ${jobId} did is kept, but there is no such import`;
    return;
  }
  const rows = job.cursor?.undo?.rows ?? 0;
  if (rows !== row + 1) yield `Import ${jobId} did ${rows} commits, ${row + 1} are kept`;
}
