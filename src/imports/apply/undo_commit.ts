import { marksOf } from "../../catalogue/products/card.ts";
import { putCardMarks } from "../../catalogue/products/card_store.ts";
import { KeptBlocks } from "../../catalogue/products/kept_blocks.ts";
import { touchShard } from "../../catalogue/products/product_tally.ts";
import type { Competitor } from "../../shops/competitor.ts";
import { removeMatch, saveMatch } from "../../shops/matches/match_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { putOffers, saveOfferTally } from "../../shops/offers/offer_store.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import { addCosts, type CommitCost, shareOfCommit } from "../../platform/store/kv.ts";
import { costOfSales, putSalesChange } from "../../catalogue/sales/change_sales.ts";
import { ProductWrites } from "./product_writes.ts";
import { costOfNotes } from "./record_note.ts";
import type { WrittenShards } from "./span_generations.ts";
import type { UndoJob } from "../state/import_job.ts";
import type { LinkReturn, UndoOutcome } from "./decide_undo.ts";
import type { UndoPlace } from "./undo_scene.ts";

/** The rows of the job, and what the products share. */
const REST = addCosts(shareOfCommit(0.03), { mutations: 30, keyBytes: 2_000, bytes: 4_000 });
/** A match with a long URL and an extractor, and what is left of it. */
const LINK = { mutations: 8, keyBytes: 1_100, bytes: 10_400 };

/** What goes back in one commit. */
export class UndoCommit {
  readonly #tools: StepTools<UndoJob>;
  readonly #products: ProductWrites;
  #writes = false;

  constructor(tools: StepTools<UndoJob>, job: UndoJob) {
    this.#tools = tools;
    const { store, workspaceId } = tools;
    this.#products = new ProductWrites(tools, job, new KeptBlocks({ store, workspaceId }));
  }

  /** False when the outcome had better come with the next commit. */
  hasRoomFor(place: UndoPlace, outcome: UndoOutcome): boolean {
    const touched = { bytes: 30 * this.#products.touched.size };
    const cost = addCosts(this.#products.costOfBlocks, REST, touched, costOf(place, outcome));
    return this.#tools.write.fits(cost);
  }

  async put(
    place: UndoPlace,
    { after, links, sales }: UndoOutcome,
    competitors: ReadonlyMap<string, Competitor>,
  ): Promise<void> {
    if (after === null && links.length + sales.length === 0) return;
    this.#writes = true;
    for (const change of sales) {
      putSalesChange(this.#tools.write, this.#tools.workspaceId, change);
    }
    // The next import looks at the product again.
    const marks = { ...marksOf(place.card), importHash: null };
    const { product } = place;
    if (after !== null) {
      const before = { product, marks: place.card };
      await this.#products.put({ before, after: { product: after, marks } });
    } else {
      putCardMarks(this.#tools.write, this.#tools.workspaceId, product, marks);
      touchShard(this.#products.tally, product.sku);
    }
    if (links.length > 0) this.#putLinks(place, links, competitors);
  }

  /** Answers which shards must still be checked; null for none. */
  async close(): Promise<WrittenShards | null> {
    if (!this.#writes) return null;
    await this.#products.close();
    saveOfferTally(this.#tools.write, this.#tools.workspaceId, this.#products.offerTally);
    return this.#products.shards;
  }

  #putLinks(
    { product, offers: { offers: before } }: UndoPlace,
    links: readonly LinkReturn[],
    competitors: ReadonlyMap<string, Competitor>,
  ): void {
    const { write, workspaceId } = this.#tools;
    const at = this.#tools.now().toISOString();
    const returns = new Map(links.map((link) => [link.match.id, link]));
    const after: Offer[] = [];
    for (const offer of before) {
      const link = returns.get(offer.matchId);
      if (!link) after.push(offer);
      else if (link.isOn === null) {
        const shop = competitors.get(link.match.competitorId);
        const { displayName = "", domain = "" } = shop ?? {};
        const removed = { match: link.match, competitor: { displayName, domain }, removedAt: at };
        // An import that names it again brings it back.
        removeMatch(write, workspaceId, { ...removed, removedBy: "import" }, offer.urlHash);
      } else {
        const state = { enabled: link.isOn, disabledBy: link.isOn ? null : "import" as const };
        saveMatch(write, workspaceId, { ...link.match, ...state, updatedAt: at }, offer.urlHash);
        after.push({ ...offer, ...state });
      }
    }
    putOffers(write, workspaceId, product, { before, after }, this.#products.offerTally);
    this.#products.noteLinks(product, { before, after });
  }
}

/** An upper bound of what one product adds to a commit. */
function costOf({ product }: UndoPlace, { after, links, sales, kept }: UndoOutcome): CommitCost {
  const notes = addCosts(costOfNotes(kept.length), costOfSales(sales));
  const offers = links.length === 0 ? {} : { mutations: 6, keyBytes: 500, bytes: 66_000 };
  const returned = links.map(() => LINK);
  if (after === null) return addCosts(notes, offers, ...returned);
  const rows = [product, after].map(({ sku, title, prices, attributes }) => ({
    mutations: 6,
    keyBytes: 3 * sku.length + 350,
    bytes: 3_000 + 3 * sku.length + 6 * title.length + (150 + 260) * prices.length +
      3 * JSON.stringify(attributes).length,
  }));
  return addCosts(notes, offers, ...returned, ...rows);
}
