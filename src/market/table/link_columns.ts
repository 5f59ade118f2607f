/**
 * The links of all products of a market table. In each product, links whose offer is compared with
 * our price come first, beginning with the cheapest offer.
 */
import { idMark } from "../../base/id.ts";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";
import type { RowLink } from "./market_row.ts";
import { type ByteReader, type ByteWriter, longer } from "./packed_bytes.ts";

export const LINK_CONFIRMED = 1;
export const LINK_OTHER_PRODUCT = 2;
export const ANY_SHOP = -1;

const LINKS_EXPECTED = 5;
const GROWTH = 1.25;
export const LINK_BYTES = 17;

export class LinkColumns {
  first: Uint32Array<ArrayBuffer>;
  #rooms: Uint8Array<ArrayBuffer>;
  shops: Uint32Array<ArrayBuffer>;
  #marks: Uint32Array<ArrayBuffer>;
  traits: Uint8Array<ArrayBuffer>;
  /** Price per piece; NaN if the offer is not compared with our price. */
  units: Float64Array<ArrayBuffer>;
  #end = 0;

  constructor(rows: number, expected: number) {
    this.first = new Uint32Array(rows);
    this.#rooms = new Uint8Array(rows);
    this.shops = new Uint32Array(expected * LINKS_EXPECTED);
    this.#marks = new Uint32Array(expected * LINKS_EXPECTED);
    this.traits = new Uint8Array(expected * LINKS_EXPECTED);
    this.units = new Float64Array(expected * LINKS_EXPECTED);
  }

  get memoryBytes(): number {
    const { first, shops, traits, units } = this;
    const columns = [first, this.#rooms, shops, this.#marks, traits, units];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  growTo(rows: number): void {
    this.first = longer(this.first, new Uint32Array(rows));
    this.#rooms = longer(this.#rooms, new Uint8Array(rows));
  }

  /**
   * Searches the first `count` links of the row; -1 if none matches. `mark` (see `idMark`)
   * restricts the search to one link.
   */
  find(row: number, count: number, shop: number, mark: number | null = null): number {
    const first = this.first[row] ?? 0;
    for (let at = first; at < first + count; at++) {
      if (this.shops[at] === shop && (mark === null || this.#marks[at] === mark)) return at;
    }
    return -1;
  }

  /** Ignores links that are known to show another product. */
  hasOwn(row: number, count: number, shop: number): boolean {
    const first = this.first[row] ?? 0;
    for (let at = first; at < first + count; at++) {
      if (shop !== ANY_SHOP && this.shops[at] !== shop) continue;
      if (((this.traits[at] ?? 0) & LINK_OTHER_PRODUCT) === 0) return true;
    }
    return false;
  }

  /** True if the shop or the price of a compared offer has changed. */
  put(
    row: number,
    offers: MarketFacts["offers"],
    links: readonly RowLink[],
    shopOf: (competitorId: string) => number,
  ): boolean {
    let isMoved = false;
    if (links.length > (this.#rooms[row] ?? 0)) {
      this.first[row] = this.#placeFor(links.length);
      this.#rooms[row] = links.length;
    }
    let place = this.first[row] ?? 0;
    for (const { offer, unit } of offers) {
      const price = Number(unit.num) / Number(unit.den);
      const isOther = this.#set(place, offer, shopOf(offer.competitorId));
      isMoved ||= isOther || this.units[place] !== price;
      this.units[place++] = price;
    }
    if (links.length === offers.length) return isMoved;
    const counted = new Set(offers.map(({ offer }) => offer.matchId));
    for (const link of links) {
      if (counted.has(link.matchId)) continue;
      this.#set(place, link, shopOf(link.competitorId));
      this.units[place++] = NaN;
    }
    return isMoved;
  }

  /** Returns true if the shop at `place` changes. */
  #set(place: number, { matchId, isConfirmed, isOtherProduct }: RowLink, shop: number): boolean {
    const isOther = this.shops[place] !== shop;
    this.shops[place] = shop;
    this.#marks[place] = idMark(matchId);
    this.traits[place] = (isConfirmed ? LINK_CONFIRMED : 0) |
      (isOtherProduct ? LINK_OTHER_PRODUCT : 0);
    return isOther;
  }

  /** `counts` has the number of links of each row. */
  pack(writer: ByteWriter, from: number, until: number, counts: Uint8Array): void {
    const places: number[] = [];
    for (let row = from; row < until; row++) {
      const first = this.first[row] ?? 0;
      for (let at = first; at < first + (counts[row] ?? 0); at++) places.push(at);
    }
    const gathered = <Column extends Uint8Array | Uint32Array | Float64Array>(
      column: Column,
      into: Column,
    ): Column => {
      for (const [n, place] of places.entries()) into[n] = column[place] ?? 0;
      return into;
    };
    const { length } = places;
    writer.put(gathered<Uint32Array>(this.shops, new Uint32Array(length)));
    writer.put(gathered<Uint32Array>(this.#marks, new Uint32Array(length)));
    writer.put(gathered<Uint8Array>(this.traits, new Uint8Array(length)));
    writer.put(gathered<Float64Array>(this.units, new Float64Array(length)));
  }

  /** Throws if the rows do not have exactly `links` links. */
  unpack(
    reader: ByteReader,
    from: number,
    until: number,
    { counts, links }: { readonly counts: Uint8Array; readonly links: number },
  ): void {
    let place = this.#placeFor(links);
    const end = place + links;
    for (const column of [this.shops, this.#marks, this.traits, this.units]) {
      reader.fill(column.subarray(place, end));
    }
    for (let row = from; row < until; row++) {
      const count = counts[row] ?? 0;
      this.first[row] = place;
      this.#rooms[row] = count;
      place += count;
    }
    if (place !== end) throw new RangeError("More links than rows have, or fewer");
  }

  #placeFor(count: number): number {
    const first = this.#end;
    this.#end += count;
    if (this.#end > this.shops.length) {
      const capacity = Math.ceil(this.#end * GROWTH);
      this.shops = longer(this.shops, new Uint32Array(capacity));
      this.#marks = longer(this.#marks, new Uint32Array(capacity));
      this.traits = longer(this.traits, new Uint8Array(capacity));
      this.units = longer(this.units, new Float64Array(capacity));
    }
    return first;
  }
}
