/**
 * German and English words for the codes of the service. If this table has no words for a code,
 * people see the message that the service sends.
 */
import type { Language, Severity } from "../../base/codes.ts";

export type Labels = Readonly<Record<string, string>>;

export const termsDe = {
  scrapeErrors: {
    robots_disallowed: "Der Shop verbietet diese Seite in seiner robots.txt.",
    blocked: "Der Shop weist automatische Abrufe ab.",
    http_error: "Der Shop antwortet mit einem HTTP-Fehler.",
    timeout: "Der Shop antwortet nicht rechtzeitig.",
    dns_error: "Diese Domain gibt es nicht (mehr).",
    unreachable: "Der Shop ist nicht erreichbar.",
    private_address: "Die Adresse führt in ein privates Netz.",
    redirect_refused: "Die Weiterleitung führt nirgendwohin oder im Kreis.",
    too_large: "Die Seite ist zu groß.",
    too_complex:
      "Die Seite ist zu aufwendig gebaut, um sie zu lesen. Ein einfacherer Selektor kann helfen.",
    unsupported_content: "Das ist keine Webseite.",
    no_price: "Auf der Seite steht kein lesbarer Preis. Ein Selektor kann helfen.",
    ambiguous_price: "Der Preis lässt sich nicht eindeutig lesen. Ein Selektor kann helfen.",
    currency_mismatch: "Der Preis steht in einer anderen Währung da.",
    backing_off: "Der Shop hat zuletzt Fehler gemeldet und wird eine Weile geschont.",
    on_request: "Der Shop nennt den Preis nur auf Anfrage.",
    sold_out: "Der Artikel ist ausverkauft, ein Preis steht nicht da.",
    gone: "Diesen Artikel führt der Shop nicht mehr.",
    listing: "Die Adresse führt zu einer Liste von Artikeln, nicht zu einem.",
    other_product: "Auf der Seite steht ein anderer Artikel als der verknüpfte.",
    variant_open:
      "Die Seite zeigt mehrere Ausführungen oder eine Preisspanne, und keine Ausführung ist gewählt.",
    variant_unknown: "Keine Ausführung auf der Seite passt zum Titel des Produkts.",
    net_only: "Auf der Seite stehen nur Preise ohne Steuer.",
    third_party: "Nur andere Händler verkaufen den Artikel dort.",
  },

  /** Reasons why a file could not be fetched, or an event could not be delivered. */
  fetchErrors: {
    timeout: "Der Server hat nicht rechtzeitig geantwortet.",
    dns_error: "Den Namen des Servers gibt es nicht.",
    unreachable: "Der Server ist nicht zu erreichen.",
    private_address: "Die Adresse führt nicht ins öffentliche Internet.",
    redirect_refused: "Die Adresse leitet auf ein Ziel weiter, das nicht abgerufen werden darf.",
    too_large: "Die Datei ist zu groß.",
    payload_too_large: "Die Datei ist zu groß, oder andere Dateien warten noch.",
    unsupported_content: "Die Übertragung ließ sich nicht entpacken.",
    http_401: "Der Server verlangt eine Anmeldung (401).",
    http_403: "Der Server verweigert den Zugriff (403).",
    http_404: "Die Datei gibt es dort nicht (404).",
    conflict: "Die Zugangsdaten müssen neu eingegeben werden.",
    validation_failed: "Das Importprofil der Quelle gibt es nicht mehr.",
  },

  findings: {
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
    zero_price: "Der Preis 0 wurde gespeichert; für Regeln gilt er als unbekannt.",
    zero_as_empty: "Der Preis 0 zählt als leer; der gespeicherte bleibt.",
    encoding_guessed: "Die Kodierung war nicht eindeutig und wurde geraten.",
    unknown_encoding: "Diese Kodierung ist unbekannt.",
    link_kept_off:
      "Die Verknüpfung bleibt aus: jemand hat sie ausgeschaltet oder gelöscht, oder das Produkt hat zu viele Verknüpfungen.",
    product_revived: "Das Produkt war gelöscht und ist wieder aktiv.",
    price_reverted:
      "Der Preis der Datei ersetzt einen, der seit dem letzten Import geändert wurde.",
    upload_incomplete: "Die Datei ist nicht vollständig angekommen. Senden Sie sie noch einmal.",
    crash_loop: "Die Verarbeitung ist mehrmals an derselben Stelle abgebrochen.",
    malformed_xml: "Die Datei ist kein lesbares XML.",
    unexpected_root: "Der Aufbau der Datei ist unbekannt. Wählen Sie ein Importprofil.",
    no_items: "In der Datei steht kein Datensatz.",
    forbidden_doctype:
      "Die Datei deklariert eigene Entitäten; solche Dateien werden nicht gelesen.",
    too_deep: "Die Datei ist zu tief verschachtelt.",
    too_large: "Die Lieferung ist zu groß.",
    bad_zip: "Das ZIP-Archiv lässt sich nicht lesen.",
    replace_guard:
      "Angehalten: Es würden so viele Produkte gelöscht, dass es ein Versehen sein könnte. Nichts wurde übernommen.",
    price_guard:
      "Angehalten: Zu viele Produkte ändern Preis oder Einkaufspreis zu stark oder wechseln die Währung. Nichts wurde übernommen.",
    price_moved:
      "Preis, Einkaufspreis oder Währung ändern sich auffällig; das Anhalten von Importen ist ausgeschaltet.",
    empty_file: "Die Datei ist leer.",
    unknown_format:
      "Diese Art von Datei wird nicht gelesen: bitte als .xlsx, CSV, JSON oder XML speichern.",
    no_header: "Keine Zeile nennt die Spalten; eine Tabelle braucht eine Kopfzeile.",
    header_repeated: "Die Kopfzeile steht noch einmal in der Datei.",
    unclosed_quote: "Ein Anführungszeichen wird geöffnet und nie geschlossen.",
    malformed_json: "Das ist kein lesbares JSON.",
    bad_gzip: "Die gzip-Datei lässt sich nicht lesen.",
    bad_workbook: "Die Arbeitsmappe lässt sich nicht lesen.",
    unknown_sheet: "Dieses Tabellenblatt gibt es nicht, oder es ist ausgeblendet.",
    passed_over: "Diese Datei des Archivs ist keine Tabelle und wurde übergangen.",
    ragged_row: "Die Zeile hat zu viele oder zu wenige Zellen.",
    damaged_number: "Die Tabellenkalkulation hat Ziffern verloren; die Spalte als Text ausgeben.",
    leading_zeros_restored: "Führende Nullen fehlten und wurden ergänzt.",
    excel_date: "Die SKU sieht nach einem Datum aus: wohl von der Tabellenkalkulation umgewandelt.",
    missing_sku_column: "Keine Spalte ist als SKU zu erkennen.",
    no_vat_rate: "Ohne Steuersatz lässt sich der Preis nicht umrechnen; er wurde nicht übernommen.",
    inactive: "Laut Datei nicht aktiv; das Produkt wurde übergangen.",
    unknown_condition: "Kein bekannter Zustand; er wurde nicht übernommen.",
    missing_date:
      "Ohne Verkaufstag lässt sich die Menge nicht zuordnen; sie wurde nicht übernommen.",
    future_date: "Der Tag liegt in der Zukunft; die Menge wurde nicht übernommen.",
    too_old: "Der Tag liegt zu weit zurück; so alte Mengen werden nicht aufbewahrt.",
    unknown_ean: "Kein Produkt hat diese EAN; die Zeile wurde übergangen.",
    ambiguous_ean: "Mehrere Produkte haben diese EAN; keines wurde geändert.",
    cost_guard:
      "Angehalten: Zu viele Produkte ändern ihren Einkaufspreis zu stark oder verlieren ihn. Nichts wurde übernommen.",
    change_guard:
      "Angehalten: Die Datei ändert zu viele Produkte auf einmal. Nichts wurde übernommen.",
    new_guard: "Angehalten: In der Datei stehen zu viele neue Produkte. Nichts wurde übernommen.",
    currency_guard: "Angehalten: Zu viele Produkte wechseln die Währung. Nichts wurde übernommen.",
    unit_guard:
      "Angehalten: Die Preise scheinen in einer anderen Einheit zu stehen. Nichts wurde übernommen.",
    excluded: "Der Datensatz wurde beim Übernehmen ausgelassen.",
    kept_field: "Seit dem Import geändert; bleibt, wie es ist.",
    kept_price: "Der Preis wurde seit dem Import neu gesetzt; er bleibt.",
    kept_bound:
      "Der frühere Preis braucht einen Grund oder die Zustimmung mehrerer Personen; der heutige bleibt.",
    kept_product: "Am Produkt wurde seit dem Import gearbeitet; es bleibt.",
    kept_link: "Die Verknüpfung wurde seit dem Import geändert; sie bleibt.",
    bounds_crossed: "Der Mindestpreis liegt über dem Höchstpreis; beide bleiben, wie sie waren.",
    price_out_of_bounds: "Der neue Preis liegt außerhalb von Mindest- und Höchstpreis; er gilt.",
    undated_sale: "Der Aktionspreis hat kein Datum in der Datei; er gilt.",
    no_price_column: "Nichts in der Datei ist unser Preis: Unsere Preise bleiben, wie sie sind.",
    columns_ignored: "Diese Spalten oder Elemente werden nicht eingelesen.",
    prices_refused: "Kein Preis dieser Spalte ist brauchbar; nichts wurde übernommen.",
    duplicate_header:
      "Diese Überschrift steht mehrfach in der Datei; unter diesem Namen zählt die erste Spalte.",
    opendocument_file:
      "Das ist eine OpenDocument-Datei (.ods): bitte als .xlsx oder CSV speichern und neu senden.",
    binary_workbook:
      "Das ist eine binäre Excel-Arbeitsmappe (.xlsb): bitte als .xlsx oder CSV speichern und neu senden.",
    word_document:
      "Das ist ein Word-Dokument (.docx): bitte die Tabelle nach Excel kopieren und als .xlsx senden.",
    pdf_document:
      "Das ist ein PDF: bitte den Absender um die Tabelle als .xlsx oder CSV bitten, oder sie aus dem Programm ausgeben, aus dem das PDF stammt.",
    spreadsheetml_file:
      "Das ist eine XML-Tabelle von Excel 2003 (.xls oder .xml): bitte als .xlsx oder CSV speichern und neu senden.",
    opentrans_document:
      "Das ist ein openTRANS-Dokument, also ein Auftrag und kein Katalog: bitte den Katalog als BMEcat oder CSV senden.",
  },

  severities: {
    info: "Hinweis",
    low: "niedrig",
    medium: "mittel",
    high: "hoch",
    critical: "kritisch",
  } satisfies Readonly<Record<Severity, string>>,

  compared: {
    asks: (shop: string, price: string) => `${shop} verlangt ${price}`,
    mean: (count: string, price: string) => `Der Durchschnitt von ${count} Preisen ist ${price}`,
    less: (difference: string, ours: string) => `${difference} weniger als wir (${ours})`,
    more: (difference: string, ours: string) => `${difference} mehr als wir (${ours})`,
    same: (ours: string) => `genauso viel wie wir (${ours})`,
    tooLittle: "das genügt der Regel nicht",
  },
};

type Terms =
  & Omit<typeof termsDe, "findings" | "fetchErrors">
  & Readonly<Record<"findings" | "fetchErrors", Labels>>;

export const termsEn: Terms = {
  scrapeErrors: {
    robots_disallowed: "The shop forbids this page in its robots.txt.",
    blocked: "The shop rejects automatic visits.",
    http_error: "The shop answers with an HTTP error.",
    timeout: "The shop did not respond in time.",
    dns_error: "This domain does not exist (any more).",
    unreachable: "The shop cannot be reached.",
    private_address: "The address leads into a private network.",
    redirect_refused: "The redirect leads nowhere or in circles.",
    too_large: "The page is too large.",
    too_complex: "The page is too complex to read. A simpler selector may help.",
    unsupported_content: "This is not a web page.",
    no_price: "No readable price on the page. A selector may help.",
    ambiguous_price: "The price cannot be read with certainty. A selector may help.",
    currency_mismatch: "The price is in another currency.",
    backing_off: "The shop has answered with errors and is left alone for a while.",
    on_request: "The shop states the price only on request.",
    sold_out: "The article is sold out, and the page has no price.",
    gone: "The shop no longer has this article.",
    listing: "The address leads to a list of articles, not to one.",
    other_product: "The page shows another article than the linked product.",
    variant_open: "The page shows several variants or a range of prices, and no variant is chosen.",
    variant_unknown: "No variant on the page fits the title of the product.",
    net_only: "The page has only prices without tax.",
    third_party: "Only other sellers have the article there.",
  },

  fetchErrors: {
    timeout: "The server did not answer in time.",
    dns_error: "There is no server of that name.",
    unreachable: "The server cannot be reached.",
    private_address: "The address does not lead to the public internet.",
    redirect_refused: "The address redirects to a target that may not be fetched.",
    too_large: "The file is too large.",
    payload_too_large: "The file is too large, or other files are still waiting.",
    unsupported_content: "The transferred file could not be unpacked.",
    http_401: "The server asks for credentials (401).",
    http_403: "The server denies access (403).",
    http_404: "There is no such file (404).",
    conflict: "The credentials have to be entered again.",
    validation_failed: "The import profile of the source is gone.",
  },

  findings: {
    upload_incomplete: "The file did not arrive completely. Send it again.",
    crash_loop: "Processing stopped several times at the same place.",
    malformed_xml: "The file is not readable XML.",
    no_items: "The file has no records.",
    empty_file: "The file is empty.",
    replace_guard:
      "Held: so many products would be deleted that it may be a mistake. Nothing was applied.",
    price_guard:
      "Held: too many products change their price or cost too much, or change their currency. Nothing was applied.",
    cost_guard:
      "Held: too many products change their cost too much or lose it. Nothing was applied.",
    change_guard: "Held: the file changes too many products at once. Nothing was applied.",
    new_guard: "Held: the file has too many new products. Nothing was applied.",
    unit_guard: "Held: the prices seem to be in another unit. Nothing was applied.",
    currency_guard: "Held: too many products change their currency. Nothing was applied.",
  },

  severities: { info: "info", low: "low", medium: "medium", high: "high", critical: "critical" },
  compared: {
    asks: (shop, price) => `${shop} charges ${price}`,
    mean: (count, price) => `The average of ${count} prices is ${price}`,
    less: (difference, ours) => `${difference} less than we do (${ours})`,
    more: (difference, ours) => `${difference} more than we do (${ours})`,
    same: (ours) => `as much as we do (${ours})`,
    tooLittle: "not enough for the rule",
  },
};

export const TERMS: Readonly<Record<Language, Terms>> = { de: termsDe, en: termsEn };
