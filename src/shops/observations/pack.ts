/**
 * Old observations lie in blocks (docs/decisions/keys.md): those of a product as deflated JSON, the
 * index of a competitor as bytes of fixed width. A block holds rows in the order of their
 * positions; ids are derived, so the first four bytes of them, or all, need no room.
 */

import { idBytes, secondsHex } from "../../base/id.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import {
  type Observation,
  type PlacedObservation,
  type Position,
  positionOf,
} from "./observation.ts";
import { fromRow, type ObservationRow, toRow } from "./observation_row.ts";
import type { CompetitorEntry } from "./observation_store.ts";
import { deflateRawSync, inflateRawSync } from "node:zlib";

const TIME_BYTES = 8;
const SECONDS_BYTES = 4;
const HASH_BYTES = 8;
/** Of a competitor's entry. */
const ENTRY_BYTES = TIME_BYTES + HASH_BYTES + 12;

/** How the rows of one kind of owner are packed. */
export interface Pack<T extends Position> {
  readonly table: "op" | "oq";
  /** Of a new block: mostly it stays on its page of the file, and always it fits into one value. */
  readonly rowsMax: number;
  encode(rows: readonly T[]): Uint8Array<ArrayBuffer>;
  /** The rows between two times, both inclusive, of a block of `ownerId`. */
  decode(bytes: Uint8Array, ownerId: string, fromMs: number, toMs: number): T[];
}

/** `op`: the observations of a product. */
export const PRODUCT_PACK: Pack<PlacedObservation> = {
  table: "op",
  rowsMax: 200,
  encode: encodeObservations,
  decode: decodeObservations,
};

/** `oq`: which products the observations of a competitor belong to. */
export const COMPETITOR_PACK: Pack<CompetitorEntry> = {
  table: "oq",
  rowsMax: Math.floor(PAGE_VALUE_BYTES / ENTRY_BYTES),
  encode: encodeEntries,
  decode: decodeEntries,
};

/** Times as differences, which deflate well. */
type PackedRow = readonly [sinceLastMs: number, ...ObservationRow];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function encodeObservations(rows: readonly PlacedObservation[]): Uint8Array<ArrayBuffer> {
  let lastMs = 0;
  const packed = rows.map(({ atMs, observation }): PackedRow => {
    const sinceLastMs = atMs - lastMs;
    lastMs = atMs;
    return [sinceLastMs, ...toRow(observation)];
  });
  return new Uint8Array(deflateRawSync(encoder.encode(JSON.stringify(packed))));
}

function decodeObservations(
  bytes: Uint8Array,
  productId: string,
  fromMs: number,
  toMs: number,
): PlacedObservation[] {
  const packed: PackedRow[] = JSON.parse(decoder.decode(inflateRawSync(bytes)));
  const found: PlacedObservation[] = [];
  let observedAtMs = 0;
  for (const [sinceLastMs, ...row] of packed) {
    observedAtMs += sinceLastMs;
    if (observedAtMs < fromMs) continue;
    if (observedAtMs > toMs) break;
    found.push(placed(fromRow(row, { productId, observedAtMs })));
  }
  return found;
}

function placed(observation: Observation): PlacedObservation {
  return { ...positionOf(observation), observation };
}

function encodeEntries(entries: readonly CompetitorEntry[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(entries.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [position, { atMs, id, productId }] of entries.entries()) {
    const at = position * ENTRY_BYTES;
    view.setFloat64(at, atMs);
    bytes.set(idBytes(id).subarray(SECONDS_BYTES), at + TIME_BYTES);
    bytes.set(idBytes(productId), at + TIME_BYTES + HASH_BYTES);
  }
  return bytes;
}

function decodeEntries(
  bytes: Uint8Array,
  _competitorId: string,
  fromMs: number,
  toMs: number,
): CompetitorEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: CompetitorEntry[] = [];
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const atMs = view.getFloat64(at);
    if (atMs < fromMs) continue;
    if (atMs > toMs) break;
    const hash = bytes.subarray(at + TIME_BYTES, at + TIME_BYTES + HASH_BYTES).toHex();
    const productId = bytes.subarray(at + TIME_BYTES + HASH_BYTES, at + ENTRY_BYTES).toHex();
    entries.push({ atMs, id: secondsHex(atMs) + hash, productId });
  }
  return entries;
}
