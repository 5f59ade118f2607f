/** Picks the record that counts for each SKU: the last one of the upload. */

import { joinedBytes } from "../../base/bytes.ts";
import { headOf, type RecordLine, recordOf, withSoldOf } from "../records/record_patch.ts";

/** The record that counts for its SKU: the last one of the upload. */
export type Winner = RecordLine;

const LINE_END = "\n".charCodeAt(0);

/** Where the line of a record stands. */
interface Place {
  readonly sku: string;
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Records of the same SKU that lost against this one. */
  readonly losers: number;
  /** The record joined with those; null if its line already says the same. */
  readonly joined: RecordLine | null;
}

/**
 * The records of a span that count, one per SKU in the order of the upload. They stay the bytes in
 * which they are stored and become text as they are asked for: as text all at once, those of a large
 * shard would have the heap grow by tens of megabytes.
 */
export class Winners {
  /** `replace`: SKUs that stand in the upload, with refused records too; else none. */
  readonly mentioned = new Set<string>();
  readonly #isMentioning: boolean;
  readonly #bySku = new Map<string, Place>();
  #places: readonly Place[] | null = null;
  /** The beginning of a line whose end is in the next bytes. */
  #begun = new Uint8Array();

  constructor(isMentioning: boolean) {
    this.#isMentioning = isMentioning;
  }

  /** The next bytes of the span, which stay as they are from now on. A line may span several. */
  add(bytes: Uint8Array): void {
    const first = bytes.indexOf(LINE_END) + 1;
    if (first === 0) {
      this.#begun = joinedBytes([this.#begun, bytes]);
      return;
    }
    const end = bytes.lastIndexOf(LINE_END) + 1;
    if (this.#begun.length > 0) {
      this.#addLines(joinedBytes([this.#begun, bytes.subarray(0, first)]), 0);
    }
    this.#addLines(bytes.subarray(0, end), this.#begun.length > 0 ? first : 0);
    this.#begun = bytes.slice(end);
  }

  /** All bytes of the span were added. */
  end(): this {
    if (this.#begun.length > 0) throw new Error("A line of records breaks off before its end");
    this.#places = [...this.#bySku.values()].sort((one, other) => one.index - other.index);
    this.#bySku.clear();
    return this;
  }

  get length(): number {
    return this.#ended.length;
  }

  /** Undefined behind the last one. */
  at(position: number): Winner | undefined {
    const place = this.#ended[position];
    return place && winnerAt(place);
  }

  skus(): string[] {
    return this.#ended.map(({ sku }) => sku);
  }

  get #ended(): readonly Place[] {
    if (this.#places === null) throw new Error("Records are asked for before all are there");
    return this.#places;
  }

  #addLines(bytes: Uint8Array, from: number): void {
    for (let start = from; start < bytes.length;) {
      const end = bytes.indexOf(LINE_END, start);
      const { sku, index, isPatch } = headOf(bytes, start);
      if (this.#isMentioning) this.mentioned.add(sku);
      const place = { sku, index, bytes, start, end, losers: 0, joined: null };
      if (isPatch) this.#addPlace(place);
      start = end + 1;
    }
  }

  #addPlace(place: Place): void {
    const before = this.#bySku.get(place.sku);
    if (before === undefined) {
      this.#bySku.set(place.sku, place);
      return;
    }
    const [later, earlier] = place.index > before.index ? [place, before] : [before, place];
    const winner = winnerAt(later);
    const both = withSoldOf(winner, winnerAt(earlier));
    this.#bySku.set(place.sku, {
      ...later,
      losers: before.losers + 1,
      joined: both === winner ? later.joined : both,
    });
  }
}

function winnerAt({ bytes, start, end, losers, joined }: Place): Winner {
  return { ...joined ?? recordOf(bytes.subarray(start, end)), losers };
}
