/**
 * Stores our market position for each product of a workspace in columns of numbers. A product with
 * five offers takes about 260 bytes.
 */
import { fromKeys } from "../../base/collections.ts";
import { fold } from "../../base/text.ts";
import type { ProductMarket } from "../../catalogue/prices/product_market.ts";
import {
  MARKET_POSITIONS,
  MARKET_STATES,
  type MarketFacts,
  type MarketPosition,
  type MarketState,
} from "../../engine/pricing/market_facts.ts";
import type { PricedProduct } from "../../engine/pricing/situation.ts";
import {
  BYTES,
  type FloatColumn,
  FLOATS,
  IdIndex,
  LinkColumns,
  type ListColumn,
  LISTS,
  NumberColumns,
  type RowLink,
  setAll,
  WordList,
} from "./columns.ts";

const FACT_LISTS = ["competitor", "rule", "currency"] as const satisfies readonly ListColumn[];

export class MarketTable {
  readonly ids: IdIndex;
  /** Callers must neither change nor keep the arrays, because `put` may replace them. */
  readonly columns: NumberColumns;
  readonly #lists: Record<ListColumn, WordList>;
  readonly #proposals = new Map<number, RowProposal>();
  /** SKUs and titles for sorting; null if rows are never sorted by SKU or title. */
  readonly labels: Labels | null;
  readonly links: LinkColumns;
  size = 0;

  constructor(expected: number, isLabelled = false) {
    this.labels = isLabelled ? new Labels() : null;
    this.ids = new IdIndex(expected);
    this.columns = new NumberColumns(expected);
    this.#lists = fromKeys(LISTS, () => new WordList());
    this.links = new LinkColumns(this.capacity, expected);
  }

  /** Number of rows, including empty rows of deleted products (see `isEmpty`). */
  get rows(): number {
    return this.ids.count;
  }

  get capacity(): number {
    return this.columns.capacity;
  }

  get memoryBytes(): number {
    return this.columns.memoryBytes + this.ids.bytes + this.links.memoryBytes +
      Object.values(this.#lists).reduce((sum, list) => sum + list.bytes, 0) +
      this.#proposals.size * 200 + (this.labels?.memoryBytes(this.rows) ?? 0);
  }

  isEmpty(row: number): boolean {
    return this.columns.bytes.state[row] === 0;
  }

  rowOf(id: string): number | undefined {
    const row = this.ids.find(id);
    return row === undefined || this.isEmpty(row) ? undefined : row;
  }

  idOf(row: number): string {
    return this.ids.idOf(row);
  }

  list(column: ListColumn): WordList {
    return this.#lists[column];
  }

  number(column: FloatColumn, row: number): number | null {
    const value = this.columns.floats[column][row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  }

  text(column: ListColumn, row: number): string | null {
    return this.#lists[column].textOf(this.columns.words[column][row] ?? 0);
  }

  proposalOf(row: number): RowProposal | null {
    return this.#proposals.get(row) ?? null;
  }

  stateOf(row: number): MarketState {
    return MARKET_STATES[(this.columns.bytes.state[row] ?? 0) - 1] ?? "no_links";
  }

  positionOf(row: number): MarketPosition | null {
    const rank = this.columns.bytes.rank[row] ?? 0;
    if (rank === 0) return null;
    const [cheapest, middle, dearest] = MARKET_POSITIONS;
    if (rank === 1) return cheapest;
    return rank === (this.columns.bytes.offers[row] ?? 0) + 1 ? dearest : middle;
  }

  /**
   * Tests a trait of the product's cheapest offer. `lacksShipping`: the price should include
   * shipping, but the shipping cost is unknown.
   */
  hasTrait(row: number, trait: "inStock" | "equivalent" | "lacksShipping"): boolean {
    return ((this.columns.bytes.traits[row] ?? 0) & TRAIT[trait]) !== 0;
  }

  /**
   * Compares the row's exact percentage with `pct`, which has at most 2 decimals. Returns -1 for a
   * lower, 0 for an equal, 1 for a higher and NaN for a missing percentage.
   */
  compare(column: "gapPct" | "roomPct", row: number, pct: number): number {
    const rounded = this.columns.floats[column][row] ?? NaN;
    if (rounded !== pct) return Math.sign(rounded - pct);
    const shift = column === "gapPct" ? TRAIT.gapRest : TRAIT.roomRest;
    return (((this.columns.bytes.traits[row] ?? 0) >> shift) & TRAIT.restMask) - 1;
  }

  /** `mark` is a hash of a link's id (`idMark`); null means any link of the competitor. */
  hasLink(row: number, competitorId: string, mark: number | null): boolean {
    const shop = this.#lists.competitor.find(competitorId);
    return shop !== 0 && this.links.find(row, this.columns.bytes.links[row] ?? 0, shop, mark) >= 0;
  }

  put(row: MarketRow, nowMs: number): boolean {
    const { product, title, facts } = row;
    const at = this.ids.add(product.id);
    this.#grow();
    const wasEmpty = this.isEmpty(at);
    if (wasEmpty) this.size++;
    const { own, cheapest } = facts;
    this.labels?.set(at, { sku: product.sku, title });
    const isMoved = [
      setAll(FLOATS, this.columns.floats, at, {
        ourCents: product.ourPriceCents || null,
        comparedCents: facts.comparedCents,
        cheapestCents: cheapest?.cents,
        cheapestAtMs: cheapest?.observedAtMs,
        gapCents: own?.gapCents,
        gapPct: own?.gapPct?.pct,
        roomPct: own?.roomPct?.pct,
        medianCents: facts.medianCents,
        averageCents: facts.averageCents,
        indexPct: own?.indexPct,
        newestAtMs: facts.newestAtMs,
        marginPct: facts.marginPct,
        changesAtMs: facts.changesAtMs,
      }),
      setAll(BYTES, this.columns.bytes, at, {
        state: MARKET_STATES.indexOf(facts.state) + 1,
        links: facts.links,
        offers: facts.offers.length,
        cheapestCount: cheapest?.count ?? 0,
        rank: own?.rank ?? 0,
        traits: traitsOf(facts),
      }),
      this.#setWords(at, row),
      this.links.put(at, facts.offers, row.links, (id) => this.#shop(id)),
      this.#setProposal(at, row.proposal),
    ].includes(true);
    if (isMoved || wasEmpty) this.columns.floats.changedAtMs[at] = nowMs;
    return isMoved || wasEmpty;
  }

  remove(id: string, nowMs: number): boolean {
    const row = this.rowOf(id);
    if (row === undefined) return false;
    this.columns.clear(row);
    this.columns.floats.changedAtMs[row] = nowMs;
    this.#proposals.delete(row);
    this.size--;
    return true;
  }

  /**
   * Returns at most `most` + 1 ids of products with an offer that has become too old; the extra id
   * shows that there are more. `nextMs` is the next time at which an offer becomes too old.
   */
  dueAt(nowMs: number, most: number): { readonly ids: readonly string[]; readonly nextMs: number } {
    const ids: string[] = [];
    let nextMs = Infinity;
    const { changesAtMs } = this.columns.floats;
    for (let row = 0; row < this.rows; row++) {
      const atMs = changesAtMs[row] ?? NaN;
      if (atMs <= nowMs) {
        if (ids.length <= most) ids.push(this.idOf(row));
      } else if (atMs < nextMs) nextMs = atMs;
    }
    return { ids, nextMs };
  }

  goneSince(sinceMs: number): string[] {
    const ids: string[] = [];
    const { changedAtMs } = this.columns.floats;
    for (let row = 0; row < this.rows; row++) {
      if (this.isEmpty(row) && (changedAtMs[row] ?? NaN) > sinceMs) ids.push(this.idOf(row));
    }
    return ids;
  }

  #setWords(at: number, { product, ruleId, facts: { cheapest } }: MarketRow): boolean {
    const { folded, tier, currency } = product;
    const words: Record<ListColumn, number> = {
      competitor: cheapest ? this.#shop(cheapest.competitorId) : 0,
      rule: this.#word("rule", ruleId, ruleId),
      brand: this.#word("brand", folded.brand, product.brand),
      category: this.#word("category", folded.category, product.category),
      tier: this.#word("tier", tier, tier),
      currency: this.#word("currency", currency, currency),
    };
    let isMoved = false;
    for (const column of LISTS) {
      const array = this.columns.words[column];
      isMoved ||= FACT_LISTS.some((name) => name === column) && array[at] !== words[column];
      array[at] = words[column];
    }
    return isMoved;
  }

  #setProposal(row: number, proposal: RowProposal | null): boolean {
    const before = this.proposalOf(row);
    if (proposal === null) this.#proposals.delete(row);
    else this.#proposals.set(row, proposal);
    return JSON.stringify(before) !== JSON.stringify(proposal);
  }

  #word(column: ListColumn, key: string | null, text: string | null): number {
    return key === null ? 0 : this.#lists[column].codeOf(key, text ?? key);
  }

  #shop(competitorId: string): number {
    return this.#lists.competitor.codeOf(competitorId, competitorId);
  }

  #grow(): void {
    if (this.rows <= this.capacity) return;
    this.columns.growTo(this.rows);
    this.links.growTo(this.capacity);
  }
}

export interface MarketRow {
  readonly product: Pick<
    PricedProduct,
    "id" | "sku" | "ourPriceCents" | "brand" | "category" | "tier" | "currency" | "folded"
  >;
  readonly title: string;
  readonly facts: MarketFacts;
  readonly links: readonly RowLink[];
  readonly proposal: RowProposal | null;
  /** Id of the first enabled rule that computes prices and includes the product in its scope. */
  readonly ruleId: string | null;
}

/** `changePct` has 2 decimals; it is null if the current price is missing or 0. */
export type RowProposal = NonNullable<ProductMarket["proposal"]>;

/**
 * Bits of the column `traits`. Two bits each at `gapRest` and `roomRest` compare the exact with the
 * rounded percentage: 0 lower, 1 equal, 2 higher.
 */
const TRAIT = {
  gapRest: 0,
  roomRest: 2,
  restMask: 3,
  inStock: 1 << 4,
  equivalent: 1 << 5,
  lacksShipping: 1 << 6,
} as const;

function traitsOf({ own, cheapest }: MarketFacts): number {
  const rest = (value: number | undefined, shift: number) => (Math.sign(value ?? 0) + 1) << shift;
  return rest(own?.gapPct?.rest, TRAIT.gapRest) | rest(own?.roomPct?.rest, TRAIT.roomRest) |
    (cheapest?.inStock ? TRAIT.inStock : 0) |
    (cheapest?.matchType === "equivalent" ? TRAIT.equivalent : 0) |
    (cheapest?.lacksShipping ? TRAIT.lacksShipping : 0);
}

const LABEL_CHARACTERS_MAX = 64;

class Labels {
  readonly #texts: Record<"sku" | "title", string[]> = { sku: [], title: [] };
  #characters = 0;

  memoryBytes(rows: number): number {
    return this.#characters + 2 * 24 * rows;
  }

  get(name: "sku" | "title", row: number): string | null {
    return this.#texts[name][row] ?? null;
  }

  set(row: number, labels: Readonly<Record<"sku" | "title", string>>): void {
    for (const name of ["sku", "title"] as const) {
      const label = fold(labels[name]).slice(0, LABEL_CHARACTERS_MAX);
      this.#characters += label.length - (this.#texts[name][row]?.length ?? 0);
      this.#texts[name][row] = label;
    }
  }
}
