import { readAvailability } from "../../../src/engine/extraction/shop_words.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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
