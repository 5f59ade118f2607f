/** A process that works on the link checks of a store until none is left, or it is killed. */

import { readConfig } from "../../../src/app/composition/config.ts";
import { createForeignReader } from "../../../src/app/composition/foreign_reader.ts";
import { createScraper } from "../../../src/app/composition/scraper.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { createClockwork } from "../../../src/platform/store/clock.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { createCheckKind, createVisitKind } from "../../../src/scraping/link_checks/check_kind.ts";
import { leashedStore } from "../../killed_process.ts";
import { until } from "../../patience.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";

const [dataDir = "", delayMs = "", startsPath = ""] = Deno.args;
const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
const clockwork = await createClockwork(store, () => new Date());
const env: Record<string, string> = { ...SCRAPING_ENV, SCRAPE_DOMAIN_DELAY_MS: delayMs };
const reader = createForeignReader();
const scraper = createScraper(readConfig((name) => env[name]), reader);
// What the shop sees is late by what the machine is busy with.
const safeFetch: typeof scraper.safeFetch = (request) => {
  Deno.writeTextFileSync(startsPath, `${Date.now()}\n`, { append: true });
  return scraper.safeFetch(request);
};
const deps = { ...scraper, safeFetch };
const kinds = [createCheckKind(deps), createVisitKind(deps)];
const boot = clockwork.newId();
const runner = new JobRunner({ store, clockwork, boot, kinds, log: roomLog("jobs") });
await runner.start();
await until("no check is left", async () => {
  await runner.drain();
  const waiting = await Array.fromAsync(store.kv.list({ prefix: ["jr"] }));
  const running = await Array.fromAsync(store.kv.list({ prefix: ["jl"] }));
  const ours = waiting.filter(({ key }) => String(key[1]).startsWith("link_"));
  return ours.length + running.length === 0;
});
await runner.stop();
store.kv.close();
Deno.exit(0);
