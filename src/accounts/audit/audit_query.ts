/** Filters of the audit log, for its list, its count and its downloads. */
import { refuseFields } from "../../base/failure.ts";
import { searchQuery } from "../../base/search_words.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, pageQuery } from "../../platform/http/http.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { AUDIT_TAGS, type AuditTag } from "./audit_actions.ts";
import { z } from "@hono/zod-openapi";

const FILTER_CHARACTERS_MAX = 300;
const filter = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional().meta({ description, example });
const ID_EXAMPLE = "64f0c2a1e4b0a1b2c3d4e5f6";
const bound = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional()
    .meta({ anyOf: [...BOUND_FORMS], description, example });

/** An empty text means no filter (docs/decisions/http.md). */
const FILTER_SHAPE = {
  action: filter("The action", "product.update"),
  resource: filter("The resource: a type, or a type and an id", "rule:64f0c2a1e4b0a1b2c3d4e5f6"),
  actor: filter("Id of the user or key that did it", "64f0c2a1e4b0a1b2c3d4e5f6"),
  key: filter("Id of the API key that did it", ID_EXAMPLE),
  from: bound("From this instant on, or from the start of this day in UTC", "2026-08-01"),
  to: bound("Up to this instant, or to the end of this day in UTC", "2026-08-31"),
  product: filter("About this product, by its id, and about its proposals and links", ID_EXAMPLE),
  sku: filter("About the product with exactly this SKU", "SKU-1"),
  rule: filter("About this rule, by its id, and about changes that it caused", ID_EXAMPLE),
  only: z.string().max(FILTER_CHARACTERS_MAX)
    .refine(
      (text) => tagsIn(text).every(isTag),
      `Must be some of ${AUDIT_TAGS.join(", ")}, with commas between`,
    ).optional().meta({
      description: "`price`: changes of own prices; `people`: actions of people; `rules`: " +
        "changes of rules; `reason`: with a reason; `beyond`: " +
        "prices outside the bounds of their products; `undone`: undone changes. Several need commas and must all apply",
      example: "price,reason",
    }),
  q: filter(
    "Resource, actor and reason contain all these words, in any order; compared as in searches for products",
    "jana SKU-1",
  ),
};

export const AuditQuery = z.strictObject({
  ...pageQuery(50, 200),
  ...FILTER_SHAPE,
  order: z.enum(["asc", "desc"]).default("asc").describe("`desc` is newest first"),
});

export const AuditFilters = z.strictObject(FILTER_SHAPE);

function tagsIn(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

const isTag = (text: string): text is AuditTag => AUDIT_TAGS.some((tag) => tag === text);

/** Null means that a filter is not set. `fromMs` and `toMs` are inclusive. */
export interface AuditFilter {
  readonly action: string | null;
  readonly resource: string | null;
  readonly actor: string | null;
  /** Id of an API key. */
  readonly key: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Products and rules as `type:id`. A row must concern all of them. */
  readonly about: readonly string[];
  readonly tags: readonly AuditTag[];
  /** Parsed by `searchQuery`. The words may be in the resource, the actor or the reason. */
  readonly q: string | null;
  readonly order: "asc" | "desc";
}

export const NO_FILTER: AuditFilter = {
  action: null,
  resource: null,
  actor: null,
  key: null,
  fromMs: null,
  toMs: null,
  about: [],
  tags: [],
  q: null,
  order: "asc",
};

/** Finds active and deleted products. */
export type ProductIdOf = (workspace: WorkspaceStore, sku: string) => Promise<string | null>;

/** Throws `validation_failed` for an invalid time, and for a range that ends before it begins. */
export async function parseAuditFilter(
  workspace: WorkspaceStore,
  query: z.infer<typeof AuditFilters> & { readonly order?: "asc" | "desc" },
  productIdOf: ProductIdOf,
): Promise<AuditFilter> {
  const fromMs = boundOf("from", query.from);
  const toMs = boundOf("to", query.to);
  if (fromMs !== null && toMs !== null && fromMs > toMs) {
    throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  }
  const productId = query.sku ? await productIdOf(workspace, query.sku) ?? NOBODY : null;
  return {
    action: query.action || null,
    resource: query.resource || null,
    actor: query.actor || null,
    key: query.key || null,
    fromMs,
    toMs,
    about: [
      ...(query.product ? [`product:${query.product}`] : []),
      ...(productId ? [`product:${productId}`] : []),
      ...(query.rule ? [`rule:${query.rule}`] : []),
    ],
    tags: tagsIn(query.only ?? "").filter(isTag),
    q: searchQuery(query.q ?? ""),
    order: query.order ?? "desc",
  };
}

/** Replaces the product id if the SKU is unknown. No row concerns this id. */
const NOBODY = "none";

function boundOf(path: "from" | "to", text: string | undefined): number | null {
  if (!text) return null;
  const ms = parseBound(text, path === "from" ? "start" : "end");
  if (ms !== null) return ms;
  const message = 'Must be an instant of ISO 8601 such as "2026-08-01T09:00:00Z", or a date';
  throw refuseFields([{ path, message }]);
}
