import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { announceProduct } from "./announce_product.ts";
import type { PriceCause } from "../prices/price_history.ts";
import { differsForImports, type Product } from "../products/product.ts";
import { productAudit } from "./product_audit.ts";
import { marksOf, NO_MARKS } from "../products/card.ts";
import { findCard } from "../products/card_store.ts";
import { checkProduct, putProduct, type StoredProduct } from "../products/product_store.ts";
import { createTally, type Tally } from "../products/product_tally.ts";
import { toWire } from "../products/product_wire.ts";
import { saveTally } from "../products/save_tally.ts";

/**
 * Adds the change of one product to a commit that fails when the product is no longer `found`: its
 * rows, generation, audit row and news. The caller has stamped `after` and checked a new SKU. Who
 * changes several products in one commit gives a `tally` for all of them, and saves it.
 */
export async function writeChange(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  after: Product,
  { action, cause, reason, tally: shared }: {
    readonly action: AuditAction<"product">;
    readonly cause: PriceCause;
    /** In the words of who does it. */
    readonly reason?: string | null | undefined;
    readonly tally?: Tally;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  checkProduct(write, ctx.workspaceId, found);
  const card = await findCard(ctx, found.product.sku);
  const marks = card ? marksOf(card) : NO_MARKS;
  const isForImports = differsForImports(found.product, after);
  const tally = shared ?? createTally();
  putProduct(write, ctx.workspaceId, {
    before: { product: found.product, marks },
    after: { product: after, marks: { ...marks, ...(isForImports && { importHash: null }) } },
    cause,
  }, tally);
  if (!shared) await saveTally(write, ctx, tally);
  addAuditRow(write, ctx, {
    ...productAudit(action, found.product, after),
    ...(cause.source === "rule" && cause.ref !== null && { about: [`rule:${cause.ref}`] }),
    reason,
  });
  announceProduct(write, ctx, { before: found.product, after, cause });
  return toWire(after);
}

/** A change that somebody asked for by the API. */
export function causedByApi(ctx: Context): PriceCause {
  return { source: "api", actor: ctx.actor, ref: null };
}
