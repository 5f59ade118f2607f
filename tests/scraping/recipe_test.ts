import { assertFields, refusalOf, refuses, valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { UnsurePage } from "../../src/scraping/page/last_page.ts";
import type {
  RecipeAnswer,
  Teaching,
  TrialVerdict,
} from "../../src/scraping/teaching/change_recipe.ts";
import { actionsOf, auditOf, listShops } from "../shops/shop.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { articleText, html, openShop } from "./hostile_shop.ts";
import {
  addTargets,
  alertsOf,
  onlyResult,
  scrape,
  withCheckedScrapingApp,
} from "./scraping_app.ts";
import type { RecipeOutcome } from "../../src/engine/extraction/recipe/learn_recipe.ts";
import { verdictOnAll, verdictOnPage } from "../../src/scraping/teaching/teach_recipe.ts";

/** A page that shows two prices in the same way, so that only a recipe can choose one. */
function twoPrices(n: number, cents: number, layout = "rechts"): string {
  const euro = (amount: number) => `${Math.floor(amount / 100)},${amount % 100 + 10} €`;
  return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div class="links">${euro(cents + 5_000)}</div><div class="${layout}">${euro(cents)}</div>
<button>In den Warenkorb</button></body></html>`;
}

function onePrice(n: number, place: string): string {
  return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div class="${place}">${20 + 3 * n},90 €</div><button>In den Warenkorb</button></body></html>`;
}

/** A shop whose pages `/p/0`, `/p/1` and so on are each linked to a product. */
async function openLinkedShop(app: TestApp, count: number, text: (n: number) => string) {
  const names = Array.from({ length: count }, (_, n) => `/p/${n}`);
  const shop = openShop(Object.fromEntries(names.map((name, n) => [name, () => html(text(n))])));
  const products: string[] = [];
  for (const name of names) products.push(await addTargets(app, shop.base + name));
  const [competitor] = await listShops(app.viewer);
  const { id } = competitor!;
  const path = `/api/competitors/${id}/recipe`;
  const url = `${shop.base}/p/0`;
  return {
    ...shop,
    id,
    url,
    path,
    visit: async (n: number) => onlyResult(await scrape(app, products[n]!)),
    recipe: () => app.viewer.read<RecipeAnswer>(path),
    teach: (body: object) => app.manager.post(`${path}/teach`, { url, ...body }),
    taught: (body: object) => app.manager.act<Teaching>(`${path}/teach`, { url, ...body }),
    save: (body: object) => app.manager.replace<RecipeAnswer>(path, body),
  };
}

withCheckedScrapingApp.test("a shop without markup is learned from three pages, and a change is noticed, reported once and learned", async (app) => {
  let place = "ort";
  await using shop = await openLinkedShop(app, 24, (n) => onePrice(n, place));
  for (const n of [0, 1]) await shop.visit(n);
  assertEquals(await shop.recipe(), { recipe: null, learning: { pages: 2, needed: 3 } });
  await shop.visit(2);
  const { recipe, learning } = await shop.recipe();
  assertEquals(learning, { pages: 3, needed: 3 });
  assertFields(recipe, { source: "learned", status: "active", support: 3, hitRate: 1 });
  // The recipe was learned only from displayed prices, so its confidence stays low.
  assertEquals(recipe?.confidenceMost, 0.7);
  ok(recipe?.selectors.some(({ selector }) => selector === "div.ort"), JSON.stringify(recipe));
  for (let n = 3; n < 12; n++) await shop.visit(n);
  place = "anderswo";
  let changedAfter = 0;
  for (let n = 12; n < 24 && changedAfter === 0; n++) {
    await shop.visit(n);
    const now = (await shop.recipe()).recipe;
    const isLearned = now?.selectors.some(({ selector }) => selector === "div.anderswo");
    if (isLearned || now?.status === "drifting") changedAfter = n - 11;
  }
  ok(changedAfter > 0 && changedAfter <= 10, `noticed after ${changedAfter} pages`);
  const alerts = () => alertsOf(app, "recipe_drifting");
  await until("people are alerted", async () => (await alerts()).length > 0);
  for (let n = 0; n < 3; n++) await shop.visit(n);
  assertEquals((await alerts()).length, 1);
  assertEquals((await shop.recipe()).recipe?.status, "active");
});

withCheckedScrapingApp.test("a person teaches a shop by the price on one page, and all its pages are read with it", async (app) => {
  await using shop = await openLinkedShop(app, 7, (n) => twoPrices(n, 10_000 + 700 * n));
  const { path, url, teach } = shop;
  assertFields(await shop.visit(6), { status: "failed", errorCode: "ambiguous_price" });

  // The refusal of a price that is not on the page names the nearest prices.
  const { code, details } = await refusalOf(teach({ price: "101,10" }));
  const nearest = [10_010, 15_010].map((price) => ({ price, currency: "EUR" }));
  assertEquals([code, details.nearest], ["validation_failed", nearest]);
  await refuses(teach({}), "validation_failed");
  await refuses(teach({ url: "https://other.example/p", price: "1" }), "validation_failed");
  await refuses(teach({ candidateId: "none" }), "validation_failed");

  const teaching = await shop.taught({ price: "100,10 €" });
  assertEquals([teaching.verdict, teaching.tests.length], ["plausible", 5]);
  assertEquals(teaching.selectors.at(-1), "div.rechts");
  const [first] = teaching.tests;
  assertFields(first, { title: "Product 1", text: "107,10 €", verdict: "plausible" });
  assertEquals(first?.wasPrice, null);
  assertEquals((await shop.recipe()).recipe, null);

  // Only the person who taught the place may use the token, and only for 15 minutes.
  const { token } = teaching;
  await refuses(app.manager.put(path, { token: `${token}A` }), "validation_failed");
  await refuses(app.owner.put(path, { token }), "validation_failed");
  const { recipe } = await shop.save({ token });
  assertFields(recipe, { source: "taught", status: "active", confidenceMost: 0.9 });
  assertEquals(recipe?.taughtFrom, url);
  app.clock.advance(16 * 60_000);
  await refuses(app.manager.put(path, { token }), "validation_failed");
  assertFields(await shop.visit(6), { status: "ok", price: 14_210, method: "taught" });

  assertEquals(await app.manager.remove(path), { ok: true });
  assertEquals((await shop.recipe()).recipe, null);
  const actions = (await actionsOf(app.viewer, `recipe:${shop.id}`)).map(String);
  assertEquals(actions.toSorted(), ["recipe.delete", "recipe.teach"]);
});

withCheckedScrapingApp.test("a person teaches a shop by a price of a stored page", async (app) => {
  await using shop = await openLinkedShop(app, 4, (n) => twoPrices(n, 10_000 + 700 * n));
  const { competitorProductId } = await shop.visit(0);
  const link = `/api/competitor-products/${competitorProductId}`;
  const { url, candidates } = await app.viewer.read<UnsurePage>(`${link}/page`);
  assertEquals(url, shop.url);
  const candidateId = candidates.find(({ amount }) => amount === 10_010)?.id;
  await refuses(shop.teach({ price: "100,10", candidateId }), "validation_failed");
  const chosen = await shop.taught({ candidateId });
  const typed = await shop.taught({ price: "100,10" });
  assertEquals([chosen.selectors, chosen.tests], [typed.selectors, typed.tests]);
  await shop.save({ token: chosen.token });
  for (const n of [0, 3]) {
    assertFields(await shop.visit(n), { status: "ok", price: 10_010 + 700 * n, method: "taught" });
  }
  // An extractor has priority over the recipe, and a link's extractor over the shop's.
  const left = { extractor: { priceSelector: ".links" } };
  await app.manager.change(`/api/competitors/${shop.id}`, left);
  assertFields(await shop.visit(0), { price: 15_010, method: "extractor" });
  await app.manager.change(link, { extractor: { priceSelector: ".rechts" } });
  assertFields(await shop.visit(0), { price: 10_010, method: "extractor" });
});

withCheckedScrapingApp.test("a shop whose pages show their price only by script is taught by script data", async (app) => {
  const drawn = (n: number) => {
    const item = { price: 1_990 + 700 * n, currency: "EUR" };
    const state = JSON.stringify({ shipping: { price: 495 }, item });
    return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div id="app"></div><script>window.__STATE__ = ${state};</script></body></html>`;
  };
  await using shop = await openLinkedShop(app, 4, drawn);
  assertFields(await shop.visit(3), { status: "failed", errorCode: "no_price" });
  const teaching = await shop.taught({ price: "19,90" });
  const place = "__STATE__ $.item.price / 100";
  assertFields(teaching, { verdict: "plausible", selectors: [place] });
  const others = [2_690, 3_390, 4_090].map((price) => [`price: ${price}`, price, "EUR"]);
  assertEquals(valuesOf(teaching.tests, "text", "price", "currency"), others);
  const { recipe } = await shop.save({ token: teaching.token });
  assertEquals(valuesOf(recipe?.selectors ?? [], "selector", "statePath"), [[undefined, place]]);
  const after = await shop.visit(3);
  // No displayed price confirms this price, so its confidence is too low for automatic rules.
  assertFields(after, { price: 4_090, currency: "EUR", method: "taught", confidence: 0.7 });
  const [[, , noted] = []] = await auditOf(app.viewer, `recipe:${shop.id}`);
  ok(JSON.stringify(noted).includes(place), JSON.stringify(noted));
});

withCheckedScrapingApp.test("a place with another price on a further page is saved only by force, with lower confidence", async (app) => {
  // The markup of the fourth page states the price on the left.
  const markup = articleText("Product", {}, { price: "171.10" });
  const text = (n: number) => (n === 3 ? markup : "") + twoPrices(n, 10_000 + 700 * n);
  await using shop = await openLinkedShop(app, 5, text);
  const { verdict, tests, token } = await shop.taught({ price: "100.10" });
  assertEquals(verdict, "differs");
  assertFields(tests.find((test) => test.verdict === "differs"), {
    price: 12_110,
    otherwise: { price: 17_110, currency: "EUR", method: "json_ld" },
  });
  await refuses(app.manager.put(shop.path, { token }), "conflict");
  const { recipe } = await shop.save({ token, force: true });
  assertFields(recipe, { source: "taught", confidenceMost: 0.7 });
});

withCheckedScrapingApp.test("a shop with one page cannot be taught, and learns nothing again before a visit", async (app) => {
  await using shop = await openLinkedShop(app, 1, (n) => twoPrices(n, 10_000));
  await refuses(shop.teach({ price: "100.10" }), "conflict");
  assertEquals(shop.visits.length, 0);
  const nothing = { recipe: null, learning: { pages: 0, needed: 3 } };
  assertEquals(await app.manager.begin(`${shop.path}/relearn`), nothing);
});

Deno.test("verdictOnPage() uses the page's other facts, then the last known price", () => {
  type Kind = RecipeOutcome["kind"] | null;
  const table: readonly [Kind, price: number | null, was: number | null, TrialVerdict][] = [
    ["agrees", 1_000, 9_000, "same"],
    ["contradicts", 1_000, 1_000, "differs"],
    ["misses", null, 1_000, "nothing"],
    [null, null, null, "nothing"],
    ["alone", 1_000, null, "plausible"],
    ["alone", 1_000, 1_000, "same"],
    ["alone", 1_000, 2_000, "plausible"],
    ["alone", 1_000, 2_001, "differs"],
    ["alone", 1_000, 499, "differs"],
  ];
  for (const [kind, price, was, expected] of table) {
    const outcome = kind && { kind, find: null };
    assertEquals(verdictOnPage(outcome, price, was), expected, `${kind} ${price} ${was}`);
  }
});

Deno.test("verdictOnAll() is good from 60 % on, and never with a different price or one amount everywhere", () => {
  const table: readonly [string, TrialVerdict][] = [
    ["same same same same same", "same"],
    ["same plausible", "plausible"],
    ["plausible plausible plausible nothing nothing", "plausible"],
    ["plausible plausible nothing nothing", "nothing"],
    ["same same same same differs", "differs"],
    ["nothing", "nothing"],
    // Pages that no longer exist are ignored.
    ["same gone gone gone", "same"],
    ["gone", "nothing"],
  ];
  for (const [verdicts, expected] of table) {
    const trials = verdicts.split(" ").map((word, n) => ({
      verdict: word === "gone" ? "nothing" as const : word as TrialVerdict,
      errorCode: word === "gone" ? "http_error" : null,
      price: word === "nothing" || word === "gone" ? null : 1_000 + n,
    }));
    assertEquals([verdicts, verdictOnAll(500, trials)], [verdicts, expected]);
  }
  const constant = { verdict: "plausible" as const, errorCode: null, price: 495 };
  assertEquals(verdictOnAll(495, [constant, constant]), "plausible");
  assertEquals(verdictOnAll(495, [constant, constant, constant]), "differs");
});
