import {
  checkOfferGeneration,
  findOfferGenerations,
} from "../../catalogue/products/offer_generation_store.ts";
import { checkGeneration, findGenerations } from "../../catalogue/products/generation_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

/** Shards that a commit writes products and offers of. */
export interface WrittenShards {
  readonly products: ReadonlySet<number>;
  readonly offers: ReadonlySet<number>;
}

const NOTHING: WrittenShards = { products: new Set(), offers: new Set() };

/**
 * Vouches for what was read of a few shards, from commit to commit of the one job that reads it: each
 * generation is the one that was read at first, or the versionstamp of the job's own last commit.
 * Whoever else writes makes the next commit fail, and the span is read anew.
 */
export class SpanGenerations {
  readonly #products: Map<number, string | null>;
  readonly #offers: Map<number, string | null>;
  #written = NOTHING;

  private constructor(
    products: Map<number, string | null>,
    offers: Map<number, string | null>,
  ) {
    this.#products = products;
    this.#offers = offers;
  }

  /** Comes before everything that it is to vouch for. */
  static async read(
    workspace: WorkspaceStore,
    shards: readonly number[],
  ): Promise<SpanGenerations> {
    const [products, offers] = await Promise.all([
      findGenerations(workspace, shards),
      findOfferGenerations(workspace, shards),
    ]);
    return new SpanGenerations(new Map(products), offers);
  }

  /**
   * The checks of a commit that writes `written`, null for no product; `lastCommit` is that of the
   * job's commit before. Called for every commit of the job.
   */
  check(
    write: Write,
    workspaceId: string,
    written: WrittenShards | null,
    lastCommit: string,
  ): void {
    for (const shard of this.#written.products) this.#products.set(shard, lastCommit);
    for (const shard of this.#written.offers) this.#offers.set(shard, lastCommit);
    this.#written = written ?? NOTHING;
    if (written === null) return;
    for (const [shard, generation] of this.#products) {
      checkGeneration(write, workspaceId, shard, generation);
    }
    for (const shard of written.offers) {
      checkOfferGeneration(write, workspaceId, shard, this.#offers.get(shard) ?? null);
    }
  }
}
