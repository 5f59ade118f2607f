/** Gives every stored product today's shape, as a step of a migration. */
import { findWorkspaceBehind } from "../../identity/workspace_store.ts";
import { shareOfCommit, type Store, type Write } from "../../platform/store/kv.ts";
import { saveTally } from "../lists/dictionary_store.ts";
import { productDefaults } from "../products/product.ts";
import { listDeletedDocuments, listDocuments, rewriteProduct } from "../products/product_store.ts";
import { createTally } from "../products/product_tally.ts";
import { parseProduct } from "../products/product_wire.ts";

/** The product up to which everything is done: of the active ones of a workspace, then its deleted ones. */
interface Place {
  readonly workspaceId: string;
  readonly side: "active" | "deleted";
  /** Null before the first one. */
  readonly after: string | null;
}

const PRODUCTS_PER_COMMIT = 100;
/** A product of the largest size; and of all products so far their counts, which are written last. */
const NEXT_PRODUCT = shareOfCommit(0.6);

/**
 * The `advance` of a migration that is needed when the shape of products changes: a field that a stored
 * one lacks gets its default, one that is no more goes, and a field that is indexed now gets its index
 * rows and counts. A commit takes up to 100 products, or as many as fit.
 */
export async function rewriteProducts(
  store: Store,
  write: Write,
  place: unknown,
): Promise<Place | null> {
  const at = isPlace(place) ? place : await placeBehind(store, null);
  if (at === null) return null;
  const workspace = { store, workspaceId: at.workspaceId };
  const list = at.side === "active" ? listDocuments : listDeletedDocuments;
  const documents = await list(workspace, at.after, PRODUCTS_PER_COMMIT);
  if (documents.length === 0) {
    return at.side === "active"
      ? { ...at, side: "deleted", after: null }
      : await placeBehind(store, at.workspaceId);
  }
  const tally = createTally();
  let after = at.after;
  for (const document of documents) {
    if (!write.fits(NEXT_PRODUCT)) break;
    const product = { ...productDefaults(), ...parseProduct(document.bytes) };
    await rewriteProduct(write, workspace, product, tally);
    after = document.id;
  }
  await saveTally(write, workspace, tally);
  return { ...at, after };
}

async function placeBehind(store: Store, workspaceId: string | null): Promise<Place | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id, side: "active", after: null };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
