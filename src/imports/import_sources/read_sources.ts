import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shownSource } from "./change_sources.ts";
import type { ImportSource, StoredSource } from "./import_source.ts";
import { findLastImportOf, findPull } from "./source_store.ts";

/** A source with what its last import and pull came to. */
export async function documentOfSource(
  workspace: WorkspaceStore,
  source: StoredSource,
): Promise<ImportSource> {
  const lastImport = await findLastImportOf(workspace, source.id);
  const { state } = await findPull(workspace, source.id);
  const lastPull = state && {
    outcome: state.outcome,
    at: state.at,
    jobId: state.importId,
    errorCode: state.errorCode,
    message: state.message,
    failures: state.failures,
    nextTryAt: state.nextTryAt,
  };
  const { hold, ...shown } = shownSource(source);
  return { ...shown, hold, lastImport, lastPull };
}
