/**
 * Pages of which a person says that they show no price, many at once
 * (docs/decisions/competitors.md).
 */
import { z } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeMatch } from "./change_match.ts";
import { readMatch } from "./find_match.ts";

/** Each is a commit of its own. */
const IDS_MAX = 200;

export const NoPriceRequest = z.strictObject({
  ids: z.array(z.string()).min(1).max(IDS_MAX).meta({ description: "Competitor products" }),
  noPrice: z.boolean().meta({
    description: "True: their pages show no price, and that is no failure; false takes that back",
  }),
}).meta({ id: "NoPriceRequest" });

export type NoPriceRequest = z.infer<typeof NoPriceRequest>;

export const NoPriceOutcome = z.object({
  changed: z.array(z.string()).meta({ description: "Those of which something else was known" }),
  unchanged: z.int().meta({ description: "Of how many it was known already" }),
  missing: z.array(z.string()).meta({ description: "Ids that name no competitor product" }),
}).meta({ id: "NoPriceOutcome" });

export type NoPriceOutcome = z.infer<typeof NoPriceOutcome>;

/** Each with its own row of the log. Said again it changes nothing. */
export async function sayNoPrice(
  ctx: Context,
  { ids, noPrice }: NoPriceRequest,
  allowed: AddressAllowList,
): Promise<NoPriceOutcome> {
  // Each commits by itself; a receipt would belong to the first of them alone.
  const each: Context = { ...ctx, receipt: null };
  const changed: string[] = [];
  const missing: string[] = [];
  const wanted = new Set(ids);
  for (const id of wanted) {
    try {
      if ((await readMatch(each, id)).noPrice === noPrice) continue;
      await changeMatch(each, id, { noPrice }, { allowed, expected: null });
      changed.push(id);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "not_found") throw error;
      missing.push(id);
    }
  }
  return { changed, unchanged: wanted.size - changed.length - missing.length, missing };
}
