import type { PageStatus } from "../../engine/extraction/page_status.ts";
import { termsDe, termsEn } from "../../engine/wording/terms.ts";
import type { PublicEventType } from "../../platform/events/public_events.ts";
import type { ScrapeError } from "../../scraping/runs/run.ts";
import { codes, de, type Labels, sayAll } from "./label.ts";

const errors: Labels<ScrapeError> = sayAll(termsDe.scrapeErrors, termsEn.scrapeErrors);

const events: Labels<PublicEventType> = {
  "rule.fired": de("Eine Regel hat ausgelöst").en("A rule has triggered"),
  "proposal.created": de("Ein Vorschlag ist entstanden").en("A proposal was made"),
  "proposal.decided": de("Über einen Vorschlag ist entschieden").en("A proposal was decided"),
  "price.changed": de("Ein eigener Preis hat sich geändert").en("One of our prices has changed"),
  "observation.changed": de("Ein Wettbewerber hat Preis oder Verfügbarkeit geändert")
    .en("A competitor has changed price or stock"),
  "import.finished": de("Ein Import ist zu Ende").en("An import has ended"),
  "scrape_run.finished": de("Ein Abruf ist zu Ende").en("A fetch has ended"),
  "match.suggested": de("Seiten, die unsere Produkte zeigen könnten, sind gefunden")
    .en("Pages that may show our products are found"),
  "match.linked": de("Ein Produkt ist mit einer Seite verknüpft")
    .en("A product is linked to a page"),
  "match.mismatch": de("Eine verknüpfte Seite zeigt ein anderes Produkt")
    .en("A linked page shows another product"),
  "alert.raised": de("Es gibt eine neue Meldung").en("There is a new alert"),
};

export const watchWords = {
  alerts: {
    title: de("Meldungen").en("Alerts"),
    openCount: de("{count} offene {count|Ursache|Ursachen}")
      .en("{count} open {count|cause|causes}"),
    emptyTitle: de("Keine Meldungen").en("No alerts"),
    emptyText: de(
      "Hier melden sich Regeln mit der Aktion „in der App melden“, gescheiterte Importe und Shops, die nicht antworten.",
    ).en("Alerts from rules, failed imports and unreachable shops appear here."),
    noneTitle: de("Keine Meldung passt zu diesem Filter").en("No alert matches this filter"),
    noneText: de("Leeren Sie den Filter, um alle zu sehen.")
      .en("Clear the filter to see all of them."),
    severities: codes.severities,
    states: {
      "": de("Alle").en("All"),
      "true": de("Ungelesene").en("Unread"),
      "false": de("Gelesene").en("Read"),
    },
    columns: {
      title: de("Meldung").en("Alert"),
      at: de("Wann").en("When"),
      mail: de("E-Mail").en("Email"),
    },
    mails: codes.mails,
    isUnread: de("ungelesen").en("unread"),
    system: de("Der Dienst selbst").en("Kurant"),
    source: de("Von").en("From"),
    product: de("Produkt ansehen").en("See the product"),
    ofProduct: de("Alle Meldungen zum Produkt").en("All alerts of the product"),
    ofRule: de("Alle Meldungen der Regel").en("All alerts of the rule"),
  },
  runs: {
    title: de("Abrufe").en("Fetches"),
    emptyTitle: de("Noch kein Abruf").en("No fetch yet"),
    emptyText: de(
      "Ein Abruf besucht die verknüpften Seiten eines Produkts. Er beginnt von selbst, sobald ein Produkt verknüpft ist, oder auf der Produktseite mit „Jetzt abrufen“.",
    ).en(
      "A fetch visits the linked pages of a product. It starts automatically once a product is linked, or with “Fetch now” on the product page.",
    ),
    noneTitle: de("Kein Abruf passt zu diesem Filter").en("No fetch matches this filter"),
    states: codes.jobStates,
    withErrors: de("teils gelesen").en("partly read"),
    triggers: codes.runTriggers,
    columns: {
      failed: de("Fehler").en("Failed"),
      trigger: de("Anlass").en("Trigger"),
      at: de("Begonnen").en("Started"),
      took: de("Dauer").en("Duration"),
    },
    title1: de("Abruf {sku}").en("Fetch {sku}"),
    toProduct: de("Zum Produkt").en("To the product"),
    cancel: de("Abbrechen").en("Cancel fetch"),
    progress: de("{done} von {total} {total|Seite|Seiten}")
      .en("{done} of {total} {total|page|pages}"),
    waiting: de("Wartet, bis die Shops an der Reihe sind").en("Waiting for its turn at the shops"),
    results: de("Ergebnisse").en("Results"),
    noResults: de("Noch kein Ergebnis").en("No result yet"),
    noTargets: de(
      "Das Produkt hat keine eingeschaltete Verknüpfung. Verknüpfen Sie auf der Produktseite die Seite eines Wettbewerbers.",
    ).en("The product has no active link. Link a competitor’s page on the product page."),
    resultStates: codes.visitResults,
    resultColumns: {
      state: de("Ergebnis").en("Result"),
      others: de("Auch gefunden").en("Also found"),
      reason: de("Warum").en("Why"),
    },
    now: de("Jetzt abrufen").en("Fetch now"),
    finished: de("Abruf fertig: {ok} von {targets} {targets|Seite|Seiten} gelesen")
      .en("Fetch done: {ok} of {targets} {targets|page|pages} read"),
    details: de("Ergebnisse ansehen").en("See the results"),
    errors,
    pageStatuses: codes.pageStatuses satisfies Labels<PageStatus>,
    pageWarnings: {
      selector_dead: de("Der Selektor findet den Preis nicht mehr")
        .en("The selector no longer finds the price"),
    },
    pageIs: de("Die Seite ist").en("The page is"),
    variant: de("Gelesen für").en("Read for"),
    listPrice: de("Früherer oder empfohlener Preis").en("Former or recommended price"),
    lowest30: de("Tiefster Preis in 30 Tagen").en("Lowest price of 30 days"),
    seller: de("Verkäufer").en("Seller"),
    test: de("Seite probeweise lesen").en("Read the page as a test"),
    testNote: de("Liest die Seite einmal und speichert nichts.")
      .en("Reads the page once and stores nothing."),
    testOk: de("Gelesen: {price}").en("Read: {price}"),
    testFailed: de("Kein Preis gelesen").en("No price was read"),
  },
  health: {
    title: de("Abruf der letzten 24 Stunden").en("Scraping in the last 24 hours"),
    column: de("Abruf 24 Std.").en("Scraped 24 h"),
    counts: de("{ok} gelesen, {failed} Fehler").en("{ok} read, {failed} failed"),
    idle: de("nichts abgerufen").en("nothing scraped"),
    due: de("Abrufe am Tag nach Plan").en("Scrapes per day by schedule"),
    perDayMax: de("Höchstens möglich").en("At most possible"),
    stretched: de(
      "Mehr Abrufe geplant, als die Pause zwischen zwei Anfragen zulässt: Die Abstände werden länger.",
    ).en(
      "More fetches are planned than the pause between requests allows, so intervals get longer.",
    ),
  },
  webhooks: {
    create: de("Webhook anlegen").en("New webhook"),
    emptyTitle: de("Noch kein Webhook").en("No webhook yet"),
    emptyText: de(
      "Ein Webhook schickt Ereignisse wie eine Preisänderung sofort an Ihr ERP, statt dass es danach fragt.",
    ).en(
      "A webhook sends events such as a price change to your ERP at once, so that the ERP need not poll.",
    ),
    columns: { state: de("Zustand").en("State") },
    states: {
      on: de("an").en("on"),
      off: de("aus").en("off"),
      failing: de("kommt nicht an").en("does not arrive"),
      disabled: de("vom Dienst abgeschaltet").en("disabled by the service"),
    },
    urlHint: de("Zum Beispiel https://erp.example/hooks/kurant")
      .en("For example https://erp.example/hooks/kurant"),
    events,
    enabled: de("Eingeschaltet").en("Enabled"),
    made: de("Ihr neuer Webhook").en("Your new webhook"),
    madeText: de(
      "Mit diesem Geheimnis prüft der Empfänger die Signatur. Es wird nur jetzt gezeigt.",
    ).en("The receiver checks the signature with this secret. It is shown only now."),
    secret: de("Geheimnis").en("Secret"),
    rotate: de("Geheimnis austauschen").en("Rotate the secret"),
    rotateSure: de("Geheimnis austauschen?").en("Rotate the secret?"),
    rotateText: de(
      "Sie bekommen ein neues Geheimnis. 24 Stunden lang wird mit beiden unterschrieben.",
    ).en("You get a new secret. For 24 hours each event is signed with both."),
    test: de("Probe senden").en("Send a test"),
    tested: de("Die Probe ist unterwegs").en("The test is on its way"),
    remove: de("Webhook löschen?").en("Delete the webhook?"),
    removeText: de("Es wird nichts mehr an diese Adresse geschickt.")
      .en("Nothing more is sent to this address."),
    failingSince: de("Seit {since} kommt nichts an. Nach drei Tagen wird der Webhook abgeschaltet.")
      .en("Nothing has arrived since {since}. After three days the webhook is disabled."),
    disabledAt: de(
      "Am {at} abgeschaltet, weil drei Tage lang nichts ankam. Einschalten versucht es neu.",
    ).en("Disabled on {at}, because nothing arrived for three days. Enabling it tries again."),
    deliveries: de("Zustellungen").en("Deliveries"),
    deliveriesNote: de("Die letzten 30 Tage").en("The last 30 days"),
    noDeliveries: de("Noch nichts zugestellt. „Probe senden“ schickt ein Ereignis zum Testen.")
      .en("Nothing delivered yet. “Send a test” sends an event to try it."),
    deliveryColumns: {
      event: de("Ereignis").en("Event"),
      tries: de("Versuche").en("Tries"),
      answer: de("Letzte Antwort").en("Last answer"),
    },
    deliveryStates: {
      pending: de("unterwegs").en("on its way"),
      delivered: de("zugestellt").en("delivered"),
      failed: de("gescheitert").en("failed"),
    },
    resend: de("Erneut senden").en("Send again"),
    resent: de("Wird noch einmal gesendet").en("Resending"),
    more: de("Weitere laden").en("Load more"),
  },
  mail: {
    text: de("Schickt eine Probe an Ihre eigene Adresse.").en("Sends a test to your own address."),
    send: de("Probe-Mail senden").en("Send a test email"),
    sent: de("Der Mailserver hat die Probe an {to} angenommen.")
      .en("The mail server accepted the test email to {to}."),
    failed: de("Der Mailserver hat die Probe nicht angenommen.")
      .en("The mail server did not accept the test email."),
    off: de("Es ist kein Mailserver eingerichtet (SMTP_URL). Meldungen erscheinen nur in der App.")
      .en("No mail server is configured (SMTP_URL). Alerts appear only in the app."),
  },
};
