import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { TestApp } from "../harness.ts";
import { countPerson } from "../journeys/counted_person.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { linksOf } from "../shops/shop.ts";
import { violationsOf } from "./axe_of_page.ts";
import { follow, onTicking } from "./browser.ts";
import { articleMarkup, openArticles, readArticles, twoPrices } from "./scraped.ts";
import { seeAllWays } from "./see_all_ways.ts";

/** Number of links. `IS_LONG` means more links, but the same steps of the person. */
const LINKS = extent(137, 24);

/**
 * Matches the second of the two prices of every page (`twoPrices`), because any of the failed pages
 * may be shown first.
 */
const PRICE_SHOWN = /\d+,40/;

async function linkAndRead(app: TestApp, base: string, count: number): Promise<void> {
  const pages = Array.from({ length: count }, (_, n) => n + 1);
  await readArticles(app, pages, (n) => ({
    sku: `A-${String(n).padStart(3, "0")}`,
    url: `${base}/artikel/${n}`,
  }));
}

onTicking.test("a shop with many failing links is repaired in five actions", async ({ app, browser }) => {
  await using shop = openArticles(twoPrices);
  await linkAndRead(app, shop.url, LINKS);
  const page = await browser.open(app, "/competitors");
  const person = countPerson(page);
  const failing = page.locator(".figure", { hasText: "Seiten zuletzt ohne Preis" });
  await person.click(failing.getByRole("link"));
  await person.click(page.locator("tbody tr.opens").first());
  await person.click(page.getByRole("button", { name: "Preis zeigen …", exact: true }));
  await person.click(page.locator(".candidate", { hasText: PRICE_SHOWN }));
  await person.click(page.getByRole("button", { name: `Speichern und ${LINKS} Seiten lesen` }));
  await page.getByText(`${LINKS} von ${LINKS} Seiten haben wieder einen Preis`).waitFor();
  await page.getByText("Jede Seite hat einen Preis.").waitFor();
  person.didAtMost(5);
  const wrong = (await linksOf(app.owner)).filter(({ url, currentPrice }) =>
    currentPrice !== (Number(url.split("/").at(-1)) + 12) * 100 + 40
  );
  assertEquals(wrong, []);
});

onTicking.test("a fallback price is named as one, and saved only after insisting", async ({ app, browser }) => {
  // The selected place exists only on one page. A price in the markup of others does not confirm
  // it.
  const markup = (n: number) => `${articleMarkup(n, 30)}<p>${n + 30},00 €</p>`;
  let isRead = false;
  // The first page that is requested after the change is shown to the person, and stays unchanged.
  let taught: number | null = null;
  await using shop = openArticles((n) => {
    if (isRead) taught ??= n;
    return !isRead || n === taught ? twoPrices(n) : markup(n);
  });
  await linkAndRead(app, shop.url, 3);
  isRead = true;
  const page = await browser.open(app, "/competitors/repairs");
  await page.locator("tbody tr.opens").first().click();
  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).click();
  await page.locator(".candidate", { hasText: PRICE_SHOWN }).click();
  const trials = page.getByRole("region", { name: /^Probe an/ });
  const told = (await trials.innerText()).replaceAll("\u00a0", " ");
  match(told, /Die Preisstelle ist leer; JSON-LD sagt 3[1-3],00 €/);
  match(told, /nichts gefunden/);
  const plain = page.getByRole("button", { name: "Speichern und 3 Seiten lesen", exact: true });
  assertEquals(await plain.count(), 0);
  await page.getByRole("button", { name: "Trotzdem speichern und 3 Seiten lesen" }).click();
  await page.getByText(/von 3 Seiten haben wieder einen Preis/).waitFor();
  const { items: [one] } = await app.owner.read("/api/competitors");
  const { recipe } = await app.owner.read(`/api/competitors/${one.id}/recipe`);
  ok(recipe.confidenceMost <= 0.7, String(recipe.confidenceMost));
});

onTicking.test("one click marks pages as without price, undo reverts it; a price is chosen by keys alone or typed; a viewer changes nothing", async ({ app, browser }) => {
  await using shop = openArticles(twoPrices);
  await linkAndRead(app, shop.url, 4);
  const failing = async () => (await app.owner.read("/api/repairs")).pages;
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const listed: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/repairs/pages") listed.push(searchParams.get("cause"));
  });
  await page.goto("/competitors/repairs");
  await page.locator("tbody tr.opens").first().getByRole("link").first().press("Enter");
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}\?cause=two_prices$/);

  await page.getByRole("checkbox", { name: "A-002 markieren" }).press("Space");
  // Only pages of this cause are requested, because rows of other causes must never get marked.
  assertEquals(new Set(listed), new Set(["two_prices"]));
  await page.getByRole("checkbox", { name: "A-003 markieren" }).press("Space");
  await page.getByRole("button", { name: "Auf 2 Seiten kein Preis" }).press("Enter");
  await page.locator("tbody tr", { hasText: "A-003" }).waitFor({ state: "detached" });
  assertEquals(await failing(), 2);
  await page.getByText("2 Seiten zeigen keinen Preis und gelten nicht als Fehler").waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.locator("tbody tr", { hasText: "A-003" }).waitFor();
  assertEquals(await failing(), 4);

  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Seite 1 von 3").waitFor();
  await page.keyboard.press("ArrowRight");
  await dialog.getByText("Seite 2 von 3").waitFor();
  await dialog.locator(".candidate").first().waitFor();
  await page.keyboard.press("2");
  await dialog.getByText("Die Preisstelle stimmt. Das reicht.").waitFor();
  const pressed = dialog.locator('.candidate[aria-pressed="true"]', { hasText: PRICE_SHOWN });
  await pressed.waitFor();
  // While a price is typed, its digits do not choose a candidate.
  await dialog.getByLabel("Preis eintippen").pressSequentially("13");
  await dialog.getByText("Die Preisstelle stimmt. Das reicht.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // A typed price is tried like a chosen one.
  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).click();
  await dialog.getByLabel("Preis eintippen").fill("99,99");
  await dialog.getByRole("button", { name: "Probieren" }).click();
  await dialog.getByText(/Am nächsten: /).waitFor();
  const shown = await dialog.locator(".candidate", { hasText: PRICE_SHOWN }).innerText();
  const [price = ""] = PRICE_SHOWN.exec(shown) ?? [];
  await dialog.getByLabel("Preis eintippen").fill(price);
  await dialog.getByRole("button", { name: "Probieren" }).click();
  await dialog.getByText("Die Preisstelle stimmt. Das reicht.").waitFor();
  await seeAllWays(page);
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await dialog.waitFor({ state: "detached" });

  // A viewer sees the problems of the shop, and changes nothing.
  const looking = await browser.open(app, page.url(), { cookie: app.viewerCookie });
  await looking.locator("tbody tr", { hasText: "A-002" }).waitFor();
  await looking.getByRole("img", {
    name: "Anteil gelesener Seiten je Tag: im Mittel 0\u00a0%, heute 0\u00a0%",
  }).waitFor();
  await looking.getByText("Wer Preise verwaltet, kann auf einer Seite zeigen").waitFor();
  const main = looking.getByRole("main");
  await main.getByText("4 · Mehrere Preise, keiner eindeutig").waitFor();
  for (const role of ["button", "switch", "checkbox"] as const) {
    assertEquals([role, await main.getByRole(role).count()], [role, 0]);
  }
  assertEquals(await violationsOf(looking), []);

  await seeAllWays(page);
  const row = page.locator("tbody tr", { hasText: "A-002" });
  await row.getByRole("button", { name: "Als preislos markieren: A-002" }).click();
  await row.waitFor({ state: "detached" });
  assertEquals((await app.owner.read("/api/repairs")).pages, 3);
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await row.waitFor();
  assertEquals((await app.owner.read("/api/repairs")).pages, 4);

  await page.getByRole("checkbox", { name: "A-001 markieren" }).check();
  await page.getByRole("button", { name: "alle 4 markieren" }).click();
  await seeAllWays(page);
  await page.getByRole("button", { name: "Auf 4 Seiten kein Preis" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ja" }).click();
  await page.getByText("Jede Seite hat einen Preis.").waitFor();
  assertEquals(await failing(), 0);

  // The audit log undoes the whole group at once as well.
  await follow(page, "/audit-log");
  await page.getByRole("button", { name: "zurücknehmen" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }).click();
  await until("the pages fail again", async () => await failing() === 4);
});
