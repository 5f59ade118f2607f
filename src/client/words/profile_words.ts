import type {
  CurrentRow,
  DateFormat,
  GROUP_PATHS,
  LINK_PATHS,
  NumberFormat,
  PRICE_PATHS,
  SALE_PATHS,
  Transform,
} from "../../imports/choices.ts";
import { type Labels, say } from "./label.ts";

type PathIn<Part extends { readonly [Need in "required" | "optional"]: readonly string[] }> =
  Part["required" | "optional"][number];

export const profileWords = {
  profiles: {
    create: say("Profil anlegen", "Create a profile"),
    note: say(
      "Ein Profil sagt, wie eine Datei aufgebaut ist.",
      "A profile says how a file is structured.",
    ),
    columns: {
      id: say("Kennung", "ID"),
      root: say("Liest", "Reads"),
      kind: say("Art", "Kind"),
    },
    aTable: "CSV, Excel, JSON",
    builtInNames: {
      bmecat: say("BMEcat 1.2 und 2005", "BMEcat 1.2 and 2005"),
      "erp-default": say("Artikelexport des ERP", "ERP item export"),
    },
    builtIn: say("eingebaut", "built in"),
    own: say("eigenes", "own"),
    newTitle: say("Neues Importprofil", "New import profile"),
    builtInNote: say(
      "Eingebaute Profile lassen sich nicht ändern. Legen Sie eine Kopie an.",
      "Built-in profiles cannot be changed. Create a copy.",
    ),
    builtInTableNote: say(
      "Dieses eingebaute Profil liest CSV, Excel und JSON. Es wird an den Spalten der Datei erkannt.",
      "This built-in profile reads CSV, Excel and JSON. It is recognised by the columns of the file.",
    ),
    tableNote: say(
      "Dieses Profil enthält mehr, als diese Seite zeigen kann. Ändern lässt es sich über die Schnittstelle.",
      "This profile contains more than this page can show. Change it through the API.",
    ),
    copy: say("Kopie anlegen", "Create a copy"),
    idHint: say(
      "Kleinbuchstaben, Ziffern und Bindestriche; später nicht mehr änderbar",
      "Lower-case letters, digits and hyphens; cannot be changed later",
    ),
    isThere: say("Steht in der Datei", "Is in the file"),
    required: say("{label} (nötig)", "{label} (required)"),
    transform: say("Umformen", "Transform"),
    transforms: {
      "": say("wie es ist", "as it is"),
      upper: say("in Großbuchstaben", "upper case"),
      lower: say("in Kleinbuchstaben", "lower case"),
      digits: say("nur Ziffern", "digits only"),
      strip_leading_zeros: say("ohne führende Nullen", "without leading zeros"),
    } satisfies Labels<Transform | "">,
    groups: {
      name: say("Profil", "Profile"),
      record: say("Datei und Datensatz", "File and record"),
      fields: say("Felder", "Fields"),
      prices: say("Preise", "Prices"),
      links: say("Seiten der Wettbewerber", "Pages of competitors"),
      groups: say("Kategoriebaum", "Category tree"),
      writing: say("Schreibweisen", "Formats"),
    },
    labels: {
      root: say("Wurzelelement", "Root element"),
      namespace: say("Namensraum", "Namespace"),
      itemPath: say("Weg zum Datensatz", "Path to the record"),
      prices: {
        path: say("Weg zur Preiszeile", "Path to the price row"),
        amount: say("Betrag", "Amount"),
        tier: say("Preisgruppe", "Price tier"),
        currency: say("Währung", "Currency"),
        minQty: say("Mindestmenge", "Minimum quantity"),
        validFrom: say("Gültig ab", "Valid from"),
        validUntil: say("Gültig bis", "Valid until"),
        quantity: say("Preis gilt für so viele Stück", "Units the price is for"),
      } satisfies Labels<PathIn<typeof PRICE_PATHS>>,
      current: say("Heute gültig ist", "Valid today"),
      alsoCostPrice: say(
        "Preisgruppen, die auch Einkauf sind",
        "Price tiers that are also the cost",
      ),
      alsoTargetPrice: say(
        "Preisgruppen, die auch Zielpreis sind",
        "Price tiers that are also the target",
      ),
      firstTierCounts: say(
        "Ist keine Preisgruppe genannt, zählt die erste der Datei",
        "If no tier is named, the first one in the file counts",
      ),
      sale: {
        amount: say("Aktionspreis", "Sale price"),
        from: say("Aktion ab", "Sale from"),
        until: say("Aktion bis", "Sale until"),
        range: say("Aktion: beide Tage in einem Text", "Sale: both days in one text"),
      } satisfies Labels<PathIn<typeof SALE_PATHS>>,
      currencyInAmount: say(
        "Die Währung steht beim Betrag",
        "The currency is next to the amount",
      ),
      links: {
        path: say("Weg zur Verknüpfung", "Path to the link"),
        url: say("Adresse", "Address"),
        name: say("Name des Wettbewerbers", "Name of the competitor"),
        domain: "Domain",
        enabled: say("Eingeschaltet (J/N)", "Switched on (Y/N)"),
      } satisfies Labels<PathIn<typeof LINK_PATHS>>,
      groups: {
        path: say("Weg zur Gruppe", "Path to the group"),
        id: say("Nummer der Gruppe", "Id of the group"),
        name: say("Name der Gruppe", "Name of the group"),
        memberPath: say("Weg zur Zuordnung", "Path to the membership"),
        memberSku: say("SKU der Zuordnung", "SKU of the membership"),
        memberGroup: say("Gruppe der Zuordnung", "Group of the membership"),
      } satisfies Labels<PathIn<typeof GROUP_PATHS>>,
      openEnd: say("Auch „ohne Ende“ heißt", "“Without end” is also written"),
      fileCurrency: say("Währung der ganzen Datei", "Currency of the whole file"),
      mode: say("Löschkennzeichen", "Deletion flag"),
    },
    hints: {
      root: say("* für jedes", "* for any"),
      optional: say("Freiwillig", "Optional"),
      itemPath: say(
        "Von der Wurzel, zum Beispiel KATALOG/ARTIKEL",
        "From the root, for example CATALOGUE/ARTICLE",
      ),
      groupItems: say(
        "Für Dateien, die je Preis eine Zeile haben",
        "For files with a row per price",
      ),
      fields: say(
        "Wege ab dem Datensatz: A/B, @attribut, A[@t='x']/B; mit | stehen mehrere zur Wahl. Leer: nicht in der Datei.",
        "Paths start at the record: A/B, @attribute, A[@t='x']/B; | separates alternatives. Empty: not in the file.",
      ),
      prices: say(
        "Der erste Weg geht vom Datensatz aus, die übrigen von der Preiszeile.",
        "The first path starts at the record, the others at the price row.",
      ),
      groups: say(
        "Alle Wege gehen von der Wurzel oder ihrer Zeile aus und sind nötig.",
        "All paths start at the root or at their row, and all are required.",
      ),
      defaultTier: say("Leer: die des Datensatzes", "Empty: the one in the record"),
      commaList: say("Mit Komma getrennt", "Separated by commas"),
      zeroIsEmpty: say(
        "Der gespeicherte Preis bleibt; sonst wird 0 gespeichert",
        "The stored price stays; otherwise 0 is stored",
      ),
      openEnd: say(
        "Zum Beispiel 01.01.2099; mit Komma getrennt",
        "For example 01.01.2099; separated by commas",
      ),
      mode: say(
        "Steht dort „delete“, wird das Produkt gelöscht",
        "If it says “delete”, the product is deleted",
      ),
    },
    currents: {
      open_end: say("die Zeile ohne Enddatum", "the row without an end date"),
      today: say("die Zeile, deren Zeitraum heute einschließt", "the row whose dates hold today"),
    } satisfies Labels<CurrentRow>,
    numbers: {
      de: say("deutsch: 1.234,56", "German: 1.234,56"),
      en: say("englisch: 1,234.56", "English: 1,234.56"),
      auto: say("an jeder Zahl erkennen", "detected for each number"),
    } satisfies Labels<NumberFormat>,
    dates: {
      "D.M.Y": "31.12.2026",
      "Y-M-D": "2026-12-31",
      YMD: "20261231",
    } satisfies Labels<
      DateFormat
    >,
    asJson: say("Als JSON", "As JSON"),
    file: say("Beispieldatei wählen", "Choose a sample file"),
    fileHint: say(
      "Wählen Sie eine echte Datei: Hier steht, was das Profil daraus liest. Importiert wird nichts.",
      "Choose a real file to see what the profile reads from it. Nothing is imported.",
    ),
    suggest: say("Leere Felder aus der Datei vorschlagen", "Fill empty fields from the file"),
    preview: say("Vorschau", "Preview"),
    incomplete: say(
      "Sobald das Profil vollständig ist, erscheint die Vorschau.",
      "The preview appears as soon as the profile is complete.",
    ),
    noRecords: say(
      "Der Weg zum Datensatz findet in dieser Datei nichts.",
      "The path to the record matches nothing in this file.",
    ),
    remove: say("Profil löschen?", "Delete the profile?"),
    removeText: say(
      "Künftige Importe können es nicht mehr benutzen.",
      "Future imports can no longer use it.",
    ),
  },
};
