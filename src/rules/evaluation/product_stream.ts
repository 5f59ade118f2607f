/**
 * Streams products with their offers, rule states and open proposals. A streamed product may be
 * outdated, so a caller that writes must read the product again.
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
import type { Scene } from "./situation_reader.ts";

/** The first reads are small, because some callers need only a few products. */
const FIRST_ROWS = 125;
const ROWS = 1_000;
const AT_ONCE = 250;

interface Row {
  readonly id: string;
}

type ReadRows<T> = (after: string | null, limit: number) => Promise<readonly T[]>;

class RowsBeside<T extends Row> {
  readonly #read: ReadRows<T>;
  #after: string | null;
  #rows: readonly T[] = [];
  #isEnd = false;

  constructor(read: ReadRows<T>, after: string | null) {
    this.#read = read;
    this.#after = after;
  }

  async upTo(last: string, ids: ReadonlySet<string>, atOnce: number): Promise<T[]> {
    const taken: T[] = [];
    for (;;) {
      const behind = this.#rows.findIndex(({ id }) => id > last);
      const end = behind === -1 ? this.#rows.length : behind;
      taken.push(...this.#rows.slice(0, end).filter(({ id }) => ids.has(id)));
      this.#rows = this.#rows.slice(end);
      if (behind !== -1 || this.#isEnd) return taken;
      this.#rows = await this.#read(this.#after, atOnce);
      this.#after = this.#rows.at(-1)?.id ?? this.#after;
      this.#isEnd = this.#rows.length < atOnce;
    }
  }
}

interface BytesRow extends Row {
  readonly bytes: Uint8Array;
}

const bytesOf = (rows: readonly BytesRow[]) => rows.map(({ bytes }) => bytes);

function createFold(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    known.size < 20_000 ? known.getOrInsertComputed(text, fold) : known.get(text) ?? fold(text);
}

interface StreamedProduct {
  readonly situation: Situation;
  readonly hasOpenProposal: boolean;
  readonly document: Pick<Product, "title" | "updatedAt" | "ourPriceUpdatedAt">;
}

interface StreamRequest extends Scene {
  readonly wanted?: ReadonlySet<string>;
  readonly after?: string | null;
  readonly most?: number;
}

export async function* streamProducts(
  workspace: WorkspaceStore,
  request: StreamRequest,
): AsyncGenerator<StreamedProduct> {
  const readPage = pageReader(workspace, request);
  const foldOnce = createFold();
  const { surroundings, nowMs, mode = "live" } = request;
  let yielded = 0;
  let next = readPage();
  try {
    for (let page = await next; page !== null; page = await next) {
      next = readPage();
      // Without this `catch`, an error of the read would end the process before the loop throws it.
      next.catch(() => {});
      for (const document of page.documents) {
        const { id } = document;
        const situation: Situation = {
          product: pricedProductOf(document, foldTexts(document, foldOnce)),
          ...pricingOffersOf(page.offers.get(id) ?? [], surroundings),
          history: { rules: page.states.get(id) ?? NO_STATE, price: null, openProposal: null },
          settings: surroundings.settings,
          nowMs,
          mode,
        };
        yield { situation, hasOpenProposal: page.open.has(id), document };
        if (++yielded % AT_ONCE === 0) await yieldToEventLoop();
      }
    }
  } finally {
    // Wait until the read of the next products has ended, because the caller may close the store.
    await Promise.allSettled([next]);
  }
}

function pageReader(workspace: WorkspaceStore, request: StreamRequest) {
  const { wanted } = request;
  const stretch = stretchOf(request);
  const beside = <T extends Row>(
    list: (workspace: WorkspaceStore, ...page: Parameters<ReadRows<T>>) => Promise<readonly T[]>,
  ) => new RowsBeside<T>((...page) => list(workspace, ...page), stretch.after);
  const [offers, states, open] = [
    beside(listOfferRows),
    beside(listRuleStates),
    beside(listOpenRows),
  ];
  let { after, left } = stretch;
  let atOnce = wanted === undefined ? FIRST_ROWS : ROWS;
  return async () => {
    if (left <= 0) return null;
    const limit = Math.min(atOnce, left);
    const rows = await listDocuments(workspace, after, limit);
    const last = rows.at(-1)?.id ?? "";
    after = last;
    const isEnd = rows.length < limit || (stretch.last !== null && last >= stretch.last);
    left = isEnd ? 0 : left - limit;
    const found = rows.filter(({ id }) => wanted?.has(id) ?? true);
    const ids = new Set(found.map(({ id }) => id));
    const [offerRows, stateRows, openRows] = ids.size === 0 ? [[], [], []] : await Promise.all([
      offers.upTo(last, ids, atOnce),
      states.upTo(last, ids, atOnce),
      open.upTo(last, ids, atOnce),
    ]);
    atOnce = Math.min(2 * atOnce, ROWS);
    return {
      documents: parseProducts(bytesOf(found)),
      offers: decoded(offerRows, decodeOfferRows),
      states: decoded(stateRows, decodeStates),
      open: new Set(openRows.map(({ id }) => id)),
    };
  };
}

function stretchOf({ wanted, after = null, most = Infinity }: StreamRequest) {
  const all = { after, last: null, left: most };
  if (wanted === undefined || wanted.size === 0) return all;
  const first = wanted.values().reduce((least, id) => id < least ? id : least);
  const last = wanted.values().reduce((most, id) => id > most ? id : most);
  return { ...all, last, after: after !== null && after >= first ? after : idBefore(first) };
}

function decoded<V>(
  rows: readonly BytesRow[],
  decode: (values: readonly Uint8Array[]) => readonly V[],
): ReadonlyMap<string, V> {
  return new Map(decode(bytesOf(rows)).map((value, at) => [rows[at]?.id ?? "", value]));
}
