/**
 * The caches of the catalogue of one process: filter fields, search texts and SKUs. The versions of the
 * shards decide whether an entry is still valid.
 */

import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { countActiveProducts } from "../products/version_counter_store.ts";
import { createFieldCache, type FieldCache } from "./field_cache.ts";
import { createSkuCache, type SkuCache } from "./find_product.ts";
import { createSearchCache, type SearchCache } from "./search_cache.ts";

/** One per process, made by the composition root. */
export interface CatalogueCache {
  readonly fields: FieldCache;
  readonly searches: SearchCache;
  readonly skus: SkuCache;
  readonly rewrites: Rewrites;
  /**
   * Begins to load the search texts in the background, unless an import is rewriting them. Failures are
   * logged.
   */
  warm(workspace: WorkspaceStore): void;
  /** Ends the loading in the background; resolves when it no longer reads the store. */
  close(): Promise<void>;
}

const log = roomLog("catalogue");
/** Larger catalogues are loaded only by a search, because their texts take much memory. */
const WARMED_PRODUCTS_MAX = 500_000;

export function createCatalogueCache(): CatalogueCache {
  const searches = createSearchCache();
  const rewrites = new Rewrites();
  const warming = new Map<string, Promise<void>>();
  let isClosed = false;
  const load = async (workspace: WorkspaceStore): Promise<void> => {
    if (await countActiveProducts(workspace) > WARMED_PRODUCTS_MAX) return;
    await searches.load(workspace, () => isClosed);
  };
  return {
    fields: createFieldCache(),
    searches,
    skus: createSkuCache(),
    rewrites,
    warm({ store, workspaceId }) {
      if (isClosed || warming.has(workspaceId) || rewrites.isOngoing(workspaceId)) return;
      const loading = load({ store, workspaceId })
        // The next search reads what is missing and gets the store's error.
        .catch((error) => log.warning("search texts not loaded", { workspaceId, error }))
        .finally(() => warming.delete(workspaceId));
      warming.set(workspaceId, loading);
    },
    async close() {
      isClosed = true;
      await Promise.all(warming.values());
    },
  };
}

/** After its last commit: an import may wait for its turn for so long. */
const ENDED_MS = 5_000;

/**
 * The catalogues that this process is rewriting, by an import or an undo. Caches of such a
 * catalogue would be invalidated at once.
 */
export class Rewrites {
  /** Time of the last write of each workspace, oldest first. */
  readonly #notedMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** `nowMs` is a clock that never goes back; tests set their own. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  note(workspaceId: string): void {
    this.#notedMs.delete(workspaceId);
    this.#notedMs.set(workspaceId, this.#nowMs());
  }

  /** True until some seconds after the last commit. */
  isOngoing(workspaceId: string): boolean {
    for (const [id, notedMs] of this.#notedMs) {
      if (this.#nowMs() - notedMs < ENDED_MS) break;
      this.#notedMs.delete(id);
    }
    return this.#notedMs.has(workspaceId);
  }
}
