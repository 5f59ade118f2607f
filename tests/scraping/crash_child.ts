/**
 * A process that tests kill. It runs all scraping jobs, or the automatic linking, until no work is
 * left.
 */
import { readConfig } from "../../src/app/composition/config.ts";
import { importDeps } from "../../src/app/composition/import_deps.ts";
import { createForeignReader, createScraper } from "../../src/app/composition/scraper.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { createDiscoveryKind } from "../../src/scraping/discovery/discovery_kind.ts";
import { createCheckKind } from "../../src/scraping/link_checks/check_kind.ts";
import { createVisitKind } from "../../src/scraping/link_checks/visit_kind.ts";
import { createRunKind } from "../../src/scraping/runs/run_kind.ts";
import { SelfLinker } from "../../src/scraping/suggestions/link_by_itself.ts";
import { ProductIndexes } from "../../src/scraping/suggestions/product_indexes.ts";
import { leashedStore } from "../killed_process.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { until } from "../patience.ts";

/**
 * `settings` is the environment as JSON. The start times of all requests are written to the file
 * `startsPath`, unless it is `-`.
 */
const [dataDir = "", settings = "{}", startsPath = "-", does = "jobs"] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clock = await createClock(store, () => new Date());
const env: Record<string, string> = JSON.parse(settings);
const config = readConfig((name) => env[name]);
const reader = createForeignReader();
const plain = createScraper(config, reader);
// Times are recorded before sending, because a busy machine delays requests to the shop.
const safeFetch: typeof plain.safeFetch = (request) => {
  if (startsPath !== "-") Deno.writeTextFileSync(startsPath, `${Date.now()}\n`, { append: true });
  return plain.safeFetch(request);
};
const scraper = { ...plain, safeFetch };
const imports = importDeps(config, () => {});
const indexes = new ProductIndexes();
if (does === "links") {
  const linker = new SelfLinker({ store, clock, indexes, allowed: NOTHING_ALLOWED });
  await linker.round(new AbortController().signal);
}
const kinds = [
  createRunKind(scraper),
  createCheckKind(scraper),
  createVisitKind(scraper, indexes),
  createDiscoveryKind({ scraper, reader, imports, indexes }),
];
const boot = clock.newId();
const runner = new JobRunner({ store, clock, boot, kinds, log: roomLog("jobs") });
await runner.start();
await until("no job is left", async () => {
  await runner.drain();
  const waiting = await Array.fromAsync(store.kv.list({ prefix: ["jr"] }));
  const running = await Array.fromAsync(store.kv.list({ prefix: ["jl"] }));
  const ours = waiting.filter(({ key }) => kinds.some(({ kind }) => kind === key[1]));
  return ours.length + running.length === 0;
});
await runner.stop();
reader[Symbol.dispose]();
store.kv.close();
Deno.exit(0);
