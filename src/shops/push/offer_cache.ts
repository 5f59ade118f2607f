/**
 * A cache of offers by product, and of products by SKU. Each commit that uses cached entries must
 * check the version counter of their shard.
 */
import type { Offer } from "../offers/offer.ts";

/** `versionCounter` is the shard's version counter when the offers were read. */
export interface OfferPlace {
  readonly workspaceId: string;
  readonly shard: number;
  readonly versionCounter: string;
}

interface KnownShard {
  versionCounter: string;
  readonly offers: Map<string, readonly Offer[]>;
  count: number;
}

const PRODUCT_COST = 1;

export class OfferCache {
  readonly #max: number;
  readonly #shards = new Map<string, KnownShard>();
  #count = 0;

  // `max` is for all workspaces together; the default takes about 25 MB.
  constructor(max = 60_000) {
    this.#max = max;
  }

  find(place: OfferPlace, productId: string): readonly Offer[] | null {
    const known = this.#shards.get(keyOf(place));
    return known?.versionCounter === place.versionCounter
      ? known.offers.get(productId) ?? null
      : null;
  }

  /** A caller that uses cached offers must check this counter in its commit. */
  versionCounterOf(place: Omit<OfferPlace, "versionCounter">): string | null {
    return this.#shards.get(keyOf(place))?.versionCounter ?? null;
  }

  /** The version counter must have been read before the offers. */
  note(place: OfferPlace, productId: string, offers: readonly Offer[]): void {
    const key = keyOf(place);
    const known = this.#shards.get(key);
    // Versionstamps only grow, so offers read at a lower versionstamp are outdated.
    if (known && known.versionCounter > place.versionCounter) return;
    if (known?.versionCounter === place.versionCounter) {
      this.#put(known, productId, offers);
      this.#shards.delete(key);
      this.#shards.set(key, known);
    } else {
      this.#forget(key);
      const fresh = { versionCounter: place.versionCounter, offers: new Map(), count: 0 };
      this.#shards.set(key, fresh);
      this.#put(fresh, productId, offers);
    }
    for (const oldest of this.#shards.keys()) {
      if (this.#count <= this.#max) break;
      this.#forget(oldest);
    }
  }

  /** Must be called after a commit that checked the version counter and set the next one. */
  advance(place: OfferPlace, next: string, written: ReadonlyMap<string, readonly Offer[]>): void {
    const known = this.#shards.get(keyOf(place));
    if (known?.versionCounter !== place.versionCounter) return;
    known.versionCounter = next;
    for (const [productId, offers] of written) {
      if (known.offers.has(productId)) this.#put(known, productId, offers);
    }
  }

  #put(known: KnownShard, productId: string, offers: readonly Offer[]): void {
    const before = known.offers.get(productId);
    const change = offers.length - (before ? before.length : -PRODUCT_COST);
    known.offers.set(productId, offers);
    known.count += change;
    this.#count += change;
  }

  #forget(key: string): void {
    this.#count -= this.#shards.get(key)?.count ?? 0;
    this.#shards.delete(key);
  }
}

function keyOf({ workspaceId, shard }: Omit<OfferPlace, "versionCounter">): string {
  return `${workspaceId} ${shard}`;
}

export interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

export class ProductCache {
  readonly #known = new Map<string, { product: ProductRef; versionCounter: string }>();

  find(workspaceId: string, sku: string, versionCounter: string): ProductRef | null {
    const found = this.#known.get(workspaceId + sku);
    return found?.versionCounter === versionCounter ? found.product : null;
  }

  note(workspaceId: string, product: ProductRef, versionCounter: string): void {
    // Limits the cache to about 20 MB.
    if (this.#known.size >= 100_000) this.#known.clear();
    this.#known.set(workspaceId + product.sku, { product, versionCounter });
  }
}

export class PushCache {
  readonly products = new ProductCache();
  readonly offers = new OfferCache();
}
