import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct, addRule, push } from "../rules/evaluation/market.ts";
import { countOwners, FLOOR, threeRules } from "../rules/evaluation/owned_prices.ts";
import { follow, onScreen } from "./browser.ts";
import { resize } from "./see_all_ways.ts";

const linkTo = (id: string) => `a[href="/rules/${id}"]`;

onScreen.test("the list says what each rule owns and what precedes it, or that it is not counted yet; the editor says it before a rule is switched on", async ({ app, browser }) => {
  const { front, middle, last } = await threeRules(app);
  const page = await browser.open(app, "/rules");
  await page.getByText("noch nicht gezählt").nth(2).waitFor();
  await countOwners(app);
  await page.reload();
  await page.getByText("setzt bei 3 Produkten den Preis", { exact: true }).waitFor();
  await page.getByText("gilt die mit der kleineren Vorrangzahl").waitFor();
  await page.getByText("setzt bei 2 Produkten den Preis, ruht bei 3 hinter einer Regel").waitFor();
  await page.getByText("setzt bei keinem Produkt den Preis, ruht bei 5 hinter zwei Regeln")
    .waitFor();
  await follow(page, `/rules/${last}`);
  const note = page.locator(".rule-standing");
  await note.getByText(/^Setzt bei keinem Produkt den Preis, ruht bei 5 hinter zwei Regeln\./)
    .waitFor();
  await note.getByText(/Gezählt .+\d\./).waitFor();
  await note.locator(linkTo(front), { hasText: "Front" }).waitFor();
  await note.locator(linkTo(middle), { hasText: "Middle" }).click();
  await page.getByRole("heading", { level: 1, name: "Middle" }).waitFor();
  await follow(page, "/rules");
  await resize(page, 390);
  await page.getByText("ruht bei 5 hinter zwei Regeln").waitFor();
  ok(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"));
  await resize(page, 1280);

  await app.owner.remove(`/api/rules/${last}`);
  const id = await addRule(app.owner, { ...FLOOR, name: "Neu", priority: 9, enabled: false });
  await follow(page, `/rules/${id}`);
  const warning = page.locator(".note", { hasText: "Wenn Sie diese Regel einschalten" });
  await warning.getByText("Bei 3 von 5 Produkten geht „Front“ vor").waitFor();
  await warning.getByText("Bei 2 von 5 Produkten geht „Middle“ vor").waitFor();
  assertEquals(await warning.locator(linkTo(front)).count(), 1);
  // With the highest priority, the rule takes over the product. The note follows the typed value.
  await page.getByRole("button", { name: "Vorrang 9" }).click();
  await page.getByLabel("Vorrang", { exact: true }).fill("0");
  await warning.getByText("Bei 3 Produkten übernimmt sie den Preis von „Front“").waitFor();
  assertEquals(await warning.getByText("geht „Front“ vor").count(), 0);
});

onScreen.test("a product's page says in one line why a rule proposes no price", async ({ app, browser }) => {
  const productId = await addProduct(app.owner, "A");
  await addRule(app.owner, { name: "Billiger" });
  await push(app, [["A", "acme", 120]]);
  const page = await browser.open(app, `/products/${productId}`);
  const rule = page.locator(".verdict > summary", { hasText: "Billiger" });
  await rule.getByText(/120,00/).waitFor();
});
