/**
 * What the service itself says in English, in German by its codes. Who shows one of these shows the
 * service's own sentence beside it: it has the details.
 */
import type { RefusedKind } from "../../base/failure.ts";

type Labels = Readonly<Record<string, string>>;

/** Codes of import findings, and of imports that failed as a whole. */
const findings: Labels = {
  missing_sku: "Dem Datensatz fehlt eine brauchbare SKU.",
  missing_title: "Ein neues Produkt braucht einen Titel.",
  invalid_number: "Das ist keine lesbare Zahl.",
  invalid_date: "Das ist kein Datum.",
  invalid_currency: "Diese Währung passt nicht oder ist unbekannt.",
  invalid_url: "Das ist keine brauchbare Internetadresse.",
  invalid_ean: "Das ist keine gültige EAN: Länge oder Prüfziffer stimmt nicht.",
  price_out_of_range: "Der Preis ist zu groß.",
  too_long: "Das ist mehr, als gespeichert werden kann.",
  duplicate_sku: "Diese SKU steht mehrfach in der Lieferung; der letzte Datensatz zählt.",
  ambiguous_current_price: "Mehrere Preise gelten gleichzeitig; einer wurde gewählt.",
  no_current_price: "Kein Preis gilt heute; der gespeicherte bleibt.",
  ambiguous_tier: "Mehrere Preisgruppen, keine davon benannt; die erste wurde genommen.",
  future_valid_from: "Der einzige offene Preis gilt erst später; er wurde genommen.",
  open_end_sentinel: "Dieses Enddatum zählt als „ohne Ende“.",
  dot_decimal: "Der Punkt wurde als Dezimalzeichen gelesen.",
  encoding_guessed: "Die Kodierung war nicht eindeutig und wurde geraten.",
  unknown_encoding: "Diese Kodierung ist unbekannt.",
  link_kept_off: "Die Verknüpfung bleibt aus: jemand hat sie ausgeschaltet oder gelöscht.",
  product_revived: "Das Produkt war gelöscht und ist wieder aktiv.",
  price_reverted: "Der Preis der Datei ersetzt einen, der seit dem letzten Import geändert wurde.",
  upload_incomplete: "Die Datei ist nicht vollständig angekommen. Senden Sie sie noch einmal.",
  crash_loop: "Die Verarbeitung ist mehrmals an derselben Stelle abgebrochen.",
  malformed_xml: "Die Datei ist kein lesbares XML.",
  unexpected_root: "Der Aufbau der Datei ist unbekannt. Wählen Sie ein Importprofil.",
  no_items: "In der Datei steht kein Datensatz.",
  forbidden_doctype: "Die Datei erklärt eigene Entitäten; das wird nicht gelesen.",
  too_deep: "Die Datei ist zu tief verschachtelt.",
  too_large: "Die Lieferung ist zu groß.",
  bad_zip: "Das ZIP-Archiv lässt sich nicht lesen.",
  replace_guard:
    "Angehalten: In der Datei fehlen so viele Produkte, dass es ein Versehen sein könnte. Nichts wurde übernommen.",
  price_guard:
    "Angehalten: Zu viele Preise bewegen sich auf einmal zu stark. Nichts wurde übernommen.",
};

/** What is wrong with a field, by its kind; the bound is a number as people write it. */
const refusals: Readonly<Record<RefusedKind, (bound: string) => string>> = {
  missing: () => "Fehlt",
  unknown: () => "Dieses Feld gibt es nicht",
  wrong_type: () => "Hier passt diese Angabe nicht",
  not_an_option: () => "Bitte eine der Möglichkeiten wählen",
  too_small: (bound) => `Zu klein: mindestens ${bound}`,
  too_large: (bound) => `Zu groß: höchstens ${bound}`,
  too_short: (bound) => bound === "1" ? "Darf nicht leer sein" : `Mindestens ${bound} Zeichen`,
  too_long: (bound) => `Höchstens ${bound} Zeichen`,
  too_few: (bound) => bound === "1" ? "Mindestens eine Angabe" : `Mindestens ${bound} Angaben`,
  too_many: (bound) => `Höchstens ${bound} Angaben`,
};

/** What else can be wrong with a field, by the last part of its path. */
const fieldRefusals: Labels = {
  sku: "Die SKU hat 1 bis 128 Zeichen und keine Steuerzeichen",
  title: "Der Titel darf nicht leer sein",
  name: "Der Name darf nicht leer sein",
  currency: "Ein Währungskürzel nach ISO 4217, zum Beispiel EUR",
  ean: "Eine GTIN mit 8, 12, 13 oder 14 Ziffern und richtiger Prüfziffer",
  url: "Eine vollständige Adresse, die mit http:// oder https:// beginnt",
  email: "Eine E-Mail-Adresse",
  to: "E-Mail-Adressen, mit Komma getrennt",
  domain: "Eine Domain, zum Beispiel mediamarkt.de",
  country: "Ein Länderkürzel aus zwei Buchstaben, zum Beispiel DE",
  timeZone: "Eine Zeitzone, zum Beispiel Europe/Berlin",
  ourPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  costPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  targetPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  priceSelector: "Das ist kein CSS-Selektor",
  stockSelector: "Das ist kein CSS-Selektor",
  jsonPath: "Das ist kein JSON-Pfad nach RFC 9535",
  indexAbove: "Eine der beiden Grenzen wird gebraucht",
  marginFloor: "Für diese Aktion wird eine Mindestmarge gebraucht",
  formula: "Für diese Aktion wird ein Preis gebraucht",
  events: "Mindestens ein Ereignis",
  expiresAt: "Ein Zeitpunkt in der Zukunft",
  currentPassword: "Das ist nicht Ihr heutiges Passwort",
  password: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
  newPassword: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
};

export const serviceDe = { findings, refusals, fieldRefusals };
