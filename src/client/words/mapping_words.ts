/** Uses of a table's columns, and how a file was recognised. */
import type { AmountUnit, MatchKey, PriceSide } from "../../imports/profiles/profile_choices.ts";
import { type Labels, plural } from "./label.ts";

/** Uses of a column besides plain product fields, which have their own words. */
type NamedTarget =
  | "ownPrice"
  | "breakPrice"
  | "tierPrice"
  | "sale"
  | "costPrice"
  | "targetPrice"
  | "priceTier"
  | "itemTier"
  | "minQty"
  | "per"
  | "validFrom"
  | "validUntil"
  | "saleRange"
  | "active"
  | "competitorUrl"
  | "attribute"
  | "inherit";

export const mappingDe = {
  mapping: {
    title: "Spalten zuordnen",
    counts: (sure: string, doubtful: string, skipped: string) =>
      `${sure} erkannt, ${doubtful} bitte ansehen, ${skipped} übersprungen`,
    columns: {
      column: "Spalte in der Datei",
      samples: "Beispiele",
      target: "wird in Kurant",
      state: "Stand",
      note: "Anmerkung",
    },
    targetOf: (column: string) => `Wofür „${column}“ steht`,
    skip: "nicht einlesen",
    takeGuess: (target: string) => `Als „${target}“ einlesen`,
    groups: {
      product: "Produkt",
      prices: "Preise",
      details: "Zum Preis in derselben Zeile",
      others: "Weiteres",
    },
    targets: {
      ownPrice: "Unser Preis",
      breakPrice: "Staffelpreis ab Menge",
      tierPrice: "Preis einer Kundengruppe",
      sale: "Aktionspreis",
      costPrice: "Einkaufspreis",
      targetPrice: "Zielpreis, UVP",
      priceTier: "Preisgruppe",
      itemTier: "Preisgruppe von „Unser Preis“",
      minQty: "Mindestmenge",
      per: "Preis gilt für so viele Stück",
      validFrom: "Gültig ab",
      validUntil: "Gültig bis",
      saleRange: "Aktionszeitraum",
      active: "Wird verkauft: ja oder nein",
      competitorUrl: "Seite bei einem Wettbewerber",
      attribute: "Eigenschaft",
      inherit: "verbindet Varianten",
    } satisfies Labels<NamedTarget>,
    states: {
      sure: "erkannt",
      doubtful: "prüfen",
      guessed: "bitte ansehen",
      unknown: "unbekannt",
      chosen: "gewählt",
      absent: "fehlt in der Datei",
    },
    side: "Steuer",
    sides: { "": "wie eingestellt", net: "netto", gross: "brutto" } satisfies Labels<
      PriceSide | ""
    >,
    currency: "Währung",
    currencyHint: "wie sonst",
    names: {
      attribute: "Name der Eigenschaft",
      tierPrice: "Name der Preisgruppe",
      competitorUrl: "Name des Shops",
    },
    fromQuantity: "ab Stück",
    times: (count: string, text: string) => `${count} × ${text}`,
    noSku:
      "Welche Spalte ist die Artikelnummer (SKU)? Wählen Sie dort „SKU“; vorher lässt sich nichts einlesen.",
    noTitle: "Keine Spalte ist der Titel: Neue Produkte lassen sich so nicht anlegen.",
    noPrice: "Keine Spalte ist ein Preis.",
    noUnitsDate:
      "Keine Spalte ist der Verkaufstag: Verkaufte Mengen lassen sich so nicht übernehmen.",
    remedies: {
      damaged_number: (column: string) =>
        `Excel hat in „${column}“ Ziffern abgeschnitten (4,01E+12). Formatieren Sie die Spalte als Text und geben Sie die Datei neu aus.`,
      invalid_number: (column: string) =>
        `In „${column}“ ist nicht sicher, was Punkt und Komma bedeuten. Wählen Sie unter „Schreibweise“ deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.`,
    },
    settings: "Schreibweise, feste Werte und anderes",
    labels: {
      numberFormat: "Zahlen",
      headerRow: "Kopfzeile in Zeile",
      headerRowHint: "Leer: wird erkannt",
      sheet: "Tabellenblatt",
      delimiter: "Trennzeichen",
      found: "wird erkannt",
      zeroIsEmpty: "Ein Preis von 0,00 zählt als leer",
      groupRows: "Gleiche SKU hintereinander ist ein Datensatz",
      amounts: "Beträge",
      matchBy: "Produkt finden über",
      flagSays: "Ein Ja in der Spalte heißt",
      yes: "„Wird verkauft“ heißt auch",
      yesHint: "Mit Komma getrennt; J, Ja, 1, X zählen immer",
      otherwise: "Sonst",
      constant: "Fester Wert für",
      constantText: "Wert",
      noConstant: "keiner",
    },
    amounts: {
      major: "in der Währung: 12,34",
      minor: "in Cent: 1234",
    } satisfies Labels<AmountUnit>,
    matchKeys: {
      sku: "Artikelnummer (SKU)",
      ean: "EAN; neue Produkte entstehen dann nicht",
    } satisfies Labels<MatchKey>,
    flagMeanings: { active: "wird verkauft", inactive: "wird nicht verkauft (gesperrt, Auslauf)" },
    otherwise: { skip: "Produkt übergehen", delete: "Produkt löschen" },
    records: "Die ersten Datensätze",
    recordColumns: { line: "Zeile", raw: "So steht es da", read: "So wird es gelesen" },
    refused: "abgelehnt",
    look: {
      kinds: { xml: "XML", xlsx: "Excel", json: "JSON", ndjson: "NDJSON", delimited: "Text" },
      root: (root: string) => `XML, ${root}`,
      delimited: (sign: string) => `Text, Trennzeichen ${sign}`,
      tab: "Tabulator",
      sheet: (sheet: string) => `Excel, Blatt „${sheet}“`,
      headerRow: (line: string) => `Kopfzeile in Zeile ${line}`,
      rows: (count: string, rows: number) => `${count} ${plural(rows, "Zeile", "Zeilen")}`,
      records: (count: string, rows: number) =>
        `${count} ${plural(rows, "Datensatz", "Datensätze")}`,
      manyRows: "sehr viele Zeilen",
      numbers: {
        de: "Zahlen deutsch: 1.234,56",
        en: "Zahlen englisch: 1,234.56",
        auto: "Zahlen an jedem Wert erkannt",
      },
      profile: (name: string, share: string) => `${name} ${share}`,
      suggested: (share: string) => `an den Spalten erkannt, ${share}`,
      isLooking: "Datei wird angesehen",
    },
  },
};

export const mappingEn: typeof mappingDe = {
  mapping: {
    title: "Match the columns",
    counts: (sure, doubtful, skipped) =>
      `${sure} recognised, ${doubtful} to look at, ${skipped} left out`,
    columns: {
      column: "Column in the file",
      samples: "Samples",
      target: "becomes in Kurant",
      state: "State",
      note: "Note",
    },
    targetOf: (column) => `What “${column}” is for`,
    skip: "do not read",
    takeGuess: (target) => `Read as “${target}”`,
    groups: {
      product: "Product",
      prices: "Prices",
      details: "About the price in the same row",
      others: "Others",
    },
    targets: {
      ownPrice: "Our price",
      breakPrice: "Price from a quantity on",
      tierPrice: "Price of a group of customers",
      sale: "Sale price",
      costPrice: "Cost price",
      targetPrice: "Target price, RRP",
      priceTier: "Price tier",
      itemTier: "Price tier of “our price”",
      minQty: "Minimum quantity",
      per: "The price is for so many pieces",
      validFrom: "Valid from",
      validUntil: "Valid until",
      saleRange: "Time of the sale",
      active: "Is sold: yes or no",
      competitorUrl: "Page of a competitor",
      attribute: "Attribute",
      inherit: "joins variants",
    },
    states: {
      sure: "recognised",
      doubtful: "look at it",
      guessed: "please look",
      unknown: "unknown",
      chosen: "chosen",
      absent: "not in the file",
    },
    side: "Tax",
    sides: { "": "as set", net: "net", gross: "gross" },
    currency: "Currency",
    currencyHint: "as else",
    names: {
      attribute: "Name of the attribute",
      tierPrice: "Name of the price tier",
      competitorUrl: "Name of the shop",
    },
    fromQuantity: "from pieces",
    times: (count, text) => `${count} × ${text}`,
    noSku:
      "Which column is the article number (SKU)? Choose “SKU” there; before that nothing can be read.",
    noTitle: "No column is the title: new products cannot be made so.",
    noPrice: "No column is a price.",
    noUnitsDate: "No column is the day of the sale: units sold cannot be taken over like this.",
    remedies: {
      damaged_number: (column) =>
        `Excel has cut digits off in “${column}” (4.01E+12). Format the column as text and export the file again.`,
      invalid_number: (column) =>
        `What dot and comma mean in “${column}” is not sure. Choose German or English below “Ways of writing”, or export the column with two decimals.`,
    },
    settings: "Ways of writing, fixed values and more",
    labels: {
      numberFormat: "Numbers",
      headerRow: "Header in line",
      headerRowHint: "Empty: is found",
      sheet: "Sheet",
      delimiter: "Delimiter",
      found: "is found",
      zeroIsEmpty: "A price of 0.00 counts as empty",
      groupRows: "The same SKU in a row is one record",
      amounts: "Amounts",
      matchBy: "Find the product by",
      flagSays: "A yes in the column means",
      yes: "“Is sold” is also written",
      yesHint: "With commas between them; Y, yes, 1, X always count",
      otherwise: "Otherwise",
      constant: "Fixed value of",
      constantText: "Value",
      noConstant: "none",
    },
    amounts: { major: "in the currency: 12.34", minor: "in cents: 1234" },
    matchKeys: {
      sku: "Article number (SKU)",
      ean: "EAN; no new products are made then",
    },
    flagMeanings: { active: "is sold", inactive: "is not sold (blocked, discontinued)" },
    otherwise: { skip: "pass the product over", delete: "delete the product" },
    records: "The first records",
    recordColumns: { line: "Line", raw: "As it stands there", read: "As it is read" },
    refused: "refused",
    look: {
      kinds: { xml: "XML", xlsx: "Excel", json: "JSON", ndjson: "NDJSON", delimited: "Text" },
      root: (root) => `XML, ${root}`,
      delimited: (sign) => `Text, delimiter ${sign}`,
      tab: "tab",
      sheet: (sheet) => `Excel, sheet “${sheet}”`,
      headerRow: (line) => `Header in line ${line}`,
      rows: (count, rows) => `${count} ${plural(rows, "row", "rows")}`,
      records: (count, rows) => `${count} ${plural(rows, "record", "records")}`,
      manyRows: "very many rows",
      numbers: {
        de: "Numbers German: 1.234,56",
        en: "Numbers English: 1,234.56",
        auto: "Numbers told from each value",
      },
      profile: (name, share) => `${name} ${share}`,
      suggested: (share) => `recognised by its columns, ${share}`,
      isLooking: "Looking at the file",
    },
  },
};
