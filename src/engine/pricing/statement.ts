/**
 * A statement gives one reason for a decision. It has a code, and facts: the values in its
 * sentence. Stored traces of decisions contain statements, so the schema of a new fact must have a
 * default.
 */
import { z } from "zod";

export type Facts = Readonly<Record<string, unknown>>;

export interface Statement<Code extends string = string, Said extends Facts = Facts> {
  readonly code: Code;
  readonly facts: Said;
}

const LEFT_OUT = [
  "own_offer",
  "other_product",
  "never_observed",
  "other_currency",
  "vat_unknown",
  "competitor_excluded",
  "stale",
  "out_of_stock",
  "not_exact",
  "other_condition",
  "by_seller",
  "no_seller",
] as const;

export type LeftOut = (typeof LEFT_OUT)[number];

const leftOut = z.array(z.object({ why: z.enum(LEFT_OUT), count: z.int() }));

export const RESTS = {
  out_of_scope: z.object({
    field: z.enum(["brand", "category", "tier", "currency", "sku"]),
    value: z.string().nullable(),
  }),
  unseen: z.object({ days: z.int() }),
  no_own_price: z.object({}),
  no_reference: z.object({ leftOut, lacksVat: z.boolean() }),
  too_few_references: z.object({ minCompetitors: z.int(), leftOut, lacksVat: z.boolean() }),
  no_second: z.object({}),
  cost_unknown: z.object({ isZero: z.boolean() }),
  vat_unknown: z.object({}),
} as const;

type RestCode = keyof typeof RESTS;

export type Rest = {
  readonly [Code in RestCode]: Statement<Code, z.output<(typeof RESTS)[Code]>>;
}[RestCode];
