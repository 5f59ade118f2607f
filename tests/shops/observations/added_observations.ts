import type { Context } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type {
  Observation,
  PlacedObservation,
} from "../../../src/shops/observations/observation.ts";
import { addObservation } from "../../../src/shops/observations/observation_store.ts";
import { insertRows, PRODUCT_PACK, putBlock } from "../../../src/shops/observations/pack_store.ts";

/** A pushed price of an article in stock. */
export const anObservation = (
  terms:
    & Pick<Observation, "productId" | "matchId" | "competitorId" | "priceCents" | "observedAtMs">
    & Partial<Observation>,
): Observation => ({
  currency: "EUR",
  availability: "in_stock",
  listPriceCents: null,
  shippingCents: null,
  method: null,
  confidence: 1,
  source: "push",
  runId: null,
  ...terms,
});

/** Adds observations of a product one by one, or packed as retention does. */
export async function addObservations(
  ctx: Context,
  productId: string,
  observations: readonly PlacedObservation[],
  isPacked: boolean,
): Promise<void> {
  const owner = { pack: PRODUCT_PACK, ownerId: productId };
  for (let rows = observations; rows.length > 0;) {
    const used = await transact(ctx, async (write) => {
      if (isPacked) {
        const { changes, used } = await insertRows(ctx, owner, rows);
        for (const change of changes) putBlock(write, ctx.workspaceId, owner, change);
        return used;
      }
      const part = rows.slice(0, 300);
      for (const { observation } of part) addObservation(write, ctx.workspaceId, observation);
      return part.length;
    });
    rows = rows.slice(used);
  }
}
