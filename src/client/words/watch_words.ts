import type { PageStatus } from "../../engine/extraction/page_status.ts";
import { termsDe, termsEn } from "../../engine/wording/terms.ts";
import type { PublicEventType } from "../../platform/events/public_events.ts";
import type { ScrapeError } from "../../scraping/runs/run.ts";
import { codes, type Labels, say, sayAll } from "./label.ts";

const errors: Labels<ScrapeError> = sayAll(termsDe.scrapeErrors, termsEn.scrapeErrors);

const events: Labels<PublicEventType> = {
  "rule.fired": say("Eine Regel hat ausgelöst", "A rule has triggered"),
  "proposal.created": say("Ein Vorschlag ist entstanden", "A proposal was made"),
  "proposal.decided": say("Über einen Vorschlag ist entschieden", "A proposal was decided"),
  "price.changed": say("Ein eigener Preis hat sich geändert", "One of our prices has changed"),
  "observation.changed": say(
    "Ein Wettbewerber hat Preis oder Verfügbarkeit geändert",
    "A competitor has changed price or stock",
  ),
  "import.finished": say("Ein Import ist zu Ende", "An import has ended"),
  "scrape_run.finished": say("Ein Abruf ist zu Ende", "A fetch has ended"),
  "match.suggested": say(
    "Seiten, die unsere Produkte zeigen könnten, sind gefunden",
    "Pages that may show our products are found",
  ),
  "match.linked": say("Ein Produkt ist mit einer Seite verknüpft", "A product is linked to a page"),
  "match.mismatch": say(
    "Eine verknüpfte Seite zeigt ein anderes Produkt",
    "A linked page shows another product",
  ),
  "alert.raised": say("Es gibt eine neue Meldung", "There is a new alert"),
};

export const watchWords = {
  alerts: {
    title: say("Meldungen", "Alerts"),
    openCount: say("{count} offene {count|Ursache|Ursachen}", "{count} open {count|cause|causes}"),
    emptyTitle: say("Keine Meldungen", "No alerts"),
    emptyText: say(
      "Hier melden sich Regeln mit der Aktion „in der App melden“, gescheiterte Importe und Shops, die nicht antworten.",
      "Alerts from rules, failed imports and unreachable shops appear here.",
    ),
    noneTitle: say("Keine Meldung passt zu diesem Filter", "No alert matches this filter"),
    noneText: say(
      "Leeren Sie den Filter, um alle zu sehen.",
      "Clear the filter to see all of them.",
    ),
    severities: codes.severities,
    states: {
      "": say("Alle", "All"),
      "true": say("Ungelesene", "Unread"),
      "false": say("Gelesene", "Read"),
    },
    columns: {
      title: say("Meldung", "Alert"),
      at: say("Wann", "When"),
      mail: say("E-Mail", "Email"),
    },
    mails: codes.mails,
    isUnread: say("ungelesen", "unread"),
    system: say("Der Dienst selbst", "Kurant"),
    source: say("Von", "From"),
    product: say("Produkt ansehen", "See the product"),
    ofProduct: say("Alle Meldungen zum Produkt", "All alerts of the product"),
    ofRule: say("Alle Meldungen der Regel", "All alerts of the rule"),
  },
  runs: {
    title: say("Abrufe", "Fetches"),
    emptyTitle: say("Noch kein Abruf", "No fetch yet"),
    emptyText: say(
      "Ein Abruf besucht die verknüpften Seiten eines Produkts. Er beginnt von selbst, sobald ein Produkt verknüpft ist, oder auf der Produktseite mit „Jetzt abrufen“.",
      "A fetch visits the linked pages of a product. It starts automatically once a product is linked, or with “Fetch now” on the product page.",
    ),
    noneTitle: say("Kein Abruf passt zu diesem Filter", "No fetch matches this filter"),
    states: codes.jobStates,
    withErrors: say("teils gelesen", "partly read"),
    triggers: codes.runTriggers,
    columns: {
      failed: say("Fehler", "Failed"),
      trigger: say("Anlass", "Trigger"),
      at: say("Begonnen", "Started"),
      took: say("Dauer", "Duration"),
    },
    title1: say("Abruf {sku}", "Fetch {sku}"),
    toProduct: say("Zum Produkt", "To the product"),
    cancel: say("Abbrechen", "Cancel fetch"),
    progress: say(
      "{done} von {total} {total|Seite|Seiten}",
      "{done} of {total} {total|page|pages}",
    ),
    waiting: say("Wartet, bis die Shops an der Reihe sind", "Waiting for its turn at the shops"),
    results: say("Ergebnisse", "Results"),
    noResults: say("Noch kein Ergebnis", "No result yet"),
    noTargets: say(
      "Das Produkt hat keine eingeschaltete Verknüpfung. Verknüpfen Sie auf der Produktseite die Seite eines Wettbewerbers.",
      "The product has no active link. Link a competitor’s page on the product page.",
    ),
    resultStates: codes.visitResults,
    resultColumns: {
      state: say("Ergebnis", "Result"),
      others: say("Auch gefunden", "Also found"),
      reason: say("Warum", "Why"),
    },
    now: say("Jetzt abrufen", "Fetch now"),
    finished: say(
      "Abruf fertig: {ok} von {targets} {targets|Seite|Seiten} gelesen",
      "Fetch done: {ok} of {targets} {targets|page|pages} read",
    ),
    details: say("Ergebnisse ansehen", "See the results"),
    errors,
    pageStatuses: codes.pageStatuses satisfies Labels<PageStatus>,
    pageWarnings: {
      selector_dead: say(
        "Der Selektor findet den Preis nicht mehr",
        "The selector no longer finds the price",
      ),
    },
    pageIs: say("Die Seite ist", "The page is"),
    variant: say("Gelesen für", "Read for"),
    listPrice: say("Früherer oder empfohlener Preis", "Former or recommended price"),
    lowest30: say("Tiefster Preis in 30 Tagen", "Lowest price of 30 days"),
    seller: say("Verkäufer", "Seller"),
    test: say("Seite probeweise lesen", "Read the page as a test"),
    testNote: say(
      "Liest die Seite einmal und speichert nichts.",
      "Reads the page once and stores nothing.",
    ),
    testOk: say("Gelesen: {price}", "Read: {price}"),
    testFailed: say("Kein Preis gelesen", "No price was read"),
    stock: say("Verfügbar", "In stock"),
  },
  health: {
    title: say("Abruf der letzten 24 Stunden", "Scraping in the last 24 hours"),
    column: say("Abruf 24 Std.", "Scraped 24 h"),
    counts: say("{ok} gelesen, {failed} Fehler", "{ok} read, {failed} failed"),
    idle: say("nichts abgerufen", "nothing scraped"),
    due: say("Abrufe am Tag nach Plan", "Scrapes per day by schedule"),
    perDayMax: say("Höchstens möglich", "At most possible"),
    stretched: say(
      "Mehr Abrufe geplant, als die Pause zwischen zwei Anfragen zulässt: Die Abstände werden länger.",
      "More fetches are planned than the pause between requests allows, so intervals get longer.",
    ),
  },
  webhooks: {
    create: say("Webhook anlegen", "New webhook"),
    emptyTitle: say("Noch kein Webhook", "No webhook yet"),
    emptyText: say(
      "Ein Webhook schickt Ereignisse wie eine Preisänderung sofort an Ihr ERP, statt dass es danach fragt.",
      "A webhook sends events such as a price change to your ERP at once, so that the ERP need not poll.",
    ),
    columns: {
      state: say("Zustand", "State"),
    },
    states: {
      on: say("an", "on"),
      off: say("aus", "off"),
      failing: say("kommt nicht an", "does not arrive"),
      disabled: say("vom Dienst abgeschaltet", "disabled by the service"),
    },
    urlHint: say(
      "Zum Beispiel https://erp.example/hooks/kurant",
      "For example https://erp.example/hooks/kurant",
    ),
    events,
    enabled: say("Eingeschaltet", "Enabled"),
    made: say("Ihr neuer Webhook", "Your new webhook"),
    madeText: say(
      "Mit diesem Geheimnis prüft der Empfänger die Signatur. Es wird nur jetzt gezeigt.",
      "The receiver checks the signature with this secret. It is shown only now.",
    ),
    secret: say("Geheimnis", "Secret"),
    rotate: say("Geheimnis austauschen", "Rotate the secret"),
    rotateSure: say("Geheimnis austauschen?", "Rotate the secret?"),
    rotateText: say(
      "Sie bekommen ein neues Geheimnis. 24 Stunden lang wird mit beiden unterschrieben.",
      "You get a new secret. For 24 hours each event is signed with both.",
    ),
    test: say("Probe senden", "Send a test"),
    tested: say("Die Probe ist unterwegs", "The test is on its way"),
    remove: say("Webhook löschen?", "Delete the webhook?"),
    removeText: say(
      "Es wird nichts mehr an diese Adresse geschickt.",
      "Nothing more is sent to this address.",
    ),
    failingSince: say(
      "Seit {since} kommt nichts an. Nach drei Tagen wird der Webhook abgeschaltet.",
      "Nothing has arrived since {since}. After three days the webhook is disabled.",
    ),
    disabledAt: say(
      "Am {at} abgeschaltet, weil drei Tage lang nichts ankam. Einschalten versucht es neu.",
      "Disabled on {at}, because nothing arrived for three days. Enabling it tries again.",
    ),
    deliveries: say("Zustellungen", "Deliveries"),
    deliveriesNote: say("Die letzten 30 Tage", "The last 30 days"),
    noDeliveries: say(
      "Noch nichts zugestellt. „Probe senden“ schickt ein Ereignis zum Testen.",
      "Nothing delivered yet. “Send a test” sends an event to try it.",
    ),
    deliveryColumns: {
      event: say("Ereignis", "Event"),
      tries: say("Versuche", "Tries"),
      answer: say("Letzte Antwort", "Last answer"),
    },
    deliveryStates: {
      pending: say("unterwegs", "on its way"),
      delivered: say("zugestellt", "delivered"),
      failed: say("gescheitert", "failed"),
    },
    resend: say("Erneut senden", "Send again"),
    resent: say("Wird noch einmal gesendet", "Resending"),
    more: say("Weitere laden", "Load more"),
  },
  mail: {
    text: say("Schickt eine Probe an Ihre eigene Adresse.", "Sends a test to your own address."),
    send: say("Probe-Mail senden", "Send a test email"),
    sent: say(
      "Der Mailserver hat die Probe an {to} angenommen.",
      "The mail server accepted the test email to {to}.",
    ),
    failed: say(
      "Der Mailserver hat die Probe nicht angenommen.",
      "The mail server did not accept the test email.",
    ),
    off: say(
      "Es ist kein Mailserver eingerichtet (SMTP_URL). Meldungen erscheinen nur in der App.",
      "No mail server is configured (SMTP_URL). Alerts appear only in the app.",
    ),
  },
};
