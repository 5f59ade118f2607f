/** A process that passes on news and judges products until nothing waits, or it is killed. */
import { createRuleBook } from "../../src/evaluation/rule_book.ts";
import { evaluateDue } from "../../src/evaluation/evaluation_loop.ts";
import { type NewsListener, relayNews } from "../../src/events/relay_news.ts";
import { touchedListener } from "../../src/events/touched_listener.ts";
import { roomLog } from "../../src/platform/log.ts";
import { WalkTurns } from "../../src/platform/store/row_queue_store.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { leashedStore } from "../killed_process.ts";
import { createTestClock } from "../platform/jobs/counting.ts";

const [dataDir = "", now = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clockwork = { ...createTestClock(), now: () => new Date(now) };

/** Counts what is heard of each product. */
const counting: NewsListener = {
  hear(write, _ctx, { event }) {
    if (event.type === "rule.fired" || event.type === "proposal.created") {
      write.sum(["heard", event.type, event.data.productId], 1);
    }
    return Promise.resolve();
  },
};

const log = roomLog("test");
const judged = { book: createRuleBook(), alerts: { isMailOn: false }, turns: new WalkTurns() };
const setup = { store, clockwork, log, ...judged };
const listeners = [touchedListener, counting];
const relay = { store, clockwork, listeners, log, turns: new WalkTurns() };
const waits = async (table: string) =>
  (await Array.fromAsync(store.kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
while (await waits("nw") || await waits("tq")) {
  await relayNews(relay);
  await evaluateDue(setup);
}
store.kv.close();
Deno.exit(0);
