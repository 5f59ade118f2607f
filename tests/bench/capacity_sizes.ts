/**
 * Bytes that a product, a link, a price and an observation take in the file, with their indexes.
 */
import { DAY_MS } from "../../src/base/time.ts";
import { addObservation, markCompetitors } from "../../src/shops/observations/observation_store.ts";
import type { Observation } from "../../src/shops/observations/observation.ts";
import { addThinningJobs } from "../../src/shops/observations/retention_job.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { keepSchedule } from "../../src/scraping/schedule/schedule.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { importXml } from "../imports/import_calls.ts";
import { isAtWork } from "./at_rest.ts";
import { tell, usedBytes } from "./capacity_figure.ts";
import { generateItems } from "./erp_items.ts";
import { until } from "../patience.ts";

const PRODUCTS = 4_000;
const LINKS = 5;
const HISTORIES = 100;
const DAYS = 30;
const PER_DAY = 4;
const ROWS_PER_COMMIT = 150;

export async function measureSizes(): Promise<void> {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  const xml = await new Response(ReadableStream.from(generateItems(PRODUCTS, 1))).text();
  const products = await growth(app, () => importWhole(key, xml));
  tell("a product with its indexes and its first price", products / PRODUCTS, "B");
  const links = await growth(app, async () => {
    await importWhole(key, withLinks(xml));
    await keepSchedule({ ...app.app.clock, store: app.store, delayMs: 2_000 });
  });
  tell("a link with its offer and its share of the schedule", links / PRODUCTS / LINKS, "B");
  const moved = await new Response(ReadableStream.from(generateItems(PRODUCTS, 2))).text();
  const prices = await growth(app, () => importWhole(key, withLinks(moved)));
  tell("a changed price of ours", prices / PRODUCTS, "B");
  await measureObservations(app);
}

/** Throws if the import is held or refused, because nothing would be measured then. */
async function importWhole(key: Caller, xml: string): Promise<void> {
  const { data } = await importXml(key, xml);
  if (data.status !== "succeeded") throw new Error(`The import is ${data.status}`);
}

/** Bytes that `work` adds to the file, without uploads, jobs and events, which are removed. */
async function growth(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = usedBytes(app);
  await work();
  await until("all work is done", async () => !await isAtWork(app.store.kv), Infinity);
  return usedBytes(app) - before;
}

function withLinks(xml: string): string {
  let n = 0;
  return xml.replaceAll("</ITEM>", () => {
    n++;
    const links = Array.from(
      { length: LINKS },
      (_, shop) =>
        `<COMPETITOR><URL>https://www.shop-${shop}.example/haushalt/artikel-${n}.html</URL></COMPETITOR>`,
    );
    return `<COMPETITORS>${links.join("")}</COMPETITORS></ITEM>`;
  });
}

async function measureObservations(app: TestApp): Promise<void> {
  const { store, clock, app: { clock: appClock } } = app;
  const { items } = await bodyOf(app.owner.get(`/api/products?limit=${HISTORIES}`), 200);
  const history = historyOf(app, items.map(({ id }: { id: string }) => id));
  const fresh = await growth(app, async () => {
    for (let at = 0; at < history.length; at += ROWS_PER_COMMIT) {
      await transact(app, (write) => {
        const some = history.slice(at, at + ROWS_PER_COMMIT);
        for (const one of some) addObservation(write, app.workspaceId, one);
        markCompetitors(write, app.workspaceId, new Set(some.map((one) => one.competitorId)));
        return Promise.resolve();
      });
    }
  });
  tell("an observation, fresh", fresh / history.length, "B");
  app.clock.advance((DAYS + 32) * DAY_MS);
  const startedAt = performance.now();
  const packed = fresh +
    await growth(app, () => addThinningJobs({ store, clock: appClock }, clock.now()));
  tell("an observation, packed", packed / history.length, "B");
  tell("observations packed", history.length / (performance.now() - startedAt) * 1_000, "/s");
}

/** Observations as runs store them, by time: prices last some days, and shops differ by cents. */
function historyOf(
  { clock, app: { clock: appClock } }: TestApp,
  productIds: readonly string[],
): Observation[] {
  const idsOf = (count: number) => Array.from({ length: count }, () => appClock.newId());
  const products = productIds.map((id) => ({ id, matchIds: idsOf(LINKS) }));
  const shopIds = idsOf(LINKS);
  const startMs = clock.now().getTime();
  return Array.from(
    { length: DAYS * PER_DAY },
    (_, round) =>
      products.flatMap(({ id: productId, matchIds }, n): Observation[] => {
        const runId = appClock.newId();
        const atMs = startMs + round * DAY_MS / PER_DAY + n * 7_919;
        return matchIds.map((matchId, shop) => ({
          productId,
          matchId,
          competitorId: shopIds[shop] ?? "",
          priceCents: 10_000 + n * 100 + shop * 13 + Math.floor((round + shop) / 20) * 7,
          currency: "EUR",
          availability: "in_stock",
          listPriceCents: null,
          shippingCents: null,
          method: "json_ld",
          confidence: 0.9,
          source: "scrape",
          runId,
          observedAtMs: atMs + shop * 2_113,
        }));
      }),
  ).flat();
}
