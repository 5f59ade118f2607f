/**
 * Products and their offers from earlier pushes, by SKU. They are known while the version counters
 * of their shard stay the same, so a commit that uses known offers must check the counter.
 */
import type { Offer } from "../offers/offer.ts";

export interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

export interface ProductOffers {
  readonly product: ProductRef;
  readonly offers: readonly Offer[];
}

/** `versions` must have been read before the offers. */
export interface ShardState {
  readonly workspaceId: string;
  readonly shard: number;
  readonly versions: string;
}

interface KnownShard {
  versions: string;
  readonly bySku: Map<string, ProductOffers>;
}

export class PushCache {
  readonly #shards = new Map<string, KnownShard>();
  /** Products and offers that were stored since the cache was last emptied. */
  #size = 0;

  find(state: ShardState, sku: string): ProductOffers | null {
    return this.#knownAt(state)?.bySku.get(sku) ?? null;
  }

  note(state: ShardState, known: ProductOffers): void {
    const shard = this.#knownAt(state) ?? { versions: state.versions, bySku: new Map() };
    this.#shards.set(nameOf(state), shard);
    this.#put(shard, known);
  }

  /** Must be called after a commit that checked the counters of `state` and wrote `written`. */
  advance(state: ShardState, versions: string, written: readonly ProductOffers[]): void {
    const shard = this.#knownAt(state);
    if (!shard) return;
    shard.versions = versions;
    for (const one of written) this.#put(shard, one);
  }

  #put({ bySku }: KnownShard, known: ProductOffers): void {
    const before = bySku.get(known.product.sku);
    bySku.set(known.product.sku, known);
    this.#size += before ? known.offers.length - before.offers.length : 1 + known.offers.length;
    // Limits the cache to about 25 MB.
    if (this.#size <= 60_000) return;
    this.#shards.clear();
    this.#size = 0;
  }

  #knownAt(state: ShardState): KnownShard | null {
    const known = this.#shards.get(nameOf(state));
    return known?.versions === state.versions ? known : null;
  }
}

function nameOf({ workspaceId, shard }: ShardState): string {
  return `${workspaceId} ${shard}`;
}
