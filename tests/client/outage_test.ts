import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { momentText } from "../../src/client/formats/day.ts";
import { createShow } from "../../src/engine/wording/show.ts";
import { untilReads } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { html, openShop, productPage } from "../scraping/hostile_shop.ts";
import { addTargets, scrape, SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { follow, withBrowser } from "./browser.ts";
import { seeAllWays } from "./see_all_ways.ts";

const SHOW = createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => 0);

withBrowser.test("a shop that is down has the same outage start and the same button on all screens", async (browser) => {
  let pastMs = 3 * DAY_MS;
  await using app = await startTestApp({
    now: () => new Date(Date.now() - pastMs),
    env: SCRAPING_ENV,
  });
  let isDown = false;
  await using shop = openShop({
    // The shop is more expensive than we are, so that the rule below never fires.
    "/p": () => isDown ? html("", {}, 503) : html(productPage("11.00")),
  });
  const productId = await addTargets(app, `${shop.base}/p`);
  const { items: [{ id }] } = await app.owner.read("/api/competitors");
  await app.owner.change(`/api/competitors/${id}`, { displayName: "Kücheneck" });
  // An alert-only rule ends the set-up without a decision.
  await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  await scrape(app, productId);
  isDown = true;
  pastMs -= HOUR_MS;
  await scrape(app, productId);
  const { items: [{ health: { lastError } }] } = await app.owner.read("/api/competitors");
  pastMs = 0;
  await scrape(app, productId);
  await untilReads(app.owner, "/api/alerts/causes", { open: 1 });
  const since = momentText(SHOW, lastError.at, Date.now());

  const page = await browser.open(app, "/");
  await page.getByText(`Kücheneck fällt seit ${since} aus.`).waitFor();
  const line = page.locator(".freshness li", { hasText: `fällt seit ${since} aus` });
  await line.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).waitFor();
  assertEquals(await line.getByRole("link").getAttribute("href"), `/competitors/${id}`);
  await page.locator(".nav a", { hasText: "In 1 Shop ist etwas zu erledigen" }).waitFor();

  const inRow = async (address: string, row: string, text: string) => {
    await follow(page, address);
    const found = page.locator(row, { hasText: text }).filter({ visible: true }).first();
    await found.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).waitFor();
    match(await found.innerText(), /Kücheneck/);
  };
  await inRow("/runs", ".answer", `Kücheneck fällt seit ${since} aus`);
  // Only one button reads these pages again, although two cards list the pages.
  await page.locator(".failures li", { hasText: `seit ${since}` }).waitFor();
  assertEquals(await page.getByRole("button", { name: /^Noch einmal abrufen/ }).count(), 1);
  await inRow("/competitors", "tr.opens", `seit ${since} · Shop antwortet nicht`);
  await inRow("/competitors/repairs", "tr.opens", since);
  await seeAllWays(page);
  await inRow("/alerts", ".cause-row", `Kücheneck fällt seit ${since} aus`);
  await follow(page, `/competitors/${id}`);
  await page.locator(".badge", { hasText: `fällt seit ${since} aus` }).waitFor();
  await page.getByText("Seitdem wurde dort keine Seite gelesen.").waitFor();
  // Pages of a shop that is down cannot be marked, because no action applies to some of them.
  await page.locator("main table a[href^='/products/']").first().waitFor();
  assertEquals(await page.getByRole("main").getByRole("checkbox").count(), 0);

  await follow(page, `/products/${productId}`);
  await page.locator("tr.soft", { hasText: `fällt seit ${since} aus` }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await follow(page, "/links/coverage");
  await page.locator('.coverage td[data-label="Kücheneck, fällt aus"]').first().waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });

  // The button shows its progress and its result.
  await follow(page, "/alerts");
  await page.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).click();
  await page.locator(".cause-row [role=status]", { hasText: "von 1 Seite" }).waitFor();
});
