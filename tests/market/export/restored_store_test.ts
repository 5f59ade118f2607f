import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addPriceChange } from "../../../src/catalogue/prices/price_rows.ts";
import { newWorkspace } from "../../../src/accounts/choose_workspace.ts";
import {
  addWorkspace,
  findWorkspace,
  workspacesVersion,
} from "../../../src/accounts/workspace_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openStoreFile } from "../../../src/platform/store/open_store.ts";
import { flushFile } from "../../../src/platform/store/store_file.ts";
import { pageOfChanges, PriceExportQuery } from "../../../src/market/export/export_prices.ts";
import { contextOf, createTestClock } from "../../platform/jobs/counting.ts";
import { inFolder } from "../../temporary_folder.ts";

inFolder.test("nextSince skips no change after an older store was restored", async (folder) => {
  const [path, backup] = [`${folder.path}/kv`, `${folder.path}/backup`];
  const clock = createTestClock();
  const [workspaceId, productId] = [clock.newId(), clock.newId()];
  /** Sets prices one by one. Returns what is exported then. */
  const work = async (prices: readonly number[], since = "") => {
    const store = await openStoreFile(path, 5_000);
    const ctx = contextOf(store, clock, workspaceId);
    if (await findWorkspace(store, workspaceId) === null) {
      const workspace = { ...newWorkspace({ store, clock: clock }, "T"), id: workspaceId };
      await transact(
        ctx,
        async (write) => addWorkspace(write, workspace, await workspacesVersion(store)),
      );
    }
    for (const toCents of prices) {
      clock.advance(60_000);
      const at = ctx.now().toISOString();
      const { actor } = ctx;
      const cause = { currency: "EUR", source: "api", actor, ref: null } as const;
      await transact(ctx, (write) => {
        const change = { at, fromCents: null, toCents, ...cause };
        return Promise.resolve(addPriceChange(write, workspaceId, productId, change));
      });
    }
    const { data, nextSince } = await pageOfChanges(ctx, PriceExportQuery.parse({ since }));
    store.kv.close();
    await flushFile(path);
    return { found: data.map(({ toCents }) => toCents), nextSince: nextSince ?? "" };
  };
  const first = await work([1]);
  await Deno.copyFile(path, backup);
  const second = await work([2, 3, 4], first.nextSince);
  assertEquals([first.found, second.found], [[1], [2, 3, 4]]);
  await Deno.copyFile(backup, path);
  // After a restore, old changes may be exported again, but no new one may be missing.
  const restored = await work([5], second.nextSince);
  assertEquals(restored.found.filter((cents) => cents !== 1), [5]);
  assertEquals((await work([6], restored.nextSince)).found, [6]);
  await Deno.copyFile(backup, path);
  assertEquals((await work([7, 8, 9, 10, 11, 12], second.nextSince)).found.slice(-6), [
    7,
    8,
    9,
    10,
    11,
    12,
  ]);
});
