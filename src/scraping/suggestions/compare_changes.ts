/** Compares changed products with known pages, without requests. */
import { keepNewest } from "../../base/collections.ts";
import { idMark } from "../../base/id.ts";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/change_log_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
  type StoredDocument,
} from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { comparedChanges } from "../../shops/discovery/suggestion_store.ts";
import { discoveries, findDiscovery } from "../../shops/discovery/discovery_store.ts";
import {
  findPages,
  findPagesByNumber,
  type PagePlace,
  shopPages,
} from "../../shops/discovery/page_store.ts";
import { type Candidate, PageIndex } from "./product_indexes.ts";
import { type FoundPage, type NewSuggestion, publishSuggestions, suggestPage } from "./suggest.ts";

const CHANGES = 200;
const PRODUCTS = 200;
const PAGES = 500;
/** Pages beyond this number, of all shops together, are not compared by title. */
const PAGES_MAX = 200_000;
/** A product adds up to two checks to the commit. */
const PRODUCTS_PER_COMMIT = 4;

type KnownPage = Omit<FoundPage, "isAutomatic">;

interface Setup {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

/** Calls of `round` must not overlap. */
export class ChangeComparer {
  readonly #setup: Setup;
  readonly #compared = new Map<string, Map<string, number>>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  async round(stopping: AbortSignal): Promise<void> {
    const { store, clock } = this.#setup;
    const shops = new Map<string, string[]>();
    for await (
      const { workspaceId, row: { competitorId, settings } } of discoveries.walkAll(store)
    ) {
      if (settings.mode === "off") continue;
      shops.set(workspaceId, [...shops.get(workspaceId) ?? [], competitorId]);
    }
    for (const id of this.#compared.keys()) if (!shops.has(id)) this.#compared.delete(id);
    await eachApart("known pages", shops, async ([workspaceId, competitorIds]) => {
      const compared = this.#compared.get(workspaceId) ?? new Map<string, number>();
      this.#compared.set(workspaceId, compared);
      const ctx = { ...clock, store, workspaceId, competitorIds, compared, stopping };
      try {
        const pagesOf = pageReader(ctx);
        while (!stopping.aborted && await compareSome(ctx, pagesOf));
      } catch (error) {
        // `compared` may contain uncommitted results.
        compared.clear();
        throw error;
      }
    });
  }
}

interface Comparing extends WorkspaceStore, Pick<ClockAndIds, "now" | "newId"> {
  readonly competitorIds: readonly string[];
  /** The hash of each product's last seen title, brand and MPN, by product id. */
  readonly compared: Map<string, number>;
  readonly stopping: AbortSignal;
}

/** Reads the pages of a shop when they are first asked for, once in a round. */
type PagesOf = (competitorId: string) => Promise<PageIndex>;

function pageReader(ctx: Comparing): PagesOf {
  const known = new Map<string, Promise<PageIndex>>();
  let room = PAGES_MAX;
  const read = async (competitorId: string) => {
    const index = new PageIndex();
    const slice = new TimeSlice();
    for await (const pages of shopPages(ctx, competitorId, PAGES)) {
      for (const { urlHash, page } of pages) {
        if (room-- <= 0 || ctx.stopping.aborted) return index;
        index.put(urlHash, page);
        await slice.yield();
      }
    }
    return index;
  };
  return (id) => known.getOrInsertComputed(id, read);
}

/** True if there is more to do. */
async function compareSome(ctx: Comparing, pagesOf: PagesOf): Promise<boolean> {
  const found = await comparedChanges.find(ctx, {});
  if (!found) {
    // Existing products are compared by the visits of discovery.
    const end = await findLogEnd(ctx);
    await savePosition(ctx, found, end);
    return false;
  }
  const { position } = found.row;
  const changes = await listChanges(ctx, position, CHANGES);
  const sweep = await findLogSweep(ctx);
  if (sweep !== null && sweep.swept > position) {
    const end = await findLogEnd(ctx);
    await compareAll(ctx, pagesOf);
    if (!ctx.stopping.aborted) await savePosition(ctx, found, end);
    return false;
  }
  const last = changes.at(-1);
  if (!last) return false;
  const ids = [...new Set(changes.flatMap(({ productIds }) => productIds))];
  await comparePages(ctx, await findDocuments(ctx, ids), pagesOf);
  if (ctx.stopping.aborted) return false;
  await savePosition(ctx, found, last.position);
  return changes.length === CHANGES;
}

/** The commit fails if another process has saved a position since `before` was read. */
async function savePosition(
  ctx: Comparing,
  before: Found<{ readonly position: string }> | null,
  position: string,
): Promise<void> {
  await transact(ctx, (write) => comparedChanges.save(write, ctx, before, { position }));
}

/** Compares all products, because some changes are no longer in the log. */
async function compareAll(ctx: Comparing, pagesOf: PagesOf): Promise<void> {
  for await (const documents of documentPages(ctx, listDocuments, PRODUCTS)) {
    if (ctx.stopping.aborted) return;
    await comparePages(ctx, documents, pagesOf);
  }
}

async function comparePages(
  ctx: Comparing,
  documents: readonly StoredDocument[],
  pagesOf: PagesOf,
): Promise<void> {
  const products = documents.map(({ bytes }) => parseProduct(bytes));
  await compareBy(ctx, products, async (product) => {
    return (await findPagesByNumber(ctx, product)).map((found) => ({
      found,
      score: null,
      words: null,
    }));
  });
  await compareBy(ctx, products, (product) => findByTitle(ctx, product, pagesOf));
}

/** A commit handles one page per product, so that the next commit sees the suggestion. */
async function compareBy(
  ctx: Comparing,
  products: readonly Product[],
  find: (product: Product) => Promise<readonly PageFit[]>,
): Promise<void> {
  for (let at = 0; at < products.length; at += PRODUCTS_PER_COMMIT) {
    const fits: { readonly productId: string; readonly pages: readonly PageFit[] }[] = [];
    for (const product of products.slice(at, at + PRODUCTS_PER_COMMIT)) {
      fits.push({ productId: product.id, pages: await find(product) });
    }
    const rounds = Math.max(0, ...fits.map(({ pages }) => pages.length));
    for (let n = 0; n < rounds; n++) {
      const pairs = fits.flatMap(({ productId, pages }) => {
        const one = pages[n];
        return one ? [{ found: one.found, candidate: { productId, ...one } }] : [];
      });
      await transact(ctx, (write) => suggestPairs(write, ctx, pairs));
    }
  }
}

interface PageFit {
  readonly found: KnownPage;
  readonly score: number | null;
  readonly words: Candidate["words"];
}

/** Returns no pages if the product's words have not changed since the last comparison. */
async function findByTitle(
  ctx: Comparing,
  product: Product,
  pagesOf: PagesOf,
): Promise<PageFit[]> {
  const { id, title, brand, mpn, updatedAt } = product;
  const words = idMark(`${title}\n${brand ?? ""}\n${mpn ?? ""}`);
  const nowMs = ctx.now().getTime();
  const before = ctx.compared.get(id);
  if (before === words) return [];
  keepNewest(ctx.compared, id, words, 200_000);
  if (before === undefined && nowMs - Date.parse(updatedAt) > 86_400_000) return [];
  const likely: (PagePlace & Omit<PageFit, "found">)[] = [];
  for (const competitorId of ctx.competitorIds) {
    const index = await pagesOf(competitorId);
    for (const page of index.likelyFor(product)) likely.push({ competitorId, ...page });
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

async function suggestPairs(
  write: Write,
  ctx: Comparing,
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
