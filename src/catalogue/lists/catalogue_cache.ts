/** The caches of product fields, search texts and SKUs. */
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { countActiveProducts } from "../products/version_counter_store.ts";
import { createFieldCache, type FieldCache } from "./field_cache.ts";
import type { SkuCache } from "./find_product.ts";
import { createSearchCache, type SearchCache } from "./search_cache.ts";

export interface CatalogueCache {
  readonly fields: FieldCache;
  readonly searches: SearchCache;
  readonly skus: SkuCache;
  readonly rewrites: Rewrites;
  /** Never rejects. Does nothing during an import. */
  warm(workspace: WorkspaceStore): Promise<void>;
  /** Stops loading, and waits until no background work uses the store any more. */
  close(): Promise<void>;
}

const log = roomLog("catalogue");

export function createCatalogueCache(): CatalogueCache {
  const searches = createSearchCache();
  const rewrites = new Rewrites();
  const warming = new Map<string, Promise<void>>();
  let isClosed = false;
  const load = async (workspace: WorkspaceStore): Promise<void> => {
    // Texts of larger catalogues need much memory, so they are loaded only for a search.
    if (await countActiveProducts(workspace) > 500_000) return;
    await searches.load(workspace);
  };
  return {
    fields: createFieldCache(),
    searches,
    skus: new Map(),
    rewrites,
    warm({ store, workspaceId }) {
      if (isClosed || rewrites.isOngoing(workspaceId)) return Promise.resolve();
      const known = warming.get(workspaceId);
      if (known) return known;
      const loading = load({ store, workspaceId })
        // The next search reads the texts itself and reports its own error.
        .catch((error) => log.warning("search texts not loaded", { workspaceId, error }))
        .finally(() => warming.delete(workspaceId));
      warming.set(workspaceId, loading);
      return loading;
    },
    async close() {
      isClosed = true;
      await Promise.all([searches.close(), ...warming.values()]);
    },
  };
}

/** Time after an import's last commit until the import counts as finished. */
const ENDED_MS = 5_000;

/** Records which catalogues an import is rewriting. */
export class Rewrites {
  /** By workspace id, oldest first. */
  readonly #notedMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** `nowMs` must be monotonic. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  note(workspaceId: string): void {
    this.#notedMs.delete(workspaceId);
    this.#notedMs.set(workspaceId, this.#nowMs());
  }

  isOngoing(workspaceId: string): boolean {
    for (const [id, notedMs] of this.#notedMs) {
      if (this.#nowMs() - notedMs < ENDED_MS) break;
      this.#notedMs.delete(id);
    }
    return this.#notedMs.has(workspaceId);
  }
}
