/** Finds the products that a page may show, by numbers and by titles. */
import { keepNewest } from "../../base/collections.ts";
import { gtin14 } from "../../base/gtin.ts";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/product_mark_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import { partNumberKey } from "../../base/title_atoms.ts";
import { TitleIndex } from "../../engine/matching/title_index.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { ShopPage } from "../../shops/discovery/page_store.ts";

const READ = 500;
const CHANGES = 1_000;

interface Kept {
  readonly index: ProductIndex;
  position: string;
}

export class ProductIndexes {
  readonly #kept = new Map<string, Promise<Kept>>();

  /** Returns an index with every change that was committed before the call. */
  async of(workspace: WorkspaceStore): Promise<ProductIndex> {
    const { workspaceId } = workspace;
    const before = this.#kept.get(workspaceId);
    const next = before ? before.then((kept) => refreshed(workspace, kept)) : loaded(workspace);
    keepNewest(this.#kept, workspaceId, next, 4);
    try {
      return (await next).index;
    } catch (error) {
      // An incomplete index would hide products for ever.
      if (this.#kept.get(workspaceId) === next) this.#kept.delete(workspaceId);
      throw error;
    }
  }

  forget(workspaceId: string): void {
    this.#kept.delete(workspaceId);
  }
}

async function loaded(workspace: WorkspaceStore): Promise<Kept> {
  const position = await findLogEnd(workspace);
  const index = new ProductIndex();
  const slice = new TimeSlice();
  for await (const documents of documentPages(workspace, listDocuments, READ)) {
    for (const { bytes } of documents) {
      index.put(parseProduct(bytes));
      await slice.yield();
    }
  }
  return { index, position };
}

async function refreshed(workspace: WorkspaceStore, kept: Kept): Promise<Kept> {
  const slice = new TimeSlice();
  for (;;) {
    const changes = await listChanges(workspace, kept.position, CHANGES);
    // If the sweep has deleted unread changes, the index is built again.
    const sweep = await findLogSweep(workspace);
    if (sweep !== null && sweep.swept > kept.position) return await loaded(workspace);
    const ids = [...new Set(changes.flatMap(({ productIds }) => productIds))];
    const documents = await findDocuments(workspace, ids);
    const left = new Set(ids);
    for (const { id, bytes } of documents) {
      left.delete(id);
      kept.index.put(parseProduct(bytes));
      await slice.yield();
    }
    for (const id of left) kept.index.remove(id);
    kept.position = changes.at(-1)?.position ?? kept.position;
    if (changes.length < CHANGES) return kept;
  }
}

export type IndexedProduct = Pick<Product, "id" | "title" | "brand" | "ean" | "mpn">;

export interface Candidate {
  readonly productId: string;
  /** Likeness of the titles of page and product, from 0 to 1; null if only a number matches. */
  readonly score: number | null;
  /** Weights of words; null for the common words of German shops. */
  readonly words: Vocabulary | null;
}

export type SoughtPage = Pick<ShopPage, "title" | "brand" | "gtins" | "mpn" | "sku">;

const SHARING_MAX = 5;

interface Entry {
  readonly entry: number;
  readonly numbers: readonly string[];
}

export class ProductIndex {
  readonly #titles = new TitleIndex();
  readonly #ids: string[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #byNumber = new Map<string, string[]>();

  get size(): number {
    return this.#entries.size;
  }

  /** The frequency of words in titles; null if there are too few titles. */
  get words(): Vocabulary | null {
    return this.#titles.words;
  }

  put({ id, title, brand, ean, mpn }: IndexedProduct): void {
    this.remove(id);
    const entry = this.#titles.add({ title, brand, mpns: mpn === null ? [] : [mpn] });
    this.#ids[entry] = id;
    const numbers = numbersOf(ean === null ? [] : [ean], [mpn]);
    for (const number of numbers) {
      const ids = this.#byNumber.get(number);
      if (ids) ids.push(id);
      else this.#byNumber.set(number, [id]);
    }
    this.#entries.set(id, { entry, numbers });
  }

  remove(id: string): void {
    const known = this.#entries.get(id);
    if (!known) return;
    this.#entries.delete(id);
    this.#titles.remove(known.entry);
    for (const number of known.numbers) {
      const left = (this.#byNumber.get(number) ?? []).filter((other) => other !== id);
      if (left.length > 0) this.#byNumber.set(number, left);
      else this.#byNumber.delete(number);
    }
  }

  scoreOf(text: string): number {
    const [best] = this.#titles.rank(this.#titles.read({ title: text }));
    return best?.score ?? 0;
  }

  /** Returns at most `SHARING_MAX` products per number. */
  sharing({ gtins, mpn, sku }: Pick<SoughtPage, "gtins" | "mpn" | "sku">): Set<string> {
    return new Set(
      numbersOf(gtins, [mpn, sku])
        .flatMap((number) => (this.#byNumber.get(number) ?? []).slice(0, SHARING_MAX)),
    );
  }

  /** Finds products by numbers first, then by words. */
  candidates({ title, brand, gtins, mpn, sku }: SoughtPage): Candidate[] {
    const found = new Map<string, Candidate>();
    const { words } = this.#titles;
    for (const productId of this.sharing({ gtins, mpn, sku })) {
      found.set(productId, { productId, score: null, words });
    }
    const side = title === null || title.trim() === ""
      ? null
      : this.#titles.read({ title, brand, mpns: mpn === null ? [] : [mpn] });
    if (side === null) return [...found.values()];
    for (const productId of found.keys()) {
      const { entry } = this.#entries.get(productId)!;
      found.set(productId, { productId, score: this.#titles.scoreOf(side, entry), words });
    }
    for (const { entry, score } of this.#titles.suggest(side)) {
      const productId = this.#ids[entry];
      if (productId !== undefined && !found.has(productId)) {
        found.set(productId, { productId, score, words });
      }
    }
    return [...found.values()];
  }
}

/** A GTIN without its first and last digit is the same for all packs of an article. */
function numbersOf(gtins: readonly string[], parts: readonly (string | null)[]): string[] {
  const articles = gtins.flatMap((gtin) => gtin14(gtin)?.slice(1, -1) ?? []);
  const keys = parts.flatMap((part) => part === null ? [] : partNumberKey(part) ?? []);
  return [...new Set([...articles.map((one) => `g${one}`), ...keys.map((key) => `m${key}`)])];
}
