/**
 * Suggestions to link a product to a page. A product has one suggestion for a page, by which what was
 * rejected is remembered.
 */

import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { foundPages, savePage, shopPageOf, StoredShopPage } from "./page_store.ts";
import { z } from "@hono/zod-openapi";

/** `superseded`: better ones came, or the page was linked otherwise. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;

export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/** Why a page is not ours. */
export const REJECTED_AS = ["other", "variant"] as const;

/** A suggestion as it is kept. */
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
});

/** In the order of `ids`; those that are gone are left out. */
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

/** Suggestions of all workspaces by what became of them. */
export async function countSuggestions(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    for (const status of SUGGESTION_STATUSES) {
      const rows = suggestions.walkIndex({ store, workspaceId }, "status", { status });
      for await (const _ of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }
  return counts;
}

/** Of one product and one shop so many are open at most. */
export const OPEN_PER_SHOP_MAX = 3;

/** A page that was not visited for this long is forgotten. */
export const FOUND_DAYS = 400;

/**
 * Removes pages that were not visited since then, and older superseded suggestions; answers their
 * number.
 */
export async function sweepDiscovery(store: Store, olderThan: Date): Promise<number> {
  const isOld = (at: string | null) => at !== null && Date.parse(at) < olderThan.getTime();
  const old = async function* () {
    for await (const one of foundPages.walkAll(store)) if (isOld(one.row.page.seenAt)) yield one;
  };
  const pages = await removeInBatches(store, old(), 100, (write, { workspaceId, row }) => {
    savePage(write, workspaceId, row, row.page, null);
  });
  return pages + await suggestions.sweep(
    store,
    ({ status, decidedAt }) => status === "superseded" && isOld(decidedAt),
  );
}
