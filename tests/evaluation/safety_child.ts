/** A process that passes on news and judges, or releases the prices of a shop, until nothing is left or it is killed. */
import { createRuleBook } from "../../src/evaluation/rule_book.ts";
import { evaluateDue } from "../../src/evaluation/evaluation_loop.ts";
import { decideShop, listHeldShops } from "../../src/evaluation/quarantine.ts";
import { relayNews } from "../../src/events/relay_news.ts";
import { touchedListener } from "../../src/events/touched_listener.ts";
import { shopWatch } from "../../src/observations/quarantine/watch_shops.ts";
import { roomLog } from "../../src/platform/log.ts";
import { WalkTurns } from "../../src/platform/store/row_queue_store.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { leashedStore } from "../killed_process.ts";
import { contextOf, createTestClock } from "../platform/jobs/counting.ts";

const [dataDir = "", now = "", workspaceId = "", deed = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clockwork = { ...createTestClock(), now: () => new Date(now) };
const log = roomLog("test");
const judged = { book: createRuleBook(), alerts: { isMailOn: false }, turns: new WalkTurns() };
const setup = { store, clockwork, log, ...judged };
const relay = {
  store,
  clockwork,
  listeners: [shopWatch, touchedListener],
  log,
  turns: new WalkTurns(),
};
const ctx = contextOf(store, clockwork, workspaceId);
if (deed === "release") {
  for (const { competitorId } of await listHeldShops(ctx)) {
    await decideShop(ctx, competitorId, { action: "release" });
  }
}
const waits = async (table: string) =>
  (await Array.fromAsync(store.kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
while (await waits("nw") || await waits("tq")) {
  await relayNews(relay);
  await evaluateDue(setup);
}
store.kv.close();
Deno.exit(0);
