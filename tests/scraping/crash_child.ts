/** A process that works on the scrape runs of a store until none is left, or it is killed. */

import { readConfig } from "../../src/app/composition/config.ts";
import { createForeignReader } from "../../src/app/composition/foreign_reader.ts";
import { createScraper } from "../../src/app/composition/scraper.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createClockwork } from "../../src/platform/store/clock.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { createRunKind } from "../../src/scraping/runs/run_kind.ts";
import { hasRunsInHand } from "../../src/scraping/runs/run_store.ts";
import { leashedStore } from "../killed_process.ts";
import { until } from "../patience.ts";
import { SCRAPING_ENV } from "./scraping_app.ts";

const store = leashedStore(await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 60_000));
const clockwork = await createClockwork(store, () => new Date());
const env: Record<string, string> = SCRAPING_ENV;
const reader = createForeignReader();
const kind = createRunKind(createScraper(readConfig((name) => env[name]), reader));
const boot = clockwork.newId();
const runner = new JobRunner({ store, clockwork, boot, kinds: [kind], log: roomLog("jobs") });
await runner.start();
await until("no run is left", async () => {
  await runner.drain();
  return !await hasRunsInHand(store);
});
await runner.stop();
store.kv.close();
Deno.exit(0);
