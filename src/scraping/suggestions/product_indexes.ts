/**
 * Finds the products that a page may show, and the pages of a shop that may show a product. The
 * index of our products stays in memory.
 */
import { batchesOf, keepNewest } from "../../base/collections.ts";
import { gtin14 } from "../../base/codes.ts";
import { changesSince, findLogEnd } from "../../catalogue/products/change_log_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import { partNumberKey } from "../../base/title_atoms.ts";
import { TitleIndex } from "../../engine/matching/title_likeness.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { ShopPage } from "../../shops/pages/found_page_store.ts";
import { idMark } from "../../base/id.ts";
import {
  judgeIdentity,
  type Judgement,
  type PageOrigin,
} from "../../engine/matching/judge_identity.ts";

const READ = 500;

interface KeptProducts {
  readonly index: ProductIndex;
  position: string;
}

export class ProductIndexes {
  readonly #kept = new Map<string, Promise<KeptProducts>>();

  /** The returned index contains every change that was committed before the call. */
  async of(workspace: WorkspaceStore): Promise<ProductIndex> {
    const { workspaceId } = workspace;
    const before = this.#kept.get(workspaceId);
    const next = before ? before.then((kept) => refreshed(workspace, kept)) : loaded(workspace);
    keepNewest(this.#kept, workspaceId, next, 4);
    try {
      return (await next).index;
    } catch (error) {
      // An incomplete index is not kept, because it would hide products for ever.
      if (this.#kept.get(workspaceId) === next) this.#kept.delete(workspaceId);
      throw error;
    }
  }
}

async function loaded(workspace: WorkspaceStore): Promise<KeptProducts> {
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

async function refreshed(workspace: WorkspaceStore, kept: KeptProducts): Promise<KeptProducts> {
  const slice = new TimeSlice();
  const changes = await changesSince(workspace, kept.position);
  if (changes === null) return await loaded(workspace);
  const left = new Set(changes.ids);
  for await (const ids of batchesOf(changes.ids, READ)) {
    for (const { id, bytes } of await findDocuments(workspace, ids)) {
      left.delete(id);
      kept.index.put(parseProduct(bytes));
      await slice.yield();
    }
  }
  for (const id of left) kept.index.remove(id);
  kept.position = changes.position;
  return kept;
}

type IndexedProduct = Pick<Product, "id" | "title" | "brand" | "ean" | "mpn">;

export interface Candidate {
  readonly productId: string;
  /** Similarity of the titles of page and product, from 0 to 1; null if not compared. */
  readonly score: number | null;
  /** Weights of words, for comparing titles; null means the built-in weights. */
  readonly words: Vocabulary | null;
}

type SoughtPage = Pick<ShopPage, "title" | "brand" | "gtins" | "mpn" | "sku">;

const SHARING_MAX = 5;

type Titled = Pick<SoughtPage, "title" | "brand" | "mpn">;

const sideOf = ({ title, brand, mpn }: Titled) => ({
  title: title ?? "",
  brand,
  mpns: mpn === null ? [] : [mpn],
});

const hasTitle = ({ title }: Titled) => title !== null && title.trim() !== "";

/** The title of an entry in `TitleIndex` cannot change, so a changed title gets a new entry. */
export class KeyedTitles {
  protected readonly titles = new TitleIndex();
  readonly #keys: string[] = [];
  readonly #entries = new Map<string, { readonly entry: number; readonly words: number }>();

  get size(): number {
    return this.#entries.size;
  }

  get words(): Vocabulary | null {
    return this.titles.words;
  }

  putTitle(key: string, titled: Titled): void {
    const { title, brand, mpn } = titled;
    const words = idMark(`${title ?? ""}\n${brand ?? ""}\n${mpn ?? ""}`);
    if (this.#entries.get(key)?.words === words) return;
    this.remove(key);
    if (!hasTitle(titled)) return;
    const entry = this.titles.add(sideOf(titled));
    this.#keys[entry] = key;
    this.#entries.set(key, { entry, words });
  }

  remove(key: string): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.titles.remove(known.entry);
  }

  scored(titled: Titled, others: Iterable<string> = []): Map<string, number> {
    const side = this.titles.read(sideOf(titled));
    const scores = new Map<string, number>();
    for (const key of others) {
      const known = this.#entries.get(key);
      if (known) scores.set(key, this.titles.scoreOf(side, known.entry));
    }
    for (const { entry, score } of this.titles.suggest(side)) {
      const key = this.#keys[entry];
      if (key !== undefined && !scores.has(key)) scores.set(key, score);
    }
    return scores;
  }
}

export class ProductIndex extends KeyedTitles {
  readonly #numbers = new Map<string, readonly string[]>();
  readonly #byNumber = new Map<string, string[]>();

  put(product: IndexedProduct): void {
    const { id, ean, mpn } = product;
    this.#removeNumbers(id);
    this.putTitle(id, product);
    const numbers = numbersOf(ean === null ? [] : [ean], [mpn]);
    for (const number of numbers) this.#byNumber.getOrInsertComputed(number, () => []).push(id);
    this.#numbers.set(id, numbers);
  }

  override remove(id: string): void {
    super.remove(id);
    this.#removeNumbers(id);
  }

  #removeNumbers(id: string): void {
    for (const number of this.#numbers.get(id) ?? []) {
      const left = (this.#byNumber.get(number) ?? []).filter((other) => other !== id);
      if (left.length > 0) this.#byNumber.set(number, left);
      else this.#byNumber.delete(number);
    }
    this.#numbers.delete(id);
  }

  scoreOf(title: string): number {
    return this.titles.rank(this.titles.read({ title }))[0]?.score ?? 0;
  }

  sharing({ gtins, mpn, sku }: Pick<SoughtPage, "gtins" | "mpn" | "sku">): Set<string> {
    return new Set(
      numbersOf(gtins, [mpn, sku])
        .flatMap((number) => (this.#byNumber.get(number) ?? []).slice(0, SHARING_MAX)),
    );
  }

  /** Returns the products that fit only the page's earlier content, then those that fit now. */
  candidatesAfter(before: SoughtPage | null, page: SoughtPage | null): Candidate[] {
    const candidates = page ? this.candidates(page) : [];
    const known = new Set(candidates.map(({ productId }) => productId));
    const matchedBefore = before ? this.candidates(before) : [];
    return [
      ...matchedBefore.filter(({ productId }) => !known.has(productId))
        .map((candidate) => ({ ...candidate, score: null })),
      ...candidates,
    ];
  }

  candidates(page: SoughtPage): Candidate[] {
    const { words } = this;
    const sharing = this.sharing(page);
    if (!hasTitle(page)) {
      return Array.from(sharing, (productId) => ({ productId, score: null, words }));
    }
    return Array.from(this.scored(page, sharing), ([productId, score]) => (
      { productId, score, words }
    ));
  }
}

/**
 * GTINs of packs of one article often differ only in the first of 14 digits and in the check digit,
 * so both digits are left out.
 */
function numbersOf(gtins: readonly string[], parts: readonly (string | null)[]): string[] {
  const articles = gtins.flatMap((gtin) => gtin14(gtin)?.slice(1, -1) ?? []);
  const keys = parts.flatMap((part) => part === null ? [] : partNumberKey(part) ?? []);
  return [...new Set([...articles.map((one) => `g${one}`), ...keys.map((key) => `m${key}`)])];
}

export type JudgedProduct = Pick<
  Product,
  "title" | "brand" | "ean" | "mpn" | "condition" | "ourPriceCents" | "currency"
>;

type JudgedPage = Partial<Omit<ShopPage, "url" | "availability" | "foundBy" | "seenAt">>;

export function judgePage(
  product: JudgedProduct,
  page: JudgedPage,
  words: Vocabulary | null,
  origin: PageOrigin = "candidate",
): Judgement {
  const { title, brand, ean, mpn, condition, ourPriceCents } = product;
  const { title: named = null, gtin, gtins = gtin ? [gtin] : [], price = null } = page;
  const isPriced = ourPriceCents !== null && price !== null && (page.pack ?? 1) === 1 &&
    page.currency === product.currency;
  const ours = ean === null ? null : gtin14(ean);
  const hasOurs = ours !== null && gtins.some((gtin) => gtin14(gtin) === ours);
  return judgeIdentity(
    { title, brand, gtin: ean, mpn, condition, price: isPriced ? ourPriceCents : null },
    {
      title: named,
      brand: page.brand ?? null,
      gtins,
      mpns: page.mpn ? [page.mpn] : [],
      skus: page.sku ? [page.sku] : [],
      condition: page.condition ?? null,
      // An open choice of variants means another variant, unless an unlinked page has our GTIN.
      isOtherVariant: page.isOpenVariant === true && (origin === "link" || !hasOurs),
      price: isPriced ? price : null,
    },
    origin,
    words ?? undefined,
  );
}
