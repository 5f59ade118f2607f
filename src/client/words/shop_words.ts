import { type Labels, say } from "./label.ts";
import type { RepairCause } from "../../shops/offers/offer.ts";

export const shopWords = {
  shops: {
    counts: {
      well: say("{count} gut lesbar", "{count} readable"),
      partly: say("{count} teilweise", "{count} partly"),
      slow: say("{count} langsam", "{count} slow"),
      down: say("{count} {count|fällt|fallen} aus", "{count} down"),
      empty: say("{count} ohne Seite", "{count} without a page"),
      idle: say("{count} {count|ruht|ruhen}", "{count} idle"),
      off: say("{count} ausgeschaltet", "{count} switched off"),
    },
    states: {
      well: say("gut lesbar", "readable"),
      partly: say("teilweise lesbar", "partly readable"),
      slow: say("langsam", "slow"),
      down: say("fällt aus", "down"),
      empty: say("noch keine Seite", "no page yet"),
      idle: say("ruht", "idle"),
      off: say("ausgeschaltet", "switched off"),
    },
    groups: {
      needs: say("Zu erledigen", "Needs attention"),
      runs: say("Läuft", "Running"),
      off: say("Ausgeschaltet", "Switched off"),
    },
    columns: {
      reads: say("Lesbar?", "Readable?"),
      days: say("14 Tage", "14 days"),
      compared: say("Verglichen / verknüpft", "Compared / linked"),
      index: say("Wir gegen den Shop", "Us vs. shop"),
      month: say("heute; Linie: 30 Tage", "today; line: 30 days"),
      next: say("Nächster Abruf", "Next fetch"),
      todo: say("Zu tun", "To do"),
    },
    since: say("seit {since}", "since {since}"),
    without: say("{count} zuletzt ohne Preis", "{count} without a price at last fetch"),
    forbidden: say(
      "robots.txt verbietet {count} {count|Seite|Seiten}",
      "robots.txt forbids {count} {count|page|pages}",
    ),
    slow: say(
      "{due} Abrufe am Tag geplant, Platz ist für {most}",
      "{due} fetches a day planned, room for {most}",
    ),
    few: say("auf {share} Ihres Sortiments", "on {share} of your catalogue"),
    noPages: say(
      "Gelesen wird, sobald eine Seite verknüpft ist.",
      "Reading begins once a page is linked.",
    ),
    notFetched: say("in 24 Stunden kein Abruf", "no fetch in 24 hours"),
    ofPages: say("von {linked} {linked|Seite|Seiten}", "of {linked} {linked|page|pages}"),
    meter: say(
      "{compared} von {linked} verknüpften Seiten verglichen",
      "{compared} of {linked} linked pages compared",
    ),
    daysLabel: say(
      "Gelesen an 14 Tagen: im Mittel {mean}, heute {today}",
      "Read on 14 days: {mean} on average, {today} today",
    ),
    trendLabel: say("Preisindex von 30 Tagen, jetzt {now}", "price index of 30 days, now {now}"),
    dearer: say("wir im Mittel teurer", "we are more expensive on average"),
    cheaper: say("wir im Mittel günstiger", "we are cheaper on average"),
    level: say("wir im Mittel gleich", "we are level on average"),
    dearerAt: say(
      "bei {count} {count|Produkt|Produkten} teurer",
      "more expensive on {count} {count|product|products}",
    ),
    lastRead: say("Preise vom {at}", "prices from {at}"),
    countedUntil: say("zählten bis {at}", "counted until {at}"),
    notCounting: say("zählt zurzeit nicht", "does not count now"),
    perDay: say("{count} {count|Seite|Seiten} am Tag", "{count} {count|page|pages} a day"),
    now: say("fällig", "due now"),
    slower: say("Takt ändern", "Change the interval"),
    find: say("Seiten suchen", "Find pages"),
    found: say("Funde prüfen", "Check the finds"),
    begun: say("{shop}: Seiten werden gesucht", "{shop}: looking for pages"),
    legend: say(
      "Säulen: gelungene Abrufe je Tag, blass bei wenigen. Balken: verknüpfte Seiten, deren Preis heute zählt (lieferbar, jünger als 48 Stunden). Gestrichelt: Index 100.",
      "Daily bars: fetches that succeeded, pale if few. Long bar: linked pages whose price counts today (in stock, under 48 hours). Dashed: index 100.",
    ),
    figures: {
      fresh: say("Preise jünger als 48 Std.", "Prices under 48 hours old"),
      freshOf: say("{count} von {all} {all|Preis|Preisen}", "{count} of {all} {all|price|prices}"),
      compared: say("Produkte mit Vergleich", "Products compared"),
      index: say("Preisindex (100 = Markt)", "Price index (100 = market)"),
      indexThen: say(
        "vor {days} {days|Tag|Tagen}: {value}",
        "{days} {days|day|days} ago: {value}",
      ),
      without: say("Seiten zuletzt ohne Preis", "No price at last fetch"),
      none: say("alle mit Preis", "every page returned one"),
    },
    check: {
      add: say("Shop hinzufügen", "Add a shop"),
      label: say(
        "Adresse eines Shops oder einer Produktseite",
        "Address of a shop or of a product page",
      ),
      button: say("Adresse prüfen", "Check the address"),
      noAddress: say("Das ist keine Webadresse.", "This is no web address."),
      known: say("Diesen Shop gibt es schon:", "This shop is there already:"),
      took: say("in {time} geprüft", "checked in {time}"),
      allowed: say("Abruf erlaubt (robots.txt)", "Fetching is allowed (robots.txt)"),
      forbidden: say(
        "robots.txt verbietet den Abruf, und Kurant hält sich daran. Bitten Sie den Shop um Erlaubnis, oder nehmen Sie einen anderen.",
        "robots.txt forbids fetching, and Kurant respects it. Ask the shop for permission, or take another one.",
      ),
      price: say("Preis gelesen: {price}", "Price read: {price}"),
      shipping: say("Versand: {price}", "Shipping: {price}"),
      free: say("Versand kostenlos", "Free shipping"),
      noShipping: say("Versand nicht gefunden", "Shipping not found"),
      title: say("Gelesen: {title}", "Read: {title}"),
      noPrice: say(
        "Kein Preis auf dieser Seite; Produktseiten sucht Kurant nach dem Anlegen.",
        "No price on this page; Kurant looks for product pages once the shop is created.",
      ),
      create: say("Anlegen und Seiten suchen", "Create and find pages"),
      createOnly: say("Trotzdem anlegen", "Create anyway"),
    },
    emptyText: say(
      "Fügen Sie oben die Adresse eines Shops oder einer Produktseite ein, zum Beispiel https://www.mediamarkt.de. Angelegt wird erst, wenn Sie es sagen.",
      "Paste the address of a shop or of a product page above, such as https://www.mediamarkt.de. Nothing is created before you say so.",
    ),
  },
};

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
    pages: say("{count} {count|Seite|Seiten}", "{count} {count|page|pages}"),
    remedies,
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
