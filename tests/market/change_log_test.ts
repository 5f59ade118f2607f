import { DAY_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
  noteProduct,
} from "../../src/catalogue/products/change_log_store.ts";
import { createIdSource } from "../../src/base/id.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { onEveryStore } from "../stores.ts";
import { openMarketCache } from "./market_reader.ts";
import { sweepLog } from "../../src/app/composition/schedule.ts";

const newId = createIdSource(() => Date.parse("2026-03-02"), (count) => new Uint8Array(count));

const note = (store: Store, workspaceId: string, ids: readonly string[]) =>
  transact({ store }, (write) => {
    for (const id of ids) noteProduct(write, workspaceId, id);
  });

onEveryStore.test("each commit appends one row, with every product once", async (store) => {
  const workspace = { store, workspaceId: newId() };
  const [a, b, c] = [newId(), newId(), newId()];
  assertEquals(await findLogEnd(workspace), "");
  await note(store, workspace.workspaceId, [a, b, a]);
  await note(store, newId(), [c]);
  await note(store, workspace.workspaceId, [c]);
  const changes = await listChanges(workspace, "", 10);
  assertEquals(changes.map(({ productIds }) => productIds), [[a, b], [c]]);
  assertEquals(await listChanges(workspace, changes[0]!.position, 10), changes.slice(1));
  assertEquals(await findLogEnd(workspace), changes[1]!.position);
});

onEveryStore.test("a reader that continues at its position sees every commit of many writers once, in order", async (store) => {
  const workspace = { store, workspaceId: newId() };
  const written = Array.from({ length: 60 }, newId);
  const seen: string[] = [];
  let position = "";
  let reading: Promise<void> = Promise.resolve();
  const readOnce = () =>
    reading = reading.then(async () => {
      for (const change of await listChanges(workspace, position, 7)) {
        ok(change.position > position);
        ({ position } = change);
        seen.push(...change.productIds);
      }
    });
  const writers = [0, 1, 2, 3].map(async (writer) => {
    for (let n = writer; n < written.length; n += 4) {
      await note(store, workspace.workspaceId, [written[n]!]);
      if (n % 3 === 0) await readOnce();
    }
  });
  await Promise.all(writers);
  await until("everything has been seen", async () => {
    await readOnce();
    return seen.length >= written.length;
  });
  assertEquals(seen.toSorted(), written.toSorted());
});

Deno.test("sweeping keeps a day of the log, and a table further behind is loaded again", async () => {
  const store = await openMemoryStore();
  await using app = await startTestApp({ store });
  const { clock, workspaceId } = app;
  const reader = { store, workspaceId, now: clock.now };
  const count = async () => (await listChanges(reader, "", 1_000)).length;
  await using cache = openMarketCache();
  const id = await addProduct(app.owner, "A");
  const { table } = await cache.read(reader);
  await using other = openMarketCache();
  await other.read(reader);
  for (let n = 0; n < 3; n++) await app.owner.patch(`/api/products/${id}`, { ourPrice: 50 + n });
  await cache.read(reader);
  await sweepLog(reader);
  await sweepLog(reader);
  assertEquals(await count(), 4);
  clock.advance(DAY_MS);
  await app.owner.patch(`/api/products/${id}`, { ourPrice: 60 });
  await sweepLog(reader);
  assertEquals(await count(), 1);
  assertEquals((await findLogSweep(reader))?.swept !== "", true);
  // `cache` had read all changes that are now deleted from the log, so it keeps its table. `other`
  // had not, so it loads its table again.
  const kept = await cache.read(reader);
  ok(kept.table === table);
  const isCurrent = ({ table }: typeof kept) =>
    table.number("ourCents", table.rowOf(id)!) === 6_000;
  ok(isCurrent(kept));
  // After a slow load, the cache may wait before it loads again.
  await until("the table is loaded again", async () => isCurrent(await other.read(reader)));
  clock.advance(DAY_MS);
  await sweepLog(reader);
  assertEquals(await count(), 0);
  assertEquals(await findLogEnd(reader), (await findLogSweep(reader))?.swept);
  await app.app.drain();
});
