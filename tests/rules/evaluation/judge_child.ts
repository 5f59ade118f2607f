/** A process that passes on news and judges, or releases the prices of a shop, until nothing is left or it is killed. */

import { type NewsListener, touchedListener } from "../../../src/platform/events/relay_news.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { decideShop, listHeldShops } from "../../../src/rules/evaluation/quarantine.ts";
import { shopWatch } from "../../../src/shops/quarantine/watch_shops.ts";
import { leashedStore } from "../../killed_process.ts";
import { contextOf, createTestClock } from "../../platform/jobs/counting.ts";
import { judgeAll } from "./judge_all.ts";

const [dataDir = "", now = "", workspaceId = "", deed = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clockwork = { ...createTestClock(), now: () => new Date(now) };
const ctx = contextOf(store, clockwork, workspaceId);

/** Counts what is heard of each product. */
const counting: NewsListener = {
  hear(write, _ctx, { event }) {
    if (event.type === "rule.fired" || event.type === "proposal.created") {
      write.sum(["heard", event.type, event.data.productId], 1);
    }
    return Promise.resolve();
  },
};

if (deed === "release") {
  for (const { competitorId } of await listHeldShops(ctx)) {
    await decideShop(ctx, competitorId, { action: "release" });
  }
}
await judgeAll(store, clockwork, [shopWatch, touchedListener, counting]);
store.kv.close();
Deno.exit(0);
