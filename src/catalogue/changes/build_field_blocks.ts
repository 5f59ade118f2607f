/** Builds the blocks of fields of stored products, as a step of a migration. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { placeBehind, placeOf, type ProductPlace } from "./product_place.ts";
import { removeFormerRows } from "../products/former_index_store.ts";
import { listDocuments } from "../products/product_store.ts";
import { createTally, tallyFields } from "../products/product_tally.ts";
import { parseProduct } from "../products/product_wire.ts";
import { blocksOfStore, saveTallyTo } from "../products/save_tally.ts";

/** In each workspace blocks are built, then what it had instead of them goes. */
type Step = "build" | "clear";

/** Their blocks, of all shards, fit into one commit with the values of all of them. */
const PRODUCTS_PER_COMMIT = 200;

/**
 * The `advance` of the migration from layout 2: each active product comes into a block of its shard,
 * and the index rows and counts of before go.
 */
export async function buildFieldBlocks(
  store: Store,
  write: Write,
  place: unknown,
): Promise<ProductPlace<Step> | null> {
  const at = await placeOf<Step>(store, place, "build");
  if (at === null) return null;
  const workspace = { store, workspaceId: at.workspaceId };
  if (at.step === "clear") {
    const isLeft = await removeFormerRows(write, workspace);
    return isLeft ? at : await placeBehind<Step>(store, at.workspaceId, "build");
  }
  const documents = await listDocuments(workspace, at.after, PRODUCTS_PER_COMMIT);
  if (documents.length === 0) return { ...at, step: "clear", after: null };
  const tally = createTally();
  for (const { bytes } of documents) tallyFields(tally, parseProduct(bytes));
  // Nobody else writes while a store is migrated.
  await saveTallyTo(write, workspace, tally, blocksOfStore(workspace, true));
  return { ...at, after: documents.at(-1)?.id ?? null };
}
