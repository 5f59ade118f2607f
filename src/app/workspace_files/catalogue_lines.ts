/** Lines of products, their own prices and observed prices. */

import { iso, isoOrNull } from "../../base/time.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { walkPriceChanges } from "../../catalogue/products/price_changes.ts";
import {
  documentPages,
  findAnyProduct,
  listDeletedDocuments,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { findIdentities } from "../../shops/matches/identity_store.ts";
import type { KeptIdentity } from "../../shops/matches/match_identity.ts";
import { findMatchesAt } from "../../shops/matches/match_store.ts";
import { productPages } from "../../shops/observations/read_stretch.ts";
import { walkObserved } from "../../shops/observations/product_batch.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { walkOffers } from "../../shops/offers/offer_store.ts";
import { TABLE_LINES } from "./table_lines.ts";
import type { LineOf, WorkspaceLine } from "./workspace_line.ts";

/** Maximum number of rows of a kind in memory. */
export const ROWS_PER_READ = 500;

/** With this clock a reader looks for packed observations of all times. */
const END_OF_TIME = new Date(8.64e15);
const ALL_TIMES = { fromMs: 0, toMs: END_OF_TIME.getTime(), order: "asc" } as const;

type Lines<T extends WorkspaceLine> = AsyncGenerator<T>;

/** Yields matches after their products, and observations after their matches. */
export async function* catalogueLines(workspace: WorkspaceStore): Lines<WorkspaceLine> {
  yield* productLines(workspace, listDocuments);
  yield* productLines(workspace, listDeletedDocuments);
  yield* priceLines(workspace);
  yield* TABLE_LINES.priceMark.lines(workspace);
  yield* TABLE_LINES.priceTerms.lines(workspace);
  yield* TABLE_LINES.vatTerms.lines(workspace);
  yield* TABLE_LINES.sales.lines(workspace);
  yield* TABLE_LINES.removedMatch.lines(workspace);
  yield* TABLE_LINES.linkRemoval.lines(workspace);
  yield* matchLines(workspace);
  yield* observationLines(workspace);
}

async function* productLines(
  workspace: WorkspaceStore,
  list: typeof listDocuments,
): Lines<LineOf<"product">> {
  for await (const page of documentPages(workspace, list, ROWS_PER_READ)) {
    const products = page.map(({ bytes }) => parseProduct(bytes));
    const indexRows = await findIndexRows(workspace, products.map(({ sku }) => sku));
    for (const product of products) {
      const { importHash = null, isFromImport = false, importSource = null } =
        indexRows.get(product.sku) ?? {};
      yield { type: "product", ...product, importHash, isFromImport, importSource };
    }
  }
}

async function* priceLines(workspace: WorkspaceStore): Lines<LineOf<"priceChange">> {
  for await (const { productId, change } of walkPriceChanges(workspace)) {
    yield { type: "priceChange", productId, ...change };
  }
}

async function* matchLines(workspace: WorkspaceStore): Lines<LineOf<"match">> {
  const known = new Set((await listCompetitors(workspace, null, null)).map(({ id }) => id));
  for await (const { productId, offers } of walkOffers(workspace)) {
    const sku = await skuOf(workspace, productId);
    const places = offers.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }));
    const matches = new Map(
      (await findMatchesAt(workspace, places)).map(({ match }) => [match.id, match]),
    );
    const identities = await findIdentities(workspace, offers.map(({ matchId }) => matchId));
    for (const offer of offers) {
      const match = matches.get(offer.matchId);
      // The remaining matches of a competitor that is being deleted are omitted.
      if (!match || !known.has(match.competitorId)) continue;
      const identity = identityOf(identities.get(match.id));
      yield { type: "match", ...match, sku, offer: offerOf(offer), identity };
    }
  }
}

function identityOf(kept: KeptIdentity | undefined): LineOf<"match">["identity"] {
  if (kept === undefined) return null;
  const { verdict, reasons, page, checkedAtMs, word } = kept;
  return { verdict, reasons: [...reasons], page, checkedAt: isoOrNull(checkedAtMs), word };
}

function offerOf(offer: Offer): LineOf<"match">["offer"] {
  const { priceCents, currency, availability, confidence, status, error } = offer;
  const { condition, seller, shippingCents, verdict, previousCents, isSelectorDead } = offer;
  const { listPriceCents, lowest30Cents } = offer;
  const observedAt = isoOrNull(offer.observedAtMs);
  const checkedAt = isoOrNull(offer.checkedAtMs);
  const heldAt = isoOrNull(offer.heldAtMs);
  const failingSince = isoOrNull(offer.failingSinceMs);
  const since = isoOrNull(offer.sinceMs);
  const seen = { priceCents, currency, availability, confidence, observedAt, checkedAt };
  const sale = { condition, seller, shippingCents, listPriceCents, lowest30Cents };
  const told = { status, error, ...sale, verdict };
  return { ...seen, ...told, heldAt, failingSince, previousCents, since, isSelectorDead };
}

async function* observationLines(workspace: WorkspaceStore): Lines<LineOf<"observation">> {
  const reader = { ...workspace, now: () => END_OF_TIME };
  for await (const productId of walkObserved(workspace, ["ob", "op"])) {
    const sku = await skuOf(workspace, productId);
    for await (const page of productPages(reader, productId, ALL_TIMES, ROWS_PER_READ)) {
      for (const { observation: { observedAtMs, ...rest } } of page) {
        const observedAt = iso(observedAtMs);
        yield { type: "observation", ...rest, sku, observedAt };
      }
    }
  }
}

/** Finds the SKU of an active or a deleted product. */
export async function skuOf(workspace: WorkspaceStore, productId: string): Promise<string> {
  const found = await findAnyProduct(workspace, productId);
  if (!found) throw new Error(`There is no product ${productId}: run check-store`);
  return found.product.sku;
}
