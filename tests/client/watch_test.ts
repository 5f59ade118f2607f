import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { addProducts, follow, onScreen, withBrowser } from "./browser.ts";
import { serveHere } from "../local_server.ts";

/** Another server on this machine, with the same response at every address except `/robots.txt`. */
function startNeighbour(status: number, html: string | null = null) {
  const server = serveHere((request) => {
    const isRobots = new URL(request.url).pathname === "/robots.txt";
    const headers = html === null || isRobots ? undefined : { "Content-Type": "text/html" };
    const body = headers ? html : null;
    return new Response(body, { status: isRobots ? 404 : status, ...(headers && { headers }) });
  });
  return { ...server, env: { SCRAPE_ALLOW_PRIVATE: server.host, SCRAPE_DOMAIN_DELAY_MS: "0" } };
}

onScreen.test("a failed import is counted in the navigation until it is read", async ({ app, browser }) => {
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
  for (const row of await page.locator("tbody tr.opens").all()) {
    await row.locator("td, th").first().click();
    await page.getByRole("dialog").getByText("hoch").waitFor();
    await page.keyboard.press("Escape");
  }
  await page.locator(".nav-count").waitFor({ state: "detached" });
  assertEquals(await unread(), 0);
});

withBrowser.test("a page is tried, linked and scraped, its missing price is explained, and lost progress can be followed again", async (browser) => {
  await using shop = startNeighbour(403);
  await using app = await startTestApp({ env: shop.env });
  const [productId = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const page = await browser.open(app, `/products/${productId}`);
  await page.getByRole("button", { name: "Seite verknüpfen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.url}/p/1`);
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  const reason = "Der Shop weist automatische Abrufe ab.";
  await dialog.getByText(reason).waitFor();
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.url}/p/2`);
  await dialog.getByText(reason).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Jetzt abrufen" }).click();
  await page.getByText("Abruf fertig: 0 von 1 Seite gelesen").waitFor();
  await page.getByRole("link", { name: "Ergebnisse ansehen" }).click();
  await page.locator("tbody .badge").first().waitFor();
  ok(await page.locator("tbody tr").count() === 1);

  // A run whose progress is lost says why.
  const error = { code: "not_found", message: "There is no such run", requestId: "req_1" };
  await page.route(
    "**/api/scrape-runs/*",
    (route) => route.fulfill({ status: 404, json: { error } }),
  );
  await follow(page, `/products/${productId}`);
  await page.getByRole("button", { name: "Jetzt abrufen" }).click();
  const note = page.getByRole("alert").filter({ hasText: "There is no such run" });
  await note.waitFor();
  await page.locator("button:not([aria-busy=true]):not(:disabled)", { hasText: "Jetzt abrufen" })
    .waitFor();
  await page.unroute("**/api/scrape-runs/*");
  await note.getByRole("button", { name: "Noch einmal versuchen" }).click();
  await page.getByText("Abruf fertig: 0 von 1 Seite gelesen").waitFor();
});

withBrowser.test("the source of a price is named, in a trial and in a run", async (browser) => {
  const meta = '<meta property="product:price:amount" content="19.90">' +
    '<meta property="product:price:currency" content="EUR">';
  await using shop = startNeighbour(200, `<html><head>${meta}</head></html>`);
  await using app = await startTestApp({ env: shop.env });
  const [productId = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const page = await browser.open(app, `/products/${productId}`);
  await page.getByRole("button", { name: "Seite verknüpfen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.url}/p/1`);
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await dialog.getByText("OpenGraph", { exact: true }).waitFor();
  // A selector without a hit must be reported, even if the page has a price elsewhere.
  await dialog.getByText("Preis auf der Seite finden").click();
  await dialog.getByLabel("CSS-Selektor des Preises").fill(".gibt-es-nicht");
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await dialog.getByText(
    "Der Selektor findet auf dieser Seite nichts. Der Preis kommt von anderswo: OpenGraph.",
  ).waitFor();
  await dialog.getByLabel("CSS-Selektor des Preises").fill("");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Jetzt abrufen" }).click();
  await page.getByRole("link", { name: "Ergebnisse ansehen" }).click();
  await page.locator("tbody").getByText("OpenGraph", { exact: true }).waitFor();
});

withBrowser.test("a webhook's secret is shown once, and test calls appear in its log, a failed one with its reason", async (browser) => {
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
});

withBrowser.test("pages of many products are fetched from the list, and their runs are cancelled by the message", async (browser) => {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  await using shop = serveHere(async (request) => {
    if (new URL(request.url).pathname === "/robots.txt") {
      return new Response(null, { status: 404 });
    }
    await isFree;
    return new Response(null, { status: 503 });
  });
  const env = { SCRAPE_ALLOW_PRIVATE: shop.host, SCRAPE_DOMAIN_DELAY_MS: "0" };
  await using app = await startTestApp({ env });
  const ids = await addProducts(app, ["A", "B", "C"].map((sku) => ({ sku, title: sku })));
  for (const productId of ids.slice(0, 2)) {
    const url = `${shop.url}/p/${productId}`;
    await app.owner.create("/api/competitor-products", { productId, url });
  }
  const page = await browser.open(app, "/products");
  await page.locator("tbody tr.opens").nth(2).waitFor();
  await page.locator("thead .pick input").click();
  await page.getByRole("button", { name: "Jetzt abrufen (3)" }).click();
  // One of the three products has no page to visit.
  await page.getByText("2 Abrufe begonnen").waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.getByText("Zurückgenommen").waitFor();
  release();
  const { items } = await app.viewer.read("/api/scrape-runs");
  assertEquals(items.length, 2);
  const open = items.filter(({ status }: { status: string }) => status === "succeeded");
  assertEquals(open, []);
});
