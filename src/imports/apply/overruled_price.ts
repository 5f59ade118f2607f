import { showMoney } from "../../base/money.ts";
import { listPriceChanges } from "../../catalogue/products/price_changes.ts";
import type { Card } from "../../catalogue/products/card.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Warning } from "./decide_record.ts";

const HISTORY_ROWS = 100;

/**
 * The warning that the file sets back a price which a rule, a proposal or a person changed after
 * the last import, or null (docs/decisions/imports.md, "Who wins"). The history is asked only where
 * the card says that somebody else touched the product since.
 */
export async function findOverruledPrice(
  workspace: WorkspaceStore,
  card: Card,
  before: Product,
  after: Product,
): Promise<Warning | null> {
  const isRepriced = before.ourPriceCents !== after.ourPriceCents;
  if (!isRepriced || before.ourPriceCents === null || card.importHash !== null) return null;
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest, ...older] = await listPriceChanges(workspace, before.id, stretch, HISTORY_ROWS);
  if (!newest || newest.source === "import") return null;
  const wasImported = card.isFromImport || older.some(({ source }) => source === "import") ||
    newest.fromCents === after.ourPriceCents;
  if (!wasImported) return null;
  const was = showMoney(before.ourPriceCents, before.currency);
  const is = after.ourPriceCents === null ? "none" : showMoney(after.ourPriceCents, after.currency);
  return {
    code: "price_reverted",
    message: `The price ${was}, set by "${newest.source}", gives way to ${is} of the file`,
    value: is,
  };
}
