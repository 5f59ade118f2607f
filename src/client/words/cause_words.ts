import type { CauseKind } from "../../messages/alerts/alert.ts";
import type { MailChoice } from "../../messages/alerts/read_alerts.ts";
import { type Labels, say } from "./label.ts";

const kinds: Labels<CauseKind> = {
  rule: say("Regel löst aus", "A rule triggers"),
  shop: say("Shop fällt aus", "A shop is down"),
  prices: say(
    "Shop mit vielen auffälligen Preisen; eigener Preis außerhalb der Grenzen",
    "Shop with many suspicious prices; own price outside its limits",
  ),
  links: say("Seite zeigt anderes Produkt", "A page shows another product"),
  import: say("Import angehalten oder gescheitert", "An import is held or failed"),
  delivery: say("Datei kam nicht", "A file did not arrive"),
  system: say("Technische Störung", "Technical problem"),
};

const choices: Labels<MailChoice> = {
  now: say("Mail sofort", "Email at once"),
  daily: say("Mail 07:00", "Email 07:00"),
  here: say("nur hier", "in Kurant only"),
};

export const causeWords = {
  causes: {
    label: say("Zeigen", "Show"),
    views: {
      open: say("offen {count}", "open {count}"),
      later: say("später {count}", "snoozed {count}"),
      all: say("alle Meldungen", "all alerts"),
    },
    openCauses: say(
      "{count} {count|Meldung|Meldungen} offen, davon {today} für heute",
      "{count} open {count|alert|alerts}, {today} for today",
    ),
    sections: {
      today: say("Heute entscheiden", "Decide today"),
      week: say("Diese Woche", "This week"),
      info: say("Zur Kenntnis", "For your information"),
    },
    fired: say(
      "„{rule}“ löst bei {count} Produkten aus",
      "“{rule}” triggers on {count} products",
    ),
    ready: say(
      "„{rule}“: {count} {count|Vorschlag|Vorschläge} offen",
      "“{rule}”: {count} open {count|proposal|proposals}",
    ),
    fresh: say("{fresh} davon seit {since} gemeldet", "{fresh} of them reported since {since}"),
    down: say(
      "Seitdem wurde dort keine Seite gelesen. Regeln vergleichen ohne diesen Shop.",
      "No page has been read there since. Rules ignore this shop.",
    ),
    heldSince: say("Angehalten seit {at}: {why}.", "Held since {at}: {why}."),
    last: say("letzte Meldung {at}", "last alert {at}"),
    newest: say("zuletzt {title}", "last {title}"),
    times: say("{count} Meldungen seit {since}", "{count} alerts since {since}"),
    decide: say("{count} entscheiden", "Decide {count}"),
    more: say("{count} weitere", "{count} more"),
    acceptOf: say("Annehmen: {sku}", "Accept: {sku}"),
    rejectOf: say("Ablehnen: {sku}", "Reject: {sku}"),
    margin: say("Marge {now} → {after}", "margin {now} → {after}"),
    look: {
      rule: say("Regel ansehen", "View rule"),
      shop: say("Seiten prüfen", "Check pages"),
      prices: say("Preise prüfen", "Check prices"),
      links: say("Seiten prüfen", "Check pages"),
      import: say("Import ansehen", "View import"),
      delivery: say("Quelle ansehen", "View source"),
      system: say("Einstellung ansehen", "View settings"),
    } satisfies Labels<CauseKind>,
    order: say(
      "Fristen zuerst, dann fehlende Daten, dann nach Geld",
      "deadlines first, then missing data, then by money",
    ),
    read: say("Gelesen", "Read"),
    done: say("ist erledigt", "mark as done"),
    told: say("Erledigt: {title}", "Done: {title}"),
    afternoon: say("heute Nachmittag", "this afternoon"),
    tomorrow: say("morgen früh", "tomorrow morning"),
    monday: say("nächste Woche", "next week"),
    change: say("bis sich etwas ändert", "until something changes"),
    snoozed: say("Später: {title}", "Snoozed: {title}"),
    wake: say("Jetzt zeigen", "Show now"),
    lastOne: say("Letzte Meldung: {title}, {at}.", "Last alert: {title}, {at}."),
    emptyLater: say("Nichts ist aufgeschoben", "Nothing is snoozed"),
    emptyLaterText: say(
      "Mit „Später“ verschwindet eine Ursache bis zu einer Zeit, die Sie wählen; wird sie schlimmer, kommt sie früher.",
      "“Snooze” hides a cause until a time that you choose; if it gets worse, it comes back early.",
    ),
    mails: say("Wie Sie davon erfahren", "Notifications"),
    cause: say("Ursache", "Cause"),
    kinds,
    choices,
    mailTo: say("Mails gehen an {email}; gilt nur für Sie", "Sent to {email}; applies to you only"),
  },
};
