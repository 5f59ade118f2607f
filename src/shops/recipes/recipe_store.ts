/**
 * The recipe of a shop, and at most 50 digests of its pages to learn from, unordered. A commit that
 * writes either checks the row of the recipe.
 */
import type { LearningPage } from "../../engine/extraction/recipe/learn_recipe.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { PAGES_KEPT, type ShopLessons } from "./shop_lessons.ts";

export interface LessonsRow extends ShopLessons {
  readonly competitorId: string;
}

export const shopLessons = defineTable<LessonsRow, "competitorId">({
  prefix: "rc",
  about: "the recipe of a shop, and what came of it on its last pages",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  check: belongsToShop("A recipe"),
  figure: {
    name: "kurant_shop_recipes",
    help: "Shops whose pages have taught something, by how the recipe stands",
    label: "status",
    by: ({ recipe }) => recipe?.status ?? "learning",
  },
});

export interface KeptPage extends LearningPage {
  readonly matchId: string;
  readonly atMs: number;
}

export interface PlacedPage extends KeptPage {
  readonly competitorId: string;
  readonly n: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const keptPages = defineTable<PlacedPage, "competitorId" | "n">({
  prefix: "rcd",
  about:
    "a page of a shop that is kept to learn from: its digest, its match and our price of that time",
  key: { competitorId: "id", n: "number" },
  keyOnly: ["competitorId", "n"],
  codec: {
    encode: ({ competitorId: _, n: _n, ...page }) => encoder.encode(JSON.stringify(page)),
    decode: (bytes) => JSON.parse(decoder.decode(Object(bytes))),
  },
  check: async ({ competitorId, n }, workspace) => {
    const isTaught = await shopLessons.find(workspace, { competitorId }) !== null;
    if (isTaught && n < PAGES_KEPT) return null;
    return `A page is kept to learn from at ${n} of competitor ${competitorId}, which knows none`;
  },
  keep: {
    what: "digests of pages from which recipes are learned",
    days: 90,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
  },
});

/** The pages that are kept of a shop, the newest first. */
export async function listKeptPages(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<PlacedPage[]> {
  const found = await keptPages.list(workspace, { within: { competitorId } });
  return found.map(({ row }) => row).toSorted((a, b) => b.atMs - a.atMs);
}

/** In the place of what was kept of the same match, else in a free one, else in that of the oldest. */
export function keepPage(
  write: Write,
  workspaceId: string,
  competitorId: string,
  kept: readonly PlacedPage[],
  page: KeptPage,
): void {
  const taken = new Set(kept.map(({ n }) => n));
  const free = Array.from({ length: PAGES_KEPT }, (_, n) => n).find((n) => !taken.has(n));
  const own = kept.find(({ matchId }) => matchId === page.matchId);
  const n = own?.n ?? free ?? kept.at(-1)?.n ?? 0;
  keptPages.put(write, { workspaceId }, { ...page, competitorId, n });
}

/** Forgets what a shop has taught. The commit fails when that was changed since it was read. */
export function forgetLessons(
  write: Write,
  workspaceId: string,
  competitorId: string,
  found: Found<LessonsRow> | null,
): void {
  shopLessons.check(write, { workspaceId }, { competitorId }, found);
  shopLessons.drop(write, { workspaceId }, { competitorId });
  for (let n = 0; n < PAGES_KEPT; n++) keptPages.drop(write, { workspaceId }, { competitorId, n });
}
