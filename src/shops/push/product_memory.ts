export interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

/**
 * Which product a SKU named when its shard had a certain generation: everything that gives or takes
 * a SKU moves that, so a name that is known needs no read as long as it stands.
 */
export interface ProductMemory {
  find(workspaceId: string, sku: string, generation: string): ProductRef | null;
  note(workspaceId: string, product: ProductRef, generation: string): void;
}

/** About 20 MB. */
const PRODUCTS_MAX = 100_000;

export function createProductMemory(): ProductMemory {
  const known = new Map<string, { readonly product: ProductRef; readonly generation: string }>();
  return {
    find(workspaceId, sku, generation) {
      const found = known.get(workspaceId + sku);
      return found?.generation === generation ? found.product : null;
    },
    note(workspaceId, product, generation) {
      if (known.size >= PRODUCTS_MAX) known.clear();
      known.set(workspaceId + product.sku, { product, generation });
    },
  };
}
