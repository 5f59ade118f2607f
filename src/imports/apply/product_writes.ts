import { isJudgedAnew } from "../../catalogue/changes/announce_product.ts";
import { type PriceCause, priceChangeOf } from "../../catalogue/prices/price_history.ts";
import { saveImportActor } from "../../catalogue/prices/price_history_store.ts";
import type { KeptBlocks } from "../../catalogue/products/kept_blocks.ts";
import { type Product, shard } from "../../catalogue/products/product.ts";
import { type ProductChange, putProduct } from "../../catalogue/products/product_store.ts";
import { createTally, touchShard } from "../../catalogue/products/product_tally.ts";
import { type HeldBlock, saveTallyTo } from "../../catalogue/products/save_tally.ts";
import { movedOffer } from "../../shops/offers/moved_offer.ts";
import { createOfferTally } from "../../shops/offers/offer_store.ts";
import { announce } from "../../platform/events/announce.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import { addCosts } from "../../platform/store/kv.ts";
import type { QueuedImport } from "../state/import_job.ts";
import type { WrittenShards } from "./span_generations.ts";

/** The products that one commit of an import, or of its undoing, writes, with what they share. */
export class ProductWrites {
  readonly tally = createTally();
  readonly offerTally = createOfferTally();
  /** Products that rules may judge otherwise now. */
  readonly touched = new Set<string>();
  /** What the blocks of fields will take. */
  costOfBlocks = addCosts();
  readonly #tools: StepTools<QueuedImport>;
  readonly #jobId: string;
  readonly #cause: PriceCause;
  readonly #blocks: KeptBlocks;
  readonly #touchedBlocks = new Set<HeldBlock | number>();
  #setsPrices = false;

  constructor(
    tools: StepTools<QueuedImport>,
    { createdBy, jobId }: Pick<QueuedImport, "createdBy" | "jobId">,
    blocks: KeptBlocks,
  ) {
    this.#tools = tools;
    this.#jobId = jobId;
    this.#cause = { source: "import", actor: createdBy, ref: jobId };
    this.#blocks = blocks;
  }

  async put(change: Omit<ProductChange, "cause">): Promise<void> {
    const { write, workspaceId } = this.#tools;
    const before = change.before?.product ?? null;
    const after = change.after.product;
    putProduct(write, workspaceId, { ...change, cause: this.#cause }, this.tally);
    this.#setsPrices ||= priceChangeOf(before, after, this.#cause) !== null;
    if (isJudgedAnew(before, after)) this.touched.add(after.id);
    const number = shard(after.sku);
    const fields = this.tally.fields.get(number)?.get(after.id);
    if (fields === undefined) return;
    const cost = await this.#blocks.costOf(number, after.id, fields, this.#touchedBlocks);
    this.costOfBlocks = addCosts(this.costOfBlocks, cost);
  }

  /** Links of the product were written, with its offers. */
  noteLinks(
    { id, sku }: Pick<Product, "id" | "sku">,
    both: Parameters<typeof movedOffer>[0],
  ): void {
    if (movedOffer(both) !== null) this.touched.add(id);
    touchShard(this.tally, sku);
  }

  /** Adds what the products share, but for what their offers do. */
  async close(): Promise<void> {
    const { write, workspaceId } = this.#tools;
    const data = { cause: "import" as const, ref: this.#jobId, productIds: [...this.touched] };
    announce(write, this.#tools, [{ type: "products.touched", data }]);
    if (this.#setsPrices) saveImportActor(write, workspaceId, this.#jobId, this.#cause.actor);
    await saveTallyTo(write, this.#tools, this.tally, this.#blocks);
  }

  /** The shards that are written. */
  get shards(): WrittenShards {
    return { products: this.tally.shards, offers: this.offerTally.shards };
  }
}
