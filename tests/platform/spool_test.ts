import { sha256Hex } from "../../src/base/bytes.ts";
import { Failure } from "../../src/base/failure.ts";
import { idBytes } from "../../src/base/id.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { transact } from "../../src/platform/store/kv.ts";
import {
  dropBlob,
  keepBlob,
  spoolBlob,
  type SpoolRoom,
  sweepBlobs,
  UNBOUNDED_ROOM,
} from "../../src/platform/store/spool.ts";
import { checkSpool, CHUNK_BYTES, openBlob } from "../../src/platform/store/spool_store.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testWith } from "../opened.ts";
import { onEveryStore } from "../stores.ts";
import { watchedStore } from "../watched_store.ts";
import { contextOf, createTestClock, workspaceNumber } from "./jobs/counting.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { randomBytes } from "node:crypto";

const spool = (ctx: Context, chunks: AsyncIterable<Uint8Array>, room: Partial<SpoolRoom> = {}) =>
  spoolBlob(ctx, chunks, { ...UNBOUNDED_ROOM, ...room });

async function openSpool() {
  const store = await openMemoryStore();
  const clock = createTestClock();
  const ctx = contextOf(store, clock);
  return { store, clock, ctx, [Symbol.dispose]: () => store.kv.close() };
}

const withSpool = testWith(openSpool);

async function requireBlob(ctx: Context, blobId: string, bytes: Uint8Array): Promise<void> {
  const opened = await openBlob(ctx, blobId);
  assertEquals(sha256Hex(await opened.read(0, opened.size)), sha256Hex(bytes));
}

/** Bytes with different values, so that parts in a wrong order are noticed. */
function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 8) * 17) % 251);
}

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function countRows({ kv }: { kv: Deno.Kv }): Promise<number> {
  const tables = ["b", "bh", "bx"].map((table) => Array.fromAsync(kv.list({ prefix: [table] })));
  return (await Promise.all(tables)).flat().length;
}

withSpool.test("a blob is read back byte for byte, whatever the sizes of its parts", async ({ ctx }) => {
  const commit = 11 * 65_536;
  const small = [[0, 1], [1, 1], [65_535, 1_000], [65_536, 65_536], [65_537, 70_000]] as const;
  const large = [[commit, commit], [commit + 1, 3 * commit], [2 * commit + 5, 100_000]] as const;
  for (const [length, part] of [...small, ...large]) {
    const bytes = bytesOf(length);
    const blob = await spool(ctx, inParts(bytes, part));
    assertEquals([blob.bytes, blob.sha256, blob.state], [length, sha256Hex(bytes), "complete"]);
    await requireBlob(ctx, blob.blobId, bytes);
  }
});

withSpool.test("a blob is readable with packed and unpacked chunks", async ({ store, ctx }) => {
  const bytes = new Uint8Array(3 * CHUNK_BYTES);
  bytes.set(randomBytes(CHUNK_BYTES), CHUNK_BYTES);
  const { blobId } = await spool(ctx, inParts(bytes, 64_000));
  const key = (n: number) => ["b", idBytes(blobId), n];
  const rows = await Promise.all([0, 1, 2].map((n) => store.kv.get(key(n))));
  assertEquals(rows.map(({ value }) => value instanceof Uint8Array), [false, true, false]);
  // Earlier versions of Kurant stored chunks without compression.
  await store.kv.set(key(2), bytes.subarray(2 * CHUNK_BYTES));
  await requireBlob(ctx, blobId, bytes);
});

withSpool.test("openBlob() reads at any position", async ({ ctx }) => {
  const bytes = bytesOf(300_000);
  const { blobId } = await spool(ctx, inParts(bytes, 64_000));
  const blob = await openBlob(ctx, blobId);
  assertEquals(blob.size, 300_000);
  const offsets = [0, 5, 10, 65_530, 65_536, 262_144, 262_149, 299_990, 300_000];
  for (const offset of offsets) {
    for (const length of [0, 1, 5, 12, 65_536, 65_537, 200_000, 300_000]) {
      const read = await blob.read(offset, length);
      assertEquals(sha256Hex(read), sha256Hex(bytes.subarray(offset, offset + length)));
    }
  }
});

withSpool.test("a blob of another workspace is not found", async ({ store, ctx, clock }) => {
  const { blobId } = await spool(ctx, inParts(bytesOf(10), 10));
  const other = contextOf(store, clock, workspaceNumber(7));
  await rejects(openBlob(other, blobId), { code: "not_found" });
  const kept = transact(other, (write) => keepBlob(write, other, blobId, clock.now()));
  await rejects(kept, { code: "not_found" });
});

withSpool.test("an interrupted upload is deleted at once, and an unclaimed one after 10 minutes", async ({ store, ctx, clock }) => {
  async function* broken() {
    yield* inParts(bytesOf(2_000_000), 500_000);
    throw new Error("The client went away");
  }
  await rejects(spool(ctx, broken()), /went away/);
  assertEquals(await countRows(store), 0);
  const unkept = await spool(ctx, inParts(bytesOf(100_000), 50_000));
  const kept = await spool(ctx, inParts(bytesOf(100_000), 50_000));
  const until = new Date(clock.now().getTime() + 86_400_000);
  await transact(ctx, (write) => keepBlob(write, ctx, kept.blobId, until));

  assertEquals(await sweepBlobs(store, clock.now()), 0);
  clock.advance(600_001);
  assertEquals(await sweepBlobs(store, clock.now()), 1);
  await rejects(openBlob(ctx, unkept.blobId), { code: "not_found" });
  assertEquals((await openBlob(ctx, kept.blobId)).size, 100_000);
  assertEquals(await countRows(store), 4);

  await transact(ctx, (write) => dropBlob(write, ctx, kept.blobId));
  assertEquals([await sweepBlobs(store, clock.now()), await countRows(store)], [1, 0]);
});

withSpool.test("a slow upload is not swept as long as it continues", async ({ store, ctx, clock }) => {
  async function* slow() {
    yield bytesOf(800_000);
    for (let n = 0; n < 20; n++) {
      yield bytesOf(1_000);
      clock.advance(31_000);
      assertEquals(await sweepBlobs(store, clock.now()), 0);
    }
  }
  assertEquals((await spool(ctx, slow())).bytes, 820_000);
});

onEveryStore.test("simultaneous uploads in several processes stay within the workspace's quota", async (store) => {
  const clock = createTestClock();
  const ctx = contextOf(store, clock);
  const other = contextOf(store, clock, workspaceNumber(7));
  const upload = (of: Context, expectedBytes: number) =>
    spool(of, inParts(bytesOf(900_000), 50_000), { bytesMax: 3_000_000, expectedBytes })
      .then(() => "taken", (error) => error instanceof Failure ? error.code : error);
  const uploads = [900_000, 900_000, 900_000, 900_000, 0, 0, 0, 0].map((size) => upload(ctx, size));
  const outcomes = await Promise.all([...uploads, upload(other, 0)]);
  assertEquals(outcomes.pop(), "taken", "another workspace has its own room");
  assertEquals(new Set(outcomes), new Set(["taken", "payload_too_large"]));
  assertEquals(await Array.fromAsync(checkSpool(ctx)), []);
  const taken = outcomes.filter((one) => one === "taken").length;
  ok(taken <= 3, `${taken} of 900,000 bytes`);
  assertEquals(await upload(ctx, 0), taken < 3 ? "taken" : "payload_too_large");
  clock.advance(600_001);
  await sweepBlobs(store, clock.now());
  assertEquals(await countRows(store), 0);
  assertEquals(await Array.fromAsync(checkSpool(ctx)), []);
});

withSpool.test("a blob of thousands of chunks is deleted in commits that every store accepts", async ({ store, ctx, clock }) => {
  const part = bytesOf(1_000_000);
  async function* large() {
    for (let n = 0; n < 70; n++) yield part;
  }
  const { blobId, bytes } = await spool(ctx, large());
  assertEquals(bytes, 70_000_000);
  await transact(ctx, (write) => dropBlob(write, ctx, blobId));
  assertEquals([await sweepBlobs(store, clock.now()), await countRows(store)], [1, 0]);
});

withSpool.test("a check of the spool beside an upload finds nothing", async ({ store, ctx }) => {
  let isFirst = true;
  const watch = {
    async listed() {
      if (!isFirst) return;
      isFirst = false;
      await spool(ctx, inParts(bytesOf(1_000), 1_000));
    },
  };
  const watched = { ...ctx, store: watchedStore(store, watch) };
  assertEquals(await Array.fromAsync(checkSpool(watched)), []);
});
