import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { learntRule } from "../rules/evaluation/learnt_rule.ts";
import { addProduct, addRule, propose, push, untilJudged } from "../rules/evaluation/market.ts";
import { countOwners, FLOOR, threeRules } from "../rules/evaluation/owned_prices.ts";
import { follow, onScreen } from "./browser.ts";
import { cutIn, resize, TOO_WIDE } from "./see_all_ways.ts";

const LARGE = 12_999;

onScreen.test("sales after a rule's changes are shown by month, and fit a wide window and a phone", async ({ app, browser }) => {
  const { ruleId, cookie } = await learntRule(app, LARGE);
  const page = await browser.open(app, `/rules/${ruleId}`, { cookie });
  const followed = page.locator("section", { hasText: "Was sie getan hat" });
  await followed.getByText("21 Preise, zusammen 42 Tage davor und danach").first().waitFor();
  const sums = (await followed.innerText()).replaceAll("\u00a0", " ");
  match(sums, /Stück\s+294 → 588/);
  match(sums, /Nettomarge\s+1\.910\.853,00 € → 3\.057\.364,80 €/);
  const section = page.locator("section", {
    has: page.getByRole("heading", { name: "Was danach kam" }),
  });
  await section.getByText("20 von 21 Änderungen gezählt. Ohne: 1 mit weiterer Änderung.").waitFor();
  const said = (await section.innerText()).replaceAll("\u00a0", " ");
  match(said, /März 2026[^]*Stück am Tag\s+20,0 → 40,0/);
  match(said, /14 Tage davor → 14 Tage danach: was folgte, nicht was die Regel bewirkt hat\./);
  const table = section.getByRole("table", { name: "Gezählte Änderungen" });
  await table.getByRole("row").nth(20).waitFor();
  for (const width of [1440, 390]) {
    await resize(page, width);
    const [first = ""] = await table.locator("tbody tr").first().allInnerTexts();
    match(first.replaceAll("\u00a0", " "), /12\.999,00 € → 11\.699,10 €/);
    assertEquals([width, await cutIn(table.locator("td"))], [width, []]);
    assertEquals([width, await page.evaluate(TOO_WIDE)], [width, 0]);
  }
  // The response has more changes than a test can make.
  await page.route("**/learning?month=2026-04", async (route) => {
    const response = await route.fetch();
    const april = await response.json();
    const leftOut = { ...april.leftOut, noSales: 1_234 };
    await route.fulfill({ response, json: { ...april, changes: 1_234, leftOut } });
  });
  await section.getByRole("button", { name: "Monat danach" }).click();
  await section.getByText(/von 1\.234 Änderungen gezählt\. Ohne: .*1\.234 /).waitFor();
  await section.getByText("April 2026").waitFor();
  await section.getByText("Unter 20 gezählten Änderungen sagt das nichts.").waitFor();
});

onScreen.test("a rule's page shows its results from the first day", async ({ app, browser }) => {
  const { id, ruleId } = await propose(app);
  await app.manager.act(`/api/proposals/${id}/approve`);
  await untilJudged(app);
  const page = await browser.open(app, `/rules/${ruleId}`);
  const section = page.locator("section", {
    has: page.getByRole("heading", { name: "Was sie getan hat" }),
  });
  await section.getByText("Noch 14 Tage bis zum vollen Bild.").waitFor();
  const said = (await section.innerText()).replaceAll("\u00a0", " ");
  match(said, /Eingeschaltet seit .*\d\./);
  match(said, /Preise gesetzt\s+1\s+0 von selbst, 1 angenommen/);
  match(said, /Summe der Änderungen\s+−10,00 €\s+1 gesenkt, 0 angehoben/);
  match(said, /Stück\s+–\s+noch nichts gezählt/);
  match(said, /Ohne: 1 noch zu neu\./);
});

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
  assertEquals(await page.evaluate(TOO_WIDE), 0);
  await resize(page, 1280);

  await app.owner.remove(`/api/rules/${last}`);
  const id = await addRule(app.owner, { ...FLOOR, name: "Neu", priority: 9, enabled: false });
  await follow(page, `/rules/${id}`);
  const warning = page.locator(".note", { hasText: "Wenn Sie diese Regel einschalten" });
  await warning.getByText("Bei 3 von 5 Produkten geht „Front“ vor").waitFor();
  await warning.getByText("Bei 2 von 5 Produkten geht „Middle“ vor").waitFor();
  assertEquals(await warning.locator(linkTo(front)).count(), 1);
  // With the highest priority, the rule takes over products. The note follows the typed value.
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
