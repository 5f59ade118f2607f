/** Compares changed products with known pages, by numbers and titles, without requests. */
import { keepNewest } from "../../base/collections.ts";
import { idMark } from "../../base/id.ts";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/change_log_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import {
  findDocuments,
  listDocuments,
  type StoredDocument,
} from "../../catalogue/products/product_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { metChanges } from "../../shops/discovery/suggestion_store.ts";
import { discoveries, findDiscovery } from "../../shops/discovery/discovery_store.ts";
import { findPages, findPagesByNumber, type PagePlace } from "../../shops/discovery/page_store.ts";
import { PageIndexes } from "./page_indexes.ts";
import type { Candidate } from "./product_indexes.ts";
import { type FoundPage, type NewSuggestion, publishSuggestions, suggestPage } from "./suggest.ts";

/** Commits of the log between two stored positions. */
const CHANGES = 200;
const PRODUCTS = 200;
/** Each product takes up to two checks of the commit. */
const PRODUCTS_PER_COMMIT = 4;

type KnownPage = Omit<FoundPage, "isAutomatic">;

interface Setup {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

/** Calls of `round` must not overlap. */
export class ChangeMeeter {
  readonly #setup: Setup;
  readonly #pages = new PageIndexes();
  readonly #met = new Map<string, Map<string, number>>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** Handles every workspace with discovery. Interrupted work is repeated. */
  async round(stopping: AbortSignal): Promise<void> {
    const { store, clock } = this.#setup;
    const shops = new Map<string, string[]>();
    for await (
      const { workspaceId, row: { competitorId, settings } } of discoveries.walkAll(store)
    ) {
      if (settings.mode === "off") continue;
      shops.set(workspaceId, [...shops.get(workspaceId) ?? [], competitorId]);
    }
    const wanted = [...shops].flatMap(([id, ids]) => ids.map((shop) => `${id} ${shop}`));
    this.#pages.keepOnly(new Set(wanted));
    for (const id of this.#met.keys()) if (!shops.has(id)) this.#met.delete(id);
    await eachApart("known pages", shops, async ([workspaceId, competitorIds]) => {
      const met = this.#met.get(workspaceId) ?? new Map<string, number>();
      this.#met.set(workspaceId, met);
      const own = { competitorIds, pages: this.#pages, met, stopping };
      const ctx: Meeting = { ...clock, store, workspaceId, ...own };
      try {
        while (!stopping.aborted && await meetSome(ctx, stopping));
      } catch (error) {
        // The results of some products in `met` may not be committed.
        met.clear();
        throw error;
      }
    });
  }
}

interface Meeting extends WorkspaceStore, Pick<ClockAndIds, "now" | "newId"> {
  readonly competitorIds: readonly string[];
  readonly pages: PageIndexes;
  /** By product: hash of the words that were compared with the titles of pages. */
  readonly met: Map<string, number>;
  readonly stopping: AbortSignal;
}

/** True if there is more to do. */
async function meetSome(ctx: Meeting, stopping: AbortSignal): Promise<boolean> {
  const met = await metChanges.find(ctx, {});
  if (!met) {
    // Only stores the position, because visits of pages compare all existing products.
    const end = await findLogEnd(ctx);
    await saveMet(ctx, met, end);
    return false;
  }
  const { position } = met.row;
  const changes = await listChanges(ctx, position, CHANGES);
  const sweep = await findLogSweep(ctx);
  if (sweep !== null && sweep.swept > position) {
    const end = await findLogEnd(ctx);
    await meetAll(ctx, stopping);
    if (!stopping.aborted) await saveMet(ctx, met, end);
    return false;
  }
  const last = changes.at(-1);
  if (!last) return false;
  const ids = [...new Set(changes.flatMap(({ productIds }) => productIds))];
  await meetPages(ctx, await findDocuments(ctx, ids));
  // The position is not stored, so the interrupted work is repeated.
  if (stopping.aborted) return false;
  await saveMet(ctx, met, last.position);
  return changes.length === CHANGES;
}

/** The commit fails if another process has moved the position. */
async function saveMet(
  ctx: Meeting,
  before: Found<{ readonly position: string }> | null,
  position: string,
): Promise<void> {
  await transact(ctx, (write) => metChanges.save(write, ctx, before, { position }));
}

/** Compares all products, because some changes are no longer in the log. */
async function meetAll(ctx: Meeting, stopping: AbortSignal): Promise<void> {
  for (let after: string | null = null; !stopping.aborted;) {
    const documents: readonly StoredDocument[] = await listDocuments(ctx, after, PRODUCTS);
    await meetPages(ctx, documents);
    after = documents.at(-1)?.id ?? null;
    if (documents.length < PRODUCTS || after === null) return;
  }
}

/** Compares numbers first, because titles may have to wait for an index. */
async function meetPages(ctx: Meeting, documents: readonly StoredDocument[]): Promise<void> {
  const products = documents.map(({ bytes }) => parseProduct(bytes));
  await meetBy(ctx, products, async (product) => {
    return (await findPagesByNumber(ctx, product)).map((found) => ({
      found,
      score: null,
      words: null,
    }));
  });
  await meetBy(ctx, products, (product) => findByTitle(ctx, product));
}

/** A commit takes one page per product, so that the next one sees its suggestions. */
async function meetBy(
  ctx: Meeting,
  products: readonly Product[],
  find: (product: Product) => Promise<readonly Met[]>,
): Promise<void> {
  for (let at = 0; at < products.length; at += PRODUCTS_PER_COMMIT) {
    const met: { readonly productId: string; readonly pages: readonly Met[] }[] = [];
    for (const product of products.slice(at, at + PRODUCTS_PER_COMMIT)) {
      met.push({ productId: product.id, pages: await find(product) });
    }
    const rounds = Math.max(0, ...met.map(({ pages }) => pages.length));
    for (let n = 0; n < rounds; n++) {
      const pairs = met.flatMap(({ productId, pages }) => {
        const one = pages[n];
        return one ? [{ found: one.found, candidate: { productId, ...one } }] : [];
      });
      await transact(ctx, (write) => meetPairs(write, ctx, pairs));
    }
  }
}

interface Met {
  readonly found: KnownPage;
  readonly score: number | null;
  readonly words: Candidate["words"];
}

/** Pages for a product whose words have changed; after a start, only if it changed recently. */
async function findByTitle(ctx: Meeting, product: Product): Promise<Met[]> {
  const { id, title, brand, mpn, updatedAt } = product;
  const words = idMark(`${title}\n${brand ?? ""}\n${mpn ?? ""}`);
  const nowMs = ctx.now().getTime();
  const before = ctx.met.get(id);
  if (before === words) return [];
  keepNewest(ctx.met, id, words, 200_000);
  // Without an earlier comparison, older changes are compared by numbers only.
  if (before === undefined && nowMs - Date.parse(updatedAt) > 86_400_000) return [];
  const likely: (PagePlace & Omit<Met, "found">)[] = [];
  for (const competitorId of ctx.competitorIds) {
    const index = await ctx.pages.of(ctx, competitorId, nowMs, ctx.stopping);
    for (const page of index?.likelyFor(product) ?? []) likely.push({ competitorId, ...page });
  }
  if (likely.length === 0) return [];
  const numbered = await findPagesByNumber(ctx, product);
  const others = likely.filter(({ competitorId, urlHash }) =>
    !numbered.some((one) => one.competitorId === competitorId && one.urlHash === urlHash)
  );
  const known = new Map(others.map((one) => [one.urlHash, one]));
  return (await findPages(ctx, others)).map((found) => ({
    found,
    score: known.get(found.urlHash)?.score ?? null,
    words: known.get(found.urlHash)?.words ?? null,
  }));
}

async function meetPairs(
  write: Write,
  ctx: Meeting,
  pairs: readonly { readonly found: KnownPage; readonly candidate: Candidate }[],
): Promise<void> {
  const added = new Map<string, NewSuggestion[]>();
  for (const { found, candidate } of pairs) {
    const { discovery: { settings: { mode } } } = await findDiscovery(ctx, found.competitorId);
    if (mode === "off") continue;
    const page = { ...found, isAutomatic: mode === "automatic" };
    const fresh = await suggestPage(write, ctx, page, [candidate]);
    added.set(found.competitorId, [...added.get(found.competitorId) ?? [], ...fresh]);
  }
  for (const [id, fresh] of added) await publishSuggestions(write, ctx, id, fresh);
}
