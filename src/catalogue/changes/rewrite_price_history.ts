/** Gives every row of the price history today's form, as a step of a migration. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { type HistoryPlace, rewritePriceRows } from "../prices/price_history_store.ts";
import { placeBehind, placeOf, type ProductPlace } from "./product_place.ts";

type Place = ProductPlace<"rows", HistoryPlace>;

/** Each with the sender of an import of its own at worst. */
const ROWS_PER_COMMIT = 300;

/** The `advance` of the migration after which a change that an import made says its sender by the import. */
export async function rewritePriceHistory(
  store: Store,
  write: Write,
  place: unknown,
): Promise<Place | null> {
  const at = await placeOf<"rows", HistoryPlace>(store, place, "rows");
  if (at === null) return null;
  const { workspaceId } = at;
  const last = await rewritePriceRows(write, { store, workspaceId }, at.after, ROWS_PER_COMMIT);
  return last === null ? await placeBehind(store, workspaceId, "rows") : { ...at, after: last };
}
