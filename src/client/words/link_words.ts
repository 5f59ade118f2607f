/**
 * Texts about links between products and pages of shops: the check of pasted links, suggested
 * links, their coverage, and the search for pages.
 */
import type {
  CheckOutcome,
  LineError,
  LineStatus,
} from "../../scraping/link_checks/check_codes.ts";
import type { Disabler } from "../../shops/offers/offer.ts";
import { codes, type Labels, say } from "./label.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import type { DiscoveryMode, DiscoveryPhase } from "../../shops/discovery/discovery_choices.ts";

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

export const discoveryWords = {
  review: {
    tabs: say("Verknüpfungen", "Links"),
    open: say("Vorschläge", "Suggestions"),
    coverage: say("Abdeckung", "Coverage"),
    noLinks: say("Ohne Verknüpfung", "Without a link"),
    soldOut: say("Überall ausverkauft", "Sold out everywhere"),
    accepted: say("Angenommen", "Accepted"),
    rejected: say("Abgelehnt", "Rejected"),
    waiting: say(
      "{all} {all|Vorschlag|Vorschläge}: {open} zu prüfen, {sure} sicher",
      "{all} {all|suggestion|suggestions}: {open} to check, {sure} sure",
    ),
    searching: say(
      "{count} {count|Shop wird|Shops werden} noch durchsucht",
      "{count} {count|shop is|shops are} still being searched",
    ),
    doubtful: say("Zu prüfen", "To check"),
    sure: say("Sicher", "Sure"),
    place: say(
      "{at} von {all} {all|Vorschlag|Vorschlägen}",
      "{at} of {all} {all|suggestion|suggestions}",
    ),
    placeOfOpen: say("{at} von {all}, {open} zu prüfen", "{at} of {all}, {open} to check"),
    previous: say("Voriger Vorschlag", "Previous suggestion"),
    next: say("Nächster Vorschlag", "Next suggestion"),
    toReview: say("Vorschläge dieses Shops prüfen", "Review the suggestions of this shop"),
    tones: {
      same: say("sicher", "sure"),
      probably: say("prüfen", "check"),
      unknown: say("prüfen", "check"),
      different: say("falsch", "wrong"),
    } satisfies Labels<Verdict>,
    sameTitle: say("gleicher Titel", "same title"),
    score: say("Titel stimmen zu {text}\u00a0% überein", "Titles match {text}%"),
    reasons: say("Belege", "Evidence"),
    sides: {
      for: say("spricht dafür", "speaks for it"),
      against: say("spricht dagegen", "speaks against it"),
      doubt: say("unsicher", "not sure"),
    },
    pieces: say("{count} Stück", "{count} {count|piece|pieces}"),
    ours: {
      equal: say("gleich teuer", "the same price"),
      cheaper: say("{pct} teurer als wir", "{pct} more expensive than us"),
      dearer: say("{pct} günstiger als wir", "{pct} cheaper than us"),
    },
    toPage: say("Seite öffnen", "Open the page"),
    noGtin: say("Auf der Seite steht keine EAN", "The page has no EAN"),
    rivals: say(
      "Der Shop hat {count} weitere {count|Seite|Seiten} für dieses Produkt.",
      "The shop has {count} other {count|page|pages} for this product.",
    ),
    variant: say("Andere Ausführung (zählt nicht)", "Another version (does not count)"),
    skip: say("Überspringen", "Skip"),
    space: say("Leertaste", "Space"),
    takeBack: say("Zurücknehmen", "Take back"),
    told: {
      accept: say("{sku} mit {shop} verknüpft", "{sku} linked to {shop}"),
      reject: say("{sku}: Seite von {shop} abgelehnt", "{sku}: page of {shop} rejected"),
      variant: say(
        "{sku}: bei {shop} nur eine andere Ausführung",
        "{sku}: {shop} has another version only",
      ),
    },
    acceptSure: say("Alle sicheren annehmen ({count})", "Accept all sure matches ({count})"),
    sureTitle: say("{count} sichere Vorschläge verknüpfen?", "Link {count} sure suggestions?"),
    sureText: say(
      "Gleiche EAN, oder gleiche Marke und Herstellernummer. Was nicht stimmt, lässt sich zurücknehmen.",
      "Same EAN, or same brand and manufacturer’s number. Mistakes can be undone.",
    ),
    sureYes: say("{count} verknüpfen", "Link {count}"),
    going: say("{done} von {all} erledigt", "{done} of {all} done"),
    sureToast: say(
      "{count} {count|Verknüpfung|Verknüpfungen} angelegt",
      "{count} {count|link|links} created",
    ),
    sureRefused: say("{text} abgewiesen", "{text} refused"),
    emptyTitle: say("Nichts zu prüfen", "Nothing to review"),
    emptyText: say(
      "Seiten, die unsere Produkte zeigen könnten, stehen hier, sobald ein Shop durchsucht wird.",
      "Pages that may show our products appear here as soon as a shop has been searched.",
    ),
    noneDecided: say("Noch nichts entschieden", "Nothing was decided yet"),
    noneDecidedText: say(
      "Was Sie unter „Vorschläge“ entscheiden, steht hier und lässt sich zurücknehmen.",
      "What you decide under “Suggestions” appears here, and can be taken back.",
    ),
  },
  coverage: {
    title: say("Wie viel vom Sortiment sehen wir?", "How much of the catalogue do we see?"),
    any: say("In mindestens 1 Shop verknüpft", "Linked in at least 1 shop"),
    three: say("In mindestens 3 Shops verknüpft", "Linked in at least 3 shops"),
    ofAll: say("{part} von {all} Produkten", "{part} of {all} products"),
    without: say("{count} ohne", "{count} without"),
    linked: say("Verknüpfte Seiten", "Linked pages"),
    suggested: say("Vorschläge, noch nicht verknüpft", "Suggestions, not linked yet"),
    certainty: say("{open} zu prüfen, {sure} sicher", "{open} to check, {sure} sure"),
    byGroup: say("Abdeckung je Shop", "Coverage by shop"),
    byGroupNote: say(
      "Anteil der Produkte mit verknüpfter Seite; rechts die Zahl der Produkte ohne",
      "Share of products with a linked page; on the right, the number of products without one",
    ),
    by: say("Gliedern nach", "Group by"),
    groups: {
      brand: say("Marke", "Brand"),
      category: say("Kategorie", "Category"),
    },
    all: say("Alle Produkte", "All products"),
    noName: say("ohne Angabe", "not said"),
    cell: say(
      "{name} bei {shop}: {pct} verknüpft, {missing} ohne Verknüpfung",
      "{name} at {shop}: {pct} linked, {missing} without",
    ),
    gaps: say("Produkte ohne Verknüpfung", "Products without a link"),
    emptyTitle: say("Noch kein Shop", "No shop yet"),
    emptyText: say(
      "Legen Sie Wettbewerber an: dann steht hier, wie viele Produkte dort verknüpft sind.",
      "Create competitors: then this says how many products are linked there.",
    ),
    search: say("Seiten suchen lassen …", "Search for pages …"),
    searchTitle: say("Seiten suchen lassen", "Search for pages"),
    searchText: say(
      "Die Sitemaps der Shops werden gelesen und ihre Seiten nach und nach besucht, hinter allen anderen Abrufen.",
      "The shops’ sitemaps are read and their pages visited gradually, after all other fetches.",
    ),
    start: say("In {count} {count|Shop|Shops} suchen", "Search {count} {count|shop|shops}"),
    started: say(
      "{count} {count|Shop wird|Shops werden} durchsucht",
      "{count} {count|shop is|shops are} searched",
    ),
  },
  discovery: {
    modes: {
      off: say("aus", "off"),
      suggest: say("vorschlagen", "suggest"),
      automatic: say("automatisch", "automatic"),
    } satisfies Labels<DiscoveryMode | "automatic">,
    modeHints: {
      off: say("Es wird nichts gesucht.", "Nothing is searched."),
      suggest: say(
        "Gefundene Seiten werden vorgeschlagen, Sie entscheiden.",
        "Pages that are found are suggested; you decide.",
      ),
      automatic: say(
        "Sichere Seiten werden verknüpft, der Rest vorgeschlagen.",
        "Sure pages are linked, the rest is suggested.",
      ),
    } satisfies Labels<DiscoveryMode | "automatic">,
    mode: say("Modus", "Mode"),
    phases: {
      off: say("aus", "off"),
      paused: say("angehalten", "paused"),
      idle: say("ruht bis morgen", "idle until tomorrow"),
      reading: say("liest Sitemaps", "reads sitemaps"),
      ordering: say("ordnet Seiten", "sorts pages"),
      visiting: say("besucht Seiten", "visits pages"),
    } satisfies Labels<DiscoveryPhase>,
    none: say(
      "Eingeschaltet findet sie Seiten des Shops zu Ihren Produkten.",
      "When on, it finds the shop’s pages for your products.",
    ),
    products: say("mit Produkt", "with a product"),
    foreign: say("auf fremden Hosts, ausgelassen", "of other hosts, left out"),
    progress: say(
      "{done} von {all} {all|Seite|Seiten} besucht",
      "{done} of {all} {all|page|pages} visited",
    ),
    eta: say("noch {count} {count|Tag|Tage}", "{count} {count|day|days} left"),
    readAt: say("Sitemaps gelesen", "Sitemaps read"),
    lastError: say("zuletzt abgewiesen", "refused last"),
    errors: {
      unreadable_sitemap: say("Sitemap nicht lesbar", "Sitemap not readable"),
      cut_sitemap: say(
        "Sitemap zu lang oder abgebrochen: bis dahin gelesen",
        "Sitemap too long or broken off: read up to there",
      ),
      too_many_pages: say(
        "kein Platz für noch mehr Seiten: weitere bleiben weg",
        "no room for more pages; the rest are left out",
      ),
    },
    settings: say("Einrichten", "Set up"),
    run: say("Jetzt suchen", "Search now"),
    pause: say("Anhalten", "Pause"),
    resume: say("Fortsetzen", "Go on"),
    begun: say("Die Suche läuft", "The search is running"),
    stopped: say("Die Suche ist angehalten", "The search is paused"),
    editTitle: say("Seitensuche: Einstellungen", "Page search: settings"),
    pagesPerDay: say("Seiten am Tag", "Pages a day"),
    pagesPerDayHint: say(
      "höchstens die Hälfte dessen, was die fälligen Abrufe übrig lassen",
      "half of what the due fetches leave of the day at most",
    ),
    sitemaps: "Sitemaps",
    sitemapsHint: say(
      "eine Adresse je Zeile; leer: was die robots.txt nennt",
      "one address per line; empty: what robots.txt names",
    ),
    feeds: "Feeds",
    feedsHint: say(
      "eine Adresse je Zeile, davor merchant_xml oder csv; ohne Besuch der Seiten",
      "one address per line, after merchant_xml or csv; no page is visited",
    ),
    searchTemplate: say("Suchadresse", "Search address"),
    searchTemplateHint: say(
      "mit {query}, wo robots.txt es erlaubt; für Produkte ohne Seite",
      "with {query}, where robots.txt allows it; for products without a page",
    ),
    include: say("nur Pfade mit", "only paths with"),
    exclude: say("ohne Pfade mit", "no paths with"),
    pathsHint: say(
      "ein Anfang je Zeile, zum Beispiel /produkte/",
      "one beginning per line, such as /products/",
    ),
  },
};
