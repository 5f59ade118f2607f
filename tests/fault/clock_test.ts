import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { NO_WORKSPACE } from "../../src/platform/jobs/job.ts";
import { listJobs } from "../../src/platform/jobs/job_store.ts";
import { cronEntries, runEntry } from "../../src/app/composition/schedule.ts";
import { statusOf } from "../api/answers.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { pushed } from "../shops/observations/made_observations.ts";
import { html, openShop, priced, productPage } from "../scraping/hostile_shop.ts";
import { scrape, startScrapingApp, withScrapingApp } from "../scraping/scraping_app.ts";

const JUMPS = [HOUR_MS, -HOUR_MS, -HOUR_MS, HOUR_MS];

withApp.test("after a jump of the clock sessions, keys, writes and imports work, and ids stay unique", async (app) => {
  const key = await app.key(["products:write"]);
  const made: string[] = [];
  for (const [n, jumpMs] of JUMPS.entries()) {
    app.clock.advance(jumpMs);
    assertEquals(await statusOf(app.owner.get("/api/auth/me")), 200);
    assertEquals(await statusOf(key.get("/api/public/v1/products")), 200);
    for (let each = 0; each < 20; each++) {
      const sku = `S-${n}-${each}`;
      const body = { sku, title: "Herd", ourPriceCents: 1_001 + n };
      made.push((await app.owner.create("/api/products", body)).id);
    }
    const id = made[n];
    assertEquals(await statusOf(app.owner.patch(`/api/products/${id}`, { title: `T${n}` })), 200);
    const { data } = await importXml(key, itemsXml([{ sku: `I-${n}`, title: "Topf" }]));
    assertEquals([data.status, data.stats.inserted], ["succeeded", 1]);
  }
  assertEquals(new Set(made).size, made.length);
  // A new id is greater than older ids even if the clock goes back, so the list stays in order.
  assertEquals(made, made.toSorted());
  const page = await app.owner.read("/api/products?limit=200");
  assertEquals(page.count, made.length + JUMPS.length);
});

Deno.test("a rate limit that was reached before the clock went back an hour does not last an hour longer", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "3" } });
  const key = await app.key([]);
  const ask = () => statusOf(key.get("/api/public/v1/products"));
  for (const status of [200, 200, 200, 429]) assertEquals(await ask(), status);
  app.clock.advance(-HOUR_MS);
  for (const status of [200, 200, 200, 429]) assertEquals(await ask(), status);
  app.clock.advance(60_000);
  assertEquals(await ask(), 200);
});

Deno.test("a shop that was visited before the clock went back an hour is visited again", async () => {
  await using app = await startScrapingApp({ SCRAPE_DOMAIN_DELAY_MS: "2000" });
  await using shop = openShop({ "/p": priced("9.00"), "/robots.txt": () => new Response("") });
  const product = await addProduct(app.manager, "A");
  await addMatch(app.manager, product, `${shop.base}/p`);
  const running = setInterval(() => app.clock.advance(100), 10);
  try {
    assertEquals((await scrape(app, product)).counts.ok, 1);
    app.clock.advance(-HOUR_MS);
    assertEquals((await scrape(app, product)).counts.ok, 1);
  } finally {
    clearInterval(running);
  }
});

withScrapingApp.test("after the clock goes back an hour, a new price replaces the old one, fetched or pushed", async (app) => {
  let price = "9.00";
  await using shop = openShop({ "/p": () => html(productPage(price)) });
  const product = await addProduct(app.manager, "A");
  const match = await addMatch(app.manager, product, `${shop.base}/p`);
  const key = await app.key(["observations:write"]);
  const pushPrice = async (price: number, observedAt?: string) => {
    const row = { sku: "A", competitorProductId: match.id, price, currency: "EUR" };
    assertEquals((await pushed(key, [{ ...row, observedAt }])).accepted, 1);
  };
  const known = async () =>
    (await app.viewer.read(`/api/competitor-products/${match.id}`)).currentPrice;
  await scrape(app, product);
  app.clock.advance(-HOUR_MS);
  price = "8.00";
  await scrape(app, product);
  assertEquals(await known(), 800);
  app.clock.advance(-HOUR_MS);
  await pushPrice(7);
  assertEquals(await known(), 700);
  // A pushed price with a future time outlasts a later push, but a later fetch replaces it.
  await pushPrice(6, new Date(app.clock.now().getTime() + 60_000).toISOString());
  await pushPrice(5);
  assertEquals(await known(), 600);
  price = "4.00";
  await scrape(app, product);
  assertEquals(await known(), 400);
});

async function countNights({ store, workspaceId }: TestApp): Promise<number[]> {
  const nightly = [["retention", NO_WORKSPACE], ["maintenance", workspaceId]] as const;
  return await Promise.all(nightly.map(async ([kind, id]) => {
    const page = { kind, limit: 100, afterId: null, order: "oldest" } as const;
    return (await listJobs({ store, workspaceId: id }, page)).jobs.length;
  }));
}

withApp.test("a planned time runs its jobs once although the clock jumps over it and back; missed times run once", async (app) => {
  const { store, clock, app: { clock: appClock } } = app;
  const fire = async () => {
    const entries = cronEntries({ store, clock: appClock, delayMs: 0 });
    const triggers = [...entries, ...entries, ...entries];
    await Promise.all(triggers.map((entry) => runEntry(entry, clock.now())));
  };
  await fire();
  const night = await countNights(app);
  assertEquals(night, [1, 1]);
  for (const jumpMs of [HOUR_MS, -HOUR_MS, HOUR_MS, -HOUR_MS]) {
    clock.advance(jumpMs);
    await fire();
  }
  assertEquals(await countNights(app), night);
  clock.advance(5 * 24 * HOUR_MS);
  await fire();
  await fire();
  assertEquals(await countNights(app), [2, 2]);
});

withApp.test("a rule in its cooldown does not fire again when the clock goes back", async (app) => {
  await addProduct(app.manager, "SKU-1");
  await addRule(app.manager, { cooldownMinutes: 30, actions: [{ type: "alert_inapp" }] });
  const countAlerts = async () => (await app.viewer.read("/api/alerts")).count;
  await push(app, [["SKU-1", "shop", 9]]);
  await untilJudged(app);
  assertEquals(await countAlerts(), 1);
  app.clock.advance(-HOUR_MS);
  await push(app, [["SKU-1", "another-shop", 8.5]]);
  await untilJudged(app);
  assertEquals(await countAlerts(), 1);
});
