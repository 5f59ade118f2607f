/** Prices of tiers as a client writes them: all of a product at once (docs/decisions/catalogue.md). */

import { exponentOf } from "../../base/currency.ts";
import type { RefusedField } from "../../base/failure.ts";
import { instantOf } from "../../base/german_values.ts";
import { parseMajor } from "../../base/money.ts";
import type { Product, TierPrice } from "./product.ts";
import { charsMaxOf } from "./product_field_table.ts";
import { Currency, textOf } from "./product_fields.ts";
import { z } from "@hono/zod-openapi";

const ROWS_MAX = 100;
const QUANTITY_MAX = 1_000_000_000;
const DAY_MS = 86_400_000;

const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).nullish()
  .meta({ description: "An instant, or a day on the calendar of the workspace" });

export const WrittenTierPrice = z.strictObject({
  tier: textOf(charsMaxOf("tier")).optional().meta({ description: "Null is the unnamed tier" }),
  amount: z.union([z.number(), z.string().max(40)]).meta({ description: "Major units" }),
  currency: Currency.nullish().meta({ description: "That of the product, where none is said" }),
  minQty: z.number().positive().max(QUANTITY_MAX).nullish().meta({ description: "From 1 on" }),
  validFrom: Moment,
  validUntil: Moment.meta({
    description: "A price whose time is over, or has not begun, is not kept; a day counts in whole",
  }),
}).meta({ id: "WrittenTierPrice" });

/** All prices of a product; null takes them away. */
export const WrittenTierPrices = z.array(WrittenTierPrice).max(ROWS_MAX).nullable();

export type WrittenTierPrices = z.infer<typeof WrittenTierPrices>;

/** What the times of prices are read by. */
export interface TierPriceTerms {
  readonly now: Date;
  readonly timeZone: string;
}

/** The product with these prices in place of all that it had, or what is refused of them. */
export function withTierPrices(
  product: Product,
  written: WrittenTierPrices,
  terms: TierPriceTerms,
): { readonly product: Product } | { readonly refused: RefusedField[] } {
  const refused: RefusedField[] = [];
  const prices: TierPrice[] = [];
  const places = new Set<string>();
  for (const [index, row] of (written ?? []).entries()) {
    const { tier = null, minQty = null } = row;
    const currency = row.currency ?? product.currency;
    const read = parseMajor(row.amount, exponentOf(currency));
    if ("reason" in read) {
      refused.push({ path: `prices.${index}.amount`, message: read.reason });
      continue;
    }
    if (!holds(row, terms)) continue;
    const place = `${tier ?? ""}\n${currency}\n${minQty ?? 1}`;
    if (places.has(place)) {
      const message = "Another price has the same tier, currency and quantity";
      refused.push({ path: `prices.${index}`, message });
    }
    places.add(place);
    const validFrom = row.validFrom ? startOf(row.validFrom, terms) : null;
    prices.push({ tier, amountCents: read.minor, currency, minQty, validFrom });
  }
  return refused.length > 0 ? { refused } : { product: { ...product, prices } };
}

function holds(
  { validFrom, validUntil }: z.infer<typeof WrittenTierPrice>,
  terms: TierPriceTerms,
): boolean {
  const nowMs = terms.now.getTime();
  if (validFrom && Date.parse(startOf(validFrom, terms)) > nowMs) return false;
  return !validUntil || endMsOf(validUntil, terms) > nowMs;
}

function startOf(moment: string, { timeZone }: TierPriceTerms): string {
  return isDay(moment)
    ? instantOf({ date: moment, time: null, offset: null }, timeZone)
    : new Date(moment).toISOString();
}

/** The end of a day is the beginning of the next one, whatever the clocks do between them. */
function endMsOf(moment: string, terms: TierPriceTerms): number {
  if (!isDay(moment)) return Date.parse(moment);
  const next = new Date(Date.parse(moment) + DAY_MS).toISOString().slice(0, 10);
  return Date.parse(startOf(next, terms));
}

function isDay(moment: string): boolean {
  return moment.length === "2026-11-21".length;
}
