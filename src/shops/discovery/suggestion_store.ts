/**
 * Suggested links from products to pages of shops. A pair of product and page has at most one
 * suggestion, so a pair that a person rejected is not suggested again.
 */
import { z } from "@hono/zod-openapi";
import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { shopPageOf, StoredShopPage } from "./page_store.ts";

/** Status `superseded`: a better suggestion exists, or the page no longer fits the product. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;
type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

export const REJECTED_AS = ["other", "variant"] as const;

export const StoredSuggestion = z.strictObject({
  id: z.string(),
  productId: z.string(),
  competitorId: z.string(),
  urlHash: z.string().regex(/^[0-9a-f]{32}$/),
  page: StoredShopPage.transform(shopPageOf),
  verdict: z.enum(VERDICTS),
  score: z.number().min(0).max(1),
  reasons: z.array(IdentityEvidence),
  packFactor: z.number().nullable(),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable(),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.object({ type: z.string(), id: z.string(), name: z.string() }).nullable(),
});
export type StoredSuggestion = Readonly<z.output<typeof StoredSuggestion>>;

export const suggestions = defineTable<StoredSuggestion, "id", "status" | "page">({
  prefix: "sg",
  about: "a suggestion to link a product to a page",
  key: { id: "id" },
  valueHasKey: true,
  codec: {
    decode: (row: StoredSuggestion) => ({ ...row, page: shopPageOf(row.page) }),
  },
  indexes: {
    status: { prefix: "sgs", key: { status: "text" }, value: ({ verdict }) => verdict },
    page: { prefix: "sgp", key: { productId: "id", urlHash: "hex" }, unique: true },
  },
  keep: {
    what: "suggestions that others replaced",
    days: 400,
    isOld: ({ status, decidedAt }, before) =>
      status === "superseded" && decidedAt !== null && new Date(decidedAt) < before,
  },
  figure: {
    name: "kurant_match_suggestions",
    help: "Pages of shops that may show products of ours, by what became of the suggestion",
    label: "status",
    index: "status",
  },
});

/** Walks from new to old, beginning after the suggestion with the id `before`. */
export async function* walkSuggestions(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  before: string | null,
  limit: number,
): AsyncGenerator<StoredSuggestion> {
  const range = { after: before === null ? null : { id: before }, order: "desc", limit } as const;
  for await (const { row } of suggestions.walkBy(workspace, "status", { status }, range)) yield row;
}

export async function countVerdicts(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  most: number,
): Promise<Map<Verdict, number>> {
  const counts = new Map<Verdict, number>();
  const range = { order: "desc", limit: most } as const;
  const rows = suggestions.walkIndex(workspace, "status", { status }, range);
  for await (const { key: { id }, value } of rows) {
    const verdict = VERDICTS.find((one) => one === value) ??
      // Index rows of earlier versions of Kurant lack the verdict.
      (await suggestions.find(workspace, { id }))?.row.verdict;
    if (verdict) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return counts;
}

export async function listSuggestionsOf(
  workspace: WorkspaceStore,
  productId: string,
): Promise<StoredSuggestion[]> {
  const found = await suggestions.listBy(workspace, "page", { productId }, { limit: 1_000 });
  return found.map(({ row }) => row);
}

export async function changeSuggestion(
  write: Write,
  workspace: WorkspaceStore,
  { id, status }: StoredSuggestion,
  after: StoredSuggestion,
): Promise<boolean> {
  const found = await suggestions.find(workspace, { id });
  if (found?.row.status !== status) return false;
  suggestions.save(write, workspace, found, after);
  return true;
}

export const OPEN_PER_SHOP_MAX = 3;

const KEPT_LINKS = 100;

/** Every commit that creates an automatic link at the shop must write this row. */
export interface AutomaticShop {
  readonly competitorId: string;
  /**
   * Automatic linking reads suggestions from new to old. `before` is the id of the suggestion that
   * was read last: empty before the first suggestion, and null after the oldest suggestion.
   */
  readonly before: string | null;
  readonly linkIds: readonly string[];
}

export const automaticShops = defineTable<AutomaticShop, "competitorId">({
  prefix: "dsa",
  about: "the progress of automatic linking at a shop",
  key: { competitorId: "id" },
  codec: {
    encode: ({ before, linkIds }) => ({
      before,
      links: Uint8Array.fromHex(linkIds.slice(-KEPT_LINKS).join("")),
    }),
    decode: ({ before, links }: { before: string | null; links: Uint8Array }) => ({
      before,
      linkIds: links.toHex().match(/.{24}/g) ?? [],
    }),
  },
  check: belongsToShop("A row of automatic links"),
});

export interface Queued {
  readonly competitorId: string;
  readonly id: string;
}

export const queuedSuggestions = defineTable<Queued, "competitorId" | "id">({
  prefix: "dsq",
  about: "a suggestion to be examined next for an automatic link",
  key: { competitorId: "id", id: "id" },
  codec: { encode: () => null },
  check: belongsToShop("A queued suggestion"),
});

export const comparedChanges = defineTable<{ readonly position: string }>({
  prefix: "dsn",
  about: "the position up to which the log of changed products was compared with the known pages",
  key: {},
  value: "position",
});
