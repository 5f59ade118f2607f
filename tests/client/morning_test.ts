import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { momentText } from "../../src/client/formats/day.ts";
import { sinceOf } from "../../src/client/pages/overview/overview_screen.tsx";
import { trendPath } from "../../src/client/pages/overview/position_card.tsx";
import { createShow } from "../../src/engine/wording/show.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import { addProduct, addRule, decideOnce, push, untilJudged } from "../rules/evaluation/market.ts";
import { cutIn, fitsAllWays, violationsOf } from "./see_all_ways.ts";
import { follow, onNow, testsOfOneApp } from "./browser.ts";
import { fillMorning } from "./morning_shop.ts";
import { figuresOf } from "./on_page.ts";

onNow.test("a product without an own price is no first comparison; a viewer waits for no figures of rules", async ({ app, browser }) => {
  await addProduct(app.owner, "A", { ourPrice: null });
  await push(app, [["A", "acme", 80]]);
  await untilJudged(app);
  const page = await browser.open(app, "/");
  await page.locator(".first-steps > li.done").nth(1).waitFor();
  assertEquals(await page.locator(".first-steps > li").nth(2).getAttribute("class"), "framed next");

  // Only managers may simulate rules, so viewers see no forecast of what a rule would change.
  await addProduct(app.owner, "B", { ourPrice: 100 });
  await push(app, [["B", "acme", 80]]);
  await untilJudged(app);
  const looking = await browser.open(app, "/", { cookie: app.viewerCookie });
  await looking.locator(".first-price a.button").waitFor();
  assertEquals(await looking.locator(".first-rules h3").count(), 3);
  assertEquals(await looking.locator(".first-rules").getByText("rechnet …").count(), 0);
});

const onMorning = testsOfOneApp(fillMorning);

onMorning.test("the morning page shows our position, and its counts open their lists", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie, now: app.clock.now() });
  const moves = page.waitForResponse((answer) => answer.url().includes("/api/market/moves?"));
  const ofShops: string[] = [];
  page.on("request", (request) => {
    if (/market\/trend.*competitorId/.test(request.url())) ofShops.push(request.url());
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "Guten Morgen" }).waitFor();
  const { total: ending } = await app.owner.read(
    "/api/proposals?status=open&expiresBefore=2026-03-09T23:00:00Z&limit=1",
  );
  ok(ending > 1, `${ending} proposals are over today`);
  await page.getByText(`${ending} Vorschläge laufen heute ab.`).waitFor();

  const counted = [
    [/günstigster/, "/products?position=cheapest"],
    [/Mittelfeld/, "/products?position=middle"],
    [/mit Spielraum nach oben/, "/products?roomAbovePct=0"],
    [/unter 10\s% Marge/, "/products?marginBelowPct=10"],
  ] as const;
  for (const [name, path] of counted) {
    const link = page.locator(".share-trends a, .panel footer a").filter({ hasText: name });
    assertEquals(await link.getAttribute("href"), path);
    const { total } = await app.owner.read(`/api${path}&limit=1`);
    const shown = (await link.innerText()).replace(/10\s%/, "");
    ok(total > 0 && new RegExp(`\\b${total}\\b`).test(shown), `${path}: ${total} in "${shown}"`);
  }

  const data = page.getByRole("region", { name: "Stand der Daten" });
  await data.getByText("Noch keine ERP-Datei").waitFor();
  const rows = data.locator(".freshness li");
  assertEquals(await rows.count(), 5);
  assertEquals(await data.locator(".meter.bad").count(), 1);
  const quiet = rows.filter({ hasText: "haushalt24" });
  match(await quiet.innerText(), /0 von 24 Preisen sind frisch, 24 veraltet/);

  const heat = page.getByRole("region", { name: "Preisindex je Kategorie und Shop" }).first();
  await heat.locator("tbody tr").nth(3).waitFor();
  const cell = heat.locator("tbody tr", { hasText: "Fernseher" }).locator("td a").nth(1);
  const query = new URLSearchParams((await cell.getAttribute("href"))?.split("?")[1]);
  const summary = await app.owner.read(`/api/market/summary?by=category,competitor&${query}`);
  const [group] = summary.items.filter(({ competitorId }: { competitorId: string }) =>
    competitorId === query.get("competitorId")
  );
  assertEquals(await cell.innerText(), group.indexPct.toFixed(1).replace(".", ","));
  // A shop without fresh prices keeps its last price index.
  const still = heat.locator("td.quiet a").first();
  match(await still.innerText(), /^\d+,\d$/);
  assertEquals(ofShops.length, 1, "one request for all categories of the shop");

  await page.getByText("4 Preise in Kaffee & Tee").waitFor();
  await page.getByText("unterbietet uns bei 4").first().waitFor();
  await page.locator(".moves li", { hasText: "4 Preise in" }).getByText("im Mittel").waitFor();
  match(await page.locator(".moves").innerText(), /121,00\s€ → 110,00\s€/);
  const { total: moved, groups } = await (await moves).json();
  ok(moved >= 5, `${moved} moves`);
  await page.getByRole("link", { name: `alle ${moved}` }).waitFor();
  // The page names the three shops with the most moves, and sums up the others.
  const ofShop = new Map<string, number>();
  for (const { competitor, moves } of groups) {
    ofShop.set(competitor, (ofShop.get(competitor) ?? 0) + moves);
  }
  const most = [...ofShop.values()].sort((a, b) => b - a).slice(0, 3);
  const told = (await page.locator(".moves li").allInnerTexts()).map((text) =>
    Number(/alle (\d+) bei/.exec(text)?.[1])
  );
  assertEquals(told, most);
  const rest = moved - most.reduce((sum, count) => sum + count, 0);
  await page.getByText(`Zahl der Bewegungen · ${rest} bei weiteren Shops`).waitFor();
  const effect = page.getByRole("table", { name: "Vorschläge nach Wirkung" });
  match(await effect.innerText(), /\d,\d\s%\s+1\/5\s+−\d+,\d\d\s€/);
  const all = page.getByRole("link", { name: "alle entscheiden" });
  assertEquals(await all.getAttribute("href"), "/proposals?status=open");
  // The chart draws a line from three values on: here two evenings and the current value.
  await page.locator(".share-trends svg").first().waitFor();
  await page.getByText(/^Alle drei von 0 bis \d+0\s%; gestrichelt: vor \d Tagen$/).waitFor();
  match(await page.locator(".share-trends small").first().innerText(), /^\d\d\.03\.: \d/);
  const tops = await page.locator(".share-trends path.before").evaluateAll((lines) =>
    lines.map((line) => Number(/,([\d.]+)H/.exec(line.getAttribute("d") ?? "")?.[1]))
  );
  const begun = (await page.locator(".share-trends small").allInnerTexts())
    .map((text) => Number(/: ([\d,]+)/.exec(text)?.[1]?.replace(",", ".")));
  const byHeight = (order: readonly number[]) =>
    order.map((_, at) => at).toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  assertEquals(byHeight(tops.map((top) => -top)), byHeight(begun));
  await page.getByText(/haushalt24.*: Preise vom /).waitFor();

  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assertEquals([width, await violationsOf(page)], [width, []]);
    const whole = await page.evaluate<number>("document.documentElement.scrollWidth");
    assertEquals(whole, width);
  }
  await page.getByRole("link", { name: `${ending} Vorschläge entscheiden` }).click();
  await page.locator(".page-title").getByText(`${ending} offen`).waitFor();
  const looking = await browser.open(app, "/", { cookie: app.viewerCookie });
  await looking.getByRole("link", { name: /^\d+ Vorschläge ansehen$/ }).waitFor();
  await looking.getByRole("link", { name: "alle ansehen" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "4 Preise in Kaffee & Tee" }).click();
  await page.getByText("5 Bewegungen bei 4 Produkten").waitFor();
  await page.locator("tbody tr.opens").nth(4).waitFor();
  assertEquals(await page.locator("tbody tr.opens").count(), 5);
  assertEquals(await violationsOf(page), []);
  await page.getByRole("button", { name: "Filter leeren" }).click();
  await page.getByText(`${moved} Bewegungen bei`).waitFor();
  const kinds = await page.locator(".chip .chip-count").allInnerTexts();
  assertEquals(kinds.reduce((sum, text) => sum + Number(text), 0), moved);
  const { items: shops } = await app.owner.read("/api/overview/shops");
  const sumOf = (part: "links" | "fresh") =>
    shops.reduce((sum: number, one: Record<string, number>) => sum + (one[part] ?? 0), 0);
  assertEquals([sumOf("fresh"), sumOf("links")], [96, 120]);
  await follow(page, "/competitors");
  await page.getByText("96 von 120 Preisen").waitFor();
});

onMorning.test("price moves are requested since the chosen time", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie, now: app.clock.now() });
  const asked: string[] = [];
  await page.route("**/api/market/moves?*", async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get("since") ?? "");
    await route.fallback();
  });
  await page.goto("/");
  await page.locator(".moves").waitFor();
  await page.getByLabel(/^Seit/).selectOption("7");
  await page.waitForURL(/since=7/);
  await page.getByText(/^seit /).first().waitFor();
  await page.reload();
  await page.locator(".moves").waitFor();
  const nowMs = app.clock.now().getTime();
  const { lastVisitAt } = await app.owner.read("/api/auth/me");
  assertEquals(asked[0], sinceOf("visit", lastVisitAt, nowMs));
  assertEquals(asked.at(-1), sinceOf("7", lastVisitAt, nowMs));
});

onNow.test("a paused source is a red line of the morning page, and one click resumes it; a file that was taken back is not shown as imported", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const rows = (price: string) => itemsXml([{ sku: "A", title: "Mixer", price }]);
  await importXml(key, rows("100,00"));
  await addRule(app.owner);
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  await decideOnce(app);
  const page = await browser.open(app, "/");
  const { data } = await importXml(key, rows("120,00"));
  const card = page.getByRole("region", { name: "Stand der Daten" });
  await card.getByText("ERP-Datei übernommen:").waitFor();
  await page.locator(".erp", { hasText: "1 geändert, 0 neu" }).getByRole("link").first().click();
  assertEquals(await figuresOf(page, ["Geändert"]), ["1"]);
  await page.goBack();
  await app.owner.act(`/api/imports/${data.jobId}/undo`);
  await page.reload();
  // The undo has paused the source of the file.
  await card.getByRole("button", { name: "Fortsetzen" }).click();
  await card.getByText("ERP-Datei zurückgenommen:").waitFor();
  assertEquals(await card.getByText("übernommen:").count(), 0);

  const added = { name: "Nachtlauf", kind: "upload" };
  const { id } = await app.owner.create("/api/import-sources", added);
  const pausedAt = app.clock.now().toISOString();
  for (const one of ["default", id]) {
    await app.owner.change(`/api/import-sources/${one}`, { pausedAt });
  }
  await page.reload();
  await page.getByRole("heading", { name: "Guten Morgen" }).waitFor();
  const lines = page.locator(".note.warn", { hasText: "pausiert" });
  const ofNight = lines.filter({ hasText: "Die Quelle „Nachtlauf“ ist seit" });
  await ofNight.waitFor();
  await lines.filter({ hasText: "Die Quelle „Standard“ ist seit" }).waitFor();
  assertEquals(await lines.count(), 2);
  await ofNight.getByRole("button", { name: "Fortsetzen" }).click();
  await page.getByText("Die Quelle „Nachtlauf“ läuft weiter").waitFor();
  await ofNight.waitFor({ state: "detached" });
  const read = (one: string) => app.owner.read(`/api/import-sources/${one}`);
  assertEquals([(await read(id)).pausedAt, (await read("default")).pausedAt], [null, pausedAt]);
  assertEquals(await lines.count(), 1);

  const looking = await browser.open(app, "/", { cookie: app.viewerCookie });
  const seen = looking.locator(".note.warn", { hasText: "Die Quelle „Standard“ ist seit" });
  await seen.waitFor();
  assertEquals(await seen.getByRole("button").count(), 0);
});

Deno.test("sinceOf() is the last visit or some days ago, to the minute, at most 30 days", () => {
  const nowMs = Date.parse("2026-11-20T06:12:45Z");
  const table = [
    ["visit", "2026-11-19T16:42:10Z", "2026-11-19T16:42:00.000Z"],
    ["visit", null, "2026-11-19T06:12:00.000Z"],
    ["visit", "2026-01-01T00:00:00Z", "2026-10-21T06:13:00.000Z"],
    ["7", null, "2026-11-13T06:12:00.000Z"],
    ["30", "2026-11-19T16:42:10Z", "2026-10-21T06:13:00.000Z"],
  ] as const;
  for (const [span, visit, expected] of table) {
    assertEquals(sinceOf(span, visit, nowMs), expected);
  }
});

Deno.test("trendPath() starts again after each gap, and stays inside its picture", () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { maxLength: 40 });
  fc.assert(fc.property(values, (list) => {
    const path = trendPath(list, 100);
    const stretches = list.filter((value, at) =>
      value !== null && (list[at - 1] ?? null) === null
    ).length;
    assertEquals(path.split("M").length - 1, stretches);
    for (const [, x, y] of path.matchAll(/[ML]([\d.-]+),([\d.-]+)/g)) {
      ok(Number(x) >= 0 && Number(x) <= 300 && Number(y) >= 0 && Number(y) <= 40, path);
    }
  }));
});

Deno.test("momentText() shows recent times as short as possible", () => {
  const nowMs = Date.parse("2026-11-20T06:12:00Z");
  const settings = { locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => nowMs);
  const texts = ["2026-11-20T05:00:00Z", "2026-11-19T23:30:00Z", "2026-11-18T21:04:00Z", null]
    .map((instant) => momentText(show, instant, nowMs));
  assertEquals(texts, ["06:00", "00:30", "Mi, 22:04", "–"]);
  assertEquals(momentText(show, "2026-11-13T12:00:00Z", nowMs), "13.11.26, 13:00");
});

/** German formats of numbers, dates and days, for example "12,5", "3 €" and "Montag". */
const GERMAN = [
  /\d,\d{1,2}(?!\d)/,
  /\d[\u00a0 \u202f][%€]/,
  /\b\d{1,2}\.\d{1,2}\.(?!\d*%)/,
  /Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\.,/,
];

onMorning.test("English screens of a German workspace have English figures", async ({ app, browser }) => {
  const english = { cookie: app.ownerCookie, locale: "en-GB", now: app.clock.now() };
  const { page } = await browser.visit(app.base, english);
  for (const path of ["/", "/products", "/proposals", "/audit-log", "/moves", "/competitors"]) {
    await page.goto(path);
    const main = page.locator("#main");
    const isDrawn = async () =>
      (await main.innerText()).length > 100 && await main.locator(".loading").count() === 0;
    await until(`${path} is drawn`, isDrawn);
    await page.waitForLoadState("networkidle");
    // Names of rules stay German.
    const text = (await main.innerText()).replaceAll(/Kaffee[^\n]*/g, "");
    assertEquals(GERMAN.map((form) => form.exec(text)?.[0] ?? null), GERMAN.map(() => null), path);
    if (path === "/") match(text, /Monday 9 March/);
    if (path === "/products") match(text, /€\d+\.\d\d/);
  }
});

onMorning.test("the font is small, self-hosted and complete, with digits of equal width", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const loaded = page.waitForResponse((answer) => answer.url().endsWith(".woff2"));
  await page.goto("about:blank");
  await page.goto("/");
  const answer = await loaded;
  assertEquals(answer.headers()["content-type"], "font/woff2");
  match(answer.headers()["cache-control"] ?? "", /immutable/);
  const file = await page.request.get(answer.url());
  ok((await file.body()).length < 60 * 1_024);
  await page.locator("main h1").waitFor();
  assertEquals(await page.evaluate(FACES), ["Inter loaded"]);
  assertEquals(await page.evaluate(LACKING), []);
  assertEquals(await page.evaluate(FIGURE_WIDTHS), 1);
});

const MORNING_PATHS = ["/", "/proposals", "/audit-log"];

for (const locale of ["de-DE", "en-GB"]) {
  onMorning.test(`no number of a morning screen is cut at any width in ${locale}`, async ({ app, browser }) => {
    const visit = { cookie: app.ownerCookie, locale, now: app.clock.now() };
    const { page } = await browser.visit(app.base, visit);
    for (const path of MORNING_PATHS) {
      await page.goto(path);
      await page.locator(".heat tbody tr, .table-box tbody tr").first().waitFor();
      await page.waitForLoadState("networkidle");
      await fitsAllWays(page);
    }
  });
}

onMorning.test("no table is wider than a tablet", async ({ app, browser }) => {
  const page = await browser.open(app, "/products", { viewport: { width: 768, height: 1_024 } });
  for (const path of ["/rules", "/audit-log"]) {
    await follow(page, path);
    await page.locator(".table-box tbody tr").first().waitFor();
    assertEquals([path, await cutIn(page.locator(".table-scroll"))], [path, []]);
  }
});

const FACES = "[...document.fonts].map(({ family, status }) => `${family} ${status}`)";

/** Returns the characters that the font Inter lacks. */
const LACKING = `{
  const context = document.createElement("canvas").getContext("2d");
  const widthIn = (text, family) => {
    context.font = "100px " + family;
    return context.measureText(text).width;
  };
  [..."äöüÄÖÜßéèêçœàô€−–„“’…·×↑↓0123456789"]
    .filter((text) => widthIn(text, "Inter, monospace") === widthIn(text, "monospace"));
}`;

const FIGURE_WIDTHS = `new Set(["1111", "0000", "4747"].map((text) => {
  const span = document.createElement("span");
  span.textContent = text;
  document.body.append(span);
  return span.getBoundingClientRect().width;
})).size`;
