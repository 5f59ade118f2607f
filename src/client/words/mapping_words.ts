/**
 * Texts about reading a file: uses of columns, how the file was recognised, and findings with their
 * remedies.
 */
import type { AmountUnit, MatchKey, PriceSide } from "../../imports/choices.ts";
import { de, type Labels } from "./label.ts";
import type { FindingCode } from "../../imports/files/source_file.ts";

export const mappingWords = {
  mapping: {
    title: de("Spalten zuordnen").en("Match the columns"),
    counts: de("{sure} erkannt, {doubtful} bitte ansehen, {skipped} übersprungen")
      .en("{sure} recognised, {doubtful} to check, {skipped} left out"),
    columns: {
      column: de("Spalte in der Datei").en("Column in the file"),
      samples: de("Beispiele").en("Samples"),
      target: de("wird in Kurant").en("In Kurant"),
      note: de("Anmerkung").en("Note"),
    },
    targetOf: de("Wofür „{column}“ steht").en("What “{column}” is for"),
    skip: de("nicht einlesen").en("do not read"),
    isOwnPrice: de("„{name}“ ist unser Preis").en("“{name}” is our price"),
    takeGuess: de("Als „{target}“ einlesen").en("Read as “{target}”"),
    groups: {
      prices: de("Preise").en("Prices"),
      details: de("Zum Preis in derselben Zeile").en("About the price in the same row"),
      others: de("Weiteres").en("Others"),
    },
    targets: {
      ownPrice: de("Unser Preis").en("Our price"),
      breakPrice: de("Staffelpreis ab Menge").en("Quantity price"),
      tierPrice: de("Preis einer Kundengruppe").en("Customer group price"),
      sale: de("Aktionspreis").en("Sale price"),
      costPrice: de("Einkaufspreis").en("Cost price"),
      targetPrice: de("Zielpreis, UVP").en("Target price, RRP"),
      priceTier: de("Preisgruppe").en("Price tier"),
      itemTier: de("Preisgruppe von „Unser Preis“").en("Price tier of “our price”"),
      minQty: de("Mindestmenge").en("Minimum quantity"),
      per: de("Preis gilt für so viele Stück").en("Units the price is for"),
      validFrom: de("Gültig ab").en("Valid from"),
      validUntil: de("Gültig bis").en("Valid until"),
      saleRange: de("Aktionszeitraum").en("Sale period"),
      active: de("Wird verkauft: ja oder nein").en("Is sold: yes or no"),
      competitorUrl: de("Seite bei einem Wettbewerber").en("Page of a competitor"),
      attribute: de("Eigenschaft").en("Attribute"),
      inherit: de("verbindet Varianten").en("joins variants"),
    },
    states: {
      sure: de("erkannt").en("recognised"),
      doubtful: de("prüfen").en("to check"),
      guessed: de("bitte ansehen").en("please check"),
      unknown: de("unbekannt").en("unknown"),
      chosen: de("gewählt").en("chosen"),
      absent: de("fehlt in der Datei").en("not in the file"),
    },
    side: de("Steuer").en("Tax"),
    sides: {
      "": de("wie eingestellt").en("as set"),
      net: de("netto").en("net"),
      gross: de("brutto").en("gross"),
    } satisfies Labels<PriceSide | "">,
    currencyHint: de("wie im Datensatz").en("as in the record"),
    names: {
      attribute: de("Name der Eigenschaft").en("Name of the attribute"),
      tierPrice: de("Name der Preisgruppe").en("Name of the price tier"),
      competitorUrl: de("Name des Shops").en("Name of the shop"),
    },
    fromQuantity: de("ab Stück").en("from quantity"),
    times: de("{count} × {text}").en("{count} × {text}"),
    noSku: de(
      "Welche Spalte ist die Artikelnummer (SKU)? Wählen Sie dort „SKU“; vorher lässt sich nichts einlesen.",
    ).en(
      "Which column is the article number (SKU)? Choose “SKU” there; nothing can be read until then.",
    ),
    noTitle: de("Keine Spalte ist der Titel: Neue Produkte lassen sich so nicht anlegen.")
      .en("No column is the title: new products cannot be created."),
    noPrice: de("Keine Spalte ist ein Preis.").en("No column is a price."),
    noUnitsDate: de(
      "Keine Spalte ist der Verkaufstag: Verkaufte Mengen lassen sich so nicht übernehmen.",
    ).en("No column is the day of the sale: units sold cannot be imported without it."),
    remedies: {
      damaged_number: de(
        "Excel hat in „{column}“ Ziffern abgeschnitten (4,01E+12). Formatieren Sie die Spalte als Text und geben Sie die Datei neu aus.",
      ).en(
        "Excel has cut digits off in “{column}” (4.01E+12). Format the column as text and export the file again.",
      ),
      invalid_number: de(
        "In „{column}“ ist nicht sicher, was Punkt und Komma bedeuten. Wählen Sie unter „Schreibweise“ deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.",
      ).en(
        "It is unclear what dot and comma mean in “{column}”. Choose German or English under “Formats”, or export the column with two decimals.",
      ),
    },
    settings: de("Schreibweise, feste Werte und anderes").en("Formats, fixed values and more"),
    labels: {
      numberFormat: de("Zahlen").en("Numbers"),
      headerRow: de("Kopfzeile in Zeile").en("Header in line"),
      headerRowHint: de("Leer: wird erkannt").en("Empty: detected"),
      sheet: de("Tabellenblatt").en("Sheet"),
      delimiter: de("Trennzeichen").en("Delimiter"),
      found: de("wird erkannt").en("detected"),
      zeroIsEmpty: de("Ein Preis von 0,00 zählt als leer").en("A price of 0.00 counts as empty"),
      groupRows: de("Gleiche SKU hintereinander ist ein Datensatz")
        .en("Consecutive rows with the same SKU are one record"),
      amounts: de("Beträge").en("Amounts"),
      matchBy: de("Produkt finden über").en("Find the product by"),
      flagSays: de("Ein Ja in der Spalte heißt").en("A yes in the column means"),
      yes: de("„Wird verkauft“ heißt auch").en("“Is sold” is also written"),
      yesHint: de("Mit Komma getrennt; J, Ja, 1, X zählen immer")
        .en("Separated by commas; Y, yes, 1, X always count"),
      otherwise: de("Sonst").en("Otherwise"),
      constant: de("Fester Wert für").en("Fixed value for"),
      noConstant: de("keiner").en("none"),
    },
    amounts: {
      major: de("in der Währung: 12,34").en("in the currency: 12.34"),
      minor: de("in Cent: 1234").en("in cents: 1234"),
    } satisfies Labels<AmountUnit>,
    matchKeys: {
      sku: de("Artikelnummer (SKU)").en("Article number (SKU)"),
      ean: de("EAN; neue Produkte entstehen dann nicht").en("EAN; no new products are created"),
    } satisfies Labels<MatchKey>,
    flagMeanings: {
      active: de("wird verkauft").en("is sold"),
      inactive: de("wird nicht verkauft (gesperrt, Auslauf)")
        .en("is not sold (blocked, discontinued)"),
    },
    otherwise: {
      skip: de("Produkt übergehen").en("skip the product"),
      delete: de("Produkt löschen").en("delete the product"),
    },
    records: de("Die ersten Datensätze").en("The first records"),
    recordColumns: {
      raw: de("So steht es da").en("In the file"),
      read: de("So wird es gelesen").en("Read as"),
    },
    refused: de("abgelehnt").en("refused"),
    look: {
      kinds: { xml: "XML", xlsx: "Excel", json: "JSON", ndjson: "NDJSON", delimited: "Text" },
      root: (root: string) => `XML, ${root}`,
      delimited: de("Text, Trennzeichen {sign}").en("Text, delimiter {sign}"),
      tab: de("Tabulator").en("tab"),
      sheet: de("Excel, Blatt „{sheet}“").en("Excel, sheet “{sheet}”"),
      headerRow: de("Kopfzeile in Zeile {line}").en("Header in line {line}"),
      records: de("{count} {count|Datensatz|Datensätze}").en("{count} {count|record|records}"),
      manyRows: de("sehr viele Zeilen").en("very many rows"),
      numbers: {
        de: de("Zahlen deutsch: 1.234,56").en("Numbers German: 1.234,56"),
        en: de("Zahlen englisch: 1,234.56").en("Numbers English: 1,234.56"),
        auto: de("Zahlenformat je Wert erkannt").en("Number format detected per value"),
      },
      profile: (name: string, share: string) => `${name} ${share}`,
      suggested: de("an den Spalten erkannt, {share}").en("recognised by its columns, {share}"),
      isLooking: de("Datei wird angesehen").en("Looking at the file"),
    },
  },
};

export const findingWords = {
  findingGroups: {
    refused: de("Abgelehnt").en("Refused"),
    refusedNote: de("{count} {count|Zeile|Zeilen}, nichts davon gilt")
      .en("{count} {count|row|rows}, not applied"),
    leftOut: de("Ausgelassen").en("Left out"),
    leftOutNote: de("{count} {count|Wert|Werte}; die Zeile gilt, der alte Wert bleibt")
      .en("{count} {count|value|values}; the row applies, the old value stays"),
    corrected: de("Von Kurant berichtigt").en("Corrected by Kurant"),
    correctedNote: de("{count} {count|Wert|Werte}; nichts zu tun, wenn es stimmt")
      .en("{count} {count|value|values}; nothing to do if it is right"),
    refusedRows: de("Als CSV zum Berichtigen laden").en("Download as CSV to correct"),
    line: de("Zeile {line}").en("Row {line}"),
    column: de("Spalte „{name}“").en("Column “{name}”"),
    noSku: de("ohne SKU").en("no SKU"),
    see: de("{count} ansehen").en("See {count}"),
    close: de("schließen").en("close"),
    first: de("Die ersten {count}").en("The first {count}"),
    fixes: {
      missing_sku: de("Tragen Sie die Nummer ein, und lesen Sie nur diese Zeilen noch einmal ein.")
        .en("Fill in the number and import just these rows again."),
      missing_title: de(
        "Ergänzen Sie die Bezeichnung, oder legen Sie neue Produkte nicht an (nur aktualisieren).",
      ).en("Add the title, or choose “Change existing only”."),
      invalid_number: de("Schreiben Sie einen Betrag, oder lassen Sie das Feld leer.")
        .en("Enter an amount, or leave the field empty."),
      invalid_date: de("Schreiben Sie das Datum wie 24.11.2026.")
        .en("Write the date like 2026-11-24."),
      invalid_currency: de("Liefern Sie Preise in der Währung des Arbeitsbereichs.")
        .en("Send prices in the currency of the workspace."),
      invalid_url: de("Die Adresse beginnt mit https://.").en("The address begins with https://."),
      invalid_ean: de("Vergleichen Sie mit der Packung, und berichtigen Sie im ERP.")
        .en("Check it against the packaging and correct it in the ERP."),
      price_out_of_range: de("Meist fehlt das Komma; prüfen Sie den Betrag im ERP.")
        .en("Usually the decimal point is missing; check the amount in the ERP."),
      too_long: de("Kürzen Sie den Text.").en("Shorten the text."),
      duplicate_sku: de("Es zählt die spätere Zeile.").en("The later row counts."),
      ambiguous_current_price: de("Beenden Sie im ERP die Preise, die nicht mehr gelten.")
        .en("End the prices in the ERP that no longer apply."),
      ragged_row: de("Wohl ein Umbruch im Text: setzen Sie den Text in Anführungszeichen.")
        .en("Probably a line break in a text: put the text in quotes."),
      damaged_number: de("Geben Sie die Spalte in Excel als Text aus, und lesen Sie neu ein.")
        .en("Format the column as text in Excel, export it and import it again."),
      excel_date: de("Formatieren Sie die Spalte in Excel als Text, bevor Sie sie füllen.")
        .en("Format the column as text in Excel before you fill it."),
      leading_zeros_restored: de(
        "Excel schneidet führende Nullen ab; Kurant ergänzt sie anhand der Prüfziffer.",
      ).en("Excel cuts leading zeros off; Kurant restores them with the help of the check digit."),
      zero_as_empty: de("Ist das Produkt unverkäuflich, setzen Sie es inaktiv.")
        .en("If the product is not for sale, make it inactive."),
      no_vat_rate: de("Tragen Sie den Steuersatz unter Einstellungen, Arbeitsbereich ein.")
        .en("Enter the VAT rate under Settings, Workspace."),
      unknown_condition: de("Bekannt sind neu, gebraucht und generalüberholt.")
        .en("Known conditions are new, used and refurbished."),
      unknown_ean: de("Legen Sie das Produkt an, oder ordnen Sie die SKU zu.")
        .en("Create the product, or map the SKU."),
      dot_decimal: de("Stimmt das nicht, wählen Sie die Zahlenform der Spalte.")
        .en("If this is wrong, choose the column’s number format."),
      undated_sale: de("Liefern Sie Beginn und Ende mit, damit der Aktionspreis von selbst endet.")
        .en("Send the start and end date of the sale price, so that it ends by itself."),
      inactive: de("Nichts zu tun, wenn das Produkt nicht mehr verkauft wird.")
        .en("Nothing to do if the product is no longer sold."),
    } satisfies Partial<Labels<FindingCode>>,
  },
};
