import type { PublicEventType } from "../../platform/events/public_events.ts";
import { de, type Labels } from "./label.ts";
import type { CauseKind } from "../../messages/alert_store.ts";
import type { MailChoice } from "../../messages/read_alerts.ts";
import type { AuditTag } from "../../accounts/audit/audit_actions.ts";

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
    isUnread: de("ungelesen").en("unread"),
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
    withErrors: de("teils gelesen").en("partly read"),
    columns: {
      failed: de("Fehler").en("Failed"),
      trigger: de("Anlass").en("Trigger"),
      at: de("Begonnen").en("Started"),
      took: de("Dauer").en("Duration"),
    },
    title1: de("Abruf {sku}").en("Fetch {sku}"),
    toProduct: de("Zum Produkt").en("To the product"),
    cancel: de("Abbrechen").en("Cancel fetch"),
    progress: de("{done} von {total Seite|Seiten}").en("{done} of {total page|pages}"),
    waiting: de("Wartet, bis die Shops an der Reihe sind").en("Waiting for its turn at the shops"),
    results: de("Ergebnisse").en("Results"),
    noResults: de("Noch kein Ergebnis").en("No result yet"),
    noTargets: de(
      "Das Produkt hat keine eingeschaltete Verknüpfung. Verknüpfen Sie auf der Produktseite die Seite eines Wettbewerbers.",
    ).en("The product has no active link. Link a competitor’s page on the product page."),
    resultColumns: {
      state: de("Ergebnis").en("Result"),
      others: de("Auch gefunden").en("Also found"),
      reason: de("Warum").en("Why"),
    },
    now: de("Jetzt abrufen").en("Fetch now"),
    finished: de("Abruf fertig: {ok} von {targets Seite|Seiten} gelesen")
      .en("Fetch done: {ok} of {targets page|pages} read"),
    details: de("Ergebnisse ansehen").en("See the results"),
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

const kinds: Labels<CauseKind> = {
  rule: de("Regel löst aus").en("A rule triggers"),
  shop: de("Shop fällt aus").en("A shop is down"),
  prices: de("Shop mit vielen auffälligen Preisen; eigener Preis außerhalb der Grenzen")
    .en("Shop with many suspicious prices; own price outside its limits"),
  links: de("Seite zeigt anderes Produkt").en("A page shows another product"),
  import: de("Import angehalten oder gescheitert").en("An import is held or failed"),
  delivery: de("Datei kam nicht").en("A file did not arrive"),
  system: de("Technische Störung").en("Technical problem"),
};

const choices: Labels<MailChoice> = {
  now: de("Mail sofort").en("Email at once"),
  daily: de("Mail 07:00").en("Email 07:00"),
  here: de("nur hier").en("in Kurant only"),
};

export const causeWords = {
  causes: {
    label: de("Zeigen").en("Show"),
    views: {
      open: de("offen {count}").en("open {count}"),
      later: de("später {count}").en("snoozed {count}"),
      all: de("alle Meldungen").en("all alerts"),
    },
    openCauses: de("{count Meldung|Meldungen} offen, davon {today} für heute")
      .en("{count} open {count|alert|alerts}, {today} for today"),
    isCut: de("Die ältesten Meldungen stehen nur unter „alle Meldungen“.")
      .en("The oldest alerts are only listed under “all alerts”."),
    sections: {
      today: de("Heute entscheiden").en("Decide today"),
      week: de("Diese Woche").en("This week"),
      info: de("Zur Kenntnis").en("For your information"),
    },
    fired: de("„{rule}“ löst bei {count} Produkten aus")
      .en("“{rule}” triggers on {count} products"),
    ready: de("„{rule}“: {count Vorschlag|Vorschläge} offen")
      .en("“{rule}”: {count} open {count|proposal|proposals}"),
    fresh: de("{fresh} davon seit {since} gemeldet").en("{fresh} of them reported since {since}"),
    down: de("Seitdem wurde dort keine Seite gelesen. Regeln vergleichen ohne diesen Shop.")
      .en("No page has been read there since. Rules ignore this shop."),
    heldSince: de("Angehalten seit {at}: {why}.").en("Held since {at}: {why}."),
    last: de("letzte Meldung {at}").en("last alert {at}"),
    newest: de("zuletzt {title}").en("last {title}"),
    times: de("{count} Meldungen seit {since}").en("{count} alerts since {since}"),
    decide: de("{count} entscheiden").en("Decide {count}"),
    more: de("{count} weitere").en("{count} more"),
    acceptOf: de("Annehmen: {sku}").en("Accept: {sku}"),
    rejectOf: de("Ablehnen: {sku}").en("Reject: {sku}"),
    margin: de("Marge {now} → {after}").en("margin {now} → {after}"),
    look: {
      rule: de("Regel ansehen").en("View rule"),
      shop: de("Seiten prüfen").en("Check pages"),
      prices: de("Preise prüfen").en("Check prices"),
      links: de("Seiten prüfen").en("Check pages"),
      import: de("Import ansehen").en("View import"),
      delivery: de("Quelle ansehen").en("View source"),
      system: de("Einstellung ansehen").en("View settings"),
    } satisfies Labels<CauseKind>,
    order: de("Fristen zuerst, dann fehlende Daten, dann nach Geld")
      .en("deadlines first, then missing data, then by money"),
    read: de("Gelesen").en("Read"),
    done: de("ist erledigt").en("mark as done"),
    told: de("Erledigt: {title}").en("Done: {title}"),
    afternoon: de("heute Nachmittag").en("this afternoon"),
    tomorrow: de("morgen früh").en("tomorrow morning"),
    monday: de("nächste Woche").en("next week"),
    change: de("bis sich etwas ändert").en("until something changes"),
    snoozed: de("Später: {title}").en("Snoozed: {title}"),
    wake: de("Jetzt zeigen").en("Show now"),
    lastOne: de("Letzte Meldung: {title}, {at}.").en("Last alert: {title}, {at}."),
    emptyLater: de("Nichts ist aufgeschoben").en("Nothing is snoozed"),
    emptyLaterText: de(
      "Mit „Später“ verschwindet eine Ursache bis zu einer Zeit, die Sie wählen; wird sie schlimmer, kommt sie früher.",
    ).en(
      "“Snooze” hides a cause until a time that you choose; if it gets worse, it comes back early.",
    ),
    mails: de("Wie Sie davon erfahren").en("Notifications"),
    cause: de("Ursache").en("Cause"),
    kinds,
    choices,
    mailTo: de("Mails gehen an {email}; gilt nur für Sie")
      .en("Sent to {email}; applies to you only"),
  },
};

export const auditWords = {
  auditLog: {
    title: de("Protokoll").en("Audit log"),
    emptyText: de("Jede Änderung steht hier. Leeren Sie den Filter, um alle zu sehen.")
      .en("Every change is listed here. Clear the filter to see all of them."),
    about: de("Was sich geändert hat, durch wen und warum").en("What changed, by whom and why"),
    columns: { at: de("Zeit").en("Time") },
    nearDays: de(["Heute", "Gestern"]).en(["Today", "Yesterday"]),
    undo: de("Zurücknehmen").en("Undo"),
    undoHow: de("Stellt den Stand davor wieder her. Das geht, bis er sich wieder ändert.")
      .en("Restores what was there before. Possible until it changes again."),
    undoMany: de("Für {count} Produkte zurücknehmen?").en("Undo it for {count} products?"),
    undoChanges: de("{count} Änderungen zurücknehmen?").en("Undo {count} changes?"),
    undoManyText: de("Was andere seither geändert haben, bleibt.")
      .en("Changes that others have made since then stay."),
    undoneBut: de("{count} zurückgenommen, {left} seither geändert und geblieben")
      .en("{count} undone, {left} changed since then and left as they are"),
    overtaken: de("Das hat sich seither geändert: es bleibt beim neuen.")
      .en("This has changed since then: the newer value stays."),
    search: de("Produkt, Person oder Grund").en("Product, person or reason"),
    chips: de("Nur diese Einträge").en("Only these entries"),
    week: de("letzte 7 Tage").en("last 7 days"),
    tags: {
      price: de("Preise").en("prices"),
      people: de("von Menschen").en("by people"),
      rules: de("von Regeln").en("by rules"),
      reason: de("mit Grund").en("with a reason"),
      beyond: de("außerhalb der Grenzen").en("outside limits"),
      undone: de("zurückgenommen").en("undone"),
    } satisfies Labels<AuditTag>,
    ofRule: de("Regel „{name}“").en("rule “{name}”"),
    quote: de("„{text}“").en("“{text}”"),
    free: de("frei").en("free"),
    errorNeverShown: de("Fehler, nie gezeigt").en("error, never shown"),
    error: de("Fehler").en("error"),
    valid: de("gilt").en("valid"),
    more: de("und {count weiteres Feld|weitere Felder}")
      .en("and {count} more {count|field|fields}"),
    actors: {
      system: "Kurant",
      rules: de("Regel").en("Rule"),
      erp: de("Warenwirtschaft").en("ERP"),
    },
    done: {
      price: de("Preis geändert").en("Price changed"),
      hold: de("Preis gehalten").en("Price held"),
      unhold: de("Preis freigegeben").en("Price released"),
      mark: de("Als Fehler gekennzeichnet").en("Marked as an error"),
      unmark: de("Kennzeichnung zurückgenommen").en("Mark removed"),
    },
    sentences: {
      price: de("änderte den Preis").en("changed the price"),
      hold: de("hielt den Preis").en("held the price"),
      unhold: de("gab den Preis frei").en("released the price"),
      mark: de("kennzeichnete einen Fehler").en("marked an error"),
      unmark: de("nahm die Kennzeichnung zurück").en("removed the mark"),
    },
    many: {
      price: de("{count} Preise gesetzt").en("{count} prices set"),
      approve: de("{count} Vorschläge angenommen").en("{count} proposals accepted"),
      reject: de("{count} Vorschläge abgelehnt").en("{count} proposals rejected"),
      later: de("{count} Vorschläge zurückgestellt").en("{count} proposals snoozed"),
      reopen: de("{count} Vorschläge wieder geöffnet").en("{count} proposals reopened"),
      rollback: de("{count} Preise zurückgenommen").en("{count} prices rolled back"),
      other: de("{count} × {action}").en("{count} × {action}"),
    },
    andMore: de("und {count weiteres|weitere}").en("and {count} more"),
    showAll: de("Alle {count} zeigen").en("Show all {count}"),
    showLess: de("Weniger zeigen").en("Show less"),
    zone: de("Zeiten: {zone}").en("Times: {zone}"),
    action: de("Aktion").en("Action"),
    actor: de("Durch wen").en("By whom"),
    stays: de("bleibt\u00a0{price} (Vorschlag\u00a0{proposed})")
      .en("kept\u00a0at\u00a0{price} (proposed\u00a0{proposed})"),
    resource: de("Gegenstand").en("About"),
    before: de("Vorher").en("Before"),
    after: de("Nachher").en("After"),
    detail: de("Eintrag").en("Entry"),
  },
};
