/**
 * An import of links only, with the same reads and checks as a real import (docs/decisions/keys.md,
 * docs/decisions/imports.md).
 */

import { findIndexRow, putIndexRowMarks } from "../../src/catalogue/products/index_row_store.ts";
import { offerVersions, productVersions } from "../../src/catalogue/products/change_log_store.ts";
import { shard } from "../../src/catalogue/products/product.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { checkCompetitorSet } from "../../src/shops/competitor_store.ts";
import { requireCompetitors } from "../../src/shops/require_competitors.ts";
import { planProductLinks, putLinks } from "../../src/shops/matches/link_plan.ts";
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
    const versions = await productVersions.find(ctx, [number]);
    const ofOffers = await offerVersions.find(ctx, [number]);
    const competitors = await requireCompetitors(ctx, wanted, () => {});
    const indexRow = await findIndexRow(ctx, sku);
    const found = indexRow && await findProduct(ctx, indexRow.id);
    if (!indexRow || !found) throw new Error(`There is no product ${sku}`);
    const plan = await planProductLinks(ctx, await findOffers(ctx, found.id), wanted, competitors);
    await putLinks(write, ctx, found.product, plan);
    productVersions.check(write, workspaceId, versions);
    offerVersions.check(write, workspaceId, ofOffers);
    checkCompetitorSet(write, workspaceId, competitors);
    productVersions.set(write, workspaceId, number);
    putIndexRowMarks(write, workspaceId, found.product, {
      importHash: "hash",
      isFromImport: true,
      firstPriceJob: null,
      importSource: null,
    });
    return plan;
  });
}
