import { de, type Labels } from "./label.ts";
import type { RepairCause } from "../../shops/offers/offer.ts";

export const shopWords = {
  shops: {
    counts: {
      well: de("{count} gut lesbar").en("{count} readable"),
      partly: de("{count} teilweise").en("{count} partly"),
      slow: de("{count} langsam").en("{count} slow"),
      down: de("{count fällt|fallen} aus").en("{count} down"),
      empty: de("{count} ohne Seite").en("{count} without a page"),
      idle: de("{count ruht|ruhen}").en("{count} idle"),
      off: de("{count} ausgeschaltet").en("{count} switched off"),
    },
    states: {
      well: de("gut lesbar").en("readable"),
      partly: de("teilweise lesbar").en("partly readable"),
      slow: de("langsam").en("slow"),
      down: de("fällt aus").en("down"),
      empty: de("noch keine Seite").en("no page yet"),
      idle: de("ruht").en("idle"),
      off: de("ausgeschaltet").en("switched off"),
    },
    groups: {
      needs: de("Zu erledigen").en("Needs attention"),
      runs: de("Läuft").en("Running"),
      off: de("Ausgeschaltet").en("Switched off"),
    },
    columns: {
      reads: de("Lesbar?").en("Readable?"),
      days: de("14 Tage").en("14 days"),
      compared: de("Verglichen / verknüpft").en("Compared / linked"),
      index: de("Wir gegen den Shop").en("Us vs. shop"),
      month: de("heute; Linie: 30 Tage").en("today; line: 30 days"),
      next: de("Nächster Abruf").en("Next fetch"),
      todo: de("Zu tun").en("To do"),
    },
    since: de("seit {since}").en("since {since}"),
    without: de("{count} zuletzt ohne Preis").en("{count} without a price at last fetch"),
    forbidden: de("robots.txt verbietet {count Seite|Seiten}")
      .en("robots.txt forbids {count page|pages}"),
    slow: de("{due} Abrufe am Tag geplant, Platz ist für {most}")
      .en("{due} fetches a day planned, room for {most}"),
    few: de("auf {share} Ihres Sortiments").en("on {share} of your catalogue"),
    noPages: de("Gelesen wird, sobald eine Seite verknüpft ist.")
      .en("Reading begins once a page is linked."),
    notFetched: de("in 24 Stunden kein Abruf").en("no fetch in 24 hours"),
    ofPages: de("von {linked Seite|Seiten}").en("of {linked page|pages}"),
    meter: de("{compared} von {linked} verknüpften Seiten verglichen")
      .en("{compared} of {linked} linked pages compared"),
    daysLabel: de("Gelesen an 14 Tagen: im Mittel {mean}, heute {today}")
      .en("Read on 14 days: {mean} on average, {today} today"),
    trendLabel: de("Preisindex von 30 Tagen, jetzt {now}").en("price index of 30 days, now {now}"),
    dearer: de("wir im Mittel teurer").en("we are more expensive on average"),
    cheaper: de("wir im Mittel günstiger").en("we are cheaper on average"),
    level: de("wir im Mittel gleich").en("we are level on average"),
    dearerAt: de("bei {count Produkt|Produkten} teurer")
      .en("more expensive on {count product|products}"),
    lastRead: de("Preise vom {at}").en("prices from {at}"),
    notCounting: de("zählt zurzeit nicht").en("does not count now"),
    perDay: de("{count Seite|Seiten} am Tag").en("{count page|pages} a day"),
    now: de("fällig").en("due now"),
    slower: de("Takt ändern").en("Change the interval"),
    find: de("Seiten suchen").en("Find pages"),
    found: de("Funde prüfen").en("Check the finds"),
    begun: de("{shop}: Seiten werden gesucht").en("{shop}: looking for pages"),
    legend: de(
      "Säulen: gelungene Abrufe je Tag. Balken: verknüpfte Seiten, deren Preis heute zählt (lieferbar, jünger als 48 Stunden). Gestrichelt: Index 100.",
    ).en(
      "Daily bars: fetches that succeeded. Long bar: linked pages whose price counts today (in stock, under 48 hours). Dashed: index 100.",
    ),
    figures: {
      fresh: de("Preise jünger als 48 Std.").en("Prices under 48 hours old"),
      freshOf: de("{count} von {all Preis|Preisen}").en("{count} of {all price|prices}"),
      compared: de("Produkte mit Vergleich").en("Products compared"),
      index: de("Preisindex (100 = Markt)").en("Price index (100 = market)"),
      indexThen: de("vor {days Tag|Tagen}: {value}").en("{days day|days} ago: {value}"),
      without: de("Seiten zuletzt ohne Preis").en("No price at last fetch"),
      none: de("alle mit Preis").en("every page returned one"),
    },
    check: {
      add: de("Shop hinzufügen").en("Add a shop"),
      label: de("Adresse eines Shops oder einer Produktseite")
        .en("Address of a shop or of a product page"),
      button: de("Adresse prüfen").en("Check the address"),
      noAddress: de("Das ist keine Webadresse.").en("This is no web address."),
      known: de("Diesen Shop gibt es schon:").en("This shop is there already:"),
      took: de("in {time} geprüft").en("checked in {time}"),
      allowed: de("Abruf erlaubt (robots.txt)").en("Fetching is allowed (robots.txt)"),
      forbidden: de(
        "robots.txt verbietet den Abruf, und Kurant hält sich daran. Bitten Sie den Shop um Erlaubnis, oder nehmen Sie einen anderen.",
      ).en(
        "robots.txt forbids fetching, and Kurant respects it. Ask the shop for permission, or take another one.",
      ),
      price: de("Preis gelesen: {price}").en("Price read: {price}"),
      shipping: de("Versand: {price}").en("Shipping: {price}"),
      free: de("Versand kostenlos").en("Free shipping"),
      noShipping: de("Versand nicht gefunden").en("Shipping not found"),
      title: de("Gelesen: {title}").en("Read: {title}"),
      noPrice: de("Kein Preis auf dieser Seite; Produktseiten sucht Kurant nach dem Anlegen.")
        .en("No price on this page; Kurant looks for product pages once the shop is created."),
      create: de("Anlegen und Seiten suchen").en("Create and find pages"),
      createOnly: de("Trotzdem anlegen").en("Create anyway"),
    },
    emptyText: de(
      "Fügen Sie oben die Adresse eines Shops oder einer Produktseite ein, zum Beispiel https://www.mediamarkt.de. Angelegt wird erst, wenn Sie es sagen.",
    ).en(
      "Paste the address of a shop or of a product page above, such as https://www.mediamarkt.de. Nothing is created before you say so.",
    ),
  },
};

const remedies: Labels<RepairCause> = {
  nothing_found: de("Zeigen Sie auf einer Seite, wo der Preis steht; dann liest Kurant alle.")
    .en("Show on one page where the price is; Kurant then reads them all."),
  two_prices: de("Zeigen Sie einmal, welcher Preis gilt; das gilt dann für den ganzen Shop.")
    .en("Show once which price counts; it then holds for the whole shop."),
  layout_changed: de("Der Shop hat umgebaut. Zeigen Sie den Preis an seiner neuen Stelle.")
    .en("The shop was rebuilt. Show the price in its new place."),
  gone: de("Steht das Produkt unter neuer Adresse, verknüpfen Sie diese.")
    .en("If the product has a new address, link that one."),
  listing: de("Verknüpft ist eine Übersicht. Wählen Sie die Seite des Artikels.")
    .en("A list is linked. Choose the page of the article."),
  other_product: de(
    "Die Seite zeigt ein anderes Produkt. Bestätigen oder lösen Sie die Verknüpfung.",
  ).en("The page shows another product. Confirm the link or remove it."),
  variant_open: de("Der Preis erscheint erst nach der Wahl einer Variante. Zeigen Sie ihn einmal.")
    .en("The price appears once a variant is chosen. Show it once."),
  blocked: de("Kurant wartet und fragt seltener. Hält es an, bitten Sie den Shop um Zugang.")
    .en("Kurant waits and asks less often. If it lasts, ask the shop for access."),
  net_only: de("Stellen Sie beim Shop ein, dass seine Preise ohne USt. sind.")
    .en("Set in the shop's settings that its prices are without VAT."),
  third_party: de("Tragen Sie ein, unter welchem Namen der Shop selbst verkauft.")
    .en("Enter the name under which the shop itself sells."),
  currency: de("Verglichen wird nur in Ihrer Währung. Verknüpfen Sie die passende Seite.")
    .en("Only your currency is compared. Link the page that has it."),
  no_answer: de("Die meisten Aussetzer erledigen sich beim nächsten Abruf.")
    .en("Most outages are over by the next fetch."),
  unreadable: de("Die Seite ist zu groß oder keine Webseite. Verknüpfen Sie eine andere.")
    .en("The page is too large or no web page. Link another one."),
  robots: de(
    "Kurant hält sich daran. Prüfen Sie die Seiten und lösen Sie ihre Verknüpfungen, oder bitten Sie den Shop um Erlaubnis.",
  ).en(
    "Kurant respects it. Check the pages and remove their links, or ask the shop for permission.",
  ),
};

export const runWords = {
  arrivals: {
    zone: de("Zeiten {zone}").en("times in {zone}"),
    good: de("Alle Daten sind da.").en("All data is in."),
    partly: de("Die Daten kommen.").en("Data is coming in."),
    down: de("Ausfall seit {since}: {shops}").en("{shops} down since {since}"),
    others: de("die anderen Daten kommen").en("all other data is coming in"),
    othersBut: de("{count} weitere {count|Seite|Seiten} ohne Preis")
      .en("{count} more {count|page|pages} returned no price"),
    allDown: de("Zurzeit kommen keine Daten.").en("No data is coming in."),
    quiet: de("In 24 Stunden wurde nichts abgerufen.").en("Nothing has been fetched in 24 hours."),
    fresh: de("{count} von {all Seite|Seiten} in den letzten 48 Stunden gelesen ({share}).")
      .en("{count} of {all page|pages} read in the last 48 hours ({share})."),
    more: de("{first} und {count} weitere").en("{first} and {count} more"),
    strip: de("Letzte 24 Stunden").en("Last 24 hours"),
    legend: {
      read: de("gelesen, kräftiger = mehr Seiten").en("read, deeper shade = more pages"),
      partly: de("ab {pct} fehlgeschlagen").en("{pct} or more failed"),
      failed: de("fehlgeschlagen").en("failed"),
      now: de("jetzt").en("now"),
    },
    freshHead: de("Preise jünger als 48\u00a0Std.").en("prices under 48\u00a0h"),
    nextHead: de("nächster Abruf").en("next fetch"),
    cell: de("{shop}, ab {hour}: {ok} gelesen, {failed} fehlgeschlagen")
      .en("{shop}, from {hour}: {ok} read, {failed} failed"),
    between: de("Abrufe von {from} bis {to}").en("Fetches from {from} to {to}"),
    noneBegan: de("In dieser Stunde begann kein Lauf").en("No run began in this hour"),
    allRuns: de("alle zeigen").en("show all"),
    none: de("{shop}: kein Abruf in 24 Stunden").en("{shop}: no fetch in 24 hours"),
    why: de("Was zuletzt fehlschlug, und warum").en("What failed last, and why"),
    pages: de("{count Seite|Seiten}").en("{count page|pages}"),
    remedies,
    look: de("{count Seite|Seiten} prüfen").en("Check {count page|pages}"),
    nothing: de("nichts zu tun").en("nothing to do"),
    running: de("Läuft gerade").en("Running now"),
    runningMore: de("Weitere laufen oder warten.").en("More are running or waiting."),
    last: de("Letzte Läufe").en("Last runs"),
    parts: {
      night: de("Nacht").en("Night"),
      early: de("Früh").en("Early"),
      day: de("Tag").en("Day"),
      evening: de("Abend").en("Evening"),
    },
    hours: (from: string, to: string) => `${from}:00–${to}:00`,
    runs: de("{count Lauf|Läufe}").en("{count run|runs}"),
    loadedRuns: de("bisher {count Lauf|Läufe} geladen").en("{count run|runs} loaded so far"),
    failedPages: de("{count} fehlgeschlagen").en("{count} failed"),
    byPerson: de("von Hand, {name}").en("by hand, {name}"),
  },
};
