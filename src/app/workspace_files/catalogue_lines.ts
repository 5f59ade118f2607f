/** Products and what was seen of their prices, as lines. */

import { vatSteps } from "../../accounts/vat_terms.ts";
import { iso, isoOrNull } from "../../base/time.ts";
import { priceMarks } from "../../catalogue/prices/price_mark.ts";
import { termsSteps } from "../../catalogue/prices/price_terms_store.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { walkPriceChanges } from "../../catalogue/products/price_changes.ts";
import {
  documentPages,
  findAnyProduct,
  listDeletedDocuments,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { sales, unpackMonth } from "../../catalogue/sales/sales_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { findIdentities } from "../../shops/matches/identity_store.ts";
import type { KeptIdentity } from "../../shops/matches/match_identity.ts";
import { findMatchesAt, linkRemovals, removedMatches } from "../../shops/matches/match_store.ts";
import { productPages } from "../../shops/observations/read_stretch.ts";
import { walkObserved } from "../../shops/observations/product_batch.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { walkOffers } from "../../shops/offers/offer_store.ts";
import type { LineOf, LineType, WorkspaceLine } from "./workspace_line.ts";

/** How many rows of a kind are in memory at once. */
export const ROWS_PER_READ = 500;

/** A reader whose clock is at the end of time looks for packed observations everywhere. */
const END_OF_TIME = new Date(8.64e15);
const ALL_TIMES = { fromMs: 0, toMs: END_OF_TIME.getTime(), order: "asc" } as const;

type Lines<T extends WorkspaceLine> = AsyncGenerator<T>;
type TierLine = LineOf<"priceTerms">["tiers"][number];

/** Matches come behind the products that they belong to, observations behind the matches. */
export async function* catalogueLines(workspace: WorkspaceStore): Lines<WorkspaceLine> {
  yield* productLines(workspace, listDocuments);
  yield* productLines(workspace, listDeletedDocuments);
  yield* priceLines(workspace);
  yield* markLines(workspace);
  yield* termsLines(workspace);
  yield* salesLines(workspace);
  for await (const { row: { id: _, ...removed } } of removedMatches.walk(workspace)) {
    yield { type: "removedMatch", ...removed };
  }
  yield* linesOf("linkRemoval", rowsOf(linkRemovals.walk(workspace)));
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

async function* salesLines(workspace: WorkspaceStore): Lines<LineOf<"sales">> {
  for await (const { row: { productId, month, bytes } } of sales.walk(workspace)) {
    yield { type: "sales", productId, month, days: unpackMonth(month, bytes) };
  }
}

async function* priceLines(workspace: WorkspaceStore): Lines<LineOf<"priceChange">> {
  for await (const { productId, change } of walkPriceChanges(workspace)) {
    yield { type: "priceChange", productId, ...change };
  }
}

async function* markLines(workspace: WorkspaceStore): Lines<LineOf<"priceMark">> {
  for await (const { row: { productId, atMs, mark } } of priceMarks.walk(workspace)) {
    yield { type: "priceMark", productId, at: iso(atMs), mark };
  }
}

async function* termsLines(
  workspace: WorkspaceStore,
): Lines<LineOf<"priceTerms"> | LineOf<"vatTerms">> {
  for await (const { row: { productId, atMs, vat, tiers } } of termsSteps.walk(workspace)) {
    const steps = tiers.map((step): TierLine => [...step]);
    yield { type: "priceTerms", productId, at: iso(atMs), tiers: steps, vat: vat && [...vat] };
  }
  for await (const { row: { atMs, from, to } } of vatSteps.walk(workspace)) {
    yield { type: "vatTerms", at: iso(atMs), from, to };
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
      // A competitor that is being deleted takes its last matches along.
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
  const observedAt = isoOrNull(offer.observedAtMs);
  const checkedAt = isoOrNull(offer.checkedAtMs);
  const heldAt = isoOrNull(offer.heldAtMs);
  const failingSince = isoOrNull(offer.failingSinceMs);
  const since = isoOrNull(offer.sinceMs);
  const seen = { priceCents, currency, availability, confidence, observedAt, checkedAt };
  const told = { status, error, condition, seller, shippingCents, verdict };
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

/** Of an active product or a deleted one. */
export async function skuOf(workspace: WorkspaceStore, productId: string): Promise<string> {
  const found = await findAnyProduct(workspace, productId);
  if (!found) throw new Error(`There is no product ${productId}: run check-store`);
  return found.product.sku;
}

/** Rows that are lines but for their type. */
export async function* rowsOf<Row>(found: AsyncIterable<{ readonly row: Row }>) {
  for await (const { row } of found) yield row;
}

export async function* linesOf<T extends LineType, Row>(type: T, rows: AsyncIterable<Row>) {
  for await (const row of rows) yield { type, ...row };
}
