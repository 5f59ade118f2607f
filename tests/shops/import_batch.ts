/**
 * An import of links only, with the same reads and checks as a real import (docs/decisions/keys.md,
 * docs/decisions/imports.md).
 */

import { findIndexRow, putIndexRowMarks } from "../../src/catalogue/products/index_row_store.ts";
import {
  checkOfferVersionCounter,
  checkVersionCounter,
  findOfferVersionCounters,
  listVersionCounters,
  setVersionCounter,
} from "../../src/catalogue/products/version_counter_store.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { checkCompetitorSet, requireCompetitors } from "../../src/shops/competitor_store.ts";
import { planProductLinks, putLinks } from "../../src/shops/matches/link_batch.ts";
import { type FileLink, judgeLinks, type LinkPlan } from "../../src/shops/matches/link_plan.ts";
import { findOffers } from "../../src/shops/offers/offer_store.ts";
import type { TestApp } from "../harness.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

/** A link of a file, enabled by default. */
export function fileLink(url: string, more: Partial<FileLink> = {}): FileLink {
  return { url, name: null, domain: null, enabled: true, ...more };
}

export async function importLinks(
  { store, workspaceId, app, clock }: TestApp,
  sku: string,
  links: readonly FileLink[],
): Promise<LinkPlan> {
  const ctx = { store, workspaceId, now: clock.now, newId: app.clock.newId };
  const { wanted } = judgeLinks(links, NOTHING_ALLOWED);
  const number = shard(sku);
  return await transact(ctx, async (write) => {
    const versionCounter = (await listVersionCounters(ctx)).get(number) ?? null;
    const offerVersionCounters = await findOfferVersionCounters(ctx, [number]);
    const competitors = await requireCompetitors(ctx, wanted, () => {});
    const indexRow = await findIndexRow(ctx, sku);
    const found = indexRow && await findProduct(ctx, indexRow.id);
    if (!indexRow || !found) throw new Error(`There is no product ${sku}`);
    const plan = await planProductLinks(ctx, await findOffers(ctx, found.id), wanted, competitors);
    await putLinks(write, ctx, found.product, plan);
    checkVersionCounter(write, workspaceId, number, versionCounter);
    checkOfferVersionCounter(write, workspaceId, number, offerVersionCounters.get(number) ?? null);
    checkCompetitorSet(write, workspaceId, competitors);
    setVersionCounter(write, workspaceId, number);
    putIndexRowMarks(write, workspaceId, found.product, {
      importHash: "hash",
      isFromImport: true,
      firstPriceJob: null,
      importSource: null,
    });
    return plan;
  });
}
