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
import { de, type Labels } from "./label.ts";

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
    builtInTableNote: de(
      "Dieses eingebaute Profil liest CSV, Excel und JSON. Es wird an den Spalten der Datei erkannt.",
    ).en(
      "This built-in profile reads CSV, Excel and JSON. It is recognised by the columns of the file.",
    ),
    tableNote: de(
      "Dieses Profil enthält mehr, als diese Seite zeigen kann. Ändern lässt es sich über die Schnittstelle.",
    ).en("This profile contains more than this page can show. Change it through the API."),
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
    suggest: de("Leere Felder aus der Datei vorschlagen").en("Fill empty fields from the file"),
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
