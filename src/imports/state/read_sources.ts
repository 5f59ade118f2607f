import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { shownSource } from "./change_sources.ts";
import type { ImportSource, StoredSource } from "./import_source.ts";
import { findLastImportOf, findPull, listSources } from "./source_store.ts";

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

/** One page by id. */
export async function pageOfSources(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ImportSource>> {
  const name = "import sources";
  const after = openCursor(ctx, name, cursor);
  const rows = (await listSources(ctx)).filter(({ id }) => typeof after !== "string" || id > after);
  const page = toPage(ctx, { list: name, rows, limit, positionOf: ({ id }) => id });
  const items = await Promise.all(page.items.map((source) => documentOfSource(ctx, source)));
  return { ...page, items };
}
