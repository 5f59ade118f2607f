/**
 * What the service itself says in English, in German by its codes. Who shows one of these shows the
 * service's own sentence beside it: it has the details.
 */

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

export const serviceDe = { findings };
