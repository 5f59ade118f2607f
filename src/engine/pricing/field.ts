/** Types of fields that several schemas share: defaults, names, percentages. */
import {
  atMost,
  composed,
  hasControlCharacters,
  nameError,
  NAMES_MAX,
  oneEach,
} from "../../base/text.ts";
import { z } from "zod";

/**
 * A missing field or `null` means the default (docs/decisions/http.md). Schemas of patches remove
 * `prefault`, so that a field missing in a patch stays unchanged.
 */
export function orDefault<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return schema.nullable().transform((value): z.output<T> => value ?? fallback).prefault(null)
    // `x-null-is-default` says in OpenAPI documents that responses never contain null.
    .meta({ default: fallback, "x-null-is-default": true });
}

export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

export const Name = z.string().trim().overwrite(composed).min(1, "Must not be empty")
  .superRefine(atMost(200))
  .refine((name) => !hasControlCharacters(name), "Must not contain control characters");

export const Names = z.array(
  z.string().trim().superRefine((name, check) => {
    const message = nameError(name);
    if (message !== null) check.addIssue({ code: "custom", message });
  }),
).max(NAMES_MAX).overwrite(oneEach);

export function percentField(min: number, max: number) {
  return z.number().min(min).max(max)
    .refine((pct) => /^-?\d+(?:\.\d{1,4})?$/.test(String(pct)), "Must have at most 4 decimals");
}
