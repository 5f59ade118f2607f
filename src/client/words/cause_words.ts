import type { CauseKind } from "../../messages/alert_store.ts";
import type { MailChoice } from "../../messages/read_alerts.ts";
import { de, type Labels } from "./label.ts";

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
    openCauses: de("{count} {count|Meldung|Meldungen} offen, davon {today} für heute")
      .en("{count} open {count|alert|alerts}, {today} for today"),
    sections: {
      today: de("Heute entscheiden").en("Decide today"),
      week: de("Diese Woche").en("This week"),
      info: de("Zur Kenntnis").en("For your information"),
    },
    fired: de("„{rule}“ löst bei {count} Produkten aus")
      .en("“{rule}” triggers on {count} products"),
    ready: de("„{rule}“: {count} {count|Vorschlag|Vorschläge} offen")
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
