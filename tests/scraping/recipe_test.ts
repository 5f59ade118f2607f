import { bodyOf, refuses } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { UnsurePage } from "../../src/scraping/page/last_page.ts";
import type {
  RecipeAnswer,
  Teaching,
  TrialVerdict,
} from "../../src/scraping/teaching/change_recipe.ts";
import { auditOf, listShops } from "../shops/shop.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { html, openShop, type Page } from "./hostile_shop.ts";
import {
  addTargets,
  alertsOf,
  onlyResult,
  scrape,
  withCheckedScrapingApp,
} from "./scraping_app.ts";
import type { RecipeOutcome } from "../../src/engine/extraction/recipe/use_recipe.ts";
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

function pagesOf(count: number, text: (n: number) => string): Record<string, Page> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`/p/${n}`, () => html(text(n))]),
  );
}

async function onlyShop(app: TestApp): Promise<string> {
  const [competitor] = await listShops(app.viewer);
  return competitor!.id;
}

function recipeOf(app: TestApp, id: string): Promise<RecipeAnswer> {
  return app.viewer.read<RecipeAnswer>(`/api/competitors/${id}/recipe`);
}

withCheckedScrapingApp.test("a shop without markup is learned from three pages, and a change is noticed, reported once and learned", async (app) => {
  let place = "ort";
  await using shop = openShop(pagesOf(24, (n) => onePrice(n, place)));
  const products: string[] = [];
  for (let n = 0; n < 24; n++) products.push(await addTargets(app, `${shop.base}/p/${n}`));
  const visit = async (n: number) => onlyResult(await scrape(app, products[n]!));
  for (const n of [0, 1]) await visit(n);
  const id = await onlyShop(app);
  assertEquals(await recipeOf(app, id), { recipe: null, learning: { pages: 2, needed: 3 } });
  await visit(2);
  const { recipe, learning } = await recipeOf(app, id);
  assertEquals(learning, { pages: 3, needed: 3 });
  assertEquals([recipe?.source, recipe?.status, recipe?.support, recipe?.hitRate], [
    "learned",
    "active",
    3,
    1,
  ]);
  // The recipe was learned only from displayed prices, so its confidence stays low.
  assertEquals(recipe?.confidenceMost, 0.7);
  ok(recipe?.selectors.some(({ selector }) => selector === "div.ort"), JSON.stringify(recipe));
  for (let n = 3; n < 12; n++) await visit(n);
  place = "anderswo";
  let changedAfter = 0;
  for (let n = 12; n < 24 && changedAfter === 0; n++) {
    await visit(n);
    const now = await recipeOf(app, id);
    const names = now.recipe?.selectors.map(({ selector }) => selector) ?? [];
    if (names.includes("div.anderswo") || now.recipe?.status === "drifting") {
      changedAfter = n - 11;
    }
  }
  ok(changedAfter > 0 && changedAfter <= 10, `noticed after ${changedAfter} pages`);
  await until(
    "people are alerted",
    async () => (await alertsOf(app, "recipe_drifting")).length > 0,
  );
  for (let n = 0; n < 3; n++) await visit(n);
  assertEquals((await alertsOf(app, "recipe_drifting")).length, 1);
  assertEquals((await recipeOf(app, id)).recipe?.status, "active");
});

withCheckedScrapingApp.test("a person teaches a shop by the price on one page, and all its pages are read with it", async (app) => {
  await using shop = openShop({
    ...pagesOf(7, (n) => twoPrices(n, 10_000 + 700 * n)),
    "/alone": () => html(twoPrices(9, 4_400)),
  });
  const products: string[] = [];
  for (let n = 0; n < 7; n++) products.push(await addTargets(app, `${shop.base}/p/${n}`));
  const before = onlyResult(await scrape(app, products[6]!));
  assertEquals([before.status, before.errorCode], ["failed", "ambiguous_price"]);
  const id = await onlyShop(app);
  const path = `/api/competitors/${id}/recipe`;
  const teach = (body: object) => app.manager.post(`${path}/teach`, body);
  const url = `${shop.base}/p/0`;

  // The refusal of a price that is not on the page names the nearest prices.
  const answer = await teach({ url, price: "101,10" });
  assertEquals(answer.status, 400);
  const { error } = await answer.json();
  assertEquals(error.details.nearest, [{ price: 10_010, currency: "EUR" }, {
    price: 15_010,
    currency: "EUR",
  }]);
  await refuses(teach({ url }), "validation_failed");
  await refuses(teach({ url: "https://other.example/p", price: "1" }), "validation_failed");
  await refuses(teach({ url, candidateId: "none" }), "validation_failed");

  const teaching = await bodyOf(teach({ url, price: "100,10 €" }), 200);
  assertEquals([teaching.verdict, teaching.tests.length], ["plausible", 5]);
  assertEquals(teaching.selectors.at(-1), "div.rechts");
  const [first] = teaching.tests;
  assertEquals([first?.title, first?.text, first?.verdict, first?.wasPrice], [
    "Product 1",
    "107,10 €",
    "plausible",
    null,
  ]);
  assertEquals((await recipeOf(app, id)).recipe, null);

  // Only the person who taught the place may use the token, and only for 15 minutes.
  const put = (body: object, caller = app.manager) => caller.put(path, body);
  const { token } = teaching;
  await refuses(put({ token: `${token}A` }), "validation_failed");
  await refuses(put({ token }, app.owner), "validation_failed");
  const { recipe } = await bodyOf(put({ token }), 200);
  assertEquals([recipe?.source, recipe?.status, recipe?.confidenceMost, recipe?.taughtFrom], [
    "taught",
    "active",
    0.9,
    url,
  ]);
  app.clock.advance(16 * 60_000);
  await refuses(put({ token }), "validation_failed");
  const after = onlyResult(await scrape(app, products[6]!));
  assertEquals([after.status, after.price, after.method], ["ok", 14_210, "taught"]);

  assertEquals(await app.manager.remove(path), { ok: true });
  assertEquals((await recipeOf(app, id)).recipe, null);
  const actions = (await auditOf(app.viewer, `recipe:${id}`)).map(([action]) => String(action));
  assertEquals(actions.toSorted(), ["recipe.delete", "recipe.teach"]);
});

withCheckedScrapingApp.test("a person teaches a shop by a price of a stored page", async (app) => {
  await using shop = openShop(pagesOf(4, (n) => twoPrices(n, 10_000 + 700 * n)));
  const products: string[] = [];
  for (let n = 0; n < 4; n++) products.push(await addTargets(app, `${shop.base}/p/${n}`));
  const { competitorProductId } = onlyResult(await scrape(app, products[0]!));
  const { url, candidates } = await app.viewer.read<UnsurePage>(
    `/api/competitor-products/${competitorProductId}/page`,
  );
  const meant = candidates.find(({ amount }) => amount === 10_010);
  const path = `/api/competitors/${await onlyShop(app)}/recipe`;
  const teach = (body: object) => app.manager.post(`${path}/teach`, { url, ...body });
  const both = teach({ price: "100,10", candidateId: meant?.id });
  await refuses(both, "validation_failed");
  const chosen = await bodyOf(teach({ candidateId: meant?.id }), 200);
  const typed = await bodyOf(teach({ price: "100,10" }), 200);
  assertEquals([chosen.selectors, chosen.tests], [typed.selectors, typed.tests]);
  await app.manager.replace(path, { token: chosen.token });
  for (const n of [0, 3]) {
    const { status, price, method } = onlyResult(await scrape(app, products[n]!));
    assertEquals([status, price, method], ["ok", 10_010 + 700 * n, "taught"]);
  }
  // An extractor has priority over the recipe. The extractor of a link has priority over the
  // shop's.
  const left = { extractor: { priceSelector: ".links" } };
  await app.manager.change(path.replace("/recipe", ""), left);
  const byShop = onlyResult(await scrape(app, products[3]!));
  assertEquals([byShop.price, byShop.method], [17_110, "extractor"]);
  const right = { extractor: { priceSelector: ".rechts" } };
  await app.manager.change(`/api/competitor-products/${byShop.competitorProductId}`, right);
  const byLink = onlyResult(await scrape(app, products[3]!));
  assertEquals([byLink.price, byLink.method], [12_110, "extractor"]);
});

withCheckedScrapingApp.test("a shop whose pages show their price only by script is taught by script data", async (app) => {
  const drawn = (n: number) =>
    `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div id="app"></div><script>window.__STATE__ = ${
      JSON.stringify({
        shipping: { price: 495 },
        item: { price: 1_990 + 700 * n, currency: "EUR" },
      })
    };</script></body></html>`;
  await using shop = openShop(pagesOf(4, drawn));
  const products: string[] = [];
  for (let n = 0; n < 4; n++) products.push(await addTargets(app, `${shop.base}/p/${n}`));
  const before = onlyResult(await scrape(app, products[3]!));
  assertEquals([before.status, before.errorCode], ["failed", "no_price"]);
  const id = await onlyShop(app);
  const path = `/api/competitors/${id}/recipe`;
  const url = `${shop.base}/p/0`;
  const teaching = await app.manager.act<Teaching>(`${path}/teach`, { url, price: "19,90" });
  const place = "__STATE__ $.item.price / 100";
  assertEquals([teaching.verdict, teaching.selectors], ["plausible", [place]]);
  assertEquals(
    teaching.tests.map(({ text, price, currency }) => [text, price, currency]),
    [1, 2, 3].map((n) => [`price: ${1_990 + 700 * n}`, 1_990 + 700 * n, "EUR"]),
  );
  const { recipe } = await app.manager.replace<RecipeAnswer>(path, { token: teaching.token });
  assertEquals(recipe?.selectors.map(({ selector, statePath }) => [selector, statePath]), [
    [undefined, place],
  ]);
  const after = onlyResult(await scrape(app, products[3]!));
  // No displayed price confirms this price, so its confidence is too low for automatic rules.
  assertEquals([after.price, after.currency, after.method, after.confidence], [
    4_090,
    "EUR",
    "taught",
    0.7,
  ]);
  const [[, , noted] = []] = await auditOf(app.viewer, `recipe:${id}`);
  assertEquals(JSON.stringify(noted).includes(place), true, JSON.stringify(noted));
});

withCheckedScrapingApp.test("a place with another price on a further page is saved only by force, with lower confidence", async (app) => {
  const marked = (cents: number) =>
    `<script type="application/ld+json">{"@type":"Product","name":"Product","offers":{"price":"${
      cents / 100
    }","priceCurrency":"EUR"}}</script>`;
  await using shop = openShop({
    ...pagesOf(5, (n) => twoPrices(n, 10_000 + 700 * n)),
    // The markup of this page states the price on the left.
    "/p/3": () => html(marked(17_110) + twoPrices(3, 12_100)),
  });
  for (let n = 0; n < 5; n++) await addTargets(app, `${shop.base}/p/${n}`);
  const id = await onlyShop(app);
  const path = `/api/competitors/${id}/recipe`;
  const body = { url: `${shop.base}/p/0`, price: "100.10" };
  const teaching = await app.manager.act<Teaching>(`${path}/teach`, body);
  assertEquals(teaching.verdict, "differs");
  const other = teaching.tests.find(({ verdict }) => verdict === "differs");
  assertEquals([other?.price, other?.otherwise], [12_110, {
    price: 17_110,
    currency: "EUR",
    method: "json_ld",
  }]);
  const { token } = teaching;
  await refuses(app.manager.put(path, { token }), "conflict");
  const saved = await app.manager.replace<RecipeAnswer>(path, { token, force: true });
  assertEquals([saved.recipe?.source, saved.recipe?.confidenceMost], ["taught", 0.7]);
});

withCheckedScrapingApp.test("a shop with one page cannot be taught, and data of other workspaces is not found", async (app) => {
  await using shop = openShop(pagesOf(1, (n) => twoPrices(n, 10_000)));
  await addTargets(app, `${shop.base}/p/0`);
  const id = await onlyShop(app);
  const path = `/api/competitors/${id}/recipe`;
  const body = { url: `${shop.base}/p/0`, price: "100.10" };
  await refuses(app.manager.post(`${path}/teach`, body), "conflict");
  assertEquals(shop.visits.length, 0);
  assertEquals(
    await app.manager.begin(`${path}/relearn`),
    { recipe: null, learning: { pages: 0, needed: 3 } },
  );
  const unknown = "/api/competitors/0123456789abcdef01234567/recipe";
  await refuses(app.viewer.get(unknown), "not_found");
  await refuses(app.manager.delete(unknown), "not_found");
});

Deno.test("verdictOnPage() uses the page's other facts, then the last known price", () => {
  const table: readonly [
    RecipeOutcome["kind"] | null,
    number | null,
    number | null,
    TrialVerdict,
  ][] = [
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
    assertEquals([kind, price, was, verdictOnPage(outcome, price, was)], [
      kind,
      price,
      was,
      expected,
    ]);
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
