/**
 * All products of a workspace with their offers, rule state and open proposals: ranges in the same
 * order, the next rows fetched ahead, joined by id (design §11). What it yields may be out of date
 * by the time it is acted on: who writes reads the product again.
 */
import { listDocuments } from "../catalogue/product_store.ts";
import { parseProduct } from "../catalogue/product_wire.ts";
import { decodeOffers } from "../competitors/offers/offer.ts";
import { listOfferRows } from "../competitors/offers/offer_store.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Situation } from "../pricing/situation.ts";
import { pricedProductOf } from "../proposals/priced_product.ts";
import { listOpenRows } from "../proposals/proposal_store.ts";
import { pricingOffersOf } from "./pricing_offer.ts";
import { decodeState, listRuleStates, NO_STATE } from "./rule_state_store.ts";
import type { Moment, Surroundings } from "./situation_reader.ts";

const ROWS = 1_000;

interface Row {
  readonly id: string;
}

/** A range in pages of 1,000, the next one on its way while this one is worked on. */
class Range<T extends Row> {
  readonly #read: (after: string | null) => Promise<T[]>;
  #rows: readonly T[] = [];
  #at = 0;
  #next: Promise<readonly T[]> | null;

  constructor(read: (after: string | null) => Promise<T[]>, after: string | null) {
    this.#read = read;
    this.#next = read(after);
  }

  /** The row at which the range stands; null at its end, and while a page must be fetched. */
  get row(): T | null {
    return this.#rows[this.#at] ?? null;
  }

  get needsPage(): boolean {
    return this.#at >= this.#rows.length && this.#next !== null;
  }

  advance(): void {
    this.#at++;
  }

  async fetchPage(): Promise<void> {
    if (this.#next === null) return;
    this.#rows = await this.#next;
    this.#at = 0;
    const last = this.#rows.length < ROWS ? undefined : this.#rows.at(-1);
    this.#next = last === undefined ? null : this.#read(last.id);
    // A page that nobody takes any more must not end the process.
    this.#next?.catch(() => {});
  }

  /** Moves on to the first row that is not before `id`, without leaving the page. */
  seek(id: string): void {
    while (this.#at < this.#rows.length && (this.#rows[this.#at]?.id ?? "") < id) this.#at++;
  }
}

export interface StreamedProduct {
  readonly situation: Situation;
  readonly hasOpenProposal: boolean;
}

export interface StreamRequest {
  readonly surroundings: Surroundings;
  readonly moment: Moment;
  /** Only products that it names are parsed; null is all. */
  readonly wanted: { has(id: string): boolean } | null;
}

/** Calls `visit` for every active product by id. Ends early when it answers false. */
export async function streamProducts(
  workspace: WorkspaceStore,
  { surroundings, moment, wanted }: StreamRequest,
  visit: (product: StreamedProduct) => boolean | void,
): Promise<void> {
  const products = new Range((after) => listDocuments(workspace, after, ROWS), null);
  const offers = new Range((after) => listOfferRows(workspace, after, ROWS), null);
  const states = new Range((after) => listRuleStates(workspace, after, ROWS), null);
  const open = new Range((after) => listOpenRows(workspace, after, ROWS), null);
  const beside = [offers, states, open];
  for (await products.fetchPage(); products.row !== null;) {
    const { id } = products.row;
    for (const range of beside) {
      range.seek(id);
      while (range.needsPage) {
        await range.fetchPage();
        range.seek(id);
      }
    }
    if (wanted === null || wanted.has(id)) {
      const product = pricedProductOf(parseProduct(products.row.bytes));
      const state = states.row?.id === id ? decodeState(states.row.bytes) : NO_STATE;
      const rows = offers.row?.id === id ? decodeOffers(offers.row.bytes) : [];
      const situation: Situation = {
        product,
        offers: pricingOffersOf(rows, surroundings.competitors),
        history: { rules: state, price: null, openProposal: null },
        settings: surroundings.settings,
        ...moment,
      };
      if (visit({ situation, hasOpenProposal: open.row?.id === id }) === false) return;
    }
    products.advance();
    if (products.needsPage) await products.fetchPage();
  }
}
