/**
 * Which id a SKU had when it was last asked for: its document is then read without its card. A guess,
 * proven by the document, which says its SKU: no other active product has it.
 */
export interface SkuMemory {
  guess(workspaceId: string, sku: string): string | null;
  note(workspaceId: string, sku: string, id: string): void;
}

const SKUS_MAX = 50_000;

export function createSkuMemory(): SkuMemory {
  const ids = new Map<string, string>();
  return {
    guess: (workspaceId, sku) => ids.get(workspaceId + sku) ?? null,
    note(workspaceId, sku, id) {
      if (ids.size >= SKUS_MAX) ids.clear();
      ids.set(workspaceId + sku, id);
    },
  };
}
