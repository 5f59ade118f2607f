/** Texts of the list of runs, about arriving prices and failed fetches. */
import type { RepairCause } from "../../shops/offers/offer.ts";
import { type Labels, say } from "./label.ts";

const remedies: Labels<RepairCause> = {
  nothing_found: say(
    "Zeigen Sie auf einer Seite, wo der Preis steht; dann liest Kurant alle.",
    "Show on one page where the price is; Kurant then reads them all.",
  ),
  two_prices: say(
    "Zeigen Sie einmal, welcher Preis gilt; das gilt dann für den ganzen Shop.",
    "Show once which price counts; it then holds for the whole shop.",
  ),
  layout_changed: say(
    "Der Shop hat umgebaut. Zeigen Sie den Preis an seiner neuen Stelle.",
    "The shop was rebuilt. Show the price in its new place.",
  ),
  gone: say(
    "Steht das Produkt unter neuer Adresse, verknüpfen Sie diese.",
    "If the product has a new address, link that one.",
  ),
  listing: say(
    "Verknüpft ist eine Übersicht. Wählen Sie die Seite des Artikels.",
    "A list is linked. Choose the page of the article.",
  ),
  other_product: say(
    "Die Seite zeigt ein anderes Produkt. Bestätigen oder lösen Sie die Verknüpfung.",
    "The page shows another product. Confirm the link or remove it.",
  ),
  variant_open: say(
    "Der Preis erscheint erst nach der Wahl einer Variante. Zeigen Sie ihn einmal.",
    "The price appears once a variant is chosen. Show it once.",
  ),
  blocked: say(
    "Kurant wartet und fragt seltener. Hält es an, bitten Sie den Shop um Zugang.",
    "Kurant waits and asks less often. If it lasts, ask the shop for access.",
  ),
  net_only: say(
    "Stellen Sie beim Shop ein, dass seine Preise ohne USt. sind.",
    "Set in the shop's settings that its prices are without VAT.",
  ),
  third_party: say(
    "Tragen Sie ein, unter welchem Namen der Shop selbst verkauft.",
    "Enter the name under which the shop itself sells.",
  ),
  currency: say(
    "Verglichen wird nur in Ihrer Währung. Verknüpfen Sie die passende Seite.",
    "Only your currency is compared. Link the page that has it.",
  ),
  no_answer: say(
    "Die meisten Aussetzer erledigen sich beim nächsten Abruf.",
    "Most outages are over by the next fetch.",
  ),
  unreadable: say(
    "Die Seite ist zu groß oder keine Webseite. Verknüpfen Sie eine andere.",
    "The page is too large or no web page. Link another one.",
  ),
  robots: say(
    "Kurant hält sich daran. Prüfen Sie die Seiten und lösen Sie ihre Verknüpfungen, oder bitten Sie den Shop um Erlaubnis.",
    "Kurant respects it. Check the pages and remove their links, or ask the shop for permission.",
  ),
};

export const runWords = {
  arrivals: {
    zone: say("Zeiten {zone}", "times in {zone}"),
    good: say("Alle Daten sind da.", "All data is in."),
    partly: say("Die Daten kommen.", "Data is coming in."),
    down: say("Ausfall seit {since}: {shops}", "{shops} down since {since}"),
    others: say("die anderen Daten kommen", "all other data is coming in"),
    othersBut: say(
      "{count} weitere {count|Seite|Seiten} ohne Preis",
      "{count} more {count|page|pages} returned no price",
    ),
    allDown: say("Zurzeit kommen keine Daten.", "No data is coming in."),
    quiet: say(
      "In 24 Stunden wurde nichts abgerufen.",
      "Nothing has been fetched in 24 hours.",
    ),
    fresh: say(
      "{count} von {all} {all|Seite|Seiten} in den letzten 48 Stunden gelesen ({share}).",
      "{count} of {all} {all|page|pages} read in the last 48 hours ({share}).",
    ),
    more: say("{first} und {count} weitere", "{first} and {count} more"),
    strip: say("Letzte 24 Stunden", "Last 24 hours"),
    legend: {
      read: say("gelesen, kräftiger = mehr Seiten", "read, deeper shade = more pages"),
      partly: say("ab {pct} fehlgeschlagen", "{pct} or more failed"),
      failed: say("fehlgeschlagen", "failed"),
      now: say("jetzt", "now"),
    },
    freshHead: say("Preise jünger als 48\u00a0Std.", "prices under 48\u00a0h"),
    nextHead: say("nächster Abruf", "next fetch"),
    full: say(
      "letzter Durchlauf über {count} Seiten am {day}",
      "last round of {count} pages on {day}",
    ),
    fullNone: say("seit 14 Tagen kein vollständiger Durchlauf", "no full round in 14 days"),
    cell: say(
      "{shop}, ab {hour}: {ok} gelesen, {failed} fehlgeschlagen",
      "{shop}, from {hour}: {ok} read, {failed} failed",
    ),
    between: say("Abrufe von {from} bis {to}", "Fetches from {from} to {to}"),
    noneBegan: say("In dieser Stunde begann kein Lauf", "No run began in this hour"),
    allRuns: say("alle zeigen", "show all"),
    none: say("{shop}: kein Abruf in 24 Stunden", "{shop}: no fetch in 24 hours"),
    why: say("Was zuletzt fehlschlug, und warum", "What failed last, and why"),
    whyNone: say("Jede Seite hat einen Preis.", "Every page returned a price."),
    pages: say("{count} {count|Seite|Seiten}", "{count} {count|page|pages}"),
    spread: say("in {count} Shops", "in {count} shops"),
    remedies,
    teach: say("Preis zeigen …", "Show the price …"),
    look: say("{count} {count|Seite|Seiten} prüfen", "Check {count} {count|page|pages}"),
    nothing: say("nichts zu tun", "nothing to do"),
    running: say("Läuft gerade", "Running now"),
    runningMore: say("Weitere laufen oder warten.", "More are running or waiting."),
    last: say("Letzte Läufe", "Last runs"),
    parts: {
      night: say("Nacht", "Night"),
      early: say("Früh", "Early"),
      day: say("Tag", "Day"),
      evening: say("Abend", "Evening"),
    },
    hours: (from: string, to: string) => `${from}:00–${to}:00`,
    runs: say("{count} {count|Lauf|Läufe}", "{count} {count|run|runs}"),
    loadedRuns: say(
      "bisher {count} {count|Lauf|Läufe} geladen",
      "{count} {count|run|runs} loaded so far",
    ),
    failedPages: say("{count} fehlgeschlagen", "{count} failed"),
    byPerson: say("von Hand, {name}", "by hand, {name}"),
  },
};
