import { readAvailability } from "../../../src/engine/extraction/shop_words.ts";
import { extract, jsonLd, readHtml, readJsonLd, shown } from "./reading_pages.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const PHONE = "Apple iPhone 15 128 GB schwarz";

Deno.test("extractPrice() is less sure if the page's product adds a word to our name", () => {
  const offers = { price: "0.99", priceCurrency: "EUR" };
  const page = (name: string) => ({ "@type": "Product", name, offers });
  const product = { title: PHONE };
  const read = (name: string) => shown(readJsonLd(page(name), { product }));
  assertEquals(read("iPhone 15"), "99 EUR json_ld 0.9 unknown");
  assertEquals(read("Hülle für iPhone 15"), "99 EUR json_ld 0.7 unknown");
  assertEquals(read("iPhone 15 Pro"), "99 EUR json_ld 0.7 unknown");
  assertEquals(read("iPhone 15 3. Gen"), "99 EUR json_ld 0.7 unknown");
  const used = (title: string) => {
    const offers = { ...page("").offers, itemCondition: "https://schema.org/UsedCondition" };
    return shown(readJsonLd({ ...page("iPhone 15"), offers }, { product: { title } }));
  };
  assertEquals(used(PHONE), "99 EUR json_ld 0.7 unknown");
  assertEquals(used(`${PHONE}, generalüberholt`), "99 EUR json_ld 0.9 unknown");
  // Without our name of the product, added words cannot be recognised.
  assertEquals(shown(readJsonLd(page("Hülle für iPhone 15"))), "99 EUR json_ld 0.9 unknown");
  const metas = (name: string) =>
    `<meta property="og:title" content="${name}"><meta property="og:price:amount" content="0.99">` +
    '<meta property="og:price:currency" content="EUR">';
  const both = (name: string) => readHtml(jsonLd(page(name)) + metas(name), { product });
  assertEquals(shown(both("iPhone 15")), "99 EUR json_ld 1 unknown");
  assertEquals(shown(both("iPhone 15 gebraucht")), "99 EUR json_ld 0.7 unknown");
});

Deno.test("extractPrice() reads the heading if the chosen element has no name", () => {
  const extractor = { priceSelector: "b", currency: "EUR" };
  const options = { extractor, product: { title: PHONE } };
  const read = (heading: string) => extract(`<h1>${heading}</h1><b>0,99 €</b>`, options);
  assertEquals(shown(read("iPhone 15").result), "99 EUR extractor 0.9 unknown");
  const added = read("Ersatzteil für iPhone 15");
  assertEquals(shown(added.result), "99 EUR extractor 0.7 unknown");
  assert(added.trace.some((line) => line.includes("only one of the names has")));
});

/** Texts by what they mean, separated by semicolons. */
const TEXTS: Readonly<Record<string, string>> = {
  in_stock: `
    https://schema.org/InStock; http://schema.org/OnlineOnly; InStock; in stock; in_stock;
    schema:InStoreOnly; instock; Auf Lager; sofort lieferbar; Lieferbar in 2-3 Tagen;
    ✓ Verfügbar; available; En stock; Disponible sous 48 h; Livrable immédiatement;
    MadeToOrder; Sofort lieferbar ab Lager; Lieferbar ab sofort; Wieder verfügbar;
    Verfügbar ab 9,99 €; No minimum order, in stock; 10 auf Lager; Disponible; Op voorraad;
    Skladem`,
  limited: `
    LimitedAvailability; Nur noch 3 Stück auf Lager; noch 5 verfügbar; Only 2 left in stock;
    Plus que 2 articles en stock; Derniers articles en stock; Stock limité; Bientôt épuisé`,
  out_of_stock: `
    https://schema.org/OutOfStock; http://schema.org/OutOfStock/; SoldOut; oos; out of stock;
    Ausverkauft; Derzeit nicht verfügbar; nicht auf Lager; Leider nicht lieferbar;
    Zurzeit nicht vorrätig; not available; Sold out; no longer in stock; not yet available;
    This item isn't available; 0 auf Lager; Actuellement indisponible; n'est plus disponible;
    En rupture de stock; Épuisé; Momentanément indisponible; Pas en stock;
    Victime de son succès; Non disponibile; No disponible; Sin stock; Niet op voorraad;
    Není skladem; Nie je na sklade; Nie jest dostępny`,
  pre_order: `
    PreOrder; https://schema.org/PreSale; Jetzt vorbestellen; Précommande;
    Disponible en précommande; À paraître; Erscheint am 01.03.2026`,
  back_order: `
    BackOrder; available for order; wird nachbestellt; Lieferbar ab 12.03.;
    Bald wieder verfügbar; Demnächst lieferbar; Wieder verfügbar ab 3.12.;
    Verfügbar ab 3. Dezember; Ab dem 03.12.2026 wieder lieferbar; Available soon;
    Bientôt disponible; Disponible à partir du 12 mai; En cours de réapprovisionnement;
    Sur commande`,
  discontinued: `
    Discontinued; Artikel nicht mehr lieferbar; no longer available; N’est plus fabriqué`,
  unknown: "Kaffee; https://schema.org/; 4,5 Sterne",
};

for (const [availability, texts] of [...Object.entries(TEXTS), ["unknown", ""] as const]) {
  Deno.test(`readAvailability() recognises ${availability} in "${texts.trim().slice(0, 20)}"`, () => {
    for (const text of texts.split(";").map((one) => one.trim())) {
      assertEquals([text, readAvailability(text)], [text, availability]);
    }
  });
}
