import type { WorkspaceStore } from "../../platform/store/context.ts";
import { roomLog } from "../../platform/log.ts";
import { countActiveProducts } from "../products/product_count_store.ts";
import { createFieldMemory, type FieldMemory } from "./field_memory.ts";
import { Rewrites } from "./rewrites.ts";
import { createSearchMemory, type SearchMemory } from "./search_memory.ts";
import { createSkuMemory, type SkuMemory } from "./sku_memory.ts";

/** What a process remembers of catalogues to be quick; one per process, made by the composition root. */
export interface CatalogueMemory {
  readonly fields: FieldMemory;
  readonly searches: SearchMemory;
  readonly skus: SkuMemory;
  readonly rewrites: Rewrites;
  /**
   * Begins to load, beside the request, what somebody who has come will search in, unless that is being
   * written anew; failures are logged.
   */
  warm(workspace: WorkspaceStore): void;
  /** Ends what was begun beside requests; resolves when that no longer reads the store. */
  close(): Promise<void>;
}

const log = roomLog("catalogue");
/** Texts of more products take so much memory that somebody must have searched in them. */
const WARMED_PRODUCTS_MAX = 500_000;

export function createCatalogueMemory(): CatalogueMemory {
  const searches = createSearchMemory();
  const rewrites = new Rewrites();
  const warming = new Map<string, Promise<void>>();
  let isClosed = false;
  const load = async (workspace: WorkspaceStore): Promise<void> => {
    if (await countActiveProducts(workspace) > WARMED_PRODUCTS_MAX) return;
    await searches.load(workspace, () => isClosed);
  };
  return {
    fields: createFieldMemory(),
    searches,
    skus: createSkuMemory(),
    rewrites,
    warm({ store, workspaceId }) {
      if (isClosed || warming.has(workspaceId) || rewrites.isOngoing(workspaceId)) return;
      const loading = load({ store, workspaceId })
        // Whoever searches reads what is missing, and meets what is wrong with the store.
        .catch((error) =>
          log.warning("search texts not loaded or not stored", { workspaceId, error })
        )
        .finally(() => warming.delete(workspaceId));
      warming.set(workspaceId, loading);
    },
    async close() {
      isClosed = true;
      await Promise.all(warming.values());
    },
  };
}
