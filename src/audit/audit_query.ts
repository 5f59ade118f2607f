import { z } from "@hono/zod-openapi";
import { refuseFields } from "../base/failure.ts";
import { parseBound } from "../base/instant_range.ts";
import { BOUND_FORMS } from "../platform/http/bound_text.ts";
import { pageQuery } from "../platform/http/http.ts";

const FILTER_CHARACTERS_MAX = 300;
const filter = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional().meta({ description, example });
const bound = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional()
    .meta({ anyOf: [...BOUND_FORMS], description, example });

/** Query of an audit list; an empty filter is no filter (docs/decisions/http.md). */
export const AuditQuery = z.strictObject({
  ...pageQuery(50, 200),
  action: filter("What happened", "product.update"),
  resource: filter("To what: a type, or a type and an id", "rule:64f0c2a1e4b0a1b2c3d4e5f6"),
  actor: filter("Id of the user or key that did it", "64f0c2a1e4b0a1b2c3d4e5f6"),
  from: bound("From this instant on, or from the start of this day in UTC", "2026-08-01"),
  to: bound("Up to this instant, or to the end of this day in UTC", "2026-08-31"),
  order: z.enum(["asc", "desc"]).default("asc").meta({ description: "`desc` is newest first" }),
});

/** Which rows are wanted and in which direction; null is no filter. Both bounds are inclusive. */
export interface AuditFilter {
  readonly action: string | null;
  readonly resource: string | null;
  readonly actor: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly order: "asc" | "desc";
}

/** Refuses with `validation_failed` what is no time, and a range that ends before it starts. */
export function parseAuditFilter(query: z.infer<typeof AuditQuery>): AuditFilter {
  const fromMs = boundOf("from", query.from);
  const toMs = boundOf("to", query.to);
  if (fromMs !== null && toMs !== null && fromMs > toMs) {
    throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  }
  return {
    action: query.action || null,
    resource: query.resource || null,
    actor: query.actor || null,
    fromMs,
    toMs,
    order: query.order,
  };
}

function boundOf(path: "from" | "to", text: string | undefined): number | null {
  if (!text) return null;
  const ms = parseBound(text, path === "from" ? "start" : "end");
  if (ms !== null) return ms;
  const message = 'Must be an instant of ISO 8601 such as "2026-08-01T09:00:00Z", or a date';
  throw refuseFields([{ path, message }]);
}
