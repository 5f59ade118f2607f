import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { readAvailability } from "../../src/extraction/availability_text.ts";

const TEXTS = {
  in_stock: [
    "https://schema.org/InStock",
    "http://schema.org/OnlineOnly",
    "InStock",
    "in stock",
    "in_stock",
    "schema:InStoreOnly",
    "instock",
    "Auf Lager",
    "sofort lieferbar",
    "Lieferbar in 2-3 Tagen",
    "✓ Verfügbar",
    "available",
    "En stock",
    "MadeToOrder",
  ],
  limited: [
    "LimitedAvailability",
    "Nur noch 3 Stück auf Lager",
    "noch 5 verfügbar",
    "Only 2 left in stock",
  ],
  out_of_stock: [
    "https://schema.org/OutOfStock",
    "SoldOut",
    "oos",
    "out of stock",
    "Ausverkauft",
    "Derzeit nicht verfügbar",
    "nicht auf Lager",
    "Leider nicht lieferbar",
    "Zurzeit nicht vorrätig",
    "not available",
    "Sold out",
  ],
  pre_order: [
    "PreOrder",
    "https://schema.org/PreSale",
    "Jetzt vorbestellen",
    "Erscheint am 01.03.2026",
  ],
  back_order: ["BackOrder", "available for order", "wird nachbestellt", "Lieferbar ab 12.03."],
  discontinued: ["Discontinued", "Artikel nicht mehr lieferbar", "no longer available"],
  unknown: ["", "Kaffee", "https://schema.org/", "4,5 Sterne"],
};

for (const [availability, texts] of Object.entries(TEXTS)) {
  Deno.test(`readAvailability() tells ${availability} from ${texts.length} texts`, () => {
    assertEquals(
      texts.map((text) => [text, readAvailability(text)]),
      texts.map((text) => [text, availability]),
    );
  });
}
