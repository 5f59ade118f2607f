/**
 * Search texts of large catalogues in the store.
 *
 * The text of a shard is stored in parts, each with the shard's search version. A part is written
 * only while this version is the current one. A reader uses a text only if all its parts have the
 * current version.
 */
import { decoder, encoder, joinedBytes } from "../../base/bytes.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import { searchVersions } from "../products/product_mark_store.ts";
import { type ShardText, splitShardText } from "./search_text.ts";

export const searchTextParts = defineTable<
  { readonly shard: number; readonly n: number; readonly bytes: Uint8Array },
  "shard" | "n"
>({
  prefix: "pst",
  about:
    "part n of the search text of a shard, at most 4,000 bytes: the search version, then ids and text",
  key: { shard: "number", n: "number" },
  value: "bytes",
});

const VERSION_LENGTH = 10;
/** Bytes for the number of ids and the length of the text. */
const HEAD_LENGTH = 8;
const ID_LENGTH = 12;
/** Keeps a commit below 750,000 bytes. */
const PARTS_PER_COMMIT = 150;

export async function hasShardCopies(workspace: WorkspaceStore): Promise<boolean> {
  return (await searchTextParts.list(workspace, { limit: 1 })).length > 0;
}

/** Null if the store lacks the copy or a part of it. */
export async function readShardCopy(
  workspace: WorkspaceStore,
  shard: number,
  version: string,
): Promise<ShardText | null> {
  const parts: Uint8Array[] = [];
  for await (const { row } of searchTextParts.walk(workspace, { within: { shard } })) {
    const isNext = row.n === parts.length &&
      row.bytes.subarray(0, VERSION_LENGTH).toHex() === version;
    if (!isNext) break;
    parts.push(row.bytes.subarray(VERSION_LENGTH));
  }
  return unpacked(joinedBytes(parts));
}

/** Returns false if the search version has changed. */
export async function writeShardCopy(
  workspace: WorkspaceStore,
  shard: number,
  version: string,
  text: ShardText,
): Promise<boolean> {
  const bytes = packed(text);
  const size = PAGE_VALUE_BYTES - VERSION_LENGTH;
  const count = Math.ceil(bytes.length / size);
  const stamp = Uint8Array.fromHex(version);
  for (let first = 0; first < count; first += PARTS_PER_COMMIT) {
    const isWritten = await transact(workspace, async (write) => {
      const versions = await searchVersions.find(workspace, [shard]);
      if (versions.get(shard) !== version) return false;
      searchVersions.check(write, workspace.workspaceId, versions);
      for (let n = first; n < Math.min(count, first + PARTS_PER_COMMIT); n++) {
        const part = joinedBytes([stamp, bytes.subarray(n * size, (n + 1) * size)]);
        searchTextParts.put(write, workspace, { shard, n, bytes: part });
      }
      return true;
    });
    if (!isWritten) return false;
  }
  // The previous copy may have had more parts.
  const others = searchTextParts.walk(workspace, { within: { shard }, after: { n: count - 1 } });
  await removeInBatches(workspace.store, others, PARTS_PER_COMMIT, (write, { row }) => {
    searchTextParts.drop(write, workspace, row);
  });
  return true;
}

function packed({ text, ids }: ShardText): Uint8Array {
  const bytes = encoder.encode(text);
  const head = new DataView(new ArrayBuffer(HEAD_LENGTH));
  head.setUint32(0, ids.length);
  head.setUint32(4, bytes.length);
  return joinedBytes([new Uint8Array(head.buffer), ...ids.map(idBytes), bytes]);
}

function unpacked(bytes: Uint8Array): ShardText | null {
  if (bytes.length < HEAD_LENGTH) return null;
  const head = new DataView(bytes.buffer, bytes.byteOffset);
  const textAt = HEAD_LENGTH + head.getUint32(0) * ID_LENGTH;
  if (bytes.length !== textAt + head.getUint32(4)) return null;
  const digits = bytes.subarray(HEAD_LENGTH, textAt).toHex();
  const ids: string[] = [];
  for (let at = 0; at < digits.length; at += 2 * ID_LENGTH) {
    ids.push(digits.slice(at, at + 2 * ID_LENGTH));
  }
  return splitShardText(decoder.decode(bytes.subarray(textAt)), ids);
}
