import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addRule } from "../rules/evaluation/market.ts";
import { addProducts, onScreen } from "./browser.ts";
import { resize } from "./see_all_ways.ts";

const PLACES = ["Markt", "Vorschläge", "Verknüpfen", "Shops"]
  .concat("Abrufe", "Importe", "Regeln", "Meldungen");

onScreen.test("the navigation leads everywhere, in a wide and in a narrower window; on a phone four tabs lead to the main screens, and to all others", async ({ app, browser }) => {
  const page = await browser.open(app, "/rules", { viewport: { width: 1440, height: 800 } });
  const nav = page.getByRole("navigation", { name: "Navigation" });
  await nav.getByRole("link", { name: "Regeln" }).waitFor();
  for (const [width, navPx] of [[1440, 188], [1280, 72]] as const) {
    await resize(page, width);
    assertEquals((await nav.boundingBox())?.width, navPx);
    for (const name of PLACES) {
      assertEquals([name, await nav.getByRole("link", { name, exact: true }).count()], [name, 1]);
    }
    const areCut = await nav.locator(".nav-links .nav-word").evaluateAll((words) =>
      words.map((word) => {
        const [own, link] = [word, word.closest("a")!].map((one) => one.getBoundingClientRect());
        return own!.width < 20 || own!.left < link!.left || own!.right > link!.right;
      })
    );
    ok(areCut.length > PLACES.length && !areCut.includes(true), `${areCut}`);
  }
  const rules = nav.getByRole("link", { name: "Regeln" });
  assertEquals(await rules.getAttribute("aria-current"), "page");

  // A new shop without links needs a person's decision, so the navigation shows a count.
  await app.manager.create("/api/competitors", { domain: "one.example", displayName: "Eins" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const tabs = page.getByRole("navigation", { name: "Wichtigste Seiten" });
  await tabs.waitFor();
  assertEquals(await tabs.locator("a, button").count(), 4);
  const [bar, main] = await Promise.all([tabs.boundingBox(), page.locator("main").boundingBox()]);
  ok(bar && main && main.y + main.height <= bar.y, "the tabs cover the screen");
  const moreTab = tabs.getByRole("button", { name: "Mehr" });
  assertEquals(await moreTab.getAttribute("aria-current"), "page");
  await moreTab.getByText("1", { exact: true }).waitFor();
  await moreTab.getByText("Dort wartet etwas").waitFor({ state: "attached" });
  await moreTab.click();
  const more = page.getByRole("dialog", { name: "Mehr" });
  for (const name of PLACES) {
    const links = more.getByRole("link", { name: new RegExp(`^${name}`) });
    assertEquals([name, await links.count()], [name, 1]);
  }
  await more.getByRole("link", { name: "Importe" }).click();
  await page.getByRole("heading", { level: 1, name: "Importe" }).waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
});

onScreen.test("messages, shortcuts and a lost connection beside a table of products", async ({ app, browser }) => {
  const ids = await addProducts(app, [
    { sku: "A-1", title: "Alt", ourPrice: 10 },
    { sku: "A-2", title: "Neu", ourPrice: 20, priceLocked: true },
  ]);
  const isLocked = async (id: string) => (await app.owner.read(`/api/products/${id}`)).priceLocked;
  const areLocked = async () => await Promise.all(ids.map(isLocked));
  const page = await browser.open(app, "/products");
  await page.locator("tbody tr.opens").first().waitFor();
  for (const key of ["j", "x"]) await page.keyboard.press(key);
  await page.getByText("1 markiert").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("1 markiert").waitFor({ state: "detached" });

  // A message with an undo button covers no content, in a wide window or on a phone.
  await page.locator("thead .pick input").click();
  await page.getByRole("button", { name: "Preis sperren (2)" }).click();
  const message = page.getByRole("status", { name: "Meldungen" });
  await message.getByText("1 geändert").waitFor();
  assertEquals(await areLocked(), [true, true]);
  for (const width of [1280, 390]) {
    await resize(page, width);
    const [box, main] = await Promise.all([
      page.locator(".toast").boundingBox(),
      page.locator("main").boundingBox(),
    ]);
    ok(box && main && box.y + box.height <= main.y, JSON.stringify([width, box, main]));
  }
  await resize(page, 1280);
  await message.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await message.getByText("Zurückgenommen").waitFor();
  // The product that was already locked before the bulk change stays locked after its undo.
  assertEquals(await areLocked(), [false, true]);

  // Without a connection, the table stays visible with a note of its age.
  await page.route("**/api/**", (route) => route.abort());
  // The page reads data again only when its data are more than five seconds old.
  await page.waitForTimeout(5_100);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  const note = page.getByText(/Keine Verbindung zum Dienst. Sie sehen den Stand von \d\d:\d\d/);
  await note.waitFor();
  await page.getByRole("row", { name: /A-1/ }).waitFor();
  await page.unroute("**/api/**");
  await note.waitFor({ state: "detached" });

  await page.reload();
  await page.locator("tbody tr.opens").first().waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  const reviewKeys = page.locator(".key-list div").filter({ hasText: "Verknüpfen: " });
  assertEquals(await reviewKeys.locator("kbd").allTextContents(), ["y", "n", "v", "Leertaste"]);
  await page.getByLabel("Einzelne Tasten als Kürzel verwenden").click();
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  for (const key of ["j", "x", "?"]) await page.keyboard.press(key);
  assertEquals(await page.locator("dialog[open]").count(), 0);
  assertEquals(await page.locator("tr.selected").count(), 0);
  await page.reload();
  await page.locator("tbody tr.opens").first().waitFor();
  await page.keyboard.press("j");
  assertEquals(await page.locator("tr.active").count(), 0);
});

onScreen.test("the palette finds screens, products, rules, shops, settings and actions, and opens them", async ({ app, browser }) => {
  const [id] = await addProducts(app, [
    { sku: "A-1", title: "Kühlschrank KS 300" },
    { sku: "A-2", title: "Toaster" },
  ]);
  await addRule(app.owner, { name: "Kaffee folgen" });
  await app.owner.post("/api/competitors", { domain: "kaffeehaus.example" });
  const page = await browser.open(app, "/products");
  await page.getByText("Toaster").waitFor();
  const field = page.getByRole("combobox", { name: "Suchen oder öffnen" });
  const search = async (text: string) => {
    // Waits until the palette is closed, because Ctrl+K does nothing while a dialog is open.
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.fill(text);
  };
  const find = async (text: string, option: RegExp) => {
    await search(text);
    await page.getByRole("option", { name: option }).first().waitFor();
  };
  await search("gibt es nicht");
  await page.getByText("Nichts gefunden").waitFor();
  await page.keyboard.press("Escape");
  await find("kühlschr", /Kühlschrank KS 300/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Kühlschrank KS 300" }).waitFor();
  assertEquals(new URL(page.url()).pathname, `/products/${id}`);
  await find("regeln", /Regeln/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Regeln" }).waitFor();
  await find("kaffee", /kaffeehaus\.example\s*Shop/);
  await page.getByRole("option", { name: /Kaffee folgen\s*Regel/ }).click();
  await page.getByRole("heading", { level: 1, name: "Kaffee folgen" }).waitFor();
  await find("personen", /Personen\s*Einstellungen/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/settings\/people$/);
  await find("einladen", /Person einladen\s*Aktion/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Person einladen" }).getByLabel("Name").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await find("regel: spielraum", /Neue Regel: Spielraum nutzen\s*Aktion/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/rules\/new\?template=room/);

  // Ctrl+K directly after a change of screen opens the command palette, which must stay open.
  const visit = (name: string) => page.locator(".nav").getByRole("link", { name }).click();
  for (const name of ["Regeln", "Importe"]) {
    await visit(name);
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  const isOpen = page.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>(`.nav a[href="/rules"]`);
    link?.click();
    while (link?.ariaCurrent !== "page") await new Promise((resolve) => setTimeout(resolve));
    dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return document.querySelector("dialog[open]") !== null;
  });
  assertEquals(await isOpen, true);
});
