import type { Disabler } from "../../shops/offers/offer.ts";
import { de, type Labels } from "./label.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import type { DiscoveryMode, DiscoveryPhase } from "../../shops/choices.ts";

export const linkWords = {
  links: {
    title: de("Verknüpfen").en("Link products"),
    paste: de("Liste einfügen").en("Paste a list"),
    pasteNote: de(
      "eine Zeile je Seite: SKU;URL oder SKU;URL;Packung – auch mit Tabulator und Kopfzeile",
    ).en("one line per page: SKU;URL or SKU;URL;pack – tabs and a header work too"),
    field: de("Zeilen").en("Lines"),
    fieldHint: de(
      "Jede Seite wird einmal gelesen, mit Rücksicht auf den Shop. Verknüpft wird erst, was Sie annehmen.",
    ).en("Each page is read once, at a pace the shop can bear. Only what you accept is linked."),
    start: de("{count Zeile|Zeilen} prüfen lassen").en("Check {count line|lines}"),
    startNone: de("Prüfen lassen").en("Check"),
    checks: de("Prüfungen").en("Checks"),
    checksNote: de("bleiben 30 Tage").en("kept for 30 days"),
    noChecks: de("Noch keine Liste geprüft.").en("No list has been checked yet."),
    check: de("Prüfung vom {at}").en("Check of {at}"),
    columns: {
      at: de("begonnen").en("started"),
      lines: de("Zeilen").en("lines"),
      sure: de("sicher").en("sure"),
      check: de("prüfen").en("to check"),
      wrong: de("falsch").en("wrong"),
      linked: de("verknüpft").en("linked"),
      action: de("Entscheidung").en("Decision"),
      by: de("von").en("by"),
    },
    disablers: {
      person: de("eine Person").en("a person"),
      import: de("einen Import").en("an import"),
    } satisfies Labels<Disabler>,
    pilesLabel: de("Ergebnis der Prüfung").en("Result of the check"),
    progress: de("{done} von {all Zeile|Zeilen} geprüft").en("{done} of {all line|lines} checked"),
    eta: de("noch etwa {duration}").en("about {duration} left"),
    acceptSure: de("Alle sicheren verknüpfen ({count})").en("Link all sure matches ({count})"),
    accept: de("Verknüpfen").en("Link"),
    acceptFull: de("Zeile {line} verknüpfen").en("Link line {line}"),
    drop: de("Beiseite").en("Set aside"),
    dropFull: de("Zeile {line} beiseite legen").en("Set line {line} aside"),
    takeBack: de("Zurückholen").en("Take back"),
    takeBackFull: de("Zeile {line} zurückholen").en("Bring line {line} back"),
    take: de("Übernehmen").en("Use"),
    takeFull: de("In Zeile {line} {sku} übernehmen").en("Use {sku} in line {line}"),
    takeAll: de("Alle {count} ähnlichen SKUs übernehmen und prüfen")
      .en("Use all {count} similar SKUs and check"),
    newShops: de("Shops, die noch fehlen").en("Shops not set up yet"),
    newShop: de("{domain} ({count Zeile|Zeilen})").en("{domain} ({count line|lines})"),
    makeShops: de("{count Shop|Shops} anlegen und Zeilen prüfen")
      .en("Create {count shop|shops} and check the lines"),
    cancel: de("Anhalten").en("Stop"),
    line: de("Zeile {line}").en("Line {line}"),
    emptyTitle: de("Nichts auf diesem Stapel").en("Nothing here"),
    emptyText: de("Wählen Sie oben einen anderen.").en("Choose another group above."),
    goesOnToast: de("Der Rest wird im Hintergrund verknüpft")
      .en("The rest is linked in the background"),
    refusedToast: de("{count Zeile ließ|Zeilen ließen} sich nicht verknüpfen")
      .en("{count line|lines} could not be linked"),
  },
};

export const discoveryWords = {
  review: {
    tabs: de("Verknüpfungen").en("Links"),
    open: de("Vorschläge").en("Suggestions"),
    coverage: de("Abdeckung").en("Coverage"),
    noLinks: de("Ohne Verknüpfung").en("Without a link"),
    soldOut: de("Überall ausverkauft").en("Sold out everywhere"),
    accepted: de("Angenommen").en("Accepted"),
    rejected: de("Abgelehnt").en("Rejected"),
    waiting: de("{all Vorschlag|Vorschläge}: {open} zu prüfen, {sure} sicher")
      .en("{all suggestion|suggestions}: {open} to check, {sure} sure"),
    searching: de("{count Shop wird|Shops werden} noch durchsucht")
      .en("{count shop is|shops are} still being searched"),
    doubtful: de("Zu prüfen").en("To check"),
    sure: de("Sicher").en("Sure"),
    place: de("{at} von {all Vorschlag|Vorschlägen}").en("{at} of {all suggestion|suggestions}"),
    placeOfOpen: de("{at} von {all}, {open} zu prüfen").en("{at} of {all}, {open} to check"),
    previous: de("Voriger Vorschlag").en("Previous suggestion"),
    next: de("Nächster Vorschlag").en("Next suggestion"),
    toReview: de("Vorschläge dieses Shops prüfen").en("Review the suggestions of this shop"),
    tones: {
      same: de("sicher").en("sure"),
      probably: de("prüfen").en("check"),
      unknown: de("prüfen").en("check"),
      different: de("falsch").en("wrong"),
    } satisfies Labels<Verdict>,
    sameTitle: de("gleicher Titel").en("same title"),
    score: de("Titel stimmen zu {text}\u00a0% überein").en("Titles match {text}%"),
    reasons: de("Belege").en("Evidence"),
    sides: {
      for: de("spricht dafür").en("speaks for it"),
      against: de("spricht dagegen").en("speaks against it"),
      doubt: de("unsicher").en("not sure"),
    },
    pieces: de("{count} Stück").en("{count piece|pieces}"),
    ours: {
      equal: de("gleich teuer").en("the same price"),
      cheaper: de("{pct} teurer als wir").en("{pct} more expensive than us"),
      dearer: de("{pct} günstiger als wir").en("{pct} cheaper than us"),
    },
    toPage: de("Seite öffnen").en("Open the page"),
    noGtin: de("Auf der Seite steht keine EAN").en("The page has no EAN"),
    rivals: de("Der Shop hat {count} weitere {count|Seite|Seiten} für dieses Produkt.")
      .en("The shop has {count} other {count|page|pages} for this product."),
    variant: de("Andere Ausführung (zählt nicht)").en("Another version (does not count)"),
    skip: de("Überspringen").en("Skip"),
    space: de("Leertaste").en("Space"),
    takeBack: de("Zurücknehmen").en("Take back"),
    told: {
      accept: de("{sku} mit {shop} verknüpft").en("{sku} linked to {shop}"),
      reject: de("{sku}: Seite von {shop} abgelehnt").en("{sku}: page of {shop} rejected"),
      variant: de("{sku}: bei {shop} nur eine andere Ausführung")
        .en("{sku}: {shop} has another version only"),
    },
    acceptSure: de("Alle sicheren annehmen ({count})").en("Accept all sure matches ({count})"),
    sureTitle: de("{count} sichere Vorschläge verknüpfen?").en("Link {count} sure suggestions?"),
    sureText: de(
      "Gleiche EAN, oder gleiche Marke und Herstellernummer. Was nicht stimmt, lässt sich zurücknehmen.",
    ).en("Same EAN, or same brand and manufacturer’s number. Mistakes can be undone."),
    sureYes: de("{count} verknüpfen").en("Link {count}"),
    going: de("{done} von {all} erledigt").en("{done} of {all} done"),
    sureToast: de("{count Verknüpfung|Verknüpfungen} angelegt").en("{count link|links} created"),
    sureRefused: de("{text} abgewiesen").en("{text} refused"),
    emptyTitle: de("Nichts zu prüfen").en("Nothing to review"),
    emptyText: de(
      "Seiten, die unsere Produkte zeigen könnten, stehen hier, sobald ein Shop durchsucht wird.",
    ).en("Pages that may show our products appear here as soon as a shop has been searched."),
    noneDecided: de("Noch nichts entschieden").en("Nothing was decided yet"),
    noneDecidedText: de(
      "Was Sie unter „Vorschläge“ entscheiden, steht hier und lässt sich zurücknehmen.",
    ).en("What you decide under “Suggestions” appears here, and can be taken back."),
  },
  coverage: {
    title: de("Wie viel vom Sortiment sehen wir?").en("How much of the catalogue do we see?"),
    any: de("In mindestens 1 Shop verknüpft").en("Linked in at least 1 shop"),
    three: de("In mindestens 3 Shops verknüpft").en("Linked in at least 3 shops"),
    ofAll: de("{part} von {all} Produkten").en("{part} of {all} products"),
    without: de("{count} ohne").en("{count} without"),
    linked: de("Verknüpfte Seiten").en("Linked pages"),
    suggested: de("Vorschläge, noch nicht verknüpft").en("Suggestions, not linked yet"),
    certainty: de("{open} zu prüfen, {sure} sicher").en("{open} to check, {sure} sure"),
    byGroup: de("Abdeckung je Shop").en("Coverage by shop"),
    byGroupNote: de("Anteil der Produkte mit verknüpfter Seite; rechts die Zahl der Produkte ohne")
      .en("Share of products with a linked page; on the right, the number of products without one"),
    by: de("Gliedern nach").en("Group by"),
    groups: { brand: de("Marke").en("Brand"), category: de("Kategorie").en("Category") },
    all: de("Alle Produkte").en("All products"),
    noName: de("ohne Angabe").en("not said"),
    cell: de("{name} bei {shop}: {pct} verknüpft, {missing} ohne Verknüpfung")
      .en("{name} at {shop}: {pct} linked, {missing} without"),
    gaps: de("Produkte ohne Verknüpfung").en("Products without a link"),
    emptyTitle: de("Noch kein Shop").en("No shop yet"),
    emptyText: de(
      "Legen Sie Wettbewerber an: dann steht hier, wie viele Produkte dort verknüpft sind.",
    ).en("Create competitors: then this says how many products are linked there."),
    search: de("Seiten suchen lassen …").en("Search for pages …"),
    searchTitle: de("Seiten suchen lassen").en("Search for pages"),
    searchText: de(
      "Die Sitemaps der Shops werden gelesen und ihre Seiten nach und nach besucht, hinter allen anderen Abrufen.",
    ).en(
      "The shops’ sitemaps are read and their pages visited gradually, after all other fetches.",
    ),
    start: de("In {count Shop|Shops} suchen").en("Search {count shop|shops}"),
    started: de("{count Shop wird|Shops werden} durchsucht")
      .en("{count shop is|shops are} searched"),
  },
  discovery: {
    modes: {
      off: de("aus").en("off"),
      suggest: de("vorschlagen").en("suggest"),
      automatic: de("automatisch").en("automatic"),
    } satisfies Labels<DiscoveryMode | "automatic">,
    modeHints: {
      off: de("Es wird nichts gesucht.").en("Nothing is searched."),
      suggest: de("Gefundene Seiten werden vorgeschlagen, Sie entscheiden.")
        .en("Pages that are found are suggested; you decide."),
      automatic: de("Sichere Seiten werden verknüpft, der Rest vorgeschlagen.")
        .en("Sure pages are linked, the rest is suggested."),
    } satisfies Labels<DiscoveryMode | "automatic">,
    mode: de("Modus").en("Mode"),
    phases: {
      off: de("aus").en("off"),
      paused: de("angehalten").en("paused"),
      idle: de("ruht bis morgen").en("idle until tomorrow"),
      reading: de("liest Sitemaps").en("reads sitemaps"),
      ordering: de("ordnet Seiten").en("sorts pages"),
      visiting: de("besucht Seiten").en("visits pages"),
    } satisfies Labels<DiscoveryPhase>,
    none: de("Eingeschaltet findet sie Seiten des Shops zu Ihren Produkten.")
      .en("When on, it finds the shop’s pages for your products."),
    products: de("mit Produkt").en("with a product"),
    foreign: de("auf fremden Hosts, ausgelassen").en("of other hosts, left out"),
    progress: de("{done} von {all Seite|Seiten} besucht").en("{done} of {all page|pages} visited"),
    eta: de("noch {count Tag|Tage}").en("{count day|days} left"),
    readAt: de("Sitemaps gelesen").en("Sitemaps read"),
    lastError: de("zuletzt abgewiesen").en("refused last"),
    errors: {
      unreadable_sitemap: de("Sitemap nicht lesbar").en("Sitemap not readable"),
      cut_sitemap: de("Sitemap zu lang oder abgebrochen: bis dahin gelesen")
        .en("Sitemap too long or broken off: read up to there"),
      too_many_pages: de("kein Platz für noch mehr Seiten: weitere bleiben weg")
        .en("no room for more pages; the rest are left out"),
    },
    settings: de("Einrichten").en("Set up"),
    run: de("Jetzt suchen").en("Search now"),
    pause: de("Anhalten").en("Pause"),
    resume: de("Fortsetzen").en("Go on"),
    begun: de("Die Suche läuft").en("The search is running"),
    stopped: de("Die Suche ist angehalten").en("The search is paused"),
    editTitle: de("Seitensuche: Einstellungen").en("Page search: settings"),
    pagesPerDay: de("Seiten am Tag").en("Pages a day"),
    pagesPerDayHint: de("höchstens die Hälfte dessen, was die fälligen Abrufe übrig lassen")
      .en("half of what the due fetches leave of the day at most"),
    sitemaps: "Sitemaps",
    sitemapsHint: de("eine Adresse je Zeile; leer: was die robots.txt nennt")
      .en("one address per line; empty: what robots.txt names"),
    feeds: "Feeds",
    feedsHint: de("eine Adresse je Zeile, davor merchant_xml oder csv; ohne Besuch der Seiten")
      .en("one address per line, after merchant_xml or csv; no page is visited"),
    searchTemplate: de("Suchadresse").en("Search address"),
    searchTemplateHint: de("mit {query}, wo robots.txt es erlaubt; für Produkte ohne Seite")
      .en("with {query}, where robots.txt allows it; for products without a page"),
    include: de("nur Pfade mit").en("only paths with"),
    exclude: de("ohne Pfade mit").en("no paths with"),
    pathsHint: de("ein Anfang je Zeile, zum Beispiel /produkte/")
      .en("one beginning per line, such as /products/"),
  },
};
