/**
 * Lists the column names by which each field is recognised, in lower case without blanks or signs.
 * If several columns suggest the same field, a clear name has more weight than a vague name.
 */
import { foldedName } from "../../base/codes.ts";
import {
  IMPORTED_NAMES,
  type ImportedName,
  type MajorName,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";

interface Words {
  readonly plain: string;
  readonly vague?: string;
}

const FIELD_WORDS = {
  sku: {
    plain: "artikelnummer artikelnr artnr artnummer artikelno sku skus itemno itemnumber " +
      "itemcode articlenumber articleno productnumber productno produktnummer variantsku " +
      "materialnummer material matnr bestellnummer bestellnr internereferenz internalreference " +
      "variationnumber variationno variantennummer variationsnummer hauptartikelnummer articleid " +
      "artikelid artikelnummerimshop haendlerartikelnummer",
    vague: "itemid id nummer number nr no code artikel item",
  },
  title: {
    plain:
      "bezeichnung artikelbezeichnung artikelname produktname productname produktbezeichnung " +
      "bez bez1 title titel itemname itemdescription kurztext kurzbezeichnung materialkurztext artikeltext " +
      "bezeichnung1 artikelbezeichnung1 name1 produkttitel producttitle",
    vague: "name beschreibung description produkt product text",
  },
  brand: {
    plain: "herst hersteller herstellername marke markenname brand brandname manufacturer " +
      "manufacturername vendor produzent",
    vague: "lieferant",
  },
  category: {
    plain: "wg warengruppe warengruppen kategorie kategorien category categories artikelgruppe " +
      "produktgruppe productgroup producttype producttypes productcategory itemgroup " +
      "itemcategorycode warengruppenbezeichnung kategorieebene1",
    vague: "type gruppe group sortiment",
  },
  ean: {
    plain: "ean eancode ean13 eannummer gtin gtin13 gtinean eangtin barcode variantbarcode upc " +
      "europeanarticlenumber eanbarcode",
  },
  mpn: {
    plain: "han mpn herstellernummer herstellerartikelnummer herstellernr herstellerartnr " +
      "manufacturernumber manufacturerpartnumber manufacturerpartno partnumber teilenummer",
  },
  url: { plain: "link url producturl produkturl deeplink artikellink shopurl produktlink" },
  price: {
    plain:
      "vk vkbr vkn vkpreis vk1 verkaufspreis verkaufspreis1 preis price salesprice sellingprice " +
      "unitprice variantprice listprice1 ladenpreis bruttopreis nettopreis preiseur endpreis " +
      "unserpreis ourprice eigenerpreis stdvk preis1 regularprice regulaererpreis normalpreis shoppreis standardpreis lstprice pricelistprice verkaufspreisstandard",
  },
  costPrice: {
    plain:
      "ek ekn ekpreis einkauf einkaufspreis einstandspreis cost costprice purchaseprice costperitem " +
      "einst einstpreis itemcost standardcost unitcost lastpurchaseprice bezugspreis durchschnittlicherek standardprice",
  },
  targetPrice: {
    plain:
      "uvp uvppreis target targetprice zielpreis rrp msrp compareatprice variantcompareatprice " +
      "empfohlenerverkaufspreis unverbindlichepreisempfehlung listenpreis recommendedretailprice",
  },
  sale: {
    plain: "saleprice aktionspreis sonderpreis angebotspreis specialprice offerprice promoprice",
  },
  saleFrom: {
    plain: "aktionvon aktionab aktionsbeginn aktionstart aktionspreisvon aktionspreisab " +
      "sonderpreisvon sonderpreisab angebotvon angebotab angebotspreisvon specialpricefromdate " +
      "specialfromdate specialpricefrom salepricefrom salepricedatesfrom datesalepricestarts " +
      "salestart salestartdate",
  },
  saleUntil: {
    plain: "aktionbis aktionsende aktionende aktionspreisbis sonderpreisbis angebotbis " +
      "angebotspreisbis specialpricetodate specialtodate specialpriceto salepriceto " +
      "salepricedatesto datesalepriceends saleend saleenddate",
  },
  minPrice: {
    plain: "mindestpreis minimalpreis mindestvk minprice minimumprice preisuntergrenze " +
      "untergrenze pricefloor floorprice",
  },
  maxPrice: {
    plain: "hoechstpreis maximalpreis maxprice maximumprice preisobergrenze obergrenze " +
      "priceceiling ceilingprice",
  },
  shippingPrice: {
    plain: "versandkosten versandpreis lieferkosten shippingprice shippingcost shippingcosts " +
      "shippingfee deliverycost deliverycosts deliveryprice",
    vague: "versand porto shipping",
  },
  condition: { plain: "zustand artikelzustand condition itemcondition productcondition" },
  units: {
    plain: "absatz absatzmenge verkauftemenge verkauftestueck verkaufteeinheiten stueckverkauft " +
      "unitssold soldunits quantitysold qtysold salesquantity",
    vague: "verkauft sold units",
  },
  unitsDate: {
    plain: "absatzdatum absatztag verkaufsdatum verkaufstag salesdate soldon unitsdate salesday",
  },
  saleRange: { plain: "salepriceeffectivedate aktionszeitraum sonderpreiszeitraum" },
  validFrom: { plain: "gueltigab gueltigvon validfrom startdate preisgueltigab" },
  validUntil: { plain: "gueltigbis validuntil validto enddate preisgueltigbis" },
  currency: { plain: "waehrung waehrungscode currency currencycode pricecurrency waehrungsiso" },
  vatRatePct: {
    plain: "mwst mwstsatz mwstprozent ust ustsatz umsatzsteuer steuersatz mehrwertsteuer taxrate " +
      "vat vatrate vatratepct vatpercent tax steuer",
  },
  tier: {
    plain: "preisgruppe preisgruppen kundengruppe preisliste pricegroup pricelist pricetier tier",
  },
  minQty: {
    plain: "staffelmenge abmenge mindestmenge minqty minquantity minimumquantity staffelab " +
      "mengeab",
  },
  per: { plain: "preiseinheit preisje priceunit priceper" },
  stock: {
    plain: "bestand lagerbestand stock variantinventoryqty inventory inventoryqty qtyonhand " +
      "stockquantity verfuegbarerbestand quantityonhand availablestock lagermenge",
    vague: "quantity menge verfuegbar",
  },
  active: { plain: "aktiv active istaktiv isactive variationactive", vague: "status published" },
  inactive: {
    plain: "blocked gesperrt sperrkennzeichen inaktiv inactive auslauf auslaufartikel discontinued",
  },
  competitorUrl: { plain: "" },
} satisfies Readonly<Record<string, Words>>;

type WordedField = keyof typeof FIELD_WORDS;
export type ColumnField = WordedField | MajorName<ImportedName>;

const isWorded = (field: string): field is WordedField => Object.hasOwn(FIELD_WORDS, field);

const OTHER_FIELDS = IMPORTED_NAMES.map((name) => ({ name, field: majorName(name) }))
  .filter(({ field }) => !isWorded(field));

export const NAME_WEIGHTS = { plain: 1, stripped: 0.9, vague: 0.6 } as const;

const COMPETITOR = /^(?:wettbewerb(?:er|s)?|mitbewerber|konkurrenz|konkurrent|competitor)/;
const ADDRESS = /(?:url|link|adresse)/;

const PLAIN = byWord(({ plain }) => plain);
const VAGUE = byWord(({ vague = "" }) => vague);

function byWord(wordsOf: (words: Words) => string): ReadonlyMap<string, ColumnField> {
  const named: readonly (readonly [ColumnField, Words])[] = [
    ...OTHER_FIELDS.map(({ name, field }) => [field, { plain: ownNames(name) }] as const),
    ...Object.keys(FIELD_WORDS).filter(isWorded).map((field) =>
      [field, FIELD_WORDS[field]] as const
    ),
  ];
  return new Map(
    named.flatMap(([field, words]) =>
      wordsOf(words).split(" ").flatMap((word): [string, ColumnField][] =>
        word === "" ? [] : [[word, field]]
      )
    ),
  );
}

function ownNames(name: ImportedName): string {
  const { label, import: { house } } = PRODUCT_FIELDS[name];
  return [label.de, label.en, ...house].map(foldedName).join(" ");
}

export interface ColumnName {
  readonly field: ColumnField | null;
  readonly weight: number;
  readonly side: "net" | "gross" | null;
  readonly currency: string | null;
  readonly tier: string | null;
  readonly minQty: number | null;
}

const NESTED = /^(.+)\.(amount|value|betrag|wert|name|title|number|nummer|currency|waehrung)$/;

function nestedName(owner: string, part: string): Pick<ColumnName, "field" | "weight"> {
  const field = /^(?:currency|waehrung)$/.test(part) ? "currency" : PLAIN.get(foldedName(owner));
  return field ? { field, weight: NAME_WEIGHTS.stripped } : { field: null, weight: 0 };
}

const NET = /\b[ev]k ?n\b|netto|\b(?:net|excl|exkl|ohne\s+mwst|zzgl)\b/;
const GROSS = /\b[ev]k ?br\b|brutto|\b(?:gross|incl|inkl|inklusive|mit\s+mwst)\b/;
const CURRENCY = /(?:\b(eur|euro|chf|usd|gbp|pln|czk|dkk|sek)\b|([€£$]))/;
const CODES: Readonly<Record<string, string>> = { euro: "EUR", "€": "EUR", "£": "GBP", "$": "USD" };
const TIER = /^vk\s*([2-9])$/;
const FROM_QUANTITY = /^(.*?) ?(?:ab|from|>=?) ?(\d{1,6}) ?(?:st(?:ü|ue)?ck|stk|pcs)?\.?$/;

const wordsOf = (name: string) => name.slice(0, 200).trim().toLowerCase().replace(/[_\s]+/g, " ");

function bareName(words: string): string {
  return words.replace(NET, " ").replace(GROSS, " ").replace(CURRENCY, " ")
    .replace(/[%()[\].:\s]+/g, " ").trim();
}

export const UNKNOWN_COLUMN: ColumnName = {
  field: null,
  weight: 0,
  side: null,
  currency: null,
  tier: null,
  minQty: null,
};

export function readColumnName(name: string): ColumnName {
  const words = wordsOf(name);
  const plain = PLAIN.get(foldedName(name));
  const side = NET.test(words) ? "net" : GROSS.test(words) ? "gross" : null;
  const written = CURRENCY.exec(words);
  const sign = written?.[1] ?? written?.[2] ?? null;
  const currency = sign === null ? null : CODES[sign] ?? sign.toUpperCase();
  const meaning = { ...UNKNOWN_COLUMN, side, currency } as const;
  if (plain) return { ...meaning, field: plain, weight: NAME_WEIGHTS.plain };

  const bare = bareName(words);
  const tier = TIER.exec(bare)?.[1];
  if (tier !== undefined) {
    return { ...meaning, field: "price", weight: NAME_WEIGHTS.stripped, tier: `VK${tier}` };
  }
  const stripped = PLAIN.get(foldedName(bare));
  if (stripped) return { ...meaning, field: stripped, weight: NAME_WEIGHTS.stripped };
  const [, base, quantity] = FROM_QUANTITY.exec(bare) ?? [];
  if (base !== undefined && quantity !== undefined && PLAIN.get(foldedName(base)) === "price") {
    return { ...meaning, field: "price", weight: NAME_WEIGHTS.stripped, minQty: Number(quantity) };
  }
  const nested = NESTED.exec(words);
  if (nested) return { ...meaning, ...nestedName(nested[1] ?? "", nested[2] ?? "") };
  const folded = foldedName(name);
  if (COMPETITOR.test(folded) && ADDRESS.test(folded)) {
    return { ...meaning, field: "competitorUrl", weight: NAME_WEIGHTS.plain };
  }
  const vague = VAGUE.get(foldedName(bare));
  return vague ? { ...meaning, field: vague, weight: NAME_WEIGHTS.vague } : meaning;
}

/**
 * Returns the fields that the name may abbreviate: `Lgr.` stands for Lagerbestand, `Verk.-Pr.` for
 * Verkaufspreis.
 */
export function fieldsShortenedTo(name: string): ColumnField[] {
  const parts = bareName(wordsOf(name)).split(/[^\p{L}]+/u).map(foldedName)
    .filter((part) => part !== "");
  const isTooShort = parts.join("").length < 3 ||
    parts.some((part) => part.length < 2);
  if (isTooShort) return [];
  const fields = [...PLAIN].filter(([word]) =>
    areParts(parts, word) || areParts(parts, word.replace(VOWELS, ""))
  ).map(([, field]) => field);
  return [...new Set(fields)];
}

const VOWELS = /(?!^)[aeiou]/g;

function areParts(parts: readonly string[], word: string): boolean {
  let from = 0;
  return parts.every((part, n) => {
    const at = word.indexOf(part, from);
    from = at + part.length;
    return n === 0 ? at === 0 : at > 0;
  });
}
