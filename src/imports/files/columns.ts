/**
 * Suggests a field for each column of a table by the column's name and values
 * (docs/decisions/imports.md, "Tables"). If several columns suggest the same field, a clear name
 * has more weight than a vague name.
 */
import { foldedName, isGtin, readCondition } from "../../base/codes.ts";
import {
  IMPORTED_NAMES,
  type ImportedName,
  type MajorName,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import { fromKeys } from "../../base/collections.ts";
import { isBlankRow, type TableRow } from "./table_row.ts";

/** Column names that clearly mean the field, separated by spaces. */
const FIELD_WORDS = {
  sku: "artikelnummer artikelnr artnr artnummer artikelno sku skus itemno itemnumber itemcode " +
    "articlenumber articleno productnumber productno produktnummer variantsku materialnummer " +
    "material matnr bestellnummer bestellnr internereferenz internalreference variationnumber " +
    "variationno variantennummer variationsnummer hauptartikelnummer articleid artikelid " +
    "artikelnummerimshop haendlerartikelnummer",
  title:
    "bezeichnung artikelbezeichnung artikelname produktname productname produktbezeichnung bez " +
    "bez1 title titel itemname itemdescription kurztext kurzbezeichnung materialkurztext " +
    "artikeltext bezeichnung1 artikelbezeichnung1 name1 produkttitel producttitle",
  brand: "herst hersteller herstellername marke markenname brand brandname manufacturer " +
    "manufacturername vendor produzent",
  category: "wg warengruppe warengruppen kategorie kategorien category categories artikelgruppe " +
    "produktgruppe productgroup producttype producttypes productcategory itemgroup " +
    "itemcategorycode warengruppenbezeichnung kategorieebene1",
  ean: "ean eancode ean13 eannummer gtin gtin13 gtinean eangtin barcode variantbarcode upc " +
    "europeanarticlenumber eanbarcode",
  mpn: "han mpn herstellernummer herstellerartikelnummer herstellernr herstellerartnr " +
    "manufacturernumber manufacturerpartnumber manufacturerpartno partnumber teilenummer",
  url: "link url producturl produkturl deeplink artikellink shopurl produktlink",
  price:
    "vk vkbr vkn vkpreis vk1 verkaufspreis verkaufspreis1 preis price salesprice sellingprice " +
    "unitprice variantprice listprice1 ladenpreis bruttopreis nettopreis preiseur endpreis " +
    "unserpreis ourprice eigenerpreis stdvk preis1 regularprice regulaererpreis normalpreis " +
    "shoppreis standardpreis lstprice pricelistprice verkaufspreisstandard",
  costPrice: "ek ekn ekpreis einkauf einkaufspreis einstandspreis cost costprice purchaseprice " +
    "costperitem einst einstpreis itemcost standardcost unitcost lastpurchaseprice bezugspreis " +
    "durchschnittlicherek standardprice",
  targetPrice:
    "uvp uvppreis target targetprice zielpreis rrp msrp compareatprice variantcompareatprice " +
    "empfohlenerverkaufspreis unverbindlichepreisempfehlung listenpreis recommendedretailprice",
  sale: "saleprice aktionspreis sonderpreis angebotspreis specialprice offerprice promoprice",
  saleFrom:
    "aktionvon aktionab aktionsbeginn aktionstart aktionspreisvon aktionspreisab sonderpreisvon " +
    "sonderpreisab angebotvon angebotab angebotspreisvon specialpricefromdate specialfromdate " +
    "specialpricefrom salepricefrom salepricedatesfrom datesalepricestarts salestart " +
    "salestartdate",
  saleUntil: "aktionbis aktionsende aktionende aktionspreisbis sonderpreisbis angebotbis " +
    "angebotspreisbis specialpricetodate specialtodate specialpriceto salepriceto " +
    "salepricedatesto datesalepriceends saleend saleenddate",
  minPrice:
    "mindestpreis minimalpreis mindestvk minprice minimumprice preisuntergrenze untergrenze " +
    "pricefloor floorprice",
  maxPrice:
    "hoechstpreis maximalpreis maxprice maximumprice preisobergrenze obergrenze priceceiling " +
    "ceilingprice",
  shippingPrice:
    "versandkosten versandpreis lieferkosten shippingprice shippingcost shippingcosts " +
    "shippingfee deliverycost deliverycosts deliveryprice",
  condition: "zustand artikelzustand condition itemcondition productcondition",
  units: "absatz absatzmenge verkauftemenge verkauftestueck verkaufteeinheiten stueckverkauft " +
    "unitssold soldunits quantitysold qtysold salesquantity",
  unitsDate: "absatzdatum absatztag verkaufsdatum verkaufstag salesdate soldon unitsdate salesday",
  saleRange: "salepriceeffectivedate aktionszeitraum sonderpreiszeitraum",
  validFrom: "gueltigab gueltigvon validfrom startdate preisgueltigab",
  validUntil: "gueltigbis validuntil validto enddate preisgueltigbis",
  currency: "waehrung waehrungscode currency currencycode pricecurrency waehrungsiso",
  vatRatePct:
    "mwst mwstsatz mwstprozent ust ustsatz umsatzsteuer steuersatz mehrwertsteuer taxrate vat " +
    "vatrate vatratepct vatpercent tax steuer",
  tier: "preisgruppe preisgruppen kundengruppe preisliste pricegroup pricelist pricetier tier",
  minQty: "staffelmenge abmenge mindestmenge minqty minquantity minimumquantity staffelab mengeab",
  per: "preiseinheit preisje priceunit priceper",
  stock: "bestand lagerbestand stock variantinventoryqty inventory inventoryqty qtyonhand " +
    "stockquantity verfuegbarerbestand quantityonhand availablestock lagermenge",
  active: "aktiv active istaktiv isactive variationactive",
  inactive:
    "blocked gesperrt sperrkennzeichen inaktiv inactive auslauf auslaufartikel discontinued",
  competitorUrl: "",
};

type WordedField = keyof typeof FIELD_WORDS;

/** Column names that fit a field, but may also mean something else. */
const VAGUE_WORDS: Readonly<Partial<Record<WordedField, string>>> = {
  sku: "itemid id nummer number nr no code artikel item",
  title: "name beschreibung description produkt product text",
  brand: "lieferant",
  category: "type gruppe group sortiment",
  shippingPrice: "versand porto shipping",
  units: "verkauft sold units",
  stock: "quantity menge verfuegbar",
  active: "status published",
};

type ColumnField = WordedField | MajorName<ImportedName>;

const isWorded = (field: string): field is WordedField => Object.hasOwn(FIELD_WORDS, field);

const NAME_WEIGHTS = { plain: 1, stripped: 0.9, vague: 0.6 } as const;

const COMPETITOR = /^(?:wettbewerb(?:er|s)?|mitbewerber|konkurrenz|konkurrent|competitor)/;

const OTHER_FIELDS = IMPORTED_NAMES.filter((name) => !isWorded(majorName(name)));
const PLAIN = new Map<string, ColumnField>([
  ...OTHER_FIELDS.flatMap((name) => ownNames(name).map((word) => [word, majorName(name)] as const)),
  ...wordsOf(FIELD_WORDS),
]);
const VAGUE = new Map(wordsOf(VAGUE_WORDS));

function wordsOf(table: typeof VAGUE_WORDS): (readonly [word: string, field: WordedField])[] {
  return Object.keys(table).filter(isWorded).flatMap((field) =>
    (table[field] ?? "").split(" ").filter(Boolean).map((word) => [word, field] as const)
  );
}

function ownNames(name: ImportedName): string[] {
  const { label, import: { house } } = PRODUCT_FIELDS[name];
  return [label.de, label.en, ...house].map(foldedName);
}

interface ColumnName {
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

const lowerWords = (name: string) =>
  name.slice(0, 200).trim().toLowerCase().replace(/[_\s]+/g, " ");

function bareName(words: string): string {
  return words.replace(NET, " ").replace(GROSS, " ").replace(CURRENCY, " ")
    .replace(/[%()[\].:\s]+/g, " ").trim();
}

const NO_TERMS = { side: null, currency: null, tier: null, minQty: null };
const UNKNOWN_COLUMN: ColumnName = { field: null, weight: 0, ...NO_TERMS };

function readColumnName(name: string): ColumnName {
  const words = lowerWords(name);
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
    const minQty = Number(quantity) || 1;
    return { ...meaning, field: "price", weight: NAME_WEIGHTS.stripped, minQty };
  }
  const nested = NESTED.exec(words);
  if (nested) return { ...meaning, ...nestedName(nested[1] ?? "", nested[2] ?? "") };
  const folded = foldedName(name);
  if (COMPETITOR.test(folded) && /(?:url|link|adresse)/.test(folded)) {
    return { ...meaning, field: "competitorUrl", weight: NAME_WEIGHTS.plain };
  }
  const vague = VAGUE.get(foldedName(bare));
  return vague ? { ...meaning, field: vague, weight: NAME_WEIGHTS.vague } : meaning;
}

/** Returns the fields that the name may abbreviate, such as the stock (Lagerbestand) for `Lgr.`. */
function fieldsShortenedTo(name: string): ColumnField[] {
  const parts = bareName(lowerWords(name)).split(/[^\p{L}]+/u).map(foldedName)
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

export type SuggestedColumn = ReturnType<typeof suggestionOf>;

const NUMBER = /\d/;
const ADDRESS = /^https?:\/\//i;
const PRICE = /^[^\d]{0,6}\d[\d.,'’\s\u00a0\u202f]*(?:[.,]?[-–—]{1,2})?\s*\D{0,12}$/u;
const PRICE_FIELDS = [
  "price",
  "costPrice",
  "targetPrice",
  "sale",
  "minPrice",
  "maxPrice",
  "shippingPrice",
] as const;
const FITS: Readonly<Partial<Record<ColumnField, (text: string) => boolean>>> = {
  ...fromKeys(PRICE_FIELDS, () => (text: string) => PRICE.test(text)),
  ean: (text) => /^[\d.,]{5,14}(?:[eE]\+?\d{1,2})?$/.test(text),
  vatRatePct: (text) => /^\d{1,2}(?:[.,]\d+)?\s*%?$/.test(text),
  condition: (text) => readCondition(text) !== null,
  units: (text) => NUMBER.test(text),
  unitsDate: (text) => NUMBER.test(text),
  stock: (text) => /^-?\d/.test(text),
  minQty: (text) => NUMBER.test(text),
  url: (text) => ADDRESS.test(text),
  competitorUrl: (text) => ADDRESS.test(text),
  title: (text) => /\p{L}/u.test(text),
};

export function namesPrice(name: string): boolean {
  const { field } = readColumnName(name);
  return PRICE_FIELDS.some((price) => price === field);
}

export function suggestColumns(
  header: TableRow,
  rows: readonly TableRow[],
  side: "net" | "gross",
): SuggestedColumn[] {
  const columns = header.cells.map((cell, at) => suggestionOf(cell?.trim() ?? "", at, rows));
  const byWorth = columns.filter(({ field }) => field !== null).sort((one, other) =>
    worth(other, side) - worth(one, side) || one.at - other.at
  );
  const taken = new Set<string>();
  for (const column of byWorth) {
    const key = placeOf(column);
    if (taken.has(key)) columns[column.at] = { ...column, field: null, confidence: 0 };
    taken.add(key);
  }
  return columns;
}

function placeOf({ field, tier, minQty, at }: SuggestedColumn): string {
  if (field === "competitorUrl") return `${field} ${at}`;
  return field === "price" ? `${field} ${tier} ${minQty}` : String(field);
}

function worth({ confidence, side }: SuggestedColumn, wanted: "net" | "gross"): number {
  return confidence + (side === wanted ? 0.05 : side === null ? 0.04 : 0);
}

function suggestionOf(name: string, at: number, rows: readonly TableRow[]) {
  const samples = rows.flatMap(({ cells }) => {
    const text = cells[at]?.trim() ?? "";
    return text === "" ? [] : [text];
  });
  const read = readColumnName(name);
  const confidence = confidenceOf(read, samples);
  const { weight: _, ...meaning } = confidence > 0 ? read : UNKNOWN_COLUMN;
  return { name, at, ...meaning, confidence, samples };
}

function confidenceOf({ field, weight }: ColumnName, samples: readonly string[]): number {
  if (field === null) return 0;
  const share = samples.length === 0 ? 1 : shareThatFits(field, samples);
  return weight === NAME_WEIGHTS.vague && share < 0.2 ? 0 : weight * Math.max(share, 0.5);
}

function shareThatFits(field: ColumnField, samples: readonly string[]): number {
  const fits = FITS[field];
  return fits === undefined ? 1 : samples.filter(fits).length / samples.length;
}

interface Role {
  readonly field: ColumnField;
  readonly confidence: number;
}

const SHARE_MIN = 0.9;
const VALUE_CHARS_MAX = 40;
const SIGNED = /[€£$]|\b(?:eur|euro|chf|usd|gbp|pln|czk|dkk|sek)\b/i;
const AMOUNT = /^\d{1,3}(?:[.,'’ ]?\d{3})*[.,]\d{2}$/;
const TITLE_CHARS = { min: 12, max: 250 } as const;

export function guessRoles(
  columns: readonly Pick<SuggestedColumn, "at" | "name" | "samples">[],
  read: ReadonlySet<string | null>,
) {
  const guesses = columns.flatMap(({ at, name, samples }) =>
    samples.length === 0 ? [] : rolesOf(name, samples).map((role) => ({ at, name, role }))
  ).sort((one, other) => other.role.confidence - one.role.confidence || one.at - other.at);
  const found = new Map<number, Role & Pick<ColumnName, "side" | "currency">>();
  const taken = new Set(read);
  for (const { at, name, role } of guesses) {
    if (found.has(at) || taken.has(role.field)) continue;
    const { side, currency } = readColumnName(name);
    found.set(at, { ...role, side, currency });
    taken.add(role.field);
  }
  return found;
}

function rolesOf(name: string, samples: readonly string[]): Role[] {
  const short = fieldsShortenedTo(name).filter((field) =>
    shareThatFits(field, samples) >= SHARE_MIN
  );
  const [field] = short;
  const byName = field !== undefined && short.length === 1 ? [{ field, confidence: 0.5 }] : [];
  return [...byName, ...rolesByValue(samples)];
}

function rolesByValue(samples: readonly string[]): Role[] {
  const are = (fits: (text: string) => boolean) => areMostly(samples, fits);
  if (are(isGtin)) return [{ field: "ean", confidence: 0.6 }];
  if (are((text) => /^\d{13}$/.test(text))) return [{ field: "ean", confidence: 0.4 }];
  if (are(isMoney)) return [{ field: "price", confidence: 0.5 }];
  if (are(isAmount)) return [{ field: "price", confidence: 0.3 }];
  const isLong = new Set(samples).size >= SHARE_MIN * samples.length && are(isSentence);
  return isLong ? [{ field: "title", confidence: 0.4 }] : [];
}

export function looksLikePrice(name: string, samples: readonly string[]): boolean {
  if (areMostly(samples, isMoney)) return true;
  if (namesPrice(name)) return shareThatFits("price", samples) >= SHARE_MIN;
  return /preis|price/.test(foldedName(name)) && areMostly(samples, isAmount);
}

function areMostly(samples: readonly string[], fits: (text: string) => boolean): boolean {
  return samples.filter(fits).length >= SHARE_MIN * samples.length;
}

function isAmount(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && AMOUNT.test(text);
}

function isMoney(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && SIGNED.test(text) && shareThatFits("price", [text]) > 0;
}

function isSentence(text: string): boolean {
  const { min, max } = TITLE_CHARS;
  return text.length >= min && text.length <= max && /\p{L}{3}/u.test(text) && /\s/.test(text);
}

const HEADER_ROWS_MAX = 30;

function namedFields({ cells }: TableRow): number {
  return new Set(cells.flatMap((cell) => readColumnName(cell ?? "").field ?? [])).size;
}

export function namesFields(rows: readonly TableRow[]): boolean {
  return rows.slice(0, HEADER_ROWS_MAX).some((row) => namedFields(row) >= 2);
}

export function findHeader(rows: readonly TableRow[]): TableRow | null {
  const looked = rows.slice(0, HEADER_ROWS_MAX).filter((row) => !isBlankRow(row));
  const [best] = looked.map((row) => ({ row, named: namedFields(row) }))
    .filter(({ named }) => named >= 2)
    .sort((one, other) => other.named - one.named);
  return best?.row ?? looked.find(isFullOfWords) ?? null;
}

function isFullOfWords({ cells }: TableRow): boolean {
  const words = cells.map((cell) => cell?.trim().toLowerCase() ?? "");
  const areWords = words.every((word) => /\p{L}/u.test(word) && !/^\d/.test(word));
  return words.length > 1 && areWords && new Set(words).size === words.length;
}
