import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { article, openShop } from "../scraping/hostile_shop.ts";
import { until } from "../patience.ts";
import { onTicking } from "./browser.ts";

const GTIN = "9521234567899";
const OTHER_GTIN = "9521234567905";

onTicking.test("a pasted list is sorted by outcome, and accepted lines become links", async ({ app, browser }) => {
  await using shop = openShop({
    "/a": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/b": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/c": article("Philips Kofferradio KR 200"),
    "/d": article("Philips Kofferradio KR 200 schwarz"),
    "/e": article("Wasserkocher WK 3", { gtin13: "9521234567905" }),
  });
  const product = { sku: "R-1", title: "Philips Kofferradio KR 200", ean: GTIN, ourPrice: 20 };
  await app.owner.create("/api/products", product);
  const domain = `127.0.0.1:${shop.port}`;
  await app.owner.create("/api/competitors", { domain, displayName: "Radiohaus" });
  const page = await browser.open(app, "/links");
  const lines = ["a", "b", "c", "d", "e"].map((path) => `R-1;${shop.base}/${path}`);
  await page.getByLabel("Zeilen").fill(["SKU;URL", ...lines, "R-9;nichts"].join("\n"));
  await page.getByRole("button", { name: "6 Zeilen prüfen lassen" }).click();

  await page.getByRole("button", { name: "Alle sicheren verknüpfen (2)" }).click();
  await page.getByText("2 Verknüpfungen angelegt").waitFor();
  await page.getByRole("button", { name: /^Zu prüfen/ }).click();
  await page.getByText("Wahrscheinlich dasselbe Produkt").first().waitFor();
  await page.getByRole("button", { name: "Zeile 3 verknüpfen" }).click();
  await page.locator("tr", { hasText: "verknüpft" }).first().waitFor();
  await page.getByRole("button", { name: "Zeile 4 beiseite legen" }).click();
  await page.getByRole("button", { name: "Zeile 4 zurückholen" }).waitFor();
  await page.getByRole("button", { name: /^Falsch/ }).click();
  await page.getByText("Ein anderes Produkt").waitFor();
  await page.getByText("Diese SKU gibt es nicht").waitFor();

  const { items } = await app.owner.read("/api/competitor-products");
  const paths = items.map(({ url }: { url: string }) => new URL(url).pathname);
  assertEquals(paths.sort(), ["/a", "/b", "/c"]);
});

onTicking.test("missing shops are listed with their lines and created by one click; a mistyped SKU gets a suggestion; a viewer only looks", async ({ app, browser }) => {
  await using shop = openShop({
    "/a": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/k": article("Kofferradio KR 200", { gtin13: OTHER_GTIN }),
  });
  const product = { sku: "R-1", title: "Kofferradio KR 200", ean: GTIN, ourPrice: 20 };
  await app.owner.create("/api/products", product);
  const text = `R-1;${shop.base}/a\nR-1;${shop.base}/b`;
  const { jobId } = await app.owner.begin("/api/link-checks", { text });
  const page = await browser.open(app, `/links/${jobId}`);
  await page.getByText(`127.0.0.1:${shop.port} (2 Zeilen)`).waitFor();
  await page.getByRole("button", { name: "1 Shop anlegen und Zeilen prüfen" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(jobId));
  await page.getByRole("button", { name: "Alle sicheren verknüpfen (1)" }).waitFor();

  // A mistyped SKU gets a suggestion, which is accepted by one click.
  await app.owner.create("/api/products", { ...product, sku: "KT-10011", ean: OTHER_GTIN });
  const typos = `KT-1O011;${shop.base}/k;2\nKT-10O1I;${shop.base}/k?2\nQ-7;${shop.base}/k`;
  const { jobId: typosId } = await app.owner.begin("/api/link-checks", { text: typos });
  await page.goto(`/links/${typosId}?outcome=wrong`);
  await page.getByText("Meinten Sie KT-10011?").first().waitFor();
  await page.getByRole("button", { name: "Alle 2 ähnlichen SKUs übernehmen und prüfen" })
    .waitFor();
  const cut = `[...document.querySelectorAll("tbody button")].filter((one) => {
      const [button, table] = [one, one.closest("table").parentElement]
        .map((each) => each.getBoundingClientRect());
      return one.scrollWidth > one.clientWidth || button.right > table.right;
    }).map((one) => one.textContent)`;
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole("button", { name: "In Zeile 1 KT-10011" }).waitFor();
    // The table adapts to the new width a moment later.
    await until("no button is cut", async () => await page.evaluate(`${cut}.length`) === 0);
  }
  await page.getByRole("button", { name: "In Zeile 1 KT-10011 übernehmen" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(typosId));
  await page.getByText("Ziemlich sicher dasselbe Produkt").or(page.getByText("Dasselbe Produkt"))
    .first().waitFor();
  const lines = await app.owner.read(`/api/link-checks/${typosId}/lines`);
  assertEquals(
    lines.items.map(({ nearSkus, status }: { nearSkus: string[]; status: string }) => [
      nearSkus,
      status,
    ]),
    [[["KT-10011"], "dropped"], [["KT-10011"], "open"], [[], "open"]],
  );
  const again = new URL(page.url()).pathname.split("/").at(-1);
  const { items: [line] } = await app.owner.read(`/api/link-checks/${again}/lines`);
  assertEquals([line.sku, line.packFactor, line.outcome], ["KT-10011", 2, "sure"]);

  // A viewer sees the checks, and can neither paste nor accept.
  const body = { text: "R-9;https://shop.example/p" };
  const { jobId: lastId } = await app.owner.begin("/api/link-checks", body);
  const viewed = await browser.open(app, "/links", { cookie: app.viewerCookie });
  await viewed.locator("tbody a").first().click();
  await viewed.getByText("Diese SKU gibt es nicht").waitFor();
  assertEquals(new URL(viewed.url()).pathname, `/links/${lastId}`);
  assertEquals(await viewed.getByRole("button", { name: /beiseite|verknüpfen/ }).count(), 0);
});
