/** Field types that the schemas of rules share. */
import { z } from "zod";

/** `null` means the default, like a missing field (docs/decisions/http.md). */
export function orDefault<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return orReset(schema, fallback).prefault(null)
    // For the OpenAPI documents: answers contain no null here.
    .meta({ default: fallback, "x-null-is-default": true });
}

/** For changes: `null` resets to the default; a missing field stays missing. */
export function orReset<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return schema.nullable().transform((value): z.output<T> => value ?? fallback);
}

export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

/** Percentages are compared exactly, so they have at most 4 decimals (docs/decisions/http.md). */
export function percentField(min: number, max: number) {
  return z.number().min(min).max(max)
    .refine((pct) => /^-?\d+(?:\.\d{1,4})?$/.test(String(pct)), "Must have at most 4 decimals");
}
