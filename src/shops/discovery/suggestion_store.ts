/**
 * Suggestions to link a product to a page. There is one suggestion per product and page, so that a
 * rejected pair is not suggested again.
 */

import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { shopPageOf, StoredShopPage } from "./page_store.ts";
import { z } from "@hono/zod-openapi";

/** `superseded`: better ones came, or the page was linked otherwise. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;

export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

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
  codec: {
    /** Its page may be older than pages with several numbers. */
    decode: (stored) => {
      const row: StoredSuggestion = Object(stored);
      return { ...row, page: shopPageOf(row.page) };
    },
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

/** In the order of `ids`; those that are gone are omitted. */
export async function findSuggestions(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<StoredSuggestion[]> {
  const found = await suggestions.getMany(workspace, ids.map((id) => ({ id })));
  return found.flatMap((one) => one ? [one.row] : []);
}

/** Up to `limit` ids of a status, the newest first, behind the id `before`. */
export async function listSuggestionIds(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const after = before === null ? null : { id: before };
  const range = { after, order: "desc", limit } as const;
  const rows = suggestions.walkIndex(workspace, "status", { status }, range);
  return (await Array.fromAsync(rows)).map(({ key: { id } }) => id);
}

/** How many of a status have which verdict, among the newest `most`. */
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
      // Index rows of earlier versions do not say it.
      (await suggestions.find(workspace, { id }))?.row.verdict;
    if (verdict) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return counts;
}

/** The suggestions of a product, whatever became of them. */
export async function listSuggestionsOf(
  workspace: WorkspaceStore,
  productId: string,
): Promise<StoredSuggestion[]> {
  const found = await suggestions.listBy(workspace, "page", { productId }, { limit: 1_000 });
  return found.map(({ row }) => row);
}

/**
 * Changes the status. The commit fails when it is no longer the suggestion of its page, or was
 * decided.
 */
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

/** Of one product and one shop so many are open at most. */
export const OPEN_PER_SHOP_MAX = 3;
