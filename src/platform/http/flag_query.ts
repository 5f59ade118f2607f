import { z } from "@hono/zod-openapi";

/** A flag in a query: `true` or `false`. */
export const flagQuery = z.enum(["true", "false"]).optional()
  .transform((text) => text === "true");
