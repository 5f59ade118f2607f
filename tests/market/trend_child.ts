/** A process that runs the queued trend job, or is killed during it. */

import {
  createPastTrendKind,
  createTrendKind,
  PAST_TREND_KIND,
} from "../../src/market/trends/trend_job.ts";
import { waitForJob } from "../../src/platform/jobs/job_store.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { leashedStore } from "../killed_process.ts";
import { PATIENCE_MS } from "../patience.ts";
import { openMarketCache } from "./market_reader.ts";

const [dataDir = "", workspaceId = "", now = "", jobId = "", kind = ""] = Deno.args;
const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
const clock = await createClock(opened, () => new Date(now));
const store = leashedStore(opened);
const tables = openMarketCache();
const runner = new JobRunner({
  store,
  clock,
  boot: clock.newId(),
  kinds: [kind === PAST_TREND_KIND ? createPastTrendKind(tables) : createTrendKind(tables)],
  log: roomLog("test"),
});
await runner.start();
const job = await waitForJob({ store, workspaceId }, kind, jobId, PATIENCE_MS);
await runner.stop();
await tables.close();
opened.kv.close();
Deno.exit(job?.status === "succeeded" ? 0 : 1);
