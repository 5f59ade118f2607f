import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addRule, pushJudged } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { addProducts, follow, onNow, onScreen, shortenPages } from "./browser.ts";
import { fileBehind, pricesOf } from "./shown.ts";

const addTitled = (app: TestApp, skus: readonly string[]) =>
  addProducts(app, skus.map((sku) => ({ sku, title: `Titel ${sku}`, ourPrice: 100 })));

const HOLD = { heldUntil: "2036-12-01T00:00:00Z", reason: "Aktion mit Hersteller" };

onScreen.test("the log says in plain words who changed what, from what, to what and why", async ({ app, browser }) => {
  const [id = "", other = ""] = await addTitled(app, ["A-1", "B-1"]);
  await app.manager.change("/api/auth/me", { name: "Jana Petersen" });
  const change = { ourPrice: 120, reason: "Preis vom Vertrieb" };
  const path = `/api/products/${id}`;
  const { ourPriceUpdatedAt: at } = await app.manager.change(path, change);
  await app.manager.change(`/api/products/${other}`, HOLD);
  const mark = { isError: true, neverShown: true, reason: "Komma vergessen" };
  await app.manager.act(`${path}/price-history/${at}/mark`, mark);
  const ruleId = await addRule(app.owner, { name: "Kaffee günstig" });
  await pushJudged(app, [["A-1", "acme", 90]]);
  const { items: [open] } = await app.owner.read("/api/proposals");
  await app.manager.act(`/api/proposals/${open.id}/approve`);

  await importXml(await app.key(["products:write"]), itemsXml([{ sku: "I-1", title: "i" }]));

  const page = await browser.open(app, "/audit-log", { cookie: app.viewerCookie });
  const row = (name: RegExp) => page.getByRole("row", { name }).waitFor();
  await row(/Preis geändert: A-1 Titel.*Vertrieb.*100,00 €.*→ 120,00 €.*Jana Petersen/);
  await row(/Preis gehalten: B-1 Titel.*Aktion mit Hersteller.*frei.*gehalten bis 01.12.2036/);
  await row(/Als Fehler gekennzeichnet.*Komma vergessen.*120,00 €.*Fehler, nie gezeigt/);
  await row(/Vorschlag angenommen: A-1 Titel.*Kaffee günstig.*120,00 €.*→ 90,00 €/);
  await row(/über die API gemeldet.*1 Verknüpfung/);
  await row(/Import übernommen.*1 neu.*Zurücknehmen/);
  ok(!await page.getByText(ruleId).isVisible(), "no id stands as a name");

  const reasons = page.getByRole("button", { name: /mit Grund/ });
  await reasons.click();
  await page.waitForURL(/only=reason/);
  await page.getByText("3 Einträge").waitFor();
  assertEquals(await reasons.getAttribute("aria-pressed"), "true");
  await page.locator("summary", { hasText: "Filter" }).click();
  await page.getByLabel("SKU", { exact: true }).fill("A-1");
  await page.waitForURL(/sku=A-1/);
  await page.getByText("2 Einträge").waitFor();
  await reasons.click();
  // The click outside the menu has closed the menu.
  await page.locator("summary", { hasText: "Filter" }).click();
  await page.getByLabel("SKU", { exact: true }).fill("");
  await page.getByLabel("Regel", { exact: true }).selectOption({ label: "Kaffee günstig" });
  await page.waitForURL(/rule=/);
  await page.getByText("2 Einträge").waitFor();
  await page.getByLabel("Regel", { exact: true }).selectOption("");
  await page.getByLabel("Durch wen").selectOption({ label: "Jana Petersen" });
  await page.waitForURL(/actor=/);
  // Next to the menu, the page names each active filter.
  const named = page.getByRole("group", { name: "Nur diese Einträge" });
  await named.getByRole("button", { name: "Durch wen: Jana Petersen" }).waitFor();
  await page.getByPlaceholder("Produkt, Person oder Grund").fill("komma jana");
  await page.waitForURL(/q=komma/);
  await page.getByText("1 Eintrag", { exact: true }).waitFor();
  const file = await fileBehind(page.getByRole("link", { name: "CSV" }));
  assertEquals(file.trim().split("\r\n").length, 2);
  await page.goto("/audit-log?sku=nobody&resource=proposal");
  await page.locator(".empty").waitFor();
  await named.getByRole("button", { name: "Gegenstand: Vorschlag" }).click();
  await page.waitForURL((url) => url.search === "?sku=nobody");
  await named.getByRole("button", { name: "SKU: nobody" }).click();
  await row(/Preis geändert: A-1 Titel/);
});

onNow.test("entries are grouped by day, and each that can be undone offers it: price, hold, mark, rejection, approval, bulk", async ({ app, browser }) => {
  const skus = ["PRICE", "HOLD", "MARK", "NO", "YES", "BULK"];
  const [price = "", hold = "", mark = "", , , bulk = ""] = await addTitled(app, skus);
  const patch = (id: string, body: object) => app.manager.change(`/api/products/${id}`, body);
  await patch(price, { ourPrice: 120 });
  await patch(hold, HOLD);
  const { ourPriceUpdatedAt: at } = await patch(mark, { ourPrice: 90 });
  const error = { isError: true, neverShown: false, reason: null };
  await app.manager.act(`/api/products/${mark}/price-history/${at}/mark`, error);
  await addRule(app.owner);
  await pushJudged(app, [["NO", "acme", 80], ["YES", "acme", 81]]);
  const { items } = await app.owner.read("/api/proposals?status=open");
  for (const { id, sku } of items) {
    const verb = sku === "NO" ? "reject" : "approve";
    await app.manager.act(`/api/proposals/${id}/${verb}`);
  }
  const locked = { ids: [bulk, price], set: { priceLocked: true } };
  await app.manager.act("/api/products/bulk", locked);

  const page = await browser.open(app, "/audit-log", { viewport: { width: 1440, height: 1000 } });
  await page.locator("tr.heading", { hasText: /^Heute, / }).waitFor();
  const takeBack = async (name: RegExp) => {
    const row = page.getByRole("row", { name });
    const answered = page.waitForResponse((answer) => answer.request().method() !== "GET");
    await row.getByRole("button", { name: "zurücknehmen" }).click();
    assertEquals((await answered).ok(), true, name.source);
    await row.getByRole("button", { name: "zurücknehmen" }).waitFor({ state: "detached" });
  };
  // A bulk change is undone only after a question. The undo is an entry of the audit log.
  const bulkRows = page.getByRole("row", { name: /Produkt gesammelt geändert/ });
  await bulkRows.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }).click();
  await bulkRows.nth(1).waitFor();

  await takeBack(/Preis geändert.*PRICE.*→ 120,00/);
  await takeBack(/Preis gehalten.*HOLD/);
  await takeBack(/Als Fehler gekennzeichnet.*MARK.*→ Fehler/);
  await takeBack(/Vorschlag abgelehnt.*NO.*bleibt.100,00.€ \(Vorschlag/);
  await takeBack(/Vorschlag angenommen.*YES/);
  const same = { PRICE: 10_000, HOLD: 10_000, NO: 10_000, YES: 10_000, BULK: 10_000 };
  assertEquals(await pricesOf(app), { ...same, MARK: 9_000 });
  const found = await app.viewer.read("/api/products?limit=50");
  for (const { sku, heldUntil, priceLocked } of found.items) {
    assertEquals([sku, heldUntil, priceLocked], [sku, null, false]);
  }
  const history = await app.viewer.read(`/api/products/${mark}/price-history`);
  assertEquals(history.items[0].mark, null);
  const open = await app.viewer.read("/api/proposals?status=open");
  // After the rollback, the rule may have proposed a price again.
  ok(open.items.some(({ sku }: { sku: string }) => sku === "NO"));

  // The undo keeps a newer price of another person.
  const change = page.getByRole("row", { name: /Preis geändert.*MARK.*→ 90,00/ });
  await patch(mark, { ourPrice: 85 });
  await change.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByText("Das hat sich seither geändert").waitFor();
  const viewer = await browser.open(app, "/audit-log", { cookie: app.viewerCookie });
  await viewer.getByRole("row", { name: /Preis geändert.*MARK/ }).first().waitFor();
  assertEquals(await viewer.getByRole("button", { name: "zurücknehmen" }).count(), 0);
});

onNow.test("prices that were set together are one line, which unfolds and is taken back as a whole", async ({ app, browser }) => {
  const ids = await addTitled(app, Array.from({ length: 24 }, (_, n) => `S-${n}`));
  const raised = { currency: "EUR", seenCents: 10_000, ourPriceCents: 11_000 };
  const body = { prices: ids.map((id) => ({ id, ...raised })), reason: "Frachtzuschlag" };
  await app.manager.act("/api/products/bulk/prices", body);
  await app.manager.change(`/api/products/${ids[0]}`, { ourPrice: 120 });

  const page = await browser.open(app, "/audit-log?action=product.update", {
    viewport: { width: 1440, height: 1000 },
  });
  const line = page.getByRole("row", {
    name: /24 Preise gesetzt.*und 23 weitere.*Frachtzuschlag.*im Mittel \+10,0.%/,
  });
  await line.waitFor();
  const each = page.getByRole("row", { name: /Preis geändert/ });
  assertEquals(await each.count(), 1);
  await page.getByText("25 Einträge", { exact: true }).waitFor();
  await line.getByRole("button", { name: /Alle 24 zeigen/, expanded: false }).click();
  await page.getByRole("row", { name: /S-23 Titel S-23.*→ 110,00/ }).waitFor();
  await line.getByRole("button", { name: /Weniger zeigen/, expanded: true }).click();
  await page.getByRole("row", { name: /S-23 Titel S-23.*→ 110,00/ }).waitFor({ state: "detached" });
  // With the keyboard only: the first line is the single change, the second line the fold.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await line.getByRole("button", { name: /Weniger zeigen/, expanded: true }).waitFor();
  // On a phone, the entries of a fold look like all other entries.
  await page.setViewportSize({ width: 390, height: 844 });
  const { background, tops } = await page.locator(".cards tr.part").first().evaluate((row) => ({
    background: getComputedStyle(row).backgroundColor,
    tops: [...row.querySelectorAll('[data-column="actor"], [data-column="undo"]')]
      .map((cell) => Math.round(cell.getBoundingClientRect().top)),
  }));
  assertEquals(background, "rgba(0, 0, 0, 0)");
  assertEquals([tops.length, new Set(tops).size], [2, 1], `person and undo at ${tops}`);
  await page.setViewportSize({ width: 1440, height: 1000 });

  // Another person changes one of the prices, and the page has not read the change yet.
  await app.manager.change(`/api/products/${ids[1]}`, { ourPrice: 130 });
  await line.getByRole("button", { name: "zurücknehmen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("23 Änderungen zurücknehmen?").waitFor();
  await dialog.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByText("22 zurückgenommen, 1 seither geändert und geblieben").waitFor();
  await page.getByRole("row", { name: /22 Preise gesetzt/ }).waitFor();
  const { "S-0": first, "S-1": second, ...others } = await pricesOf(app);
  assertEquals([first, second], [12_000, 13_000]);
  assertEquals(new Set(Object.values(others)), new Set([10_000]));
});

onNow.test("proposals that were accepted together are one line; a counter-price shows the price that was set", async ({ app, browser }) => {
  await addTitled(app, ["A", "B", "C"]);
  await addRule(app.owner, { name: "Kaffee günstig" });
  await pushJudged(app, [["A", "acme", 80], ["B", "acme", 90], ["C", "acme", 95]]);
  const { items } = await app.owner.read("/api/proposals?status=open");
  const idOf = (wanted: string) => items.find(({ sku }: { sku: string }) => sku === wanted).id;
  await app.manager.act("/api/proposals/bulk", { action: "approve", ids: [idOf("A"), idOf("B")] });
  const counter = { priceCents: 9_600, reason: "reicht" };
  await app.manager.act(`/api/proposals/${idOf("C")}/approve`, counter);

  const page = await browser.open(app, "/audit-log", { viewport: { width: 1440, height: 1000 } });
  await page.getByRole("row", { name: /Vorschlag angenommen.*C.*reicht.*100,00.*→ 96,00/ })
    .waitFor();
  const line = page.getByRole("row", {
    name: /2 Vorschläge angenommen.*Kaffee günstig.*im Mittel −15,0.%/,
  });
  await line.getByRole("button", { name: /Alle 2 zeigen/ }).waitFor();
  await line.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByRole("row", { name: /2 Preise zurückgenommen/ }).waitFor();
  assertEquals(await pricesOf(app), { A: 10_000, B: 10_000, C: 9_600 });
});

onScreen.test("imports offer undo in one request, a held one says its reason once, and a webhook has its address", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const file = (price: string) =>
    itemsXml(["A", "B", "C"].map((sku) => ({ sku, title: sku, price })));
  await importXml(key, file("1299,00"));
  app.clock.advance(600_000);
  await importXml(key, file("1300,00"));
  app.clock.advance(600_000);
  await importXml(key, file("12,99"));
  const url = "https://erp.example/hooks/kurant";
  await app.owner.create("/api/webhooks", { url, events: ["price.changed"] });

  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/audit-log");
  await page.getByRole("link", { name: "zurücknehmen" }).nth(1).waitFor();
  assertEquals(asked.filter((path) => path.startsWith("/api/imports")), []);
  await page.getByRole("row", { name: url }).waitFor();
  const held = page.getByRole("row", { name: /Import angehalten/ });
  const why = "3 von 3 Preisen stehen wohl in der falschen Einheit";
  await held.getByText(why).waitFor();
  await held.getByRole("link", { name: /^Bis .* entscheiden$/ }).waitFor();
  assertEquals((await held.innerText()).match(/angehalten/gi)?.length, 1);
  await follow(page, "/imports");
  await page.locator(".held-note").getByText(why).waitFor();
});

onScreen.test("people set their own names; the log shows them, and knows names on its later pages", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "Erster", price: "9,00" }]));
  const { items: [product] } = await app.owner.read("/api/products");
  await app.manager.change(`/api/products/${product?.id}`, { ourPrice: 10 });
  for (let n = 0; n < 3; n++) {
    app.clock.advance(600_000);
    await app.manager.change("/api/auth/me", { name: `Jana ${n}` });
  }
  const page = await browser.open(app, "/settings/account");
  await page.getByLabel("Ihr Name").fill("Marek Vogt");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByText("Name gespeichert").waitFor();
  assertEquals((await app.owner.read("/api/auth/me")).name, "Marek Vogt");
  await shortenPages(page, "/api/audit-logs", 3);
  await follow(page, "/audit-log");
  await page.getByRole("row", { name: /Marek Vogt/ }).first().waitFor();
  await page.getByText("6 Einträge").waitFor();
  await page.getByRole("row", { name: /Preis geändert: A Erster/ }).waitFor();
});
