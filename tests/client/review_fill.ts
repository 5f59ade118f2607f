/** A shop whose pages are suggested for products, for tests of screens. */
import type { TestApp } from "../harness.ts";
import { addShop, articlePage, discover, urlset, xml } from "../scraping/discovery/made_shop.ts";
import type { Page } from "../scraping/hostile_shop.ts";
import { addProducts } from "./browser.ts";

const SURE = ["9521234567899", "9521234567905", "9521234567912"];

export async function fillReview(app: TestApp, pages: Record<string, Page>, base: string) {
  const products = [
    ...SURE.map((ean, n) => ({
      sku: `S-${n}`,
      title: `Grünwald Kessel WK ${n}00`,
      ean,
      ourPrice: 20,
    })),
    {
      sku: "P-1",
      title: "Philips Kofferradio KR 200",
      brand: "Philips",
      ean: "9521234567929",
      ourPrice: 30,
    },
    { sku: "P-2", title: "Philips Stereoanlage TX 9000", brand: "Philips", ourPrice: 90 },
  ];
  const ids = await addProducts(app, products);
  for (const [n, gtin13] of SURE.entries()) {
    pages[`/s${n}`] = articlePage({ name: "Kessel", gtin13, price: "21.00" });
  }
  pages["/p1"] = articlePage({ name: "Philips Kofferradio KR 200 tragbar", price: "29.00" });
  pages["/p2"] = articlePage({ name: "Philips Stereoanlage TX 9000", price: "91.00" });
  const paths = Object.keys(pages);
  pages["/map.xml"] = xml(urlset(paths.map((path) => `${base}${path}`)));
  const competitorId = await addShop(app.manager, base);
  await discover(app, competitorId, { sitemaps: [`${base}/map.xml`] });
  return { competitorId, ids };
}
