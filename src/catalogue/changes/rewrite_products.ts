/** Rewrites every stored product in the present shape, as a step of a migration. */

import { findWorkspaceBehind } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Store, transact, type Write } from "../../platform/store/kv.ts";
import { termsBegins } from "../prices/price_terms_store.ts";
import { agreesWith, findCards, putCardMarks } from "../products/index_row_store.ts";
import { productDefaults, searchText } from "../products/product.ts";
import { listDeletedDocuments, listDocuments, rewriteProduct } from "../products/product_store.ts";
import { createTally, touchSearch } from "../products/product_tally.ts";
import { parseProduct } from "../products/product_wire.ts";
import { blocksOfStore, saveTallyTo } from "../products/save_tally.ts";

/** In each workspace first its active products, then its deleted ones. */
type Step = "active" | "deleted";

const PRODUCTS_PER_COMMIT = 100;
/** A product of the largest size; and the blocks of fields of all shards, which are written last. */
const NEXT_PRODUCT = shareOfCommit(0.6);

/**
 * The `advance` of a migration that is needed when the shape of products changes: a field that a stored
 * one lacks gets its default, one that is no more goes, and a field that is indexed now comes into the
 * blocks of fields; its card gets today's form and says of it what cards say now. A commit takes up to 100 products, or as many as fit.
 */
export async function rewriteProducts(
  store: Store,
  write: Write,
  place: unknown,
): Promise<ProductPlace<Step> | null> {
  const at = await placeOf<Step>(store, place, "active");
  if (at === null) return null;
  const workspace = { store, workspaceId: at.workspaceId };
  const list = at.step === "active" ? listDocuments : listDeletedDocuments;
  const documents = await list(workspace, at.after, PRODUCTS_PER_COMMIT);
  if (documents.length === 0) {
    return at.step === "active"
      ? { ...at, step: "deleted", after: null }
      : await placeBehind<Step>(store, at.workspaceId, "active");
  }
  const tally = createTally();
  const products = documents.map(({ bytes }) => ({ ...productDefaults(), ...parseProduct(bytes) }));
  const cards = await findCards(workspace, products.map(({ sku }) => sku));
  let after = at.after;
  for (const product of products) {
    if (!write.fits(NEXT_PRODUCT)) break;
    rewriteProduct(write, workspace, product, tally);
    const card = cards.get(product.sku);
    if (card && !agreesWith(card, product)) {
      putCardMarks(write, workspace.workspaceId, product, card);
      if (card.text !== searchText(product)) touchSearch(tally, product.sku);
    }
    after = product.id;
  }
  // A migration is the only writer.
  await saveTallyTo(write, workspace, tally, blocksOfStore(workspace, true));
  return { ...at, after };
}

/** In a step of a workspace, everything up to a product is done. */
interface ProductPlace<Step extends string, After = string> {
  readonly workspaceId: string;
  readonly step: Step;
  /** Null before the first one. */
  readonly after: After | null;
}

/** The place that was committed, or the first one; null when there is no workspace. */
async function placeOf<Step extends string, After = string>(
  store: Store,
  place: unknown,
  first: Step,
): Promise<ProductPlace<Step, After> | null> {
  return isPlace<Step, After>(place) ? place : await placeBehind(store, null, first);
}

/** The first step of the workspace behind another one; null when that was the last. */
async function placeBehind<Step extends string, After = string>(
  store: Store,
  workspaceId: string | null,
  first: Step,
): Promise<ProductPlace<Step, After> | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id, step: first, after: null };
}

function isPlace<Step extends string, After>(place: unknown): place is ProductPlace<Step, After> {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}

/**
 * Says once that changes of VAT and of the prices of tiers are kept from now on: what was before is not
 * known. Done twice it changes nothing.
 */
export async function beginTerms(
  place: WorkspaceStore & { readonly now: () => Date },
): Promise<void> {
  await transact(place, async (write) => {
    if (await termsBegins.find(place, {})) return;
    termsBegins.save(write, place, null, { beganMs: place.now().getTime() });
  });
}
