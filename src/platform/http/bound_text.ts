import { z } from "@hono/zod-openapi";
import { parseBound } from "../../base/time.ts";

/** Forms of a time bound in the OpenAPI documents: an instant, a date, or an empty text. */
export const BOUND_FORMS = [
  { type: "string", format: "date-time" },
  { type: "string", format: "date" },
  { type: "string", maxLength: 0 },
] as const;

/** A bound of a time range for `parseBound`. An empty text means no bound. */
export const BoundText = z.string().optional()
  .refine(
    (text) => !text || parseBound(text, "start") !== null,
    "Must be a time such as 2026-08-01T09:00:00Z, or a date",
  )
  .meta({ anyOf: [...BOUND_FORMS], description: "Inclusive; a date means the whole day in UTC" });

/** A flag in a query: `true` or `false`. */
export const flagQuery = z.enum(["true", "false"]).optional()
  .transform((text) => text === "true");
