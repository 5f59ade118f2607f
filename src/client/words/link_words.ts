/** Texts of link checks, in which pasted links are checked and sorted by outcome. */
import type {
  CheckOutcome,
  LineError,
  LineStatus,
} from "../../scraping/link_checks/check_codes.ts";
import type { Disabler } from "../../shops/offers/offer.ts";
import { codes, type Labels, say } from "./label.ts";

export const linkWords = {
  links: {
    title: say("Verknüpfen", "Link products"),
    paste: say("Liste einfügen", "Paste a list"),
    pasteNote: say(
      "eine Zeile je Seite: SKU;URL oder SKU;URL;Packung – auch mit Tabulator und Kopfzeile",
      "one line per page: SKU;URL or SKU;URL;pack – tabs and a header work too",
    ),
    field: say("Zeilen", "Lines"),
    fieldHint: say(
      "Jede Seite wird einmal gelesen, mit Rücksicht auf den Shop. Verknüpft wird erst, was Sie annehmen.",
      "Each page is read once, at a pace the shop can bear. Only what you accept is linked.",
    ),
    choose: say("Datei wählen", "Choose a file"),
    dropHere: say("Datei hier ablegen", "Drop a file here"),
    start: say("{count} {count|Zeile|Zeilen} prüfen lassen", "Check {count} {count|line|lines}"),
    startNone: say("Prüfen lassen", "Check"),
    tooLarge: say(
      "Die Datei ist größer als 8 MB: bitte teilen.",
      "The file is larger than 8 MB: please split it.",
    ),
    checks: say("Prüfungen", "Checks"),
    checksNote: say("bleiben 30 Tage", "kept for 30 days"),
    noChecks: say("Noch keine Liste geprüft.", "No list has been checked yet."),
    check: say("Prüfung vom {at}", "Check of {at}"),
    columns: {
      at: say("begonnen", "started"),
      lines: say("Zeilen", "lines"),
      sure: say("sicher", "sure"),
      check: say("prüfen", "to check"),
      wrong: say("falsch", "wrong"),
      linked: say("verknüpft", "linked"),
      product: say("Produkt", "Product"),
      page: say("Seite", "Page"),
      why: say("Befund", "Finding"),
      price: say("Preis", "Price"),
      action: say("Entscheidung", "Decision"),
      by: say("von", "by"),
    },
    states: {
      queued: say("wartet", "waits"),
      running: say("läuft", "running"),
      succeeded: say("fertig", "done"),
      failed: say("abgebrochen", "failed"),
      cancelled: say("angehalten", "stopped"),
    },
    disablers: {
      person: say("eine Person", "a person"),
      import: say("einen Import", "an import"),
    } satisfies Labels<Disabler>,
    piles: codes.checkOutcomes satisfies Labels<CheckOutcome>,
    pilesLabel: say("Ergebnis der Prüfung", "Result of the check"),
    open: say("{text} offen", "{text} open"),
    progress: say(
      "{done} von {all} {all|Zeile|Zeilen} geprüft",
      "{done} of {all} {all|line|lines} checked",
    ),
    eta: say("noch etwa {duration}", "about {duration} left"),
    acceptSure: say("Alle sicheren verknüpfen ({count})", "Link all sure matches ({count})"),
    accept: say("Verknüpfen", "Link"),
    acceptFull: say("Zeile {line} verknüpfen", "Link line {line}"),
    drop: say("Beiseite", "Set aside"),
    dropFull: say("Zeile {line} beiseite legen", "Set line {line} aside"),
    takeBack: say("Zurückholen", "Take back"),
    takeBackFull: say("Zeile {line} zurückholen", "Bring line {line} back"),
    meant: say("Meinten Sie {skus}?", "Did you mean {skus}?"),
    take: say("Übernehmen", "Use"),
    takeFull: say("In Zeile {line} {sku} übernehmen", "Use {sku} in line {line}"),
    takeAll: say(
      "Alle {count} ähnlichen SKUs übernehmen und prüfen",
      "Use all {count} similar SKUs and check",
    ),
    newShops: say("Shops, die noch fehlen", "Shops not set up yet"),
    newShop: say(
      "{domain} ({count} {count|Zeile|Zeilen})",
      "{domain} ({count} {count|line|lines})",
    ),
    makeShops: say(
      "{count} {count|Shop|Shops} anlegen und Zeilen prüfen",
      "Create {count} {count|shop|shops} and check the lines",
    ),
    cancel: say("Anhalten", "Stop"),
    line: say("Zeile {line}", "Line {line}"),
    statuses: codes.lineStatuses satisfies Labels<LineStatus>,
    lineErrors: codes.lineFaults satisfies Labels<LineError>,
    emptyTitle: say("Nichts auf diesem Stapel", "Nothing here"),
    emptyText: say("Wählen Sie oben einen anderen.", "Choose another group above."),
    linkedToast: say(
      "{count} {count|Verknüpfung|Verknüpfungen} angelegt",
      "{count} {count|link|links} created",
    ),
    goesOnToast: say(
      "Der Rest wird im Hintergrund verknüpft",
      "The rest is linked in the background",
    ),
    refusedToast: say(
      "{count} {count|Zeile ließ|Zeilen ließen} sich nicht verknüpfen",
      "{count} {count|line|lines} could not be linked",
    ),
  },
};
