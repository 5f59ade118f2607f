/**
 * Streams all products with their offers, rule states and open proposals, joined by product id. A
 * product may change before its use: a caller that writes must read it again.
 */
import { idBefore } from "../../base/id.ts";
import { fold } from "../../base/text.ts";
import { parseProducts, type Product } from "../../catalogue/products/product.ts";
import { listDocuments } from "../../catalogue/products/product_store.ts";
import { foldTexts, type Situation } from "../../engine/pricing/situation.ts";
import { yieldToEventLoop } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { decodeOfferRows, listOfferRows } from "../../shops/offers/offer_store.ts";
import { pricedProductOf, pricingOffersOf } from "../proposals/priced_product.ts";
import { listOpenRows } from "../proposals/proposal_store.ts";
import { decodeStates, listRuleStates, NO_STATE } from "./rule_state_store.ts";
import type { Moment, Surroundings } from "./situation_reader.ts";

const ROWS = 1_000;
const ROWS_UNASKED = 100;
const VISITS = 250;

interface Row {
  readonly id: string;
}

interface NextPage<T> {
  readonly after: string | null;
  readonly limit: number;
  readonly page: Promise<readonly T[]> | null;
}

interface RangeBounds {
  readonly wanted: ReadonlySet<string> | null;
  readonly after: string | null;
  readonly last: string | null;
  readonly most: number;
}

/** While a page is used, the next page is fetched. */
class Range<T extends Row, V> {
  readonly #read: (after: string | null, limit: number) => Promise<T[]>;
  readonly #decode: (rows: readonly T[]) => readonly V[];
  readonly #bounds: RangeBounds;
  #left: number;
  #rows: readonly T[] = [];
  #values: readonly V[] = [];
  #at = 0;
  #next: NextPage<T> | null;

  constructor(
    read: (after: string | null, limit: number) => Promise<T[]>,
    decode: (rows: readonly T[]) => readonly V[],
    bounds: RangeBounds,
  ) {
    this.#read = read;
    this.#decode = decode;
    this.#bounds = bounds;
    this.#left = bounds.most;
    this.#next = this.#prepare(bounds.after);
  }

  /** Null at the end of the range, and while a page must be fetched. */
  get id(): string | null {
    return this.#rows[this.#at]?.id ?? null;
  }

  get value(): V | undefined {
    return this.#values[this.#at];
  }

  get needsPage(): boolean {
    return this.#at >= this.#rows.length && this.#next !== null;
  }

  advance(): void {
    this.#at++;
  }

  async fetchPage(): Promise<void> {
    while (this.#next !== null) {
      const { after, limit } = this.#next;
      const page = await (this.#next.page ?? this.#read(after, limit));
      const { wanted } = this.#bounds;
      this.#rows = wanted === null ? page : page.filter(({ id }) => wanted.has(id));
      const behind = page.length < limit ? null : this.#behind(page);
      this.#next = behind === null ? null : this.#prepare(behind);
      this.#at = 0;
      this.#values = this.#decode(this.#rows);
      if (this.#rows.length > 0) return;
    }
  }

  async drain(): Promise<void> {
    await Promise.allSettled([this.#next?.page]);
  }

  /** Never moves beyond the page. */
  seek(id: string): void {
    while (this.#at < this.#rows.length && (this.#rows[this.#at]?.id ?? "") < id) this.#at++;
  }

  valueOf(id: string): V | undefined {
    return this.id === id ? this.value : undefined;
  }

  #behind(page: readonly T[]): string | null {
    const { last } = this.#bounds;
    const id = page.at(-1)?.id ?? null;
    return last !== null && id !== null && id >= last ? null : id;
  }

  #prepare(after: string | null): NextPage<T> {
    if (this.#left <= 0) return { after, limit: ROWS_UNASKED, page: null };
    const limit = Math.min(ROWS, this.#left);
    this.#left -= limit;
    const page = this.#read(after, limit);
    // A failed prefetch must not end the process.
    page.catch(() => {});
    return { after, limit, page };
  }
}

const bytesOf = (rows: readonly { readonly bytes: Uint8Array }[]) => rows.map(({ bytes }) => bytes);

/** Each repeated text is folded only once. */
function createFold(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const folded = fold(text);
    if (known.size < 20_000) known.set(text, folded);
    return folded;
  };
}

export interface StreamedProduct {
  readonly situation: Situation;
  readonly hasOpenProposal: boolean;
  readonly document: Pick<Product, "title" | "updatedAt" | "ourPriceUpdatedAt">;
}

export interface StreamRequest {
  readonly surroundings: Surroundings;
  readonly moment: Moment;
  /** Null for all products. */
  readonly wanted: ReadonlySet<string> | null;
  readonly after?: string | null;
  /** If only this many products are needed, no more are fetched in advance; absent for all. */
  readonly most?: number;
}

/** Visits active products by id until `visit` returns false. Other work runs between products. */
export async function streamProducts(
  workspace: WorkspaceStore,
  request: StreamRequest,
  visit: (product: StreamedProduct) => boolean | void,
): Promise<void> {
  const ranges = openRanges(workspace, request);
  try {
    await visitAll(ranges, request, visit);
  } finally {
    // The prefetches must end first, because the caller may close the store.
    await Promise.all(Object.values(ranges).map((range) => range.drain()));
  }
}

function boundsOf({ wanted, after = null, most = Infinity }: StreamRequest): RangeBounds {
  const bounds = { wanted, after, last: null, most };
  if (wanted === null || wanted.size === 0) return bounds;
  let [first = ""] = wanted;
  let last = first;
  for (const id of wanted) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return { ...bounds, last, after: after !== null && after >= first ? after : idBefore(first) };
}

function openRanges(workspace: WorkspaceStore, request: StreamRequest) {
  const bounds = boundsOf(request);
  const products = new Range(
    (after, limit) => listDocuments(workspace, after, limit),
    (rows) => parseProducts(bytesOf(rows)),
    bounds,
  );
  const offers = new Range(
    (after, limit) => listOfferRows(workspace, after, limit),
    (rows) => decodeOfferRows(bytesOf(rows)),
    bounds,
  );
  const states = new Range(
    (after, limit) => listRuleStates(workspace, after, limit),
    (rows) => decodeStates(bytesOf(rows)),
    bounds,
  );
  const open = new Range(
    (after, limit) => listOpenRows(workspace, after, limit),
    (rows) => rows,
    bounds,
  );
  return { products, offers, states, open };
}

async function visitAll(
  { products, offers, states, open }: ReturnType<typeof openRanges>,
  { surroundings, moment }: StreamRequest,
  visit: (product: StreamedProduct) => boolean | void,
): Promise<void> {
  const foldOnce = createFold();
  let visits = 0;
  for (await products.fetchPage(); products.id !== null;) {
    const { id, value: document } = products;
    for (const range of [offers, states, open]) {
      range.seek(id);
      while (range.needsPage) {
        await range.fetchPage();
        range.seek(id);
      }
    }
    if (document) {
      const situation: Situation = {
        product: pricedProductOf(document, foldTexts(document, foldOnce)),
        ...pricingOffersOf(offers.valueOf(id) ?? [], surroundings),
        history: { rules: states.valueOf(id) ?? NO_STATE, price: null, openProposal: null },
        settings: surroundings.settings,
        ...moment,
      };
      const hasOpenProposal = open.valueOf(id) !== undefined;
      if (visit({ situation, hasOpenProposal, document }) === false) return;
    }
    products.advance();
    if (++visits % VISITS === 0) await yieldToEventLoop();
    if (products.needsPage) await products.fetchPage();
  }
}
