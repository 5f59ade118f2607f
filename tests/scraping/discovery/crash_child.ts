/** A process that works on the discoveries of a store until none is left, or it is killed. */
import { importDeps } from "../../../src/app/composition/import_deps.ts";
import { createClockwork } from "../../../src/platform/store/clock.ts";
import { walkAllDiscoveries } from "../../../src/shops/discovery/discovery_store.ts";
import { readConfig } from "../../../src/app/composition/config.ts";
import { ProductIndexes } from "../../../src/scraping/suggestions/product_indexes.ts";
import { createDiscoveryKind } from "../../../src/scraping/discovery/discovery_kind.ts";
import { createForeignReader } from "../../../src/app/composition/foreign_reader.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { createScraper } from "../../../src/app/composition/scraper.ts";
import { leashedStore } from "../../killed_process.ts";
import { until } from "../../patience.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";

const store = leashedStore(await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 60_000));
const clockwork = await createClockwork(store, () => new Date());
const env: Record<string, string> = { ...SCRAPING_ENV, SCRAPE_TIMEOUT_MS: "2000" };
const reader = createForeignReader();
const config = readConfig((name) => env[name]);
const scraper = createScraper(config, reader);
const imports = importDeps(config, () => {});
const kind = createDiscoveryKind({ scraper, reader, imports, indexes: new ProductIndexes() });
const boot = clockwork.newId();
const runner = new JobRunner({ store, clockwork, boot, kinds: [kind], log: roomLog("jobs") });
await runner.start();
await until("no shop is in hand", async () => {
  await runner.drain();
  const shops = await Array.fromAsync(walkAllDiscoveries(store));
  return shops.every(({ discovery }) => discovery.jobId === null);
});
await runner.stop();
reader[Symbol.dispose]();
store.kv.close();
Deno.exit(0);
