import fc from "fast-check";
import {
  addedWord,
  readAvailability,
  versionApart,
} from "../../../src/engine/extraction/shop_words.ts";
import { leastCostMs } from "../../processor_time.ts";
import { extract, jsonLd, readHtml, readJsonLd, shown } from "./reading_pages.ts";
import { testTexts } from "../grouped.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const PHONE = "Apple iPhone 15 128 GB schwarz";

Deno.test("addedWord() finds words that make an accessory, a bundle or a used product", () => {
  const rows: [name: string, added: string | null, own?: string][] = [
    ["Apple iPhone 15 128 GB schwarz", null],
    ["Smartphone APPLE iPhone 15, 128GB, Black, 5G", null],
    ["Slim Case Ultra Matte for Apple iPhone 15", "case"],
    ["Hu\u0308lle fu\u0308r Apple iPhone 15", "huelle"],
    ["HUELLE FUER Apple iPhone 15", "huelle"],
    ["Apple iPhone 15 Silikonhülle", "silikonhuelle"],
    ["Ersatzteil Apple iPhone 15 Display", "ersatzteil"],
    ["Ersatz-Netzteil für Apple iPhone 15", "ersatz"],
    ["Apple iPhone 15 128 GB schwarz (refurbished)", "refurbished"],
    ["Apple iPhone 15 128 GB GEBRAUCHT", "gebraucht"],
    ["Apple iPhone 15 pre-owned", "pre owned"],
    ["Apple iPhone 15 B-Ware", "b ware"],
    ["Apple iPhone 15 im Set mit AirPods", "im set"],
    ["Set mit Apple iPhone 15 und Hülle", "set mit"],
    ["Apple iPhone 15 2er-Pack", "2er pack"],
    ["Pack of 3: Apple iPhone 15", "pack of 3"],
    ["Apple iPhone 15 1er Pack", null],
    ["Apple iPhone 15 (1 Pack)", null],
    ["Kaffeefilter 6er Pack", "6er pack", "Kaffeefilter 1er Pack"],
    ["Apple iPhone 15 Bundle", "bundle"],
    ["Bohrschrauber GSR 18 ohne Akku", "ohne akku"],
    ["Flüssigseife Nachfüllpack Lavendel", "nachfuellpack"],
    ["Ladekabel kompatibel mit Apple iPhone 15", "kompatibel mit"],
    // Included accessories do not count as added, nor do words that only contain a listed word.
    ["Apple iPhone 15 mit Ladekabel und Case", null],
    ["Apple iPhone 15 unused", null],
    ["Bundleware Apple iPhone 15 Casebook", null],
    // Words of our own title, or their synonyms, do not count as added by the shop.
    ["Hülle für Apple iPhone 15", null, "Apple Hülle für iPhone 15"],
    ["Case for Apple iPhone 15", null, "Cover für iPhone 15"],
    ["Apple iPhone 15 refurbished", null, "Apple iPhone 15, generalüberholt"],
    ["Kaffeefilter 6er Pack", null, "Kaffeefilter 6er-Pack"],
    ["Kaffeefilter 12er Pack", "12er pack", "Kaffeefilter 6er-Pack"],
    ["Kaffeefilter 6er Pack gebraucht", "gebraucht", "Kaffeefilter 6er-Pack"],
    ["", null],
  ];
  for (const [name, added, own = PHONE] of rows) {
    assertEquals([name, addedWord([name], own)], [name, added]);
  }
  assertEquals(addedWord(["iPhone 15", "Hülle für iPhone 15"], PHONE), "huelle");
  assertEquals(addedWord([], PHONE), null);
});

Deno.test("addedWord() finds nothing in a repetition of our own title", () => {
  const words = fc.constantFrom(
    ..."Hülle Case für for iPhone 2er Pack of 3 1 used B Ware".split(" "),
    ..."Set mit Bundle ß É - gebraucht Ersatz".split(" "),
  );
  const titles = fc.array(words, { maxLength: 12 }).map((list) => list.join(" "));
  fc.assert(fc.property(titles, (title) => {
    assertEquals(addedWord([title, title.toUpperCase()], title), null);
  }));
});

Deno.test("extractPrice() is less sure if the page's product adds a word to our name", () => {
  const offers = { price: "0.99", priceCurrency: "EUR" };
  const page = (name: string) => ({ "@type": "Product", name, offers });
  const product = { title: PHONE };
  const read = (name: string) => shown(readJsonLd(page(name), { product }));
  assertEquals(read("iPhone 15"), "99 EUR json_ld 0.9 unknown");
  assertEquals(read("Hülle für iPhone 15"), "99 EUR json_ld 0.7 unknown");
  assertEquals(read("iPhone 15 Pro"), "99 EUR json_ld 0.8 unknown");
  assertEquals(read("iPhone 15 3. Gen"), "99 EUR json_ld 0.8 unknown");
  const used = (title: string) => {
    const offers = { ...page("").offers, itemCondition: "https://schema.org/UsedCondition" };
    return shown(readJsonLd({ ...page("iPhone 15"), offers }, { product: { title } }));
  };
  assertEquals(used(PHONE), "99 EUR json_ld 0.7 unknown");
  assertEquals(used(`${PHONE}, generalüberholt`), "99 EUR json_ld 0.9 unknown");
  // Without our title, no word can be recognised as added by the shop.
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
  const added = read("Case for iPhone 15");
  assertEquals(shown(added.result), "99 EUR extractor 0.7 unknown");
  assert(added.trace.some((line) => line.includes('its name adds "case" to ours')));
});

Deno.test("extractPrice() of a page without a name does not doubt that the product is ours", () => {
  const product = { title: PHONE };
  const extractor = { priceSelector: "b", jsonPath: "$.p", currency: "EUR" };
  for (const text of ["<b>0,99 €</b>", '{"p":0.99}']) {
    assertEquals(
      shown(extract(text, { extractor, product }).result),
      "99 EUR extractor 0.9 unknown",
    );
  }
  const offers = { price: "0.99", priceCurrency: "EUR" };
  const nameless = readJsonLd({ "@type": "Product", offers }, { product });
  assertEquals(shown(nameless), "99 EUR json_ld 0.9 unknown");
});

Deno.test("versionApart() finds a version that only one of two names has", () => {
  const rows: [name: string, own: string, version: string | null][] = [
    ["Kettler Heimtrainer Tour 300 Pro", "Kettler Heimtrainer Tour 300", "pro"],
    ["Kettler Heimtrainer Tour 300", "Kettler Heimtrainer Tour 300 Plus", "plus"],
    ["Melitta Look II Kaffeemaschine", "Melitta Look 2 Kaffeemaschine", null],
    ["Melitta Look 2 Kaffeemaschine", "Melitta Look II Kaffeemaschine", null],
    ["Melitta Look III Kaffeemaschine", "Melitta Look II Kaffeemaschine", "ii"],
    ["Kopierpapier A4 weiß, 500 Blatt pro Packung", "Kopierpapier A4 weiß 500 Blatt", null],
    ["Kopierpapier A4 weiß Pro, 500 Blatt", "Kopierpapier A4 weiß 500 Blatt", "pro"],
    ["Nähmaschine Lumia 650", "Lumia 640 Nähmaschine", "640"],
    ["Nähmaschine Lumia 640, Modell 2026", "Lumia 640 Nähmaschine", null],
    ["Kaffeemaschine 1000 W, 10 Tassen", "Kaffeemaschine 10 Tassen", null],
    ["Kaffeemaschine 1000 W", "Kaffeemaschine 12 Tassen", null],
    ["Aqua Filterkartusche 400", "Aqua Filterkartusche 10 Stück", null],
  ];
  for (const [name, own, version] of rows) assertEquals(versionApart([name], own), version, name);
});

Deno.test("addedWord() does bounded work for names of any length and number", () => {
  const letters = ["a\u0301".repeat(50), " ", "ſ", "\u{1f4a9}"];
  for (const piece of ["set mit ", "2er ", "case ", "pack of 2", ...letters]) {
    const names = Array.from({ length: 10_000 }, () => piece.repeat(1_000));
    const usedMs = leastCostMs(() => addedWord(names, piece.repeat(100_000)));
    assert(usedMs < 200, `${usedMs} ms for ${JSON.stringify(piece)}`);
  }
});

testTexts("the availability by words", {
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
  unknown: "Kaffee; https://schema.org/; 4,5 Sterne; ",
}, readAvailability);
