/** Texts of the findings of an import, and the remedy for each kind of finding. */
import type { FindingCode } from "../../imports/files/source_file.ts";
import { type Labels, say } from "./label.ts";

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
    value: say("„{value}“", "“{value}”"),
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
      invalid_date: say("Schreiben Sie es wie 24.11.2026.", "Write it like 2026-11-24."),
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
        "Wohl ein Umbruch im Text: setzen Sie ihn in Anführungszeichen.",
        "Probably a line break in a text: put it in quotes.",
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
        "Excel schneidet sie ab; Kurant kennt sie aus der Prüfziffer.",
        "Excel cuts them off; Kurant knows them from the check digit.",
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
        "Known are new, used and refurbished.",
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
        "Liefern Sie Beginn und Ende mit, damit er von selbst endet.",
        "Send its start and end date, so that it ends by itself.",
      ),
      inactive: say(
        "Nichts zu tun, wenn das Produkt nicht mehr verkauft wird.",
        "Nothing to do if the product is no longer sold.",
      ),
    } satisfies Partial<Labels<FindingCode>>,
  },
};
