/**
 * The market of a whole workspace as columns of numbers, some 240 bytes a product: what pages, sums and
 * checkpoints are made of. It knows no clock and reads nothing.
 */

import { recordOf } from "../../base/collections.ts";
import { idBytes, idMark, idText } from "../../base/id.ts";
import { fold } from "../../base/text.ts";
import {
  MARKET_POSITIONS,
  MARKET_STATES,
  type MarketFacts,
  type MarketPosition,
  type MarketState,
} from "../../engine/pricing/market_facts.ts";
import type { FoldedTexts } from "../../engine/pricing/situation.ts";
import { IdIndex } from "./id_index.ts";
import { ByteReader, ByteWriter } from "./packed_bytes.ts";
import { WordList } from "./word_list.ts";

/** The open proposal of a product. */
export interface RowProposal {
  readonly id: string;
  readonly proposedCents: number;
  /** From our price of today, with 2 decimals; null where we have none, or ask nothing. */
  readonly changePct: number | null;
}

/** The facts of one product. */
export interface MarketRow {
  readonly id: string;
  readonly ourCents: number | null;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  readonly folded: FoldedTexts;
  readonly facts: MarketFacts;
  /** The enabled ones of enabled competitors, whether their offers count or not. */
  readonly links: readonly RowLink[];
  readonly proposal: RowProposal | null;
  /** The first enabled one that makes a price and whose scope has the product. */
  readonly ruleId: string | null;
  readonly labels: RowLabels;
  /** When the product itself was changed last. */
  readonly updatedAtMs: number;
}

/** A page of a shop that is compared with the product. */
export interface RowLink {
  readonly matchId: string;
  readonly competitorId: string;
  /** The page shows the very product, or a person has confirmed the link. */
  readonly isConfirmed?: boolean;
  /** The page shows another product. */
  readonly isOtherProduct?: boolean;
}

/** Texts that lists of products sort by. */
export interface RowLabels {
  readonly sku: string;
  readonly title: string;
}

/** Numbers that may be missing: NaN then. Times are milliseconds, percentages have 2 decimals. */
const FLOATS = [
  "ourCents",
  "cheapestCents",
  "gapCents",
  "gapPct",
  "roomPct",
  "medianCents",
  "averageCents",
  "indexPct",
  "newestAtMs",
  "marginPct",
  "changesAtMs",
  "changedAtMs",
  "updatedAtMs",
] as const;
export type FloatColumn = (typeof FLOATS)[number];
/** Columns that are no facts: a change of only these is no move of the product. */
const BESIDE_FACTS: readonly FloatColumn[] = ["changedAtMs", "updatedAtMs"];

/** `state` is 0 in an empty row; `rank` is 0 where there is none; `linksRoom` is what `firstLink` has behind it. */
const BYTES = [
  "state",
  "links",
  "offers",
  "cheapestCount",
  "rank",
  "traits",
  "linksRoom",
] as const;
export type ByteColumn = (typeof BYTES)[number];

/** Words of the lists below; `firstLink` is a place among the links: those whose offers count come first. */
const WORDS = [
  "competitor",
  "rule",
  "brand",
  "category",
  "tier",
  "currency",
  "firstLink",
] as const;
type WordColumn = (typeof WORDS)[number];

export const LISTS = ["competitor", "rule", "brand", "category", "tier", "currency"] as const;
/** Lists that belong to the facts: a change of the brand is no move. */
const FACT_LISTS = ["competitor", "rule", "currency"] as const satisfies readonly ListColumn[];
/** Columns that hold words of a list. */
export type ListColumn = (typeof LISTS)[number];

/** Bits of `traits`. */
const GAP_REST = 0;
const ROOM_REST = 2;
const IN_STOCK = 1 << 4;
const EQUIVALENT = 1 << 5;
const REST_MASK = 3;

/** Bits of a link, in addition to its shop. */
export const LINK_CONFIRMED = 1;
export const LINK_OTHER_PRODUCT = 2;
/** No shop has this word. */
export const ANY_SHOP = -1;

/** Approximate bytes of a proposal outside the columns. */
const PROPOSAL_BYTES = 200;
/** Bytes of a label in addition to its characters. */
const LABEL_BYTES = 24;
/** Enough for an order that people call one; beyond it goes by id. */
const LABEL_CHARACTERS = 64;
const GROWTH = 1.25;
const ROWS_MIN = 64;
/** Expected per product; the room for more grows. */
const LINKS_EXPECTED = 5;

/** Word lists of packed rows: a word's value is its index. */
export type PackedLists = Readonly<
  Record<ListColumn, readonly (readonly [key: string, text: string])[]>
>;

/** Counts of rows, links and proposals, which stand before the columns of packed rows. */
const PACKED_COUNTS = 3;
const PACKED_HEAD_BYTES = PACKED_COUNTS * 4;
const PACKED_LINK_BYTES = 17;
/** Place, id, price and change; a price change of NaN is none. */
const PACKED_PROPOSAL_BYTES = 32;
const ID_BYTES = 12;
/** All other columns are derived from these. */
const PACKED_BYTES = BYTES.filter((name) => name !== "linksRoom");
/** The columns of packed rows: other names or another order make another format. */
export const PACKED_COLUMNS = [...FLOATS, ...LISTS, ...PACKED_BYTES, "linkTraits"].join();
const PACKED_ROW_BYTES = ID_BYTES + FLOATS.length * 8 + LISTS.length * 4 + PACKED_BYTES.length;

/** Offers that count, side by side; valid until the next `put`. */
export interface OfferColumns {
  readonly first: Uint32Array;
  readonly shops: Uint32Array;
  /** The price per piece. */
  readonly units: Float64Array;
}

/** Links side by side, those whose offers do not count too; valid until the next `put`. */
export interface LinkColumns {
  readonly first: Uint32Array;
  readonly shops: Uint32Array;
  /** `LINK_CONFIRMED` and `LINK_OTHER_PRODUCT`. */
  readonly traits: Uint8Array;
}

export class MarketTable {
  readonly #index: IdIndex;
  readonly #floats: Record<FloatColumn, Float64Array<ArrayBuffer>>;
  readonly #bytes: Record<ByteColumn, Uint8Array<ArrayBuffer>>;
  readonly #words: Record<WordColumn, Uint32Array<ArrayBuffer>>;
  readonly #lists: Record<ListColumn, WordList>;
  readonly #proposals = new Map<number, RowProposal>();
  #labels: { readonly sku: string[]; readonly title: string[]; characters: number } | null = null;
  #linkShops: Uint32Array<ArrayBuffer>;
  #linkMarks: Uint32Array<ArrayBuffer>;
  #linkTraits: Uint8Array<ArrayBuffer>;
  /** NaN of an offer that does not count. */
  #linkUnits: Float64Array<ArrayBuffer>;
  #linksEnd = 0;
  #room: number;
  #size = 0;

  /** `expected` products find room without growing. */
  constructor(expected: number) {
    this.#index = new IdIndex(expected);
    this.#room = Math.max(ROWS_MIN, expected);
    this.#floats = recordOf(FLOATS, () => new Float64Array(this.#room).fill(NaN));
    this.#bytes = recordOf(BYTES, () => new Uint8Array(this.#room));
    this.#words = recordOf(WORDS, () => new Uint32Array(this.#room));
    this.#lists = recordOf(LISTS, () => new WordList());
    this.#linkShops = new Uint32Array(expected * LINKS_EXPECTED);
    this.#linkMarks = new Uint32Array(expected * LINKS_EXPECTED);
    this.#linkTraits = new Uint8Array(expected * LINKS_EXPECTED);
    this.#linkUnits = new Float64Array(expected * LINKS_EXPECTED);
  }

  /** Products in the table. */
  get size(): number {
    return this.#size;
  }

  /** Rows, those of products that are gone included: who walks them asks `isEmpty`. */
  get rows(): number {
    return this.#index.count;
  }

  /** Other than before: the columns that were handed out are no longer those of the table. */
  get room(): number {
    return this.#room;
  }

  /** About what the table takes in memory. */
  get memoryBytes(): number {
    const arrays = [
      ...Object.values(this.#floats),
      ...Object.values(this.#bytes),
      ...Object.values(this.#words),
      this.#linkShops,
      this.#linkMarks,
      this.#linkTraits,
      this.#linkUnits,
    ];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0) + this.#index.bytes +
      Object.values(this.#lists).reduce((sum, list) => sum + list.bytes, 0) +
      this.#proposals.size * PROPOSAL_BYTES + this.#labelBytes;
  }

  get #labelBytes(): number {
    if (this.#labels === null) return 0;
    return this.#labels.characters + 2 * LABEL_BYTES * this.rows;
  }

  /** True when `label` can be used. */
  get hasLabels(): boolean {
    return this.#labels !== null;
  }

  /** From now on every `put` keeps labels. */
  keepLabels(): void {
    this.#labels ??= { sku: [], title: [], characters: 0 };
  }

  /** The label of a product that was put before labels were kept; one that is known stays. */
  addLabels(id: string, labels: RowLabels): void {
    const row = this.rowOf(id);
    if (row !== undefined && this.#labels?.sku[row] === undefined) this.#setLabels(row, labels);
  }

  /** Folded and cut, for comparison alone; null where none is known. */
  label(name: keyof RowLabels, row: number): string | null {
    return this.#labels?.[name][row] ?? null;
  }

  #setLabels(row: number, labels: RowLabels): void {
    if (this.#labels === null) return;
    for (const name of ["sku", "title"] as const) {
      const label = fold(labels[name]).slice(0, LABEL_CHARACTERS);
      this.#labels.characters += label.length - (this.#labels[name][row]?.length ?? 0);
      this.#labels[name][row] = label;
    }
  }

  isEmpty(row: number): boolean {
    return this.#bytes.state[row] === 0;
  }

  /** The row of an active product; undefined for every other id. */
  rowOf(id: string): number | undefined {
    const row = this.#index.find(id);
    return row === undefined || this.isEmpty(row) ? undefined : row;
  }

  idOf(row: number): string {
    return this.#index.idOf(row);
  }

  /** Writes the 12 bytes of the id of a row to a place. */
  copyId(row: number, to: Uint8Array, place: number): void {
    this.#index.copyId(row, to, place);
  }

  compareIds(a: number, b: number): number {
    return this.#index.compare(a, b);
  }

  compareId(row: number, idBytes: Uint8Array): number {
    return this.#index.compareWith(row, idBytes);
  }

  /** A column to read from, valid until the next `put`. */
  floats(column: FloatColumn): Float64Array {
    return this.#floats[column];
  }

  /** As `floats`. */
  bytes(column: ByteColumn): Uint8Array {
    return this.#bytes[column];
  }

  /** As `floats`: the words of a list. */
  words(column: ListColumn): Uint32Array {
    return this.#words[column];
  }

  list(column: ListColumn): WordList {
    return this.#lists[column];
  }

  /** Null for what is missing. */
  number(column: FloatColumn, row: number): number | null {
    const value = this.#floats[column][row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  }

  text(column: ListColumn, row: number): string | null {
    return this.#lists[column].textOf(this.#words[column][row] ?? 0);
  }

  proposalOf(row: number): RowProposal | null {
    return this.#proposals.get(row) ?? null;
  }

  stateOf(row: number): MarketState {
    return MARKET_STATES[(this.#bytes.state[row] ?? 0) - 1] ?? "no_links";
  }

  /** Null without a rank. */
  positionOf(row: number): MarketPosition | null {
    const rank = this.#bytes.rank[row] ?? 0;
    if (rank === 0) return null;
    const [cheapest, middle, dearest] = MARKET_POSITIONS;
    if (rank === 1) return cheapest;
    return rank === (this.#bytes.offers[row] ?? 0) + 1 ? dearest : middle;
  }

  isInStock(row: number): boolean {
    return ((this.#bytes.traits[row] ?? 0) & IN_STOCK) !== 0;
  }

  isEquivalent(row: number): boolean {
    return ((this.#bytes.traits[row] ?? 0) & EQUIVALENT) !== 0;
  }

  /** True when the gap, or the room, is greater than a percentage of at most 2 decimals, exactly. */
  isAbove(column: "gapPct" | "roomPct", row: number, pct: number): boolean {
    const shown = this.#floats[column][row] ?? NaN;
    if (shown !== pct) return shown > pct;
    const shift = column === "gapPct" ? GAP_REST : ROOM_REST;
    return (((this.#bytes.traits[row] ?? 0) >> shift) & REST_MASK) - 1 > 0;
  }

  /** The shops whose offers count, as words, and what they ask for one piece. */
  *offersOf(row: number): Generator<{ readonly shop: number; readonly unit: number }> {
    const first = this.#words.firstLink[row] ?? 0;
    for (let at = first; at < first + (this.#bytes.offers[row] ?? 0); at++) {
      yield { shop: this.#linkShops[at] ?? 0, unit: this.#linkUnits[at] ?? NaN };
    }
  }

  /** As `offersOf`, of all rows: those of a row begin at `first`, and are as many as the column says. */
  offerColumns(): OfferColumns {
    return { first: this.#words.firstLink, shops: this.#linkShops, units: this.#linkUnits };
  }

  /** As `offerColumns`, of links: those of a row are as many as the column `links` says. */
  linkColumns(): LinkColumns {
    return { first: this.#words.firstLink, shops: this.#linkShops, traits: this.#linkTraits };
  }

  /** True when an offer of the shop counts. */
  hasOfferOf(row: number, shop: number): boolean {
    const first = this.#words.firstLink[row] ?? 0;
    for (let at = first; at < first + (this.#bytes.offers[row] ?? 0); at++) {
      if (this.#linkShops[at] === shop) return true;
    }
    return false;
  }

  /** True when an offer of the shop counts and is below our price; its cheapest one comes first. */
  isUndercutBy(row: number, shop: number): boolean {
    const first = this.#words.firstLink[row] ?? 0;
    const ourCents = this.#floats.ourCents[row] ?? NaN;
    for (let at = first; at < first + (this.#bytes.offers[row] ?? 0); at++) {
      if (this.#linkShops[at] === shop) return (this.#linkUnits[at] ?? NaN) < ourCents;
    }
    return false;
  }

  /** True for an enabled link of an enabled shop; without its mark (`idMark`) any of the shop's is one. */
  hasLink(row: number, competitorId: string, mark: number | null): boolean {
    const shop = this.#lists.competitor.find(competitorId);
    if (shop === 0) return false;
    const first = this.#words.firstLink[row] ?? 0;
    for (let at = first; at < first + (this.#bytes.links[row] ?? 0); at++) {
      if (this.#linkShops[at] !== shop) continue;
      if (mark === null || this.#linkMarks[at] === mark) return true;
    }
    return false;
  }

  /** True where a page of the shop is linked that is not known to show another product. */
  isLinkedTo(row: number, shop: number): boolean {
    const first = this.#words.firstLink[row] ?? 0;
    for (let at = first; at < first + (this.#bytes.links[row] ?? 0); at++) {
      if (shop !== ANY_SHOP && this.#linkShops[at] !== shop) continue;
      if (((this.#linkTraits[at] ?? 0) & LINK_OTHER_PRODUCT) === 0) return true;
    }
    return false;
  }

  /** Writes what is known of a product; true when anything is different from before. */
  put(row: MarketRow, nowMs: number): boolean {
    const at = this.#index.add(row.id);
    if (at >= this.#room) this.#grow(at + 1);
    const wasEmpty = this.isEmpty(at);
    if (wasEmpty) this.#size++;
    const { facts } = row;
    const { own, cheapest } = facts;
    this.#setLabels(at, row.labels);
    const isMoved = [
      this.#setFloats(at, {
        ourCents: row.ourCents,
        cheapestCents: cheapest?.cents,
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
      this.#setBytes(at, {
        state: MARKET_STATES.indexOf(facts.state) + 1,
        links: facts.links,
        cheapestCount: cheapest?.count ?? 0,
        rank: own?.rank ?? 0,
        traits: traitsOf(facts),
      }),
      this.#setWords(at, row),
      this.#setLinks(at, facts.offers, row.links),
      this.#setProposal(at, row.proposal),
    ].includes(true);
    this.#floats.updatedAtMs[at] = row.updatedAtMs;
    if (isMoved || wasEmpty) this.#floats.changedAtMs[at] = nowMs;
    return isMoved || wasEmpty;
  }

  /** A product that is active no more; true when it was. */
  remove(id: string): boolean {
    const row = this.rowOf(id);
    if (row === undefined) return false;
    for (const column of FLOATS) this.#floats[column][row] = NaN;
    for (const column of BYTES) if (column !== "linksRoom") this.#bytes[column][row] = 0;
    for (const column of LISTS) this.#words[column][row] = 0;
    this.#proposals.delete(row);
    this.#size--;
    return true;
  }

  /**
   * The products whose facts have changed by time alone and were not updated at `nowMs`, slightly
   * more than `most` when there are that many; and the time of the next one.
   */
  dueAt(
    nowMs: number,
    most: number,
  ): { readonly ids: readonly string[]; readonly nextMs: number } {
    const ids: string[] = [];
    let nextMs = Infinity;
    const { changesAtMs } = this.#floats;
    for (let row = 0; row < this.rows; row++) {
      const atMs = changesAtMs[row] ?? NaN;
      if (atMs <= nowMs) {
        if (ids.length <= most) ids.push(this.idOf(row));
      } else if (atMs < nextMs) nextMs = atMs;
    }
    return { ids, nextMs };
  }

  /**
   * Takes over for the rows `from` to `until` when the facts of each last changed, from a table that
   * this one takes the place of.
   */
  keepTimesOf(before: MarketTable, from: number, until: number): void {
    for (let row = from; row < Math.min(until, this.rows); row++) {
      if (this.isEmpty(row)) continue;
      const old = before.rowOf(this.idOf(row));
      if (old !== undefined && this.#isSame(row, before, old)) {
        this.#floats.changedAtMs[row] = before.#floats.changedAtMs[old] ?? NaN;
      }
    }
  }

  /**
   * The rows from one on as bytes, as many as `bytesMax` takes but one at least, and the row behind them.
   * Each row is of one moment. They are read again with `lists` of that moment or later.
   */
  pack(from: number, bytesMax: number): { readonly bytes: Uint8Array; readonly until: number } {
    let [until, links, proposals, size] = [from, 0, 0, PACKED_HEAD_BYTES];
    while (until < this.rows) {
      const count = this.#bytes.links[until] ?? 0;
      const isProposed = this.#proposals.has(until);
      size += PACKED_ROW_BYTES + count * PACKED_LINK_BYTES +
        (isProposed ? PACKED_PROPOSAL_BYTES : 0);
      if (size > bytesMax && until > from) break;
      links += count;
      if (isProposed) proposals++;
      until++;
    }
    const rows = until - from;
    const writer = new ByteWriter(
      PACKED_HEAD_BYTES + rows * PACKED_ROW_BYTES + links * PACKED_LINK_BYTES +
        proposals * PACKED_PROPOSAL_BYTES,
    );
    writer.put(new Uint32Array([rows, links, proposals]));
    writer.put(this.#index.bytesOf(from, until));
    for (const name of FLOATS) writer.put(this.#floats[name].subarray(from, until));
    for (const name of LISTS) writer.put(this.#words[name].subarray(from, until));
    for (const name of PACKED_BYTES) writer.put(this.#bytes[name].subarray(from, until));
    const places = this.#linkPlaces(from, until, links);
    writer.put(gathered(this.#linkShops, places, new Uint32Array(links)));
    writer.put(gathered(this.#linkMarks, places, new Uint32Array(links)));
    writer.put(gathered(this.#linkTraits, places, new Uint8Array(links)));
    writer.put(gathered(this.#linkUnits, places, new Float64Array(links)));
    for (let row = from; row < until; row++) {
      const proposal = this.#proposals.get(row);
      if (proposal === undefined) continue;
      writer.put(new Uint32Array([row - from]));
      writer.put(idBytes(proposal.id));
      writer.put(new Float64Array([proposal.proposedCents, proposal.changePct ?? NaN]));
    }
    return { bytes: writer.bytes, until };
  }

  /** Adds rows that were packed, behind those that are there. Throws when the bytes are not whole. */
  unpack(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    const [rows = 0, links = 0, proposals = 0] = reader.words(PACKED_COUNTS);
    const from = this.rows;
    const until = from + rows;
    this.#index.append(reader.bytes(rows * ID_BYTES));
    if (this.rows > this.#room) this.#grow(this.rows);
    for (const name of FLOATS) reader.fill(this.#floats[name].subarray(from, until));
    for (const name of LISTS) reader.fill(this.#words[name].subarray(from, until));
    for (const name of PACKED_BYTES) reader.fill(this.#bytes[name].subarray(from, until));
    let place = this.#placeFor(links);
    const end = place + links;
    reader.fill(this.#linkShops.subarray(place, end));
    reader.fill(this.#linkMarks.subarray(place, end));
    reader.fill(this.#linkTraits.subarray(place, end));
    reader.fill(this.#linkUnits.subarray(place, end));
    for (let row = from; row < until; row++) {
      const count = this.#bytes.links[row] ?? 0;
      this.#words.firstLink[row] = place;
      this.#bytes.linksRoom[row] = count;
      place += count;
      if (!this.isEmpty(row)) this.#size++;
    }
    if (place !== end) throw new RangeError("More links than rows have, or fewer");
    for (let n = 0; n < proposals; n++) {
      const [at = 0] = reader.words(1);
      const id = idText(reader.bytes(ID_BYTES));
      const [proposedCents = 0, change = NaN] = reader.floats(2);
      const changePct = Number.isNaN(change) ? null : change;
      this.#proposals.set(from + at, { id, proposedCents, changePct });
    }
    if (!reader.isAtEnd) throw new RangeError("More bytes than rows");
  }

  /** All words, for who reads packed rows. */
  lists(): PackedLists {
    return recordOf(
      LISTS,
      (name) => this.#lists[name].entries().map(({ key, text }) => [key, text] as const).toArray(),
    );
  }

  /** For a table whose rows were unpacked, and to which nothing was put. */
  setLists(lists: PackedLists): void {
    for (const name of LISTS) {
      for (const [key, text] of lists[name]) this.#lists[name].codeOf(key, text);
    }
  }

  #setFloats(at: number, values: Partial<Record<FloatColumn, number | null | undefined>>): boolean {
    let isMoved = false;
    for (const column of FLOATS) {
      if (!(column in values)) continue;
      const value = values[column] ?? NaN;
      const array = this.#floats[column];
      if (Object.is(array[at], value)) continue;
      array[at] = value;
      isMoved = true;
    }
    return isMoved;
  }

  #setBytes(at: number, values: Partial<Record<ByteColumn, number>>): boolean {
    let isMoved = false;
    for (const column of BYTES) {
      const value = values[column];
      const array = this.#bytes[column];
      if (value === undefined || array[at] === value) continue;
      array[at] = value;
      isMoved = true;
    }
    return isMoved;
  }

  #setWords(at: number, row: MarketRow): boolean {
    const { folded, facts: { cheapest } } = row;
    const words: Record<ListColumn, number> = {
      competitor: cheapest ? this.#shop(cheapest.competitorId) : 0,
      rule: row.ruleId === null ? 0 : this.#lists.rule.codeOf(row.ruleId, row.ruleId),
      brand: this.#word("brand", folded.brand, row.brand),
      category: this.#word("category", folded.category, row.category),
      tier: this.#word("tier", row.tier, row.tier),
      currency: this.#word("currency", row.currency, row.currency),
    };
    let isMoved = false;
    for (const column of LISTS) {
      const array = this.#words[column];
      isMoved ||= FACT_LISTS.some((name) => name === column) && array[at] !== words[column];
      array[at] = words[column];
    }
    return isMoved;
  }

  #word(column: ListColumn, key: string | null, text: string | null): number {
    return key === null ? 0 : this.#lists[column].codeOf(key, text ?? key);
  }

  #shop(competitorId: string): number {
    return this.#lists.competitor.codeOf(competitorId, competitorId);
  }

  /** True when the offers that count are others than before. */
  #setLinks(at: number, offers: MarketFacts["offers"], links: readonly RowLink[]): boolean {
    let isMoved = this.#bytes.offers[at] !== offers.length;
    if (links.length > (this.#bytes.linksRoom[at] ?? 0)) {
      this.#words.firstLink[at] = this.#placeFor(links.length);
      this.#bytes.linksRoom[at] = links.length;
    }
    this.#bytes.offers[at] = offers.length;
    let place = this.#words.firstLink[at] ?? 0;
    for (const { offer, unit } of offers) {
      const price = Number(unit.num) / Number(unit.den);
      const isOther = this.#setLink(place, offer);
      isMoved ||= isOther || this.#linkUnits[place] !== price;
      this.#linkUnits[place++] = price;
    }
    if (links.length === offers.length) return isMoved;
    const counted = new Set(offers.map(({ offer }) => offer.matchId));
    for (const link of links) {
      if (counted.has(link.matchId)) continue;
      this.#setLink(place, link);
      this.#linkUnits[place++] = NaN;
    }
    return isMoved;
  }

  /** True when another shop was there before. */
  #setLink(place: number, link: RowLink): boolean {
    const { matchId, competitorId, isConfirmed, isOtherProduct } = link;
    const shop = this.#shop(competitorId);
    const isOther = this.#linkShops[place] !== shop;
    this.#linkShops[place] = shop;
    this.#linkMarks[place] = idMark(matchId);
    this.#linkTraits[place] = (isConfirmed ? LINK_CONFIRMED : 0) |
      (isOtherProduct ? LINK_OTHER_PRODUCT : 0);
    return isOther;
  }

  /** Places of the links of these rows. */
  #linkPlaces(from: number, until: number, links: number): Uint32Array<ArrayBuffer> {
    const places = new Uint32Array(links);
    let n = 0;
    for (let row = from; row < until; row++) {
      const first = this.#words.firstLink[row] ?? 0;
      const end = first + (this.#bytes.links[row] ?? 0);
      for (let at = first; at < end; at++) places[n++] = at;
    }
    return places;
  }

  #placeFor(count: number): number {
    const first = this.#linksEnd;
    this.#linksEnd += count;
    if (this.#linksEnd > this.#linkShops.length) {
      const room = Math.ceil(this.#linksEnd * GROWTH);
      this.#linkShops = longer(this.#linkShops, new Uint32Array(room));
      this.#linkMarks = longer(this.#linkMarks, new Uint32Array(room));
      this.#linkTraits = longer(this.#linkTraits, new Uint8Array(room));
      this.#linkUnits = longer(this.#linkUnits, new Float64Array(room));
    }
    return first;
  }

  #setProposal(at: number, proposal: RowProposal | null): boolean {
    const before = this.#proposals.get(at) ?? null;
    if (proposal === null) this.#proposals.delete(at);
    else this.#proposals.set(at, proposal);
    return before?.id !== proposal?.id || before?.proposedCents !== proposal?.proposedCents ||
      before?.changePct !== proposal?.changePct;
  }

  #isSame(row: number, other: MarketTable, old: number): boolean {
    const isFloat = (name: FloatColumn) =>
      BESIDE_FACTS.includes(name) || Object.is(this.#floats[name][row], other.#floats[name][old]);
    const isByte = (name: ByteColumn) =>
      name === "linksRoom" || this.#bytes[name][row] === other.#bytes[name][old];
    return FLOATS.every(isFloat) && BYTES.every(isByte) &&
      FACT_LISTS.every((name) => this.text(name, row) === other.text(name, old)) &&
      JSON.stringify(this.proposalOf(row)) === JSON.stringify(other.proposalOf(old)) &&
      this.#hasSameOffers(row, other, old);
  }

  /** As many, which was compared before. */
  #hasSameOffers(row: number, other: MarketTable, old: number): boolean {
    const theirs = other.offersOf(old);
    const shopIn = (table: MarketTable, shop: number) => table.list("competitor").textOf(shop);
    for (const { shop, unit } of this.offersOf(row)) {
      const { value } = theirs.next();
      if (!value || value.unit !== unit || shopIn(this, shop) !== shopIn(other, value.shop)) {
        return false;
      }
    }
    return true;
  }

  #grow(rows: number): void {
    const room = Math.ceil(rows * GROWTH);
    for (const name of FLOATS) {
      this.#floats[name] = longer(this.#floats[name], new Float64Array(room).fill(NaN));
    }
    for (const name of BYTES) {
      this.#bytes[name] = longer(this.#bytes[name], new Uint8Array(room));
    }
    for (const name of WORDS) {
      this.#words[name] = longer(this.#words[name], new Uint32Array(room));
    }
    this.#room = room;
  }
}

function traitsOf({ own, cheapest }: MarketFacts): number {
  const rest = (value: number | undefined, shift: number) => (Math.sign(value ?? 0) + 1) << shift;
  return rest(own?.gapPct?.rest, GAP_REST) | rest(own?.roomPct?.rest, ROOM_REST) |
    (cheapest?.inStock ? IN_STOCK : 0) | (cheapest?.matchType === "equivalent" ? EQUIVALENT : 0);
}

/** The values at these places, in order. */
function gathered<Column extends Uint8Array | Uint32Array | Float64Array>(
  column: Column,
  places: Uint32Array,
  into: Column,
): Column {
  for (let n = 0; n < places.length; n++) into[n] = column[places[n] ?? 0] ?? 0;
  return into;
}

function longer<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
