import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Run } from "../../src/scraping/runs/run.ts";
import { groupRuns } from "../../src/client/pages/runs/runs_table.tsx";
import { until } from "../patience.ts";
import { article, heldBack, html, openShop } from "../scraping/hostile_shop.ts";
import { addProducts, follow, onScreen, onTicking, withBrowser } from "./browser.ts";
import { seeAllWays } from "./see_all_ways.ts";
import { startTestApp } from "../harness.ts";
import { countPerson } from "../journeys/counted_person.ts";
import { serveHere } from "../local_server.ts";
import { plain } from "../scraping/discovery/made_shop.ts";

Deno.test("groupRuns() divides today into parts, and keeps earlier days whole", () => {
  const at = (startedAt: string): Run => ({
    ...{ id: startedAt, createdAt: startedAt, startedAt, finishedAt: null },
    ...{ productId: "", sku: "", title: null, hasErrors: false, results: [] },
    ...{ trigger: "schedule", status: "succeeded" },
    counts: { targets: 0, ok: 0, failed: 0, skipped: 0 },
    requestedBy: { type: "system", id: "", name: "" },
  });
  // In Berlin, the 25th begins at 23:00 UTC of the 24th.
  const runs = ["25T17:00", "25T16:59", "25T09:00", "25T05:00", "24T23:00", "24T22:59", "24T01:00"]
    .map((time) => at(`2026-11-${time}:00.000Z`));
  const now = new Date("2026-11-25T18:00:00Z");
  const groups = groupRuns({ rows: runs, hasMore: false }, "Europe/Berlin", now);
  assertEquals(groups.map(({ date, part, runs: own }) => [date, part, own.length]), [
    ["2026-11-25", "evening", 1],
    ["2026-11-25", "day", 2],
    ["2026-11-25", "early", 1],
    ["2026-11-25", "night", 1],
    ["2026-11-24", null, 2],
  ]);
  assertEquals(groups.every(({ isWhole }) => isWhole), true);
  // With more pages to come, the last day may be incomplete.
  const cut = groupRuns({ rows: runs, hasMore: true }, "Europe/Berlin", now);
  assertEquals(cut.map(({ isWhole }) => isWhole), [true, true, true, true, false]);
});

onTicking.test("one sentence says whether data arrive, with the remedy for each cause next to it", async ({ app, browser }) => {
  await using shop = openShop();
  const page = await browser.open(app, "/runs");
  await page.getByText("Noch kein Abruf").waitFor();
  await seeAllWays(page);

  const ids = await addProducts(app, ["A", "B"].map((sku) => ({ sku, title: `Kanne ${sku}` })));
  for (const productId of ids) {
    const url = `${shop.base}/p/${productId}`;
    shop.pages[`/p/${productId}`] = article("Kanne", {}, { price: "34.00" });
    await app.owner.create("/api/competitor-products", { productId, url });
  }
  const read = async (productIds: readonly string[]) => {
    await app.owner.begin("/api/scrape-runs", { productIds });
    await until("all runs have ended", async () => {
      const { items } = await app.owner.read("/api/scrape-runs");
      return items.every(({ status }: Run) => status === "succeeded");
    });
  };
  await read(ids);
  await page.reload();
  await page.getByText("Alle Daten sind da.").waitFor();
  const answer = await page.locator(".answer").innerText();
  match(answer, /2 von 2 Seiten in den letzten 48 Stunden gelesen \(100\s%\)/);
  assertEquals(await page.locator(".hour.read").count(), 1 + 1);
  const hours = page.locator(".strip-row .hour");
  assertEquals([await hours.count(), await page.locator(".axis .day-change").count()], [24, 1]);
  match(await hours.last().getAttribute("class") ?? "", /read.* now/);
  await page.getByText("Jede Seite hat einen Preis.").waitFor();

  for (const path of Object.keys(shop.pages)) delete shop.pages[path];
  await read(ids.slice(0, 1));
  await page.reload();
  await page.getByText("Die Daten kommen.").waitFor();
  // Failing pages are still counted when another shop is down.
  await page.route("**/api/overview/shops", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const downSince = new Date().toISOString();
    const down = { ...body.items[0], competitorId: "eck", displayName: "Eck", downSince };
    await route.fulfill({ response, json: { ...body, items: [...body.items, down] } });
  });
  await page.reload();
  await page.getByText(/Eck fällt seit .* aus; 1 weitere Seite ohne Preis\./).waitFor();
  await page.unroute("**/api/overview/shops");
  await page.reload();
  const cause = page.locator(".failures li");
  match(await cause.innerText(), /1 Seite: Seite gibt es nicht mehr/);
  await page.locator(".runs tr.opens").nth(2).waitFor();
  assertEquals(await page.locator(".runs tr.opens").count(), 3);
  match(await page.locator(".runs tr.heading").first().innerText(), /3 Läufe · 3 Seiten/);
  await seeAllWays(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const unnamed = await page.locator(".runs td.number").evaluateAll((cells) =>
    cells.filter((cell) =>
      cell.checkVisibility() && getComputedStyle(cell, "::before").content === "none"
    ).map(({ textContent }) => textContent)
  );
  assertEquals(unnamed, []);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator(".day-strip a.hour").last().click();
  await page.waitForURL(/createdSince=/);
  await page.getByRole("heading", { name: /^Abrufe von \d\d:00 bis \d\d:00$/ }).waitFor();
  match(await page.locator(".runs tr.opens").first().innerText(), /^Kanne A\s+A\b/);
  const query = new URL(page.url()).searchParams;
  const [from, to] = ["createdSince", "createdBefore"].map((name) => query.get(name) ?? "");
  const { items: runs } = await app.owner.read("/api/scrape-runs");
  const isOf = ({ createdAt }: Run) => from! <= createdAt && createdAt < to!;
  assertEquals(await page.locator(".runs tr.opens").count(), runs.filter(isOf).length);
  const countOf = async (more: Record<string, string>) =>
    (await app.owner.read(`/api/scrape-runs?${new URLSearchParams(more)}`)).count;
  for (const order of ["asc", "desc"]) {
    assertEquals(await countOf({ order, createdSince: runs[0].createdAt }), 3);
    assertEquals(await countOf({ order, createdBefore: runs[0].createdAt }), 0);
    assertEquals(await countOf({ order, createdBefore: "2100-01-01", status: "succeeded" }), 3);
    assertEquals(await countOf({ order, createdSince: "2100-01-01" }), 0);
    assertEquals(await countOf({ order, createdSince: "2100-01-01", status: "succeeded" }), 0);
  }
  await page.getByRole("link", { name: "alle zeigen" }).click();
  await page.getByRole("heading", { name: "Letzte Läufe" }).waitFor();

  await page.locator(".day-strip a.hour").last().click();
  await page.waitForURL(/createdSince=/);
  await page.goto(`${page.url()}&status=failed`);
  await page.getByText("Kein Abruf passt zu diesem Filter").waitFor();
  await page.getByRole("link", { name: "alle zeigen" }).click();
  await page.locator(".runs tr.heading button").first().click();
  assertEquals(await page.locator(".runs tr.opens").count(), 0);
  await cause.getByRole("link", { name: "1 Seite prüfen" }).click();
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}\?cause=gone$/);
});

onScreen.test("a failed import is counted in the navigation until it is read; a failure is never shown as an empty list or as no alerts", async ({ app, browser }) => {
  const xml = { "Content-Type": "application/xml" };
  await app.owner.act("/api/imports", "<ITEMS>", xml);
  await app.owner.act("/api/imports", "<ITEMS><ITEM>", xml);
  const unread = async () => (await app.owner.read("/api/alerts/unread-count")).count;
  while (await unread() < 2);
  const page = await browser.open(app, "/");
  await page.locator(".nav-count").first().waitFor();
  await page.locator(".nav a", { hasText: "Meldungen" }).click();
  await page.locator(".cause-row", { hasText: "gescheitert" }).waitFor();
  await page.locator(".cause-row summary").first().click();
  await page.getByRole("button", { name: "ist erledigt" }).first().click();
  await page.getByText(/^Erledigt: Import/).waitFor();
  await follow(page, "/alerts?view=all&unread=true");
  const rows = page.locator("tbody tr.opens");
  await until("all unread alerts are listed", async () => await rows.count() === await unread());
  for (const row of await rows.all()) {
    await row.locator("td, th").first().click();
    await page.getByRole("dialog").getByText("hoch").waitFor();
    await page.keyboard.press("Escape");
  }
  await until("nothing is counted", async () => await page.locator(".nav-count").count() === 0);
  assertEquals(await unread(), 0);

  await page.route(/api\/(alerts|scrape-runs)/, (route) => route.fulfill({ status: 400 }));
  for (const path of ["/runs", "/alerts"]) {
    await page.goto("about:blank");
    await page.goto(path);
    await page.getByRole("alert").first().waitFor();
    assertEquals(await page.getByText(/Noch kein Abruf|offen 0/).count(), 0);
  }
});

onTicking.test("a page is tried and linked in 5 actions, and read; a page without a price says why; lost progress can be followed again", async ({ app, browser }) => {
  const price = '<meta property="product:price:amount" content="19.90">' +
    '<meta property="product:price:currency" content="EUR">';
  await using shop = openShop({
    "/robots.txt": plain("User-agent: *\nDisallow: /intern/"),
    "/refusing": () => new Response(null, { status: 403 }),
    "/p": () => html(`<html><head>${price}</head></html>`),
  });
  const [productId = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const page = await browser.open(app, "/products");
  const person = countPerson(page);
  await person.click(page.getByRole("link", { name: "Toaster", exact: true }));
  await person.click(page.getByRole("button", { name: "Seite verknüpfen" }));
  const dialog = page.getByRole("dialog");
  const address = dialog.getByLabel("Adresse der Produktseite");
  const trial = dialog.getByRole("button", { name: "Seite probeweise lesen" });
  const refusals = {
    "/intern/1": "Der Shop verbietet diese Seite in seiner robots.txt.",
    "/refusing": "Der Shop weist automatische Abrufe ab.",
  };
  for (const [path, reason] of Object.entries(refusals)) {
    await address.fill(`${shop.base}${path}`);
    await trial.click();
    await dialog.getByText(reason).waitFor();
    await address.fill(`${shop.base}/other`);
    await dialog.getByText(reason).waitFor({ state: "detached" });
  }
  await person.write(address, `${shop.base}/p`);
  await person.click(trial);
  await dialog.getByText(/Gelesen: 19,90\s€/).waitFor();
  await dialog.getByText("OpenGraph", { exact: true }).waitFor();
  await person.click(dialog.getByRole("button", { name: "Speichern" }));
  await dialog.waitFor({ state: "detached" });
  person.didAtMost(5);

  const refusing = { productId, url: `${shop.base}/refusing` };
  await app.owner.create("/api/competitor-products", refusing);
  const read = page.getByRole("button", { name: "Jetzt abrufen" });
  const done = page.getByText("Abruf fertig: 1 von 2 Seiten gelesen");
  await read.click();
  await done.waitFor();
  await page.getByRole("link", { name: "Ergebnisse ansehen" }).click();
  await page.locator("tbody").getByText("OpenGraph", { exact: true }).waitFor();
  await page.locator("tbody .badge").first().waitFor();
  assertEquals(await page.locator("tbody tr").count(), 2);

  const error = { code: "not_found", message: "There is no such run", requestId: "req_1" };
  const lost = { status: 404, json: { error } };
  await page.route("**/api/scrape-runs/*", (route) => route.fulfill(lost));
  await follow(page, `/products/${productId}`);
  await read.click();
  const note = page.getByRole("alert").filter({ hasText: error.message });
  await note.waitFor();
  await page.locator("button:not([aria-busy=true]):not(:disabled)", { hasText: "Jetzt abrufen" })
    .waitFor();
  await page.unroute("**/api/scrape-runs/*");
  await note.getByRole("button", { name: "Noch einmal versuchen" }).click();
  await done.waitFor();
});

withBrowser.test("a webhook's secret is shown once, and again when it is rotated; test calls appear in its log, a failed one with its reason", async (browser) => {
  let answer = () => new Response(null, { status: 204 });
  await using receiver = serveHere(() => answer());
  await using app = await startTestApp({ env: { SCRAPE_ALLOW_PRIVATE: receiver.host } });
  const page = await browser.open(app, "/settings/webhooks");
  await page.getByText("Noch kein Webhook").waitFor();
  await page.getByRole("button", { name: "Webhook anlegen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse").fill("http://10.0.0.1/hook");
  await dialog.getByRole("button", { name: "Webhook anlegen" }).click();
  await dialog.locator(".error, .note.bad").first().waitFor();
  await dialog.getByLabel("Adresse").fill(`${receiver.url}/hook`);
  await dialog.getByRole("button", { name: "Webhook anlegen" }).click();
  const secret = await dialog.locator(".copy-text code").textContent();
  match(secret ?? "", /^whsec_/);
  await dialog.getByRole("button", { name: "Schließen" }).last().click();
  await page.getByRole("button", { name: `${receiver.url}/hook` }).click();
  await dialog.getByText("Noch nichts zugestellt").waitFor();
  await dialog.getByRole("button", { name: "Probe senden" }).click();
  await dialog.getByText("zugestellt", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Erneut senden" }).waitFor();
  ok(!(await page.content()).includes(secret ?? "whsec_"), "the secret is gone");
  answer = () => Response.redirect(`${receiver.url}/elsewhere`);
  await dialog.getByRole("button", { name: "Probe senden" }).click();
  await dialog.getByText("Die Adresse leitet auf ein Ziel weiter, das nicht abgerufen werden darf.")
    .waitFor();

  await dialog.getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByRole("dialog", { name: "Geheimnis austauschen?" })
    .getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByText(/^whsec_/).first().waitFor();
  assertEquals((await app.owner.read("/api/audit-logs?action=webhook.rotate")).items.length, 1);
});

onTicking.test("pages of many products are fetched from the list, and their runs are cancelled by the message", async ({ app, browser }) => {
  await using shop = openShop();
  const { page: answer, release } = heldBack(() => new Response(null, { status: 503 }));
  const ids = await addProducts(app, ["A", "B", "C"].map((sku) => ({ sku, title: sku })));
  for (const productId of ids.slice(0, 2)) {
    shop.pages[`/p/${productId}`] = answer;
    const url = `${shop.base}/p/${productId}`;
    await app.owner.create("/api/competitor-products", { productId, url });
  }
  const page = await browser.open(app, "/products");
  await page.locator("tbody tr.opens").nth(2).waitFor();
  await page.locator("thead .pick input").click();
  await page.getByRole("button", { name: "Jetzt abrufen (3)" }).click();
  // Only two of the three products have a link.
  await page.getByText("2 Abrufe begonnen").waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.getByText("Zurückgenommen").waitFor();
  release();
  const { items } = await app.viewer.read("/api/scrape-runs");
  assertEquals(items.length, 2);
  const open = items.filter(({ status }: { status: string }) => status === "succeeded");
  assertEquals(open, []);
});

onScreen.test("an owner rotates a key, and the new one is shown once", async ({ app, browser }) => {
  const made = await app.owner.create("/api/keys", { name: "ERP", scopes: [] });
  const page = await browser.open(app, "/settings/keys");
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await page.getByLabel("Name").fill("Lager");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await page.getByRole("row", { name: /ERP/ }).getByRole("button", { name: "Austauschen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Austauschen" }).click();
  const told = page.getByRole("dialog", { name: "Ihr neuer Schlüssel" });
  await told.getByText(/^pk_live_[0-9A-Za-z]{32}$/).first().waitFor();
  const { items } = await app.owner.read("/api/keys");
  const kept = items.map(({ id, expiresAt }: Record<string, unknown>) =>
    [id === made.id, expiresAt === null].join()
  );
  assertEquals(kept, ["true,false", "false,true"]);
});
