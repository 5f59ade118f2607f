import { assertFields, column, everyItem, refuses, valuesOf } from "../api/answers.ts";
import { findJob, waitForJob } from "../../src/platform/jobs/job_store.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import type { RepairGroup, RepairPage, Retry, RetryJob } from "../../src/scraping/runs/repairs.ts";
import { keepSchedule } from "../../src/scraping/schedule/schedule.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS, until } from "../patience.ts";
import { addMatch, auditOf, disagreements } from "../shops/shop.ts";
import { heldBack, html, openShop, type Page, priced } from "./hostile_shop.ts";
import {
  addTargets,
  openLink,
  openShopOfOne,
  runTick,
  scrape,
  startScrapingApp,
  tickAndEnd,
  withCheckedScrapingApp,
  withScrapingApp,
  withTickingApp,
} from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const UNPRICED: Page = () => html("<h1>An article</h1><p>Nothing to see here.</p>");
const broken = (status: number): Page => () => html("no", {}, status);

const RETRIES = "/api/repairs/retries";

const groupsOf = (app: TestApp, query = "") => app.viewer.read(`/api/repairs${query}`);
const told = ({ items }: { readonly items: readonly RepairGroup[] }) =>
  items.map(({ domain, cause, pages }) => `${domain} ${cause} ${pages}`);
const pagesOf = async (app: TestApp, query: string) =>
  (await app.viewer.read<{ items: RepairPage[] }>(`/api/repairs/pages?${query}`)).items;

async function firstGroup(app: TestApp): Promise<RepairGroup> {
  const { items: [group] } = await groupsOf(app);
  ok(group);
  return group;
}

async function retried(app: TestApp, body: Record<string, unknown>): Promise<Retry> {
  const { id } = await app.manager.begin<Retry>(RETRIES, body);
  await waitForJob(app, "retry", id, PATIENCE_MS);
  return await app.viewer.read<Retry>(`${RETRIES}/${id}`);
}

Deno.test("failing pages are counted by shop and cause, most first, with their products and start", async () => {
  const token = "m".repeat(32);
  await using app = await startScrapingApp({ METRICS_TOKEN: token });
  const pages: Record<string, Page> = {
    "/a": UNPRICED,
    "/b": UNPRICED,
    "/c": priced("9.99"),
    "/d": broken(500),
  };
  await using shop = openShop(pages);
  await using other = openShop({ "/x": UNPRICED });
  const urls = [...["/a", "/b", "/c", "/d"].map((path) => shop.base + path), `${other.base}/x`];
  const [a, b, , d, x] = urls;
  const ids: string[] = [];
  for (const url of urls) ids.push(await addTargets(app, url));
  const first = app.clock.now().toISOString();
  for (const id of ids) {
    await scrape(app, id);
    app.clock.advance(60_000);
  }
  const [one, two] = [`127.0.0.1:${shop.port}`, `127.0.0.1:${other.port}`];
  const groups = await groupsOf(app);
  assertEquals([groups.pages, groups.shops], [4, 2]);
  const [most, ...less] = told(groups);
  assertEquals(most, `${one} nothing_found 2`);
  assertEquals(new Set(less), new Set([`${one} no_answer 1`, `${two} nothing_found 1`]));
  const { competitorId, since, retryId } = groups.items[0]!;
  assertEquals([since.slice(0, 19), retryId], [first.slice(0, 19), null]);

  const found = await pagesOf(app, `competitorId=${competitorId}&cause=nothing_found`);
  assertEquals(valuesOf(found, "productId", "url"), [[ids[0], a], [ids[1], b]]);
  match(found[0]?.title ?? "", /^Product SKU-/);
  const ofShop = `/api/repairs/pages?competitorId=${competitorId}&limit=2`;
  assertEquals((await everyItem(app.viewer, ofShop)).length, 3);

  const figures = await app.anyone.get("/metrics", { Authorization: `Bearer ${token}` });
  const metrics = await figures.text();
  match(metrics, /^kurant_failing_pages\{cause="nothing_found"\} 3$/m);
  match(metrics, /^kurant_pages_total\{status="priced"\} 1$/m);
  match(metrics, /^kurant_pages_total\{status="unread"\} 4$/m);

  const page = await groupsOf(app, "?limit=1");
  const rest = await groupsOf(app, `?limit=5&cursor=${page.nextCursor}`);
  assertEquals([...told(page), ...told(rest)], told(groups));
  // Without `competitorId`, the pages of all shops are listed, sorted by shop.
  const all = await pagesOf(app, "");
  const shops = column(all, "competitorId");
  assertEquals(shops, shops.toSorted());
  assertEquals(new Set(column(all, "url")), new Set([a, b, d, x]));
  assertEquals(column(await pagesOf(app, "cause=no_answer"), "url"), [d]);
  assertEquals(await everyItem(app.viewer, "/api/repairs/pages?limit=1"), all);
  assertEquals(await disagreements(app), []);

  pages["/c"] = UNPRICED;
  pages["/a"] = priced("5.00");
  for (const id of ids) await scrape(app, id);
  const causes = ["layout_changed", "no_answer", "nothing_found"];
  const ofOne = told(await groupsOf(app, `?competitorId=${competitorId}`));
  assertEquals(ofOne.toSorted(), causes.map((cause) => `${one} ${cause} 1`));
  assertEquals(await disagreements(app), []);

  // Pages of a disabled or deleted shop are not listed.
  const left = [`${two} nothing_found 1`];
  const path = `/api/competitors/${competitorId}`;
  await app.manager.change(path, { enabled: false });
  assertEquals(told(await groupsOf(app)), left);
  assertEquals(column(await pagesOf(app, ""), "url"), [x]);
  await app.manager.change(path, { enabled: true });
  await app.manager.remove(path);
  assertEquals(told(await groupsOf(app)), left);
  assertEquals(await disagreements(app), []);
});

withTickingApp.test("a retry fetches only the failing pages of a shop and cause, once each", async (app) => {
  const unpriced = Array.from({ length: 10 }, (_, n) => `/p${n}`);
  const pages: Record<string, Page> = {
    "/stuck": UNPRICED,
    "/down": broken(404),
    "/well": priced("3.00"),
    ...Object.fromEntries(unpriced.map((path) => [path, UNPRICED])),
  };
  await using shop = openShop(pages);
  await using other = openShop({ "/x": priced("7.00") });
  for (const path of Object.keys(pages)) {
    const more = path === "/p0" ? [`${other.base}/x`] : [];
    await scrape(app, await addTargets(app, shop.base + path, ...more));
  }
  const { competitorId, pages: count } = await firstGroup(app);
  assertEquals(count, 11);
  for (const path of unpriced) pages[path] = priced("1.00");
  const [before, others] = [shop.asked().length, other.visits.length];

  const retry = await retried(app, { competitorId, cause: "nothing_found" });
  assertFields(retry, { status: "succeeded", pages: 11, done: 11, failing: 1 });
  assertEquals(shop.asked().slice(before).toSorted(), [...unpriced, "/stuck"].toSorted());
  assertEquals(other.visits.length, others);
  assertEquals(shop.openMax(), 1);
  assertEquals((await groupsOf(app)).pages, 2);
  assertEquals(await disagreements(app), []);

  const all = await retried(app, { competitorId });
  assertFields(all, { pages: 2, done: 2, failing: 2 });
  await refuses(app.manager.post(RETRIES, { competitorId, cause: "blocked" }), "conflict");
  await refuses(app.manager.post(RETRIES, { competitorId: "0".repeat(24) }), "not_found");
});

withScrapingApp.test("a product that becomes due during a retry is fetched at its other shops after the retry", async (app) => {
  const { page, requested, release } = heldBack(UNPRICED);
  await using shop = openShop({ "/a": UNPRICED });
  await using other = openShop({ "/x": priced("7.00"), "/y": priced("8.00") });
  const productId = await addTargets(app, `${shop.base}/a`, `${other.base}/x`);
  await tickAndEnd(app, productId);
  const { competitorId } = await firstGroup(app);
  shop.pages["/a"] = page;
  const { id } = await app.manager.begin(RETRIES, { competitorId });
  await requested;
  await addMatch(app.manager, productId, `${other.base}/y`);
  app.clock.advance(HOUR_MS);
  assertEquals(await runTick(app), 0);
  release();
  await waitForJob(app, "retry", id, PATIENCE_MS);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals(other.asked(), ["/x", "/x", "/y"]);
  assertEquals(await disagreements(app), []);
});

withTickingApp.test("retries of two shops at once fetch the pages of both, even for one product", async (app) => {
  const { page, requested, release } = heldBack(UNPRICED);
  await using shop = openShop({ "/a": UNPRICED });
  await using other = openShop({ "/x": UNPRICED });
  await scrape(app, await addTargets(app, `${shop.base}/a`, `${other.base}/x`));
  const { items } = await groupsOf(app);
  const idOf = ({ port }: typeof shop) =>
    items.find(({ domain }: RepairGroup) => domain === `127.0.0.1:${port}`).competitorId;
  shop.pages["/a"] = page;
  const first = await app.manager.begin(RETRIES, { competitorId: idOf(shop) });
  await requested;
  const second = await app.manager.begin(RETRIES, { competitorId: idOf(other) });
  await until("the second retry has looked at its page", async () => {
    return (await findJob<RetryJob>(app, "retry", second.id))?.cursor !== null;
  });
  release();
  for (const { id } of [first, second]) await waitForJob(app, "retry", id, PATIENCE_MS);
  assertEquals(other.asked(), ["/x", "/x"]);
});

withTickingApp.test("a shop has one retry at a time, which a person may end", async (app) => {
  const { page, release } = heldBack(UNPRICED);
  await using shop = await openShopOfOne(app, { "/a": UNPRICED });
  await scrape(app, shop.productId);
  const { competitorId } = await firstGroup(app);
  shop.pages["/a"] = page;
  const { id } = await app.manager.begin(RETRIES, { competitorId });
  assertEquals((await app.manager.begin(RETRIES, { competitorId })).id, id);
  assertEquals((await firstGroup(app)).retryId, id);
  await app.manager.act(`${RETRIES}/${id}/cancel`);
  const ended = await waitForJob(app, "retry", id, PATIENCE_MS);
  assertEquals(ended?.status, "cancelled");
  release();
  assertEquals((await firstGroup(app)).retryId, null);
  await refuses(app.manager.post(`${RETRIES}/${id}/cancel`), "conflict");
});

withCheckedScrapingApp.test("a page that a person marks as showing no price, or of a deleted product, is no failure until that is undone", async (app) => {
  await using link = await openLink(app, UNPRICED);
  const { path } = link;
  const failed = async () => {
    const { health } = await app.viewer.read(`/api/competitors/${link.competitorId}`);
    return [(await groupsOf(app)).pages, health.failed24h];
  };
  await link.sees();
  assertEquals(await failed(), [1, 1]);
  assertEquals((await app.manager.change(path, { noPrice: true })).noPrice, true);
  assertEquals(await failed(), [0, 1]);
  await link.sees();
  assertEquals(await failed(), [0, 1]);
  const audit = await auditOf(app.owner, `competitor_product:${link.id}`);
  assertEquals(audit.at(-1), ["competitor_product.update", { noPrice: null }, { noPrice: true }]);
  await app.manager.change(path, { noPrice: false });
  assertEquals((await groupsOf(app)).pages, 1);
  await app.manager.change(path, { noPrice: true });
  assertEquals((await app.manager.change(path, { url: `${link.base}/b` })).noPrice, false);

  const product = `/api/products/${link.productId}`;
  await scrape(app, link.productId);
  assertEquals((await groupsOf(app)).pages, 1);
  await app.manager.remove(product);
  await keepSchedule({ ...app.app.clock, store: app.store, delayMs: 0 });
  assertEquals((await groupsOf(app)).pages, 0);
  assertEquals(await disagreements(app), []);
  await app.manager.act(`${product}/restore`);
  await scrape(app, link.productId);
  assertEquals((await groupsOf(app)).pages, 1);
});

withScrapingApp.test("check-store reports an index of failing pages that differs from the offers", async (app) => {
  await using shop = await openShopOfOne(app, { "/a": UNPRICED });
  await scrape(app, shop.productId);
  const [first] = await Array.fromAsync(app.store.kv.list({ prefix: ["fo"] }));
  ok(first);
  await app.store.kv.delete(first.key);
  match((await disagreements(app)).join(), /^The rows "fo" .* 0 stored, 1 expected$/);
  await app.store.kv.set([...first.key.slice(0, 3), "gone", ...first.key.slice(4)], first.value);
  match((await disagreements(app)).join(), /^The rows "fo" .* 1 stored, 1 expected$/);
});
