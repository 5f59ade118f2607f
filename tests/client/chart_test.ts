import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  apartMarkers,
  centsAt,
  type PriceSeries,
  priceSpan,
  priceTicks,
  scaled,
  spread,
  stepLine,
} from "../../src/client/parts/chart/chart_scale.ts";
import { badgeOf, shopClass } from "../../src/client/parts/shops.tsx";
import { addProducts, onScreen } from "./browser.ts";

const series = (colour: number, ...cents: readonly (number | null)[]): PriceSeries => ({
  key: String(colour),
  label: String(colour),
  badge: "XX",
  colour,
  points: cents.map((value, at) => ({ atMs: at * 10, cents: value })),
});
const TIME = { from: 0, to: 100 };

Deno.test("priceSpan() ignores outliers of shops, but always contains our price", () => {
  const usual = [series(1, 1000, 1010), series(2, 1020, 990), series(3, 1005)];
  const span = priceSpan([series(0, 1000), ...usual, series(4, 199900)], TIME);
  ok(span && span.to < 2000 && span.from > 900, JSON.stringify(span));
  const own = priceSpan([series(0, 199900), ...usual], TIME);
  ok(own && own.to > 199900, JSON.stringify(own));
  assertEquals(priceSpan([series(0)], TIME), null);
});

Deno.test("priceSpan() contains all our prices, and is never empty", () => {
  const prices = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(prices, prices, (own, other) => {
    const span = priceSpan([series(0, ...own), series(1, ...other)], { from: 0, to: 1_000 });
    ok(span && span.to > span.from && span.from >= 0);
    ok(own.every((cents) => cents >= span.from && cents <= span.to));
    const ticks = priceTicks(span, 5);
    ok(ticks.length <= 12 && ticks.every((tick) => tick >= span.from && tick <= span.to));
  }));
});

Deno.test("stepLine() draws steps, breaks at gaps, and marks prices outside the axis", () => {
  const plan = {
    time: TIME,
    price: { from: 0, to: 100 },
    x: scaled(TIME, { from: 0, to: 100 }),
    y: scaled({ from: 0, to: 100 }, { from: 100, to: 0 }),
  };
  const line = stepLine({ ...plan, points: series(1, 10, 20, null, 30).points });
  assertEquals(line, { path: "M0 90H10V80H20M30 70H100", outside: [], endY: 70 });
  const far = stepLine({ ...plan, points: series(1, 10, 500).points });
  const outside = [{ x: 10, isAbove: true, cents: 500 }];
  assertEquals(far, { path: "M0 90H10", outside, endY: null });
});

Deno.test("centsAt() is the price at a time", () => {
  const { points } = series(1, 10, null, 30);
  assertEquals([-1, 0, 9, 10, 25].map((at) => centsAt(points, at)), [null, 10, 10, null, 30]);
});

Deno.test("spread() keeps labels apart and in order", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }), (places) => {
    const found = spread(places, 20, { from: 0, to: 200 });
    const sorted = found.toSorted((a, b) => a - b);
    ok(sorted.every((y, at) => at === 0 || y - (sorted[at - 1] ?? 0) >= 20));
  }));
});

Deno.test("apartMarkers() keeps the newest of overlapping markers", () => {
  const marker = (atMs: number) => ({ atMs, kind: "import" as const });
  const found = apartMarkers([marker(0), marker(5), marker(40)], (at) => at, 16);
  assertEquals(found.map(({ atMs }) => atMs), [5, 40]);
});

Deno.test("a badge is two capitals; colour and dash distinguish 28 shops", () => {
  const badges = ["SparMarkt Online", "Elektro Brandt", "acme.example", "7", "–"].map(badgeOf);
  assertEquals(badges, ["SM", "EB", "AC", "7", "?"]);
  const classes = Array.from({ length: 28 }, (_, n) => shopClass(n + 1));
  assertEquals(new Set(classes).size, 28);
  assertEquals([classes[0], classes[7]], ["shop-1 dash-1", "shop-1 dash-2"]);
});

onScreen.test("the chart shows all prices of a time by mouse and by keys, and zooms to a dragged range", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [{ sku: "A-1", title: "A", ourPrice: 100 }]);
  const page = await browser.open(app, `/products/${id}`, {});
  const chart = page.getByRole("slider");
  const box = await chart.boundingBox();
  ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 60, y);
  ok((await page.locator(".tip").textContent())?.includes("Wir"));
  await page.mouse.move(box.x - 5, box.y - 40);
  await page.locator(".tip").waitFor({ state: "detached" });

  await chart.focus();
  await page.keyboard.press("End");
  const spoken = await chart.getAttribute("aria-valuetext");
  ok(spoken?.includes("Wir 100,00"), spoken ?? "");
  await page.locator(".tip").waitFor();
  await page.keyboard.press("Escape");

  const left = () => chart.getAttribute("aria-valuemin").then(Number);
  const before = await left();
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 60, y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor();
  ok(await left() > before);
  await page.getByRole("button", { name: "7 Tage" }).click();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor({ state: "detached" });
  const styled = await page.locator(".chart svg[style], .chart svg [style]").count();
  assertEquals(styled, 0);
});
