/** Changes many matches in one request, each in its own commit with its own audit row. */
import { z } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeMatch, deleteMatch, restoreMatch } from "./change_match.ts";
import { readMatch } from "./list_matches.ts";

const ids = z.array(z.string()).min(1).max(200).describe("Competitor products");

export const NoPriceRequest = z.strictObject({
  ids,
  noPrice: z.boolean().describe(
    "True: their pages show no price, which is then no failure; false revokes that",
  ),
}).meta({ id: "NoPriceRequest" });
type NoPriceRequest = z.infer<typeof NoPriceRequest>;

export const RemovalRequest = z.strictObject({
  ids,
  removed: z.boolean().describe(
    "True: they are deleted; false: deleted ones are linked again, with their settings, but without " +
      "price and confirmation",
  ),
}).meta({ id: "RemovalRequest" });
type RemovalRequest = z.infer<typeof RemovalRequest>;

export const NoPriceOutcome = z.object({
  changed: z.array(z.string()).describe("Ids of the competitor products that were changed"),
  unchanged: z.int().describe("Number of competitor products that had the value already"),
  missing: z.array(z.string()).describe(
    "Ids that name no competitor product, or a deleted one that can no longer be linked",
  ),
}).meta({ id: "NoPriceOutcome" });
export type NoPriceOutcome = z.infer<typeof NoPriceOutcome>;

/** Idempotent. */
export function storeNoPrice(
  ctx: Context,
  { ids, noPrice }: NoPriceRequest,
  allowed: AddressAllowList,
): Promise<NoPriceOutcome> {
  return changeEach(ctx, ids, async (each, id) => {
    if ((await readMatch(each, id)).noPrice === noPrice) return false;
    await changeMatch(each, id, { noPrice }, { allowed, expected: null });
    return true;
  });
}

export function removeMatches(
  ctx: Context,
  { ids, removed }: RemovalRequest,
  allowed: AddressAllowList,
): Promise<NoPriceOutcome> {
  return changeEach(ctx, ids, async (each, id) => {
    if (!removed) return await restoreMatch(each, id, allowed);
    await deleteMatch(each, id);
    return true;
  });
}

/** `change` returns false if the match need not change. */
async function changeEach(
  ctx: Context,
  ids: readonly string[],
  change: (each: Context, id: string) => Promise<boolean>,
): Promise<NoPriceOutcome> {
  // An idempotency record describes the whole request, so no commit of a single match may write it.
  const each: Context = { ...ctx, receipt: null };
  const changed: string[] = [];
  const missing: string[] = [];
  const wanted = new Set(ids);
  for (const id of wanted) {
    try {
      if (await change(each, id)) changed.push(id);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "not_found") throw error;
      missing.push(id);
    }
  }
  return { changed, unchanged: wanted.size - changed.length - missing.length, missing };
}
