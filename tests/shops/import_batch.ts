/**
 * An import batch of links alone, with the reads and checks that the real one has
 * (docs/decisions/keys.md, docs/decisions/imports.md).
 */

import { findCard, putCardMarks } from "../../src/catalogue/products/index_row_store.ts";
import {
  checkGeneration,
  checkOfferGeneration,
  findOfferGenerations,
  listGenerations,
  setGeneration,
} from "../../src/catalogue/products/version_counter_store.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { checkCompetitorSet } from "../../src/shops/competitor_store.ts";
import { planProductLinks, putLinks } from "../../src/shops/matches/link_batch.ts";
import { type FileLink, judgeLinks, type LinkPlan } from "../../src/shops/matches/link_plan.ts";
import {
  createOfferTally,
  findOffers,
  saveOfferTally,
} from "../../src/shops/offers/offer_store.ts";
import { requireCompetitors } from "../../src/shops/require_competitors.ts";
import type { TestApp } from "../harness.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

/** A link of a file; enabled unless it says otherwise. */
export function fileLink(url: string, more: Partial<FileLink> = {}): FileLink {
  return { url, name: null, domain: null, enabled: true, ...more };
}

/** Imports the links of one record, as a batch of one. */
export async function importLinks(
  { store, workspaceId, app, clock }: TestApp,
  sku: string,
  links: readonly FileLink[],
): Promise<LinkPlan> {
  const ctx = { store, workspaceId, now: clock.now, newId: app.clockwork.newId };
  const { wanted } = judgeLinks(links, NOTHING_ALLOWED);
  const number = shard(sku);
  return await transact(ctx, async (write) => {
    const generation = (await listGenerations(ctx)).get(number) ?? null;
    const offerGenerations = await findOfferGenerations(ctx, [number]);
    const competitors = await requireCompetitors(ctx, wanted, () => {});
    const card = await findCard(ctx, sku);
    const found = card && await findProduct(ctx, card.id);
    if (!card || !found) throw new Error(`There is no product ${sku}`);
    const plan = await planProductLinks(ctx, await findOffers(ctx, found.id), wanted, competitors);
    const tally = createOfferTally();
    await putLinks(write, ctx, found.product, plan, tally);
    saveOfferTally(write, workspaceId, tally);
    checkGeneration(write, workspaceId, number, generation);
    checkOfferGeneration(write, workspaceId, number, offerGenerations.get(number) ?? null);
    checkCompetitorSet(write, workspaceId, competitors);
    setGeneration(write, workspaceId, number);
    putCardMarks(write, workspaceId, found.product, {
      importHash: "hash",
      isFromImport: true,
      firstPriceJob: null,
      importSource: null,
    });
    return plan;
  });
}
