/**
 * A child process that relays events and evaluates products until none is waiting. With the task
 * `release`, it first releases the held prices of all shops.
 */

import { dirtyListener, type OutboxListener } from "../../../src/platform/events/outbox_store.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { decideShop, listHeldShops } from "../../../src/rules/evaluation/quarantine.ts";
import { shopWatch } from "../../../src/shops/recording/watch_shops.ts";
import { leashedStore } from "../../killed_process.ts";
import { contextOf, createTestClock } from "../../platform/jobs/counting.ts";
import { judgeAll } from "./judge_all.ts";

const [dataDir = "", now = "", workspaceId = "", task = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clock = { ...createTestClock(), now: () => new Date(now) };
const ctx = contextOf(store, clock, workspaceId);

const counting: OutboxListener = {
  handle(write, _ctx, { event }) {
    if (event.type === "rule.fired" || event.type === "proposal.created") {
      write.sum(["heard", event.type, event.data.productId], 1);
    }
    return Promise.resolve();
  },
};

if (task === "release") {
  for (const { competitorId } of await listHeldShops(ctx)) {
    await decideShop(ctx, competitorId, { action: "release" });
  }
}
await judgeAll(store, clock, [shopWatch, dirtyListener, counting]);
store.kv.close();
Deno.exit(0);
