/**
 * Texts about reading a file: uses of columns, how the file was recognised, and findings with their
 * remedies.
 */
import type { AmountUnit, MatchKey, PriceSide } from "../../imports/choices.ts";
import { type Labels, say } from "./label.ts";
import type { FindingCode } from "../../imports/files/source_file.ts";

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

export const mappingWords = {
  mapping: {
    title: say("Spalten zuordnen", "Match the columns"),
    counts: say(
      "{sure} erkannt, {doubtful} bitte ansehen, {skipped} übersprungen",
      "{sure} recognised, {doubtful} to check, {skipped} left out",
    ),
    columns: {
      column: say("Spalte in der Datei", "Column in the file"),
      samples: say("Beispiele", "Samples"),
      target: say("wird in Kurant", "In Kurant"),
      note: say("Anmerkung", "Note"),
    },
    targetOf: say("Wofür „{column}“ steht", "What “{column}” is for"),
    skip: say("nicht einlesen", "do not read"),
    isOwnPrice: say("„{name}“ ist unser Preis", "“{name}” is our price"),
    takeGuess: say("Als „{target}“ einlesen", "Read as “{target}”"),
    groups: {
      prices: say("Preise", "Prices"),
      details: say("Zum Preis in derselben Zeile", "About the price in the same row"),
      others: say("Weiteres", "Others"),
    },
    targets: {
      ownPrice: say("Unser Preis", "Our price"),
      breakPrice: say("Staffelpreis ab Menge", "Quantity price"),
      tierPrice: say("Preis einer Kundengruppe", "Customer group price"),
      sale: say("Aktionspreis", "Sale price"),
      costPrice: say("Einkaufspreis", "Cost price"),
      targetPrice: say("Zielpreis, UVP", "Target price, RRP"),
      priceTier: say("Preisgruppe", "Price tier"),
      itemTier: say("Preisgruppe von „Unser Preis“", "Price tier of “our price”"),
      minQty: say("Mindestmenge", "Minimum quantity"),
      per: say("Preis gilt für so viele Stück", "Units the price is for"),
      validFrom: say("Gültig ab", "Valid from"),
      validUntil: say("Gültig bis", "Valid until"),
      saleRange: say("Aktionszeitraum", "Sale period"),
      active: say("Wird verkauft: ja oder nein", "Is sold: yes or no"),
      competitorUrl: say("Seite bei einem Wettbewerber", "Page of a competitor"),
      attribute: say("Eigenschaft", "Attribute"),
      inherit: say("verbindet Varianten", "joins variants"),
    } satisfies Labels<NamedTarget>,
    states: {
      sure: say("erkannt", "recognised"),
      doubtful: say("prüfen", "to check"),
      guessed: say("bitte ansehen", "please check"),
      unknown: say("unbekannt", "unknown"),
      chosen: say("gewählt", "chosen"),
      absent: say("fehlt in der Datei", "not in the file"),
    },
    side: say("Steuer", "Tax"),
    sides: {
      "": say("wie eingestellt", "as set"),
      net: say("netto", "net"),
      gross: say("brutto", "gross"),
    } satisfies Labels<
      PriceSide | ""
    >,
    currencyHint: say("wie im Datensatz", "as in the record"),
    names: {
      attribute: say("Name der Eigenschaft", "Name of the attribute"),
      tierPrice: say("Name der Preisgruppe", "Name of the price tier"),
      competitorUrl: say("Name des Shops", "Name of the shop"),
    },
    fromQuantity: say("ab Stück", "from quantity"),
    times: (count: string, text: string) => `${count} × ${text}`,
    noSku: say(
      "Welche Spalte ist die Artikelnummer (SKU)? Wählen Sie dort „SKU“; vorher lässt sich nichts einlesen.",
      "Which column is the article number (SKU)? Choose “SKU” there; nothing can be read until then.",
    ),
    noTitle: say(
      "Keine Spalte ist der Titel: Neue Produkte lassen sich so nicht anlegen.",
      "No column is the title: new products cannot be created.",
    ),
    noPrice: say("Keine Spalte ist ein Preis.", "No column is a price."),
    noUnitsDate: say(
      "Keine Spalte ist der Verkaufstag: Verkaufte Mengen lassen sich so nicht übernehmen.",
      "No column is the day of the sale: units sold cannot be imported without it.",
    ),
    remedies: {
      damaged_number: say(
        "Excel hat in „{column}“ Ziffern abgeschnitten (4,01E+12). Formatieren Sie die Spalte als Text und geben Sie die Datei neu aus.",
        "Excel has cut digits off in “{column}” (4.01E+12). Format the column as text and export the file again.",
      ),
      invalid_number: say(
        "In „{column}“ ist nicht sicher, was Punkt und Komma bedeuten. Wählen Sie unter „Schreibweise“ deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.",
        "It is unclear what dot and comma mean in “{column}”. Choose German or English under “Formats”, or export the column with two decimals.",
      ),
    },
    settings: say(
      "Schreibweise, feste Werte und anderes",
      "Formats, fixed values and more",
    ),
    labels: {
      numberFormat: say("Zahlen", "Numbers"),
      headerRow: say("Kopfzeile in Zeile", "Header in line"),
      headerRowHint: say("Leer: wird erkannt", "Empty: detected"),
      sheet: say("Tabellenblatt", "Sheet"),
      delimiter: say("Trennzeichen", "Delimiter"),
      found: say("wird erkannt", "detected"),
      zeroIsEmpty: say("Ein Preis von 0,00 zählt als leer", "A price of 0.00 counts as empty"),
      groupRows: say(
        "Gleiche SKU hintereinander ist ein Datensatz",
        "Consecutive rows with the same SKU are one record",
      ),
      amounts: say("Beträge", "Amounts"),
      matchBy: say("Produkt finden über", "Find the product by"),
      flagSays: say("Ein Ja in der Spalte heißt", "A yes in the column means"),
      yes: say("„Wird verkauft“ heißt auch", "“Is sold” is also written"),
      yesHint: say(
        "Mit Komma getrennt; J, Ja, 1, X zählen immer",
        "Separated by commas; Y, yes, 1, X always count",
      ),
      otherwise: say("Sonst", "Otherwise"),
      constant: say("Fester Wert für", "Fixed value for"),
      noConstant: say("keiner", "none"),
    },
    amounts: {
      major: say("in der Währung: 12,34", "in the currency: 12.34"),
      minor: say("in Cent: 1234", "in cents: 1234"),
    } satisfies Labels<AmountUnit>,
    matchKeys: {
      sku: say("Artikelnummer (SKU)", "Article number (SKU)"),
      ean: say("EAN; neue Produkte entstehen dann nicht", "EAN; no new products are created"),
    } satisfies Labels<MatchKey>,
    flagMeanings: {
      active: say("wird verkauft", "is sold"),
      inactive: say(
        "wird nicht verkauft (gesperrt, Auslauf)",
        "is not sold (blocked, discontinued)",
      ),
    },
    otherwise: {
      skip: say("Produkt übergehen", "skip the product"),
      delete: say("Produkt löschen", "delete the product"),
    },
    records: say("Die ersten Datensätze", "The first records"),
    recordColumns: {
      raw: say("So steht es da", "In the file"),
      read: say("So wird es gelesen", "Read as"),
    },
    refused: say("abgelehnt", "refused"),
    look: {
      kinds: {
        xml: "XML",
        xlsx: "Excel",
        json: "JSON",
        ndjson: "NDJSON",
        delimited: "Text",
      },
      root: (root: string) => `XML, ${root}`,
      delimited: say("Text, Trennzeichen {sign}", "Text, delimiter {sign}"),
      tab: say("Tabulator", "tab"),
      sheet: say("Excel, Blatt „{sheet}“", "Excel, sheet “{sheet}”"),
      headerRow: say("Kopfzeile in Zeile {line}", "Header in line {line}"),
      records: say("{count} {count|Datensatz|Datensätze}", "{count} {count|record|records}"),
      manyRows: say("sehr viele Zeilen", "very many rows"),
      numbers: {
        de: say("Zahlen deutsch: 1.234,56", "Numbers German: 1.234,56"),
        en: say("Zahlen englisch: 1,234.56", "Numbers English: 1,234.56"),
        auto: say("Zahlenformat je Wert erkannt", "Number format detected per value"),
      },
      profile: (name: string, share: string) => `${name} ${share}`,
      suggested: say("an den Spalten erkannt, {share}", "recognised by its columns, {share}"),
      isLooking: say("Datei wird angesehen", "Looking at the file"),
    },
  },
};

export const findingWords = {
  findingGroups: {
    refused: say("Abgelehnt", "Refused"),
    refusedNote: say(
      "{count} {count|Zeile|Zeilen}, nichts davon gilt",
      "{count} {count|row|rows}, not applied",
    ),
    leftOut: say("Ausgelassen", "Left out"),
    leftOutNote: say(
      "{count} {count|Wert|Werte}; die Zeile gilt, der alte Wert bleibt",
      "{count} {count|value|values}; the row applies, the old value stays",
    ),
    corrected: say("Von Kurant berichtigt", "Corrected by Kurant"),
    correctedNote: say(
      "{count} {count|Wert|Werte}; nichts zu tun, wenn es stimmt",
      "{count} {count|value|values}; nothing to do if it is right",
    ),
    refusedRows: say("Als CSV zum Berichtigen laden", "Download as CSV to correct"),
    line: say("Zeile {line}", "Row {line}"),
    column: say("Spalte „{name}“", "Column “{name}”"),
    noSku: say("ohne SKU", "no SKU"),
    see: say("{count} ansehen", "See {count}"),
    close: say("schließen", "close"),
    first: say("Die ersten {count}", "The first {count}"),
    fixes: {
      missing_sku: say(
        "Tragen Sie die Nummer ein, und lesen Sie nur diese Zeilen noch einmal ein.",
        "Fill in the number and import just these rows again.",
      ),
      missing_title: say(
        "Ergänzen Sie die Bezeichnung, oder legen Sie neue Produkte nicht an (nur aktualisieren).",
        "Add the title, or choose “Change existing only”.",
      ),
      invalid_number: say(
        "Schreiben Sie einen Betrag, oder lassen Sie das Feld leer.",
        "Enter an amount, or leave the field empty.",
      ),
      invalid_date: say(
        "Schreiben Sie das Datum wie 24.11.2026.",
        "Write the date like 2026-11-24.",
      ),
      invalid_currency: say(
        "Liefern Sie Preise in der Währung des Arbeitsbereichs.",
        "Send prices in the currency of the workspace.",
      ),
      invalid_url: say("Die Adresse beginnt mit https://.", "The address begins with https://."),
      invalid_ean: say(
        "Vergleichen Sie mit der Packung, und berichtigen Sie im ERP.",
        "Check it against the packaging and correct it in the ERP.",
      ),
      price_out_of_range: say(
        "Meist fehlt das Komma; prüfen Sie den Betrag im ERP.",
        "Usually the decimal point is missing; check the amount in the ERP.",
      ),
      too_long: say("Kürzen Sie den Text.", "Shorten the text."),
      duplicate_sku: say("Es zählt die spätere Zeile.", "The later row counts."),
      ambiguous_current_price: say(
        "Beenden Sie im ERP die Preise, die nicht mehr gelten.",
        "End the prices in the ERP that no longer apply.",
      ),
      ragged_row: say(
        "Wohl ein Umbruch im Text: setzen Sie den Text in Anführungszeichen.",
        "Probably a line break in a text: put the text in quotes.",
      ),
      damaged_number: say(
        "Geben Sie die Spalte in Excel als Text aus, und lesen Sie neu ein.",
        "Format the column as text in Excel, export it and import it again.",
      ),
      excel_date: say(
        "Formatieren Sie die Spalte in Excel als Text, bevor Sie sie füllen.",
        "Format the column as text in Excel before you fill it.",
      ),
      leading_zeros_restored: say(
        "Excel schneidet führende Nullen ab; Kurant ergänzt sie anhand der Prüfziffer.",
        "Excel cuts leading zeros off; Kurant restores them with the help of the check digit.",
      ),
      zero_as_empty: say(
        "Ist das Produkt unverkäuflich, setzen Sie es inaktiv.",
        "If the product is not for sale, make it inactive.",
      ),
      no_vat_rate: say(
        "Tragen Sie den Steuersatz unter Einstellungen, Arbeitsbereich ein.",
        "Enter the VAT rate under Settings, Workspace.",
      ),
      unknown_condition: say(
        "Bekannt sind neu, gebraucht und generalüberholt.",
        "Known conditions are new, used and refurbished.",
      ),
      unknown_ean: say(
        "Legen Sie das Produkt an, oder ordnen Sie die SKU zu.",
        "Create the product, or map the SKU.",
      ),
      dot_decimal: say(
        "Stimmt das nicht, wählen Sie die Zahlenform der Spalte.",
        "If this is wrong, choose the column’s number format.",
      ),
      undated_sale: say(
        "Liefern Sie Beginn und Ende mit, damit der Aktionspreis von selbst endet.",
        "Send the start and end date of the sale price, so that it ends by itself.",
      ),
      inactive: say(
        "Nichts zu tun, wenn das Produkt nicht mehr verkauft wird.",
        "Nothing to do if the product is no longer sold.",
      ),
    } satisfies Partial<Labels<FindingCode>>,
  },
};
