/**
 * Texts about reading a file: profiles, columns, recognised formats, and findings with their
 * remedies.
 */
import type {
  AmountUnit,
  CurrentRow,
  DateFormat,
  GROUP_PATHS,
  LINK_PATHS,
  MatchKey,
  NumberFormat,
  PRICE_PATHS,
  PriceSide,
  SALE_PATHS,
  Transform,
} from "../../imports/choices.ts";
import { de, type Labels } from "./label.ts";
import type { FindingCode } from "../../imports/files/source_file.ts";

type PathIn<Part extends { readonly [Need in "required" | "optional"]: readonly string[] }> =
  Part["required" | "optional"][number];

export const profileWords = {
  profiles: {
    create: de("Profil anlegen").en("Create a profile"),
    note: de("Ein Profil sagt, wie eine Datei aufgebaut ist.")
      .en("A profile says how a file is structured."),
    columns: {
      id: de("Kennung").en("ID"),
      root: de("Liest").en("Reads"),
      kind: de("Art").en("Kind"),
    },
    aTable: "CSV, Excel, JSON",
    builtInNames: {
      bmecat: de("BMEcat 1.2 und 2005").en("BMEcat 1.2 and 2005"),
      "erp-default": de("Artikelexport des ERP").en("ERP item export"),
    },
    builtIn: de("eingebaut").en("built in"),
    own: de("eigenes").en("own"),
    newTitle: de("Neues Importprofil").en("New import profile"),
    builtInNote: de("Eingebaute Profile lassen sich nicht ändern. Legen Sie eine Kopie an.")
      .en("Built-in profiles cannot be changed. Create a copy."),
    tableNote: de(
      "Dieses Profil liest CSV, Excel und JSON und wird an den Spalten der Datei erkannt. Seine Spalten ändern Sie, wenn Sie eine Datei importieren.",
    ).en(
      "This profile reads CSV, Excel and JSON, and is recognised by the columns of the file. Change its columns when you import a file.",
    ),
    copy: de("Kopie anlegen").en("Create a copy"),
    idHint: de("Kleinbuchstaben, Ziffern und Bindestriche; später nicht mehr änderbar")
      .en("Lower-case letters, digits and hyphens; cannot be changed later"),
    isThere: de("Steht in der Datei").en("Is in the file"),
    required: de("{label} (nötig)").en("{label} (required)"),
    transform: de("Umformen").en("Transform"),
    transforms: {
      "": de("wie es ist").en("as it is"),
      upper: de("in Großbuchstaben").en("upper case"),
      lower: de("in Kleinbuchstaben").en("lower case"),
      digits: de("nur Ziffern").en("digits only"),
      strip_leading_zeros: de("ohne führende Nullen").en("without leading zeros"),
    } satisfies Labels<Transform | "">,
    groups: {
      name: de("Profil").en("Profile"),
      record: de("Datei und Datensatz").en("File and record"),
      fields: de("Felder").en("Fields"),
      prices: de("Preise").en("Prices"),
      links: de("Seiten der Wettbewerber").en("Pages of competitors"),
      groups: de("Kategoriebaum").en("Category tree"),
      writing: de("Schreibweisen").en("Formats"),
    },
    labels: {
      root: de("Wurzelelement").en("Root element"),
      namespace: de("Namensraum").en("Namespace"),
      itemPath: de("Weg zum Datensatz").en("Path to the record"),
      prices: {
        path: de("Weg zur Preiszeile").en("Path to the price row"),
        amount: de("Betrag").en("Amount"),
        tier: de("Preisgruppe").en("Price tier"),
        currency: de("Währung").en("Currency"),
        minQty: de("Mindestmenge").en("Minimum quantity"),
        validFrom: de("Gültig ab").en("Valid from"),
        validUntil: de("Gültig bis").en("Valid until"),
        quantity: de("Preis gilt für so viele Stück").en("Units the price is for"),
      } satisfies Labels<PathIn<typeof PRICE_PATHS>>,
      current: de("Heute gültig ist").en("Valid today"),
      alsoCostPrice: de("Preisgruppen, die auch Einkauf sind")
        .en("Price tiers that are also the cost"),
      alsoTargetPrice: de("Preisgruppen, die auch Zielpreis sind")
        .en("Price tiers that are also the target"),
      firstTierCounts: de("Ist keine Preisgruppe genannt, zählt die erste der Datei")
        .en("If no tier is named, the first one in the file counts"),
      sale: {
        amount: de("Aktionspreis").en("Sale price"),
        from: de("Aktion ab").en("Sale from"),
        until: de("Aktion bis").en("Sale until"),
        range: de("Aktion: beide Tage in einem Text").en("Sale: both days in one text"),
      } satisfies Labels<PathIn<typeof SALE_PATHS>>,
      currencyInAmount: de("Die Währung steht beim Betrag")
        .en("The currency is next to the amount"),
      links: {
        path: de("Weg zur Verknüpfung").en("Path to the link"),
        url: de("Adresse").en("Address"),
        name: de("Name des Wettbewerbers").en("Name of the competitor"),
        domain: "Domain",
        enabled: de("Eingeschaltet (J/N)").en("Switched on (Y/N)"),
      } satisfies Labels<PathIn<typeof LINK_PATHS>>,
      groups: {
        path: de("Weg zur Gruppe").en("Path to the group"),
        id: de("Nummer der Gruppe").en("Id of the group"),
        name: de("Name der Gruppe").en("Name of the group"),
        memberPath: de("Weg zur Zuordnung").en("Path to the membership"),
        memberSku: de("SKU der Zuordnung").en("SKU of the membership"),
        memberGroup: de("Gruppe der Zuordnung").en("Group of the membership"),
      } satisfies Labels<PathIn<typeof GROUP_PATHS>>,
      openEnd: de("Auch „ohne Ende“ heißt").en("“Without end” is also written"),
      fileCurrency: de("Währung der ganzen Datei").en("Currency of the whole file"),
      mode: de("Löschkennzeichen").en("Deletion flag"),
    },
    hints: {
      root: de("* für jedes").en("* for any"),
      optional: de("Freiwillig").en("Optional"),
      itemPath: de("Von der Wurzel, zum Beispiel KATALOG/ARTIKEL")
        .en("From the root, for example CATALOGUE/ARTICLE"),
      groupItems: de("Für Dateien, die je Preis eine Zeile haben")
        .en("For files with a row per price"),
      fields: de(
        "Wege ab dem Datensatz: A/B, @attribut, A[@t='x']/B; mit | stehen mehrere zur Wahl. Leer: nicht in der Datei.",
      ).en(
        "Paths start at the record: A/B, @attribute, A[@t='x']/B; | separates alternatives. Empty: not in the file.",
      ),
      prices: de("Der erste Weg geht vom Datensatz aus, die übrigen von der Preiszeile.")
        .en("The first path starts at the record, the others at the price row."),
      groups: de("Alle Wege gehen von der Wurzel oder ihrer Zeile aus und sind nötig.")
        .en("All paths start at the root or at their row, and all are required."),
      defaultTier: de("Leer: die des Datensatzes").en("Empty: the one in the record"),
      commaList: de("Mit Komma getrennt").en("Separated by commas"),
      zeroIsEmpty: de("Der gespeicherte Preis bleibt; sonst wird 0 gespeichert")
        .en("The stored price stays; otherwise 0 is stored"),
      openEnd: de("Zum Beispiel 01.01.2099; mit Komma getrennt")
        .en("For example 01.01.2099; separated by commas"),
      mode: de("Steht dort „delete“, wird das Produkt gelöscht")
        .en("If it says “delete”, the product is deleted"),
    },
    currents: {
      open_end: de("die Zeile ohne Enddatum").en("the row without an end date"),
      today: de("die Zeile, deren Zeitraum heute einschließt").en("the row whose dates hold today"),
    } satisfies Labels<CurrentRow>,
    numbers: {
      de: de("deutsch: 1.234,56").en("German: 1.234,56"),
      en: de("englisch: 1,234.56").en("English: 1,234.56"),
      auto: de("an jeder Zahl erkennen").en("detected for each number"),
    } satisfies Labels<NumberFormat>,
    dates: {
      "D.M.Y": "31.12.2026",
      "Y-M-D": "2026-12-31",
      YMD: "20261231",
    } satisfies Labels<
      DateFormat
    >,
    asJson: de("Als JSON").en("As JSON"),
    file: de("Beispieldatei wählen").en("Choose a sample file"),
    fileHint: de(
      "Wählen Sie eine echte Datei: Hier steht, was das Profil daraus liest. Importiert wird nichts.",
    ).en("Choose a real file to see what the profile reads from it. Nothing is imported."),
    preview: de("Vorschau").en("Preview"),
    incomplete: de("Sobald das Profil vollständig ist, erscheint die Vorschau.")
      .en("The preview appears as soon as the profile is complete."),
    noRecords: de("Der Weg zum Datensatz findet in dieser Datei nichts.")
      .en("The path to the record matches nothing in this file."),
    remove: de("Profil löschen?").en("Delete the profile?"),
    removeText: de("Künftige Importe können es nicht mehr benutzen.")
      .en("Future imports can no longer use it."),
  },
};

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
      records: de("{count Datensatz|Datensätze}").en("{count record|records}"),
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
    refusedNote: de("{count Zeile|Zeilen}, nichts davon gilt").en("{count row|rows}, not applied"),
    leftOut: de("Ausgelassen").en("Left out"),
    leftOutNote: de("{count Wert|Werte}; die Zeile gilt, der alte Wert bleibt")
      .en("{count value|values}; the row applies, the old value stays"),
    corrected: de("Von Kurant berichtigt").en("Corrected by Kurant"),
    correctedNote: de("{count Wert|Werte}; nichts zu tun, wenn es stimmt")
      .en("{count value|values}; nothing to do if it is right"),
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
