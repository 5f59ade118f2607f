import { everyItem, refuses } from "../../api/answers.ts";
import { waitForJob } from "../../../src/platform/jobs/job_store.ts";
import type { RepairGroup, RepairPage, Retry } from "../../../src/scraping/runs/repairs.ts";
import { keepSchedule } from "../../../src/scraping/schedule/schedule.ts";
import type { TestApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { addMatch, addProduct, auditOf, disagreements } from "../../shops/shop.ts";
import { openShop, type Page, priced } from "../hostile_shop.ts";
import {
  addTargets,
  scrape,
  startScrapingApp,
  withCheckedScrapingApp,
  withScrapingApp,
} from "../scraping_app.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

const html = (body: string): Page => () =>
  new Response(`<!doctype html><html><body><h1>An article</h1>${body}</body></html>`, {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
const UNPRICED = html("<p>Nothing to see here.</p>");

/** The app's clock runs, because waiting for a shop takes time. */
const TICKING = { now: () => new Date() };

interface Groups {
  readonly items: readonly RepairGroup[];
  readonly nextCursor: string | null;
  readonly pages: number;
  readonly shops: number;
}

const groupsOf = (app: TestApp, query = "") => app.viewer.read<Groups>(`/api/repairs${query}`);
const told = ({ items }: Groups) => items.map(({ domain, cause, pages }) => [domain, cause, pages]);
const pagesOf = async (app: TestApp, query: string) =>
  (await app.viewer.read<{ items: RepairPage[] }>(`/api/repairs/pages?${query}`))
    .items;

async function retried(app: TestApp, body: Record<string, unknown>): Promise<Retry> {
  const { id } = await app.manager.begin<Retry>("/api/repairs/retries", body);
  await waitForJob(app, "retry", id, PATIENCE_MS);
  return await app.viewer.read<Retry>(`/api/repairs/retries/${id}`);
}

Deno.test("failing pages are counted by shop and cause, most first, with their products and start", async () => {
  const token = "m".repeat(32);
  await using app = await startScrapingApp({ METRICS_TOKEN: token });
  const pages: Record<string, Page> = {
    "/a": UNPRICED,
    "/b": UNPRICED,
    "/c": priced("9.99"),
    "/d": () => new Response("no", { status: 500 }),
  };
  await using shop = openShop(pages);
  await using other = openShop({ "/x": UNPRICED });
  const ids: string[] = [];
  for (const path of ["/a", "/b", "/c", "/d"]) ids.push(await addTargets(app, shop.base + path));
  ids.push(await addTargets(app, `${other.base}/x`));
  const first = app.clock.now().toISOString();
  for (const id of ids) {
    await scrape(app, id);
    app.clock.advance(60_000);
  }
  const [one, two] = [`127.0.0.1:${shop.port}`, `127.0.0.1:${other.port}`];
  const groups = await groupsOf(app);
  assertEquals([groups.pages, groups.shops], [4, 2]);
  assertEquals(told(groups)[0], [one, "nothing_found", 2]);
  assertEquals(
    new Set(told(groups).slice(1).map(String)),
    new Set([`${one},no_answer,1`, `${two},nothing_found,1`]),
  );
  const [{ competitorId, since, retryId }] = groups.items as [RepairGroup];
  assertEquals([since.slice(0, 19), retryId], [first.slice(0, 19), null]);

  const found = await pagesOf(app, `competitorId=${competitorId}&cause=nothing_found`);
  assertEquals(found.map(({ productId, url }) => [productId, url]), [
    [ids[0], `${shop.base}/a`],
    [ids[1], `${shop.base}/b`],
  ]);
  match(found[0]?.title ?? "", /^Product SKU-/);
  assertEquals((await pagesOf(app, `competitorId=${competitorId}`)).length, 3);

  const headers = { Authorization: `Bearer ${token}` };
  const figures = await (await fetch(`${app.base}/metrics`, { headers })).text();
  match(figures, /^kurant_failing_pages\{cause="nothing_found"\} 3$/m);

  // Two pages of the list contain the same as the whole list.
  const page = await groupsOf(app, "?limit=1");
  const rest = await groupsOf(app, `?limit=5&cursor=${page.nextCursor}`);
  assertEquals([...told(page), ...told(rest)], told(groups));
  const second = await app.viewer.read<{ items: RepairPage[]; nextCursor: string }>(
    `/api/repairs/pages?competitorId=${competitorId}&limit=2`,
  );
  const last = await pagesOf(
    app,
    `competitorId=${competitorId}&limit=2&cursor=${second.nextCursor}`,
  );
  assertEquals(last.length, 1);
  // Without a shop, the pages of all shops are listed in order.
  const all = await pagesOf(app, "");
  assertEquals(all.map((one) => one.competitorId), all.map((one) => one.competitorId).toSorted());
  assertEquals(
    new Set(all.map(({ url }) => url)),
    new Set([...["/a", "/b", "/d"].map((path) => shop.base + path), `${other.base}/x`]),
  );
  assertEquals((await pagesOf(app, "cause=no_answer")).map(({ url }) => url), [`${shop.base}/d`]);
  const single = await everyItem(app.viewer, "/api/repairs/pages?limit=1");
  assertEquals(single, all);
  assertEquals(await disagreements(app), []);

  // One page loses its price, and another page is readable again.
  pages["/c"] = UNPRICED;
  pages["/a"] = priced("5.00");
  for (const id of ids) await scrape(app, id);
  assertEquals(
    new Set(told(await groupsOf(app, `?competitorId=${competitorId}`)).map(String)),
    new Set([`${one},nothing_found,1`, `${one},layout_changed,1`, `${one},no_answer,1`]),
  );
  assertEquals(await disagreements(app), []);

  // Pages of a disabled shop or a deleted product are not fetched.
  await app.manager.change(`/api/competitors/${competitorId}`, { enabled: false });
  assertEquals(told(await groupsOf(app)), [[two, "nothing_found", 1]]);
  assertEquals((await pagesOf(app, "")).map(({ url }) => url), [`${other.base}/x`]);
  await app.manager.change(`/api/competitors/${competitorId}`, { enabled: true });
  await app.manager.remove(`/api/competitors/${competitorId}`);
  assertEquals(told(await groupsOf(app)), [[two, "nothing_found", 1]]);
  assertEquals(await disagreements(app), []);
});

Deno.test("a retry fetches only the failing pages of a shop and cause, once each", async () => {
  await using app = await startScrapingApp({}, TICKING);
  const pages: Record<string, Page> = {
    "/stuck": UNPRICED,
    "/down": () => new Response("no", { status: 404 }),
    "/well": priced("3.00"),
  };
  const unpriced = Array.from({ length: 10 }, (_, n) => `/p${n}`);
  for (const path of unpriced) pages[path] = UNPRICED;
  await using shop = openShop(pages);
  await using other = openShop({ "/x": priced("7.00") });
  const ids: string[] = [];
  for (const path of [...Object.keys(pages)]) {
    ids.push(
      await addTargets(app, shop.base + path, ...(path === "/p0" ? [`${other.base}/x`] : [])),
    );
  }
  for (const id of ids) await scrape(app, id);
  const [{ competitorId, pages: count }] = (await groupsOf(app)).items as [RepairGroup];
  assertEquals(count, 11);
  for (const path of unpriced) pages[path] = priced("1.00");
  const [before, others] = [shop.visits.length, other.visits.length];

  const retry = await retried(app, { competitorId, cause: "nothing_found" });
  assertEquals([retry.status, retry.pages, retry.done, retry.failing], ["succeeded", 11, 11, 1]);
  const visited = shop.visits.slice(before).map(({ path }) => path).filter((path) =>
    path !== "/robots.txt"
  );
  assertEquals(visited.toSorted(), [...unpriced, "/stuck"].toSorted());
  assertEquals(other.visits.length, others);
  assertEquals(shop.openMax(), 1);
  assertEquals((await groupsOf(app)).pages, 2);
  assertEquals(await disagreements(app), []);

  // A retry without a cause includes all failing pages.
  const all = await retried(app, { competitorId });
  assertEquals([all.pages, all.done, all.failing], [2, 2, 2]);
  await refuses(
    app.manager.post("/api/repairs/retries", { competitorId, cause: "blocked" }),
    "conflict",
  );
  await refuses(
    app.manager.post("/api/repairs/retries", { competitorId: "0".repeat(24) }),
    "not_found",
  );
});

Deno.test("a shop has one retry at a time, which a person may end", async () => {
  await using app = await startScrapingApp({}, TICKING);
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  const page: Page = async (request) => {
    if (isHeld) await isFree;
    return await UNPRICED(request);
  };
  await using shop = openShop({ "/a": page });
  await scrape(app, await addTargets(app, `${shop.base}/a`));
  const [{ competitorId }] = (await groupsOf(app)).items as [RepairGroup];
  isHeld = true;
  const first = await app.manager.begin("/api/repairs/retries", { competitorId });
  const again = await app.manager.begin("/api/repairs/retries", { competitorId });
  assertEquals(again.id, first.id);
  assertEquals((await groupsOf(app)).items[0]?.retryId, first.id);
  await app.manager.act(`/api/repairs/retries/${first.id}/cancel`);
  const ended = await waitForJob(app, "retry", first.id, PATIENCE_MS);
  assertEquals(ended?.status, "cancelled");
  release();
  assertEquals((await groupsOf(app)).items[0]?.retryId, null);
  await refuses(app.manager.post(`/api/repairs/retries/${first.id}/cancel`), "conflict");
});

withCheckedScrapingApp.test("a page that a person marks as showing no price is not a failure until the mark is removed", async (app) => {
  await using shop = openShop({ "/a": UNPRICED });
  const productId = await addProduct(app.manager, "NO-PRICE");
  const { id } = await addMatch(app.manager, productId, `${shop.base}/a`);
  await scrape(app, productId);
  assertEquals((await groupsOf(app)).pages, 1);
  const path = `/api/competitor-products/${id}`;
  const known = await app.manager.change(path, { noPrice: true });
  assertEquals(known.noPrice, true);
  assertEquals((await groupsOf(app)).pages, 0);
  const { health } = await app.viewer.read<{ health: { failed24h: number } }>(
    `/api/competitors/${(await groupsOf(app)).items[0]?.competitorId ?? await shopOf(app)}`,
  );
  await scrape(app, productId);
  assertEquals((await groupsOf(app)).pages, 0);
  const after = await app.viewer.read(`/api/competitors/${await shopOf(app)}`);
  assertEquals(after.health.failed24h, health.failed24h);
  assertEquals((await auditOf(app.owner, `competitor_product:${id}`)).at(-1), [
    "competitor_product.update",
    { noPrice: null },
    { noPrice: true },
  ]);
  await app.manager.change(path, { noPrice: false });
  assertEquals((await groupsOf(app)).pages, 1);
  // The mark `noPrice` does not apply to another URL.
  await app.manager.change(path, { noPrice: true });
  const moved = await app.manager.change(path, { url: `${shop.base}/b` });
  assertEquals(moved.noPrice, false);
});

async function shopOf(app: TestApp): Promise<string> {
  const { items } = await app.viewer.read("/api/competitors");
  ok(items[0]);
  return items[0].id;
}

withCheckedScrapingApp.test("pages of a deleted product do not count as failures", async (app) => {
  await using shop = openShop({ "/a": UNPRICED });
  const productId = await addTargets(app, `${shop.base}/a`);
  await scrape(app, productId);
  assertEquals((await groupsOf(app)).pages, 1);
  await app.manager.remove(`/api/products/${productId}`);
  await keepSchedule({ ...app.app.clock, store: app.store, delayMs: 0 });
  assertEquals((await groupsOf(app)).pages, 0);
  assertEquals(await disagreements(app), []);
  // The restored product is fetched again, and its page fails again.
  await app.manager.act(`/api/products/${productId}/restore`);
  await scrape(app, productId);
  assertEquals((await groupsOf(app)).pages, 1);
});

withScrapingApp.test("check-store reports an index of failing pages that differs from the offers", async (app) => {
  await using shop = openShop({ "/a": UNPRICED });
  const productId = await addTargets(app, `${shop.base}/a`);
  await scrape(app, productId);
  const [first] = await Array.fromAsync(app.store.kv.list({ prefix: ["fo"] }));
  ok(first);
  await app.store.kv.delete(first.key);
  const lacking = await disagreements(app);
  assertEquals(lacking.length, 2, lacking.join());
  match(lacking.join(), /1 failing matches are not listed/);
  await app.store.kv.set([...first.key.slice(0, 3), "gone", ...first.key.slice(4)], first.value);
  const wrong = (await disagreements(app)).join();
  match(wrong, /is listed as failing \(gone\), but does not fail/);
});
