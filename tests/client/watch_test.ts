import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { countPerson } from "../journeys/counted_person.ts";
import { serveHere } from "../local_server.ts";
import { plain } from "../scraping/discovery/made_shop.ts";
import { heldBack, html, openShop } from "../scraping/hostile_shop.ts";
import { addProducts, follow, onScreen, onTicking, withBrowser } from "./browser.ts";

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
  for (
    const [path, reason] of [
      ["/intern/1", "Der Shop verbietet diese Seite in seiner robots.txt."],
      ["/refusing", "Der Shop weist automatische Abrufe ab."],
    ] as const
  ) {
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
  // A selector without a hit must be reported, even if the page has a price elsewhere.
  await dialog.getByText("Preis auf der Seite finden").click();
  const selector = dialog.getByLabel("CSS-Selektor des Preises");
  await selector.fill(".gibt-es-nicht");
  await trial.click();
  await dialog.getByText(
    "Der Selektor findet auf dieser Seite nichts. Der Preis kommt von anderswo: OpenGraph.",
  ).waitFor();
  await selector.fill("");
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

  // A run whose progress is lost says why.
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

onScreen.test("an owner rotates a key and a webhook's secret, and each is shown once", async ({ app, browser }) => {
  const made = await app.owner.create("/api/keys", { name: "ERP", scopes: [] });
  const page = await browser.open(app, "/settings/keys");
  await page.getByRole("row", { name: /ERP/ }).getByRole("button", { name: "Austauschen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Austauschen" }).click();
  const told = page.getByRole("dialog", { name: "Ihr neuer Schlüssel" });
  await told.getByText(/^pk_live_[0-9A-Za-z]{32}$/).first().waitFor();
  const { items } = await app.owner.read("/api/keys");
  assertEquals(
    items.map(({ id, expiresAt }: { id: string; expiresAt: string | null }) => [
      id === made.id,
      expiresAt === null,
    ]),
    [[true, false], [false, true]],
  );

  const hook = { url: "https://erp.example/hook", events: ["price.changed"] };
  const { id } = await app.owner.create("/api/webhooks", hook);
  await follow(page, "/settings/webhooks");
  await page.getByRole("button", { name: hook.url }).click();
  await page.getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByRole("dialog", { name: "Geheimnis austauschen?" })
    .getByRole("button", { name: "Geheimnis austauschen" }).click();
  await page.getByText(/^whsec_/).first().waitFor();
  const log = await app.owner.read(`/api/audit-logs?action=webhook.rotate`);
  assertEquals(log.items.map(({ resource }: { resource: { id: string } }) => resource.id), [id]);
});
