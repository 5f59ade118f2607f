/** A process that passes on news and judges products until nothing waits, or it is killed. */

import { type NewsListener, touchedListener } from "../../../src/platform/events/relay_news.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";
import { judgeAll } from "./judge_all.ts";

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

await judgeAll(store, clockwork, [touchedListener, counting]);
store.kv.close();
Deno.exit(0);
