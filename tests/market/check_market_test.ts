import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import { checkMarket } from "../../src/market/check_market.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { withApp } from "../harness.ts";

withApp.test("checkMarket() finds a truncated row of the change log, a sweep that went too far, and a month without days", async (app) => {
  const { store, workspaceId } = app;
  const said = () => Array.fromAsync(checkMarket(store, workspaceId));
  await addProduct(app.owner, "A");
  assertEquals(await said(), []);
  const workspace = idBytes(workspaceId);
  const [row] = await Array.fromAsync(store.kv.list({ prefix: ["mkc", workspace] }));
  await store.kv.set(row!.key, new Uint8Array(11));
  await store.kv.set(["mks", workspace], { swept: "2", mark: "1", markedAtMs: 0 });
  await store.kv.set(
    ["mkd", workspace, 202_603, "total", new Uint8Array(16)],
    new Uint8Array([32]),
  );
  const [sweep = "", cut = "", trend = "", ...more] = await said();
  match(trend, /trends of 202603 have a row of "total" with invalid days$/);
  match(sweep, /kept from 1 on, but was deleted up to 2$/);
  match(cut, /is incomplete$/);
  assertEquals(more, []);
});
