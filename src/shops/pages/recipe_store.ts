/**
 * A recipe says where the pages of a shop show the price. Kurant learns recipes from stored digests
 * (short extracts) of pages. If a recipe fails too often, Kurant learns a new one
 * (docs/decisions/recipes.md).
 */
import { decoder, encoder, sha256 } from "../../base/bytes.ts";
import {
  countedOn,
  hitRateOn,
  isDrifting,
  isSteady,
  type LearnedRecipe,
  type LearningPage,
  learnRecipe,
  type RecipeOutcome,
  withOutcome,
} from "../../engine/extraction/recipe/learn_recipe.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  type PageRecipe,
  placeText,
  type PricePlace,
  RECIPE_SELECTORS_MAX,
  RECIPE_SOURCES,
  SHIPPED_RECIPES,
  type ShippedRecipe,
} from "../../engine/extraction/recipe/recipe.ts";
import { z } from "@hono/zod-openapi";

export interface ShopLessons {
  readonly recipe: StoredRecipe | null;
  readonly window: string;
  readonly kept: number;
  readonly keptAtMs: number;
  readonly toldAtMs: number | null;
}

export const PAGES_KEPT = 50;
const KEEP_EVERY_MS = 3_600_000;
const RELEARN_PAGES = 10;
const YOUNG_PAGES = 10;
const NEWEST_PAGES = 5;
const NEWEST_HITS_MIN = 0.6;
const CONFIRM_EVERY_MS = 3_600_000;
const TELL_EVERY_MS = 86_400_000;

export const NO_LESSONS: ShopLessons = {
  recipe: null,
  window: "",
  kept: 0,
  keptAtMs: 0,
  toldAtMs: null,
};

/** If the shop has no stored recipe, the recipe that Kurant ships for its domain is used. */
export function lessonsOf(
  stored: ShopLessons | null,
  domain: string,
  nowMs: number,
  shipped: readonly ShippedRecipe[] = SHIPPED_RECIPES,
): ShopLessons {
  const lessons = stored ?? NO_LESSONS;
  if (lessons.recipe !== null) return lessons;
  const known = shipped.find((one) => one.domain === domain);
  return known ? { ...lessons, recipe: shippedRecipe(known, nowMs) } : lessons;
}

const ID_BYTES = 12;
const SHIPPED_MOST = 0.9;

function shippedRecipe(shipped: ShippedRecipe, nowMs: number): StoredRecipe {
  const now = new Date(nowMs).toISOString();
  return {
    id: sha256(`shipped ${shipped.domain}`).slice(0, ID_BYTES).toHex(),
    source: "shipped",
    status: "active",
    selectors: countedOn(placesOf(shipped), []),
    support: 0,
    hitRate: 1,
    confidenceMost: SHIPPED_MOST,
    lastConfirmedAt: null,
    taughtBy: null,
    taughtFrom: null,
    createdAt: now,
    updatedAt: now,
  };
}

function placesOf({ selectors = [], statePaths = [] }: ShippedRecipe): readonly PricePlace[] {
  return [
    ...selectors.map((selector) => ({ selector })),
    ...statePaths.map((statePath) => ({ statePath })),
  ];
}

export function wantsPage({ kept, keptAtMs }: ShopLessons, nowMs: number): boolean {
  return kept < PAGES_KEPT || nowMs - keptAtMs >= KEEP_EVERY_MS;
}

/** If `isNew` is true, the recipe has just begun to fail too often, and people must be told. */
export function withOutcomeOf(
  lessons: ShopLessons,
  { kind }: RecipeOutcome,
  nowMs: number,
): { readonly lessons: ShopLessons; readonly isNew: boolean } {
  const { recipe } = lessons;
  if (recipe === null) return { lessons, isNew: false };
  const window = withOutcome(lessons.window, kind);
  const confirmedMs = Date.parse(recipe.lastConfirmedAt ?? recipe.createdAt);
  const isFresh = kind !== "agrees" || nowMs - confirmedMs < CONFIRM_EVERY_MS;
  if (window === lessons.window && isFresh) return { lessons, isNew: false };
  const confirmed = kind === "agrees"
    ? { ...recipe, lastConfirmedAt: new Date(nowMs).toISOString() }
    : recipe;
  const begins = recipe.status === "active" && isDrifting(window, recipe.hitRate);
  if (!begins) return { lessons: { ...lessons, recipe: confirmed, window }, isNew: false };
  const { toldAtMs } = lessons;
  const isNew = toldAtMs === null || nowMs - toldAtMs >= TELL_EVERY_MS;
  const updatedAt = new Date(nowMs).toISOString();
  const drifting: StoredRecipe = { ...confirmed, status: "drifting", updatedAt };
  const told = isNew && { toldAtMs: nowMs };
  return { lessons: { ...lessons, recipe: drifting, window, kept: 0, ...told }, isNew };
}

/**
 * `pages` are sorted, newest first. A recipe from a person stays until it drifts, which means that
 * it fails too often.
 */
export function withPagesKept(
  lessons: ShopLessons,
  pages: readonly LearningPage[],
  nowMs: number,
  newId: () => string,
): ShopLessons {
  const kept = { ...lessons, kept: lessons.kept + 1, keptAtMs: nowMs };
  const { recipe } = lessons;
  if (recipe?.status === "drifting") {
    const newest = pages.slice(0, RELEARN_PAGES);
    const learned = learnRecipe(newest);
    const hitRate = hitRateOn(learned?.selectors ?? [], newest.slice(0, NEWEST_PAGES));
    if (learned === null || hitRate < NEWEST_HITS_MIN) return kept;
    return { ...kept, recipe: recipeOf(learned, recipe, nowMs, newId), window: "" };
  }
  if (recipe?.source === "taught") {
    return { ...kept, recipe: { ...recipe, ...countsOf(recipe, pages) } };
  }
  // Learn nothing while an established recipe fails often: the shop may be changing its pages.
  if (recipe !== null && kept.kept > YOUNG_PAGES && !isSteady(lessons.window)) return kept;
  const learned = learnRecipe(pages);
  return learned === null ? kept : { ...kept, recipe: recipeOf(learned, recipe, nowMs, newId) };
}

export function relearned(
  lessons: ShopLessons,
  pages: readonly LearningPage[],
  nowMs: number,
  newId: () => string,
): ShopLessons | null {
  const learned = learnRecipe(pages.slice(0, RELEARN_PAGES)) ?? learnRecipe(pages);
  if (learned === null) return null;
  return { ...lessons, recipe: recipeOf(learned, lessons.recipe, nowMs, newId), window: "" };
}

function recipeOf(
  learned: LearnedRecipe,
  before: StoredRecipe | null,
  nowMs: number,
  newId: () => string,
): StoredRecipe {
  const now = new Date(nowMs).toISOString();
  const isSame = before?.source === "learned";
  const recipe = {
    id: isSame ? before.id : newId(),
    source: "learned" as const,
    status: "active" as const,
    selectors: [...learned.selectors],
    support: learned.support,
    hitRate: learned.hitRate,
    confidenceMost: learned.confidenceMost,
    lastConfirmedAt: before?.status === "active" ? before.lastConfirmedAt : now,
    taughtBy: null,
    taughtFrom: null,
    createdAt: isSame ? before.createdAt : now,
    updatedAt: now,
  };
  const isUnchanged = isSame && before.status === "active" && saysAs(recipe, before);
  return isUnchanged ? { ...recipe, updatedAt: before.updatedAt } : recipe;
}

function saysAs(one: StoredRecipe, other: StoredRecipe): boolean {
  const placesOf = ({ selectors }: StoredRecipe) => JSON.stringify(selectors.map(placeText));
  return one.confidenceMost === other.confidenceMost && placesOf(one) === placesOf(other);
}

function countsOf(
  recipe: StoredRecipe,
  pages: readonly LearningPage[],
): Pick<StoredRecipe, "selectors" | "support"> {
  const counted = countedOn(recipe.selectors, pages);
  const selectors = recipe.selectors.map((before, n) => {
    const now = counted[n];
    return now && now.hits > before.hits ? now : before;
  });
  const support = Math.max(recipe.support, ...selectors.map(({ agreements }) => agreements));
  return { selectors, support };
}

const STALE_DAYS = 30;

const RECIPE_STATUSES = ["active", "drifting", "stale", "off"] as const;
export type RecipeStatus = (typeof RECIPE_STATUSES)[number];

const count = z.int().min(0);

const Selector = z.object({
  selector: z.string().max(300).optional().describe("A CSS selector"),
  statePath: z.string().max(300).optional().meta({
    description: "Instead of a selector: a value in the data of a script",
    examples: ["__NEXT_DATA__ $.props.pageProps.product.price / 100"],
  }),
  hits: count.describe("Number of pages on which the place had a price"),
  agreements: count.describe("Number of these pages on which another source had the same price"),
  contradictions: count
    .describe("Number of these pages on which another source had a different price"),
});

export const StoredRecipe = z.object({
  id: z.string(),
  source: z.enum(RECIPE_SOURCES).describe("The origin of the recipe"),
  status: z.enum(["active", "drifting", "off"]),
  selectors: z.array(Selector).max(RECIPE_SELECTORS_MAX)
    .describe("Places in order of precedence: the first one with a price is used"),
  support: count.describe("Number of pages on which another source had the same price"),
  hitRate: z.number().min(0).max(1)
    .describe("The usual share of pages on which the recipe finds a price"),
  confidenceMost: z.number().min(0).max(1).describe("The maximum confidence of its prices"),
  lastConfirmedAt: z.iso.datetime().nullable().describe("When a page last confirmed the recipe"),
  taughtBy: z.string().nullable().describe("Id of the person who taught it; null if not taught"),
  taughtFrom: z.string().nullable().describe("The page on which it was taught"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StoredRecipe = Readonly<z.infer<typeof StoredRecipe>>;

export const ShopRecipe = StoredRecipe.extend({
  competitorId: z.string(),
  status: z.enum(RECIPE_STATUSES).describe(
    "`drifting`: the shop seems to have changed; `stale`: no page has confirmed it " +
      `for ${STALE_DAYS} days; \`off\`: a shipped recipe that a person has switched off`,
  ),
}).meta({ id: "ShopRecipe" });
export type ShopRecipe = Readonly<z.infer<typeof ShopRecipe>>;

export function recipeStatus(recipe: StoredRecipe, nowMs: number): RecipeStatus {
  if (recipe.status !== "active") return recipe.status;
  const confirmedMs = Date.parse(recipe.lastConfirmedAt ?? recipe.updatedAt);
  return nowMs - confirmedMs > STALE_DAYS * DAY_MS ? "stale" : "active";
}

export function recipeTag({ source, selectors, confidenceMost, isDoubted }: PageRecipe): string {
  const content = [source, selectors.map(placeText), confidenceMost, isDoubted];
  return sha256(JSON.stringify(content)).slice(0, 8).toHex();
}

export function pageRecipe(recipe: StoredRecipe | null, nowMs: number): PageRecipe | null {
  if (recipe === null) return null;
  const status = recipeStatus(recipe, nowMs);
  if (status === "off") return null;
  const { source, selectors, confidenceMost } = recipe;
  return { source, selectors, confidenceMost, isDoubted: status !== "active" };
}

interface LessonsRow extends ShopLessons {
  readonly competitorId: string;
}

export const shopLessons = defineTable<LessonsRow, "competitorId">({
  prefix: "rc",
  about: "where a shop's pages show the price (recipe), and its results on the last pages",
  key: { competitorId: "id" },
  check: belongsToShop("A recipe"),
});

export interface KeptPage extends LearningPage {
  readonly matchId: string;
  readonly atMs: number;
}

export interface PlacedPage extends KeptPage {
  readonly competitorId: string;
  readonly n: number;
}

const keptPages = defineTable<PlacedPage, "competitorId" | "n">({
  prefix: "rcd",
  about: "a page from which the recipe is learned: its summary, its match, our price at that time",
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

/** Replaces the link's earlier page or, if `PAGES_KEPT` pages are stored, the oldest page. */
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
