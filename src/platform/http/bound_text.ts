import { parseBound } from "../../base/time.ts";
import { z } from "@hono/zod-openapi";

/** How a document tells of a bound: an instant, a date, or nothing. */
export const BOUND_FORMS = [
  { type: "string", format: "date-time" },
  { type: "string", format: "date" },
  { type: "string", maxLength: 0 },
] as const;

/** A bound of a time range as `parseBound` reads it; an empty one is none. */
export const BoundText = z.string().optional()
  .refine(
    (text) => !text || parseBound(text, "start") !== null,
    "Must be a time such as 2026-08-01T09:00:00Z, or a date",
  )
  .meta({ anyOf: [...BOUND_FORMS], description: "Inclusive; a date is that whole day in UTC" });
