/**
 * The recipe of a shop says where its pages show the price. The recipe is learned from stored page
 * digests. A commit that stores a digest checks the recipe's row.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import type { LearningPage } from "../../engine/extraction/recipe/learn_recipe.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { PAGES_KEPT, type ShopLessons } from "./shop_lessons.ts";

interface LessonsRow extends ShopLessons {
  readonly competitorId: string;
}

export const shopLessons = defineTable<LessonsRow, "competitorId">({
  prefix: "rc",
  about: "the recipe of a shop, and its results on the last pages",
  key: { competitorId: "id" },
  check: belongsToShop("A recipe"),
  figure: {
    name: "kurant_shop_recipes",
    help: "Shops with a recipe or with pages to learn one from, by status of the recipe",
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

export const keptPages = defineTable<PlacedPage, "competitorId" | "n">({
  prefix: "rcd",
  about: "a page of a shop for learning: its digest, its match and our price at that time",
  key: { competitorId: "id", n: "number" },
  codec: {
    encode: ({ competitorId: _, n: _n, ...page }) => encoder.encode(JSON.stringify(page)),
    decode: (bytes: Uint8Array) => JSON.parse(decoder.decode(bytes)),
  },
  check: async ({ competitorId, n }, workspace) => {
    const isTaught = await shopLessons.find(workspace, { competitorId }) !== null;
    if (isTaught && n < PAGES_KEPT) return null;
    return `The page ${n} for learning belongs to no recipe of competitor ${competitorId}`;
  },
  keep: {
    what: "digests of pages from which recipes are learned",
    days: 90,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
  },
});

export async function listKeptPages(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<PlacedPage[]> {
  const found = await keptPages.list(workspace, { within: { competitorId } });
  return found.map(({ row }) => row).toSorted((a, b) => b.atMs - a.atMs);
}

/** Replaces the match's stored page, if any. If all numbers are taken, replaces the oldest page. */
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

/** The commit fails if the recipe was changed after it was read. */
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
