/** Forms that the fields of rules share. */
import { z } from "zod";

/** `null` sets back to the default, as a missing field does (docs/decisions/http.md). */
export function orDefault<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return orReset(schema, fallback).prefault(null)
    // For the documents of the interfaces: an answer holds no null here.
    .meta({ default: fallback, "x-null-is-default": true });
}

/** For changes: `null` sets back to the default, a missing field stays missing. */
export function orReset<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return schema.nullable().transform((value): z.output<T> => value ?? fallback);
}

/** Absent is `null`. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

/** A percent is compared exactly, so it has at most 4 decimals (docs/decisions/http.md). */
export function percentField(min: number, max: number) {
  return z.number().min(min).max(max)
    .refine((pct) => /^-?\d+(?:\.\d{1,4})?$/.test(String(pct)), "Must have at most 4 decimals");
}
