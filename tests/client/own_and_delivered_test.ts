import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { addProduct, push, untilJudged } from "../rules/evaluation/market.ts";
import { until } from "../patience.ts";
import { follow, onScreen } from "./browser.ts";
import { plain } from "./shown.ts";

onScreen.test("our own offers are greyed, and unknown shipping is marked, as configured", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A", { title: "Wasserkocher" });
  await push(app, [["A", "market", 90]], { seller: "Muster Handel" });
  await push(app, [["A", "acme", 95]], { shipping: "4.90" });
  await push(app, [["A", "bolt", 98]]);
  await untilJudged(app);

  const page = await browser.open(app, "/settings", { viewport: { width: 1440, height: 1000 } });
  await page.getByLabel("Preise mit Versand vergleichen").check();
  await page.getByLabel("Unsere Versandkosten").fill("3,90");
  await page.getByLabel("Wir verkaufen auf Marktplätzen als").fill("muster handel; Muster GmbH");
  await page.getByRole("button", { name: "Speichern" }).click();
  await until("the settings are saved", async () => {
    const settings = await app.owner.read("/api/settings");
    return settings.compareDelivered && settings.ownShippingCents === 390 &&
      settings.ownSellerNames.join() === "muster handel,Muster GmbH";
  });
  await untilJudged(app);

  await follow(page, `/products/${id}`);
  const offers = page.getByRole("table", { name: "Angebote" });
  await offers.getByRole("cell", { name: "unser Angebot" }).waitFor();
  const rows = (await offers.getByRole("row").allInnerTexts()).map(plain);
  const [, first = "", second = "", own = "", , ours = ""] = rows;
  match(first, /bolt.*98,00 €.*ohne Versand, er ist unbekannt.*\+5,7 %/);
  match(second, /acme.*99,90 €.*davon 4,90 € Versand.*\+3,8 %/);
  match(own, /\(wir\).*103,90 €.*100,00 € ohne Versand/);
  match(ours, /market.*von Muster Handel.*unser Angebot/);
  assertEquals(await offers.locator("tr.soft").count(), 1);
  const figure = page.locator(".figure", { hasText: "Rang" }).locator("strong");
  assertEquals(plain(await figure.textContent()), "3 von 3");

  await follow(page, "/products");
  await page.getByText("Verglichen wird mit Versand").waitFor();
  const row = page.getByRole("row", { name: /Wasserkocher/ });
  match(plain(await row.innerText()), /98,00 € ohne Versand/);
  await follow(page, "/products?shape=matrix");
  const matrixRow = page.getByRole("row", { name: /Wasserkocher/ });
  await matrixRow.getByText("ohne Versand").waitFor();
  ok(await matrixRow.getByText("99,90 €").isVisible());
});
