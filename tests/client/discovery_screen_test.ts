import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Discovery } from "../../src/shops/discovery/discovery_store.ts";
import {
  addShop,
  articlePage,
  startDiscoveryApp,
  urlset,
  xml,
} from "../scraping/discovery/made_shop.ts";
import { until } from "../patience.ts";
import { openShop, type Page } from "../scraping/hostile_shop.ts";
import { withBrowser } from "./browser.ts";

withBrowser.test("the screen of a shop controls its discovery: settings, pause, resume, off", async (browser) => {
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  for (const n of [1, 2, 3]) pages[`/p/${n}`] = articlePage({ name: `Kanne ${n}` });
  pages["/map.xml"] = xml(urlset([1, 2, 3].map((n) => `${shop.base}/p/${n}`)));
  await using app = await startDiscoveryApp();
  const id = await addShop(app.manager, shop.base);
  const read = () => app.viewer.read<Discovery>(`/api/competitors/${id}/discovery`);
  const page = await browser.open(app, `/competitors/${id}`);
  const card = page.getByRole("region", { name: "Seitensuche" });
  await card.getByText("Eingeschaltet findet sie Seiten des Shops zu Ihren Produkten.").waitFor();

  const settings = async (sitemaps: string) => {
    await card.getByRole("button", { name: "Einrichten" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Modus").selectOption({ label: "vorschlagen" });
    await dialog.getByText("Gefundene Seiten werden vorgeschlagen").waitFor();
    await dialog.getByLabel("Seiten am Tag").fill("20.000");
    await dialog.getByLabel("Sitemaps").fill(sitemaps);
    await dialog.getByLabel("ohne Pfade mit").fill("/p/3");
    await dialog.getByRole("button", { name: "Speichern" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await settings(`${shop.base}/map.xml\n${shop.base}/dead.xml`);
  await card.getByText("ruht bis morgen").waitFor();
  await card.getByText("2 von 3 Seiten besucht").waitFor();
  // The shop's refusals are shown in words.
  await card.getByText("zuletzt abgewiesen").waitFor();
  const { mode, pagesPerDay, exclude, state } = await read();
  assertEquals([mode, pagesPerDay, exclude, state.products], ["suggest", 20_000, ["/p/3"], 2]);

  await card.getByRole("button", { name: "Anhalten" }).click();
  await card.getByText("angehalten").waitFor();
  assertEquals((await read()).state.phase, "paused");
  await card.getByRole("button", { name: "Fortsetzen" }).click();
  await until("it goes on", async () => (await read()).state.phase !== "paused");

  // An invalid number stays in the form, with the error next to it.
  await card.getByRole("button", { name: "Einrichten" }).click();
  await page.getByLabel("Seiten am Tag").fill("viele");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("dialog").locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("Seiten am Tag").fill("5");
  await page.getByLabel("Modus").selectOption({ label: "aus" });
  await page.getByRole("button", { name: "Speichern" }).click();
  await until("it is off", async () => (await read()).mode === "off");
  // The message with the undo appears only after all changed data were read again.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rückgängig" }).last().press("Enter");
  await until("it is as before", async () => (await read()).mode === "suggest");
  assertEquals((await read()).pagesPerDay, 20_000);
});
