/** Rates of the schedule, of runs and of extraction in one process. The shops answer at once. */
import { DAY_MS } from "../../src/base/time.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { readConfig } from "../../src/app/composition/config.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createForeignReader } from "../../src/app/composition/foreign_reader.ts";
import { createScraper } from "../../src/app/composition/scraper.ts";
import { hasRunsInFlight } from "../../src/scraping/runs/run.ts";
import { createRunKind } from "../../src/scraping/runs/run_kind.ts";
import { enqueueDue } from "../../src/scraping/runs/scrape_runs.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { tell, usedBytes } from "./capacity_figure.ts";
import { recordCommits } from "./recorded_commits.ts";
import { timed } from "./slices.ts";
import { startHelper } from "../helper_process.ts";
import { pause } from "../patience.ts";

const SHOPS = 40;
const LINKS = 5;
const PRODUCTS = 200;

/** Without `remote`, the store is a file, and the bytes of a run are measured too. */
export async function measureVisits(remote: Store | null, pages: "small" | "saved"): Promise<void> {
  await using shops = await openShops(pages);
  await using app = await startTestApp({ ...(remote ? { store: remote } : {}), env: SCRAPING_ENV });
  const { store } = app;
  for (const owner of [app.owner, await app.strangerOwner()]) await addProducts(owner, shops.ports);
  // The app's own job runner would never work, because its clock stands still.
  await app.app.close();
  // The second day is measured, because links and robots.txt are known then.
  await passDay(store, 0);
  const before = usedBytes(app);
  const { runs, dueMs, workMs, cpuMs, commits } = await passDay(store, 2);
  const say = (name: string, figure: number, unit: string) =>
    tell(`${store.kind}, ${pages} pages: ${name}`, figure, unit);
  say("runs made of what is due", runs / dueMs * 1_000, "/s");
  say("pages visited and stored", runs * LINKS / workMs * 1_000, "/s");
  say("CPU of the process per page", cpuMs / runs / LINKS, "ms");
  say("commits per page", commits / runs / LINKS, "");
  if (before > 0) say("a run of 5 with its observations", (usedBytes(app) - before) / runs, "B");
}

async function addProducts(owner: Caller, ports: readonly number[]): Promise<void> {
  const items = Array.from({ length: PRODUCTS }, (_, n) => {
    const links = Array.from({ length: LINKS }, (_, shop) => {
      const port = ports[(n * LINKS + shop) % ports.length];
      return `<COMPETITOR><URL>http://127.0.0.1:${port}/haushalt/artikel-${n}.html</URL></COMPETITOR>`;
    });
    return { sku: `V-${n}`, title: "X", price: "100,00", more: links.join("") };
  });
  const headers = { "Content-Type": "application/xml" };
  const answer = owner.post("/api/imports", itemsXml(items), headers);
  const { stats } = await bodyOf(answer, 200);
  if (stats.competitorsLinked !== PRODUCTS * LINKS) throw new Error("A link is missing");
}

/** Does all work that is due `days` from now. */
async function passDay(store: Store, days: number) {
  const now = () => new Date(Date.now() + days * DAY_MS);
  const clock = await createClock(store, now);
  const env: Record<string, string> = SCRAPING_ENV;
  using reader = createForeignReader();
  const scraper = createScraper(readConfig((name) => env[name]), reader);
  let runs = 0;
  const due = await timed(async () => {
    runs = await enqueueDue({ store, clock, delayMs: 0 });
  });
  const recording = recordCommits(store, () => true);
  const runner = new JobRunner({
    store,
    clock,
    boot: clock.newId(),
    kinds: [createRunKind(scraper)],
    log: roomLog("bench"),
  });
  const { ms, cpuMs } = await timed(async () => {
    while (await hasRunsInFlight(store)) {
      await runner.drain();
      await pause(5);
    }
    await runner.stop();
  });
  const commits = recording.stop().length;
  return { runs, dueMs: due.ms, workMs: ms, cpuMs, commits };
}

/** The shops run in another process, so that their work is not measured. */
async function openShops(pages: string) {
  const shops = await startHelper(new URL("./capacity_shop.ts", import.meta.url), [
    `${SHOPS}`,
    pages,
  ]);
  const ports: number[] = JSON.parse(shops.line);
  return { ports, [Symbol.asyncDispose]: () => shops[Symbol.asyncDispose]() };
}
