import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { listOldPages, savePage } from "./page_store.ts";
import { deleteSuggestion, listOldSuggestions } from "./suggestion_store.ts";

/** A page that nobody has visited for so long is none any more. */
export const FOUND_DAYS = 400;
const ROWS_PER_COMMIT = 100;

/** Forgets pages that nobody has visited since then, and suggestions that gave way before; answers how many. */
export async function sweepDiscovery(store: Store, olderThan: Date): Promise<number> {
  const pages = await removeInBatches(
    store,
    listOldPages(store, olderThan),
    ROWS_PER_COMMIT,
    (write, { workspaceId, page, ...place }) => savePage(write, workspaceId, place, page, null),
  );
  const suggestions = await removeInBatches(
    store,
    listOldSuggestions(store, olderThan),
    ROWS_PER_COMMIT,
    (write, { workspaceId, suggestion }) => deleteSuggestion(write, workspaceId, suggestion),
  );
  return pages + suggestions;
}
