/**
 * Search texts of shards, packed for processes that start. A text is derived from the cards: one of another
 * version (`version_counter_store.ts`), or of which a part is missing, is ignored.
 */

import { joinedBytes } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import type { ShardText } from "./search_text.ts";

/** With what else a row says. */
const PART_BYTES = PAGE_VALUE_BYTES - 100;
/** Raised when the bytes, or what a search looks through, change: older ones are nothing then. */
const FORMAT = 2;

interface SearchPart {
  readonly shard: number;
  readonly n: number;
  readonly format: number;
  readonly version: string | null;
  readonly parts: number;
  readonly bytes: Uint8Array;
}

export const searchParts = defineTable<SearchPart, "shard" | "n">({
  prefix: "pq",
  about:
    "[format, version, parts, bytes]: part n of a shard's search text as bytes, at most 3,900 each",
  key: { shard: "number", n: "number" },
  keyOnly: ["shard", "n"],
  codec: {
    encode: ({ format, version, parts, bytes }) => [format, version, parts, bytes],
    decode(value) {
      const [format, version, parts, bytes] = Array.isArray(value) ? value : [];
      return { format, version, parts, bytes };
    },
  },
});

/** The text of a shard in a version, in the pieces that a row takes. */
interface SearchPack {
  readonly shard: number;
  readonly version: string | null;
  readonly parts: readonly Uint8Array[];
}

export function searchPackOf(
  shard: number,
  version: string | null,
  bytes: Uint8Array,
): SearchPack {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    // Copied: a row takes the whole buffer of a part that shares it.
    parts.push(bytes.slice(at, at + PART_BYTES));
  }
  return { shard, version, parts };
}

/** The bytes of a shard's text in that version; null when they are not there, or not all. */
export async function findSearchPack(
  workspace: WorkspaceStore,
  shard: number,
  version: string | null,
): Promise<Uint8Array | null> {
  const found: Uint8Array[] = [];
  let wanted = 1;
  for await (const { row } of searchParts.walk(workspace, { within: { shard } })) {
    if (found.length === wanted) break;
    const isNext = row.n === found.length;
    if (!isNext || row.format !== FORMAT || row.version !== version) return null;
    wanted = row.parts;
    found.push(row.bytes);
  }
  return found.length === wanted ? joinedBytes(found) : null;
}

/** Whether the last part of that version is there, which is written last. */
export async function hasSearchPack(
  workspace: WorkspaceStore,
  { shard, version, parts }: SearchPack,
): Promise<boolean> {
  const found = await searchParts.find(workspace, { shard, n: parts.length - 1 });
  return found?.row.format === FORMAT && found.row.version === version;
}

/** Part `n` of a text. Checks nothing. */
export function savePart(write: Write, workspaceId: string, pack: SearchPack, n: number): void {
  const { shard, version, parts } = pack;
  const bytes = parts[n] ?? new Uint8Array();
  const row = { shard, n, format: FORMAT, version, parts: parts.length, bytes };
  searchParts.put(write, { workspaceId }, row);
}

/** Removes remaining parts of a longer earlier text. */
export async function removePartsBehind(
  write: Write,
  workspace: WorkspaceStore,
  { shard, parts }: SearchPack,
): Promise<void> {
  const behind = { within: { shard }, after: { n: parts.length - 1 } };
  for await (const { row } of searchParts.walk(workspace, behind)) {
    searchParts.drop(write, workspace, row);
  }
}

const ID_BYTES = 12;
const NUMBER_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Null for a text that UTF-8 cannot hold: half of a pair of surrogates. The same text gives the same bytes. */
export function packText({ text, starts, ids }: ShardText): Uint8Array<ArrayBuffer> | null {
  if (!text.isWellFormed()) return null;
  const words = encoder.encode(text);
  const head = headBytes(ids.length);
  const bytes = new Uint8Array(head + words.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, ids.length);
  for (const [at, start] of starts.entries()) view.setUint32(NUMBER_BYTES * (at + 1), start);
  bytes.set(Uint8Array.fromHex(ids.join("")), head - ID_BYTES * ids.length);
  bytes.set(words, head);
  return bytes;
}

/** The inverse of `packText`. */
export function unpackText(bytes: Uint8Array): ShardText {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0);
  const head = headBytes(count);
  const hex = bytes.subarray(head - ID_BYTES * count, head).toHex();
  const starts: number[] = [];
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    starts.push(view.getUint32(NUMBER_BYTES * (at + 1)));
    ids.push(hex.slice(2 * ID_BYTES * at, 2 * ID_BYTES * (at + 1)));
  }
  return { text: decoder.decode(bytes.subarray(head)), starts, ids };
}

/** Their number, where each begins, and the ids. */
function headBytes(count: number): number {
  return NUMBER_BYTES * (count + 1) + ID_BYTES * count;
}
