/** Unlinked pages of shops: how they are found, reviewed by people, and what is missing. */
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import type { DiscoveryMode, DiscoveryPhase } from "../../shops/discovery/discovery_choices.ts";
import { type Labels, plural, say } from "./label.ts";

export const discoveryWords = {
  review: {
    tabs: say("Verknüpfungen", "Links"),
    open: say("Prüfen", "Review"),
    coverage: say("Abdeckung", "Coverage"),
    noLinks: say("Ohne Verknüpfung", "Without a link"),
    soldOut: say("Überall ausverkauft", "Sold out everywhere"),
    accepted: say("Angenommen", "Accepted"),
    rejected: say("Abgelehnt", "Rejected"),
    waiting: say("{text} zu prüfen", "{text} to review"),
    toReview: say("Vorschläge dieses Shops prüfen", "Review the suggestions of this shop"),
    list: say("Vorschläge", "Suggestions"),
    more: say("Mehr laden", "Load more"),
    tones: {
      same: say("sicher", "sure"),
      probably: say("prüfen", "check"),
      unknown: say("prüfen", "check"),
      different: say("falsch", "wrong"),
    } satisfies Labels<Verdict>,
    score: say("Titel: {text} von 100", "Titles: {text} of 100"),
    reasons: say("Belege", "Evidence"),
    sides: {
      for: say("spricht dafür", "speaks for it"),
      against: say("spricht dagegen", "speaks against it"),
      doubt: say("unsicher", "not sure"),
    },
    pack: say("Packung", "Pack"),
    pieces: say(
      (count: number, text: string) => `${text} ${plural(count, "Stück", "Stück")}`,
      (count, text) => `${text} ${plural(count, "piece", "pieces")}`,
    ),
    toPage: say("Seite öffnen", "Open the page"),
    rivals: say(
      (count: number, text: string) =>
        `Der Shop hat ${text} weitere ${plural(count, "Seite", "Seiten")} für dieses Produkt.`,
      (count, text) =>
        `The shop has ${text} other ${plural(count, "page", "pages")} for this product.`,
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
    nothingToUndo: say("Nichts zurückzunehmen", "Nothing to take back"),
    acceptSure: say("Alle sicheren annehmen ({count})", "Accept all sure ones ({count})"),
    sureTitle: say("{count} sichere Vorschläge verknüpfen?", "Link {count} sure suggestions?"),
    sureText: say(
      "Gleiche GTIN, oder gleiche Marke und Herstellernummer. Was nicht stimmt, lässt sich zurücknehmen.",
      "The same GTIN, or the same brand and manufacturer’s number. What is wrong can be taken back.",
    ),
    sureYes: say("{count} verknüpfen", "Link {count}"),
    going: say("{done} von {all} erledigt", "{done} of {all} done"),
    stop: say("Anhalten", "Stop"),
    sureTold: say(
      (count: number, text: string) =>
        `${text} ${plural(count, "Verknüpfung", "Verknüpfungen")} angelegt`,
      (count, text) => `${text} ${plural(count, "link", "links")} made`,
    ),
    sureRefused: say("{text} abgewiesen", "{text} refused"),
    emptyTitle: say("Nichts zu prüfen", "Nothing to review"),
    emptyText: say(
      "Seiten, die unsere Produkte zeigen könnten, stehen hier, sobald ein Shop durchsucht wird.",
      "Pages that may show our products stand here as soon as a shop is searched.",
    ),
    noneDecided: say("Noch nichts entschieden", "Nothing was decided yet"),
  },
  coverage: {
    title: say("Wie viel vom Sortiment sehen wir?", "How much of the catalogue do we see?"),
    any: say("mindestens 1 Vergleich", "at least 1 comparison"),
    three: say("mindestens 3 Vergleiche", "at least 3 comparisons"),
    ofAll: say("{part} von {all}", "{part} of {all}"),
    products: say(
      (count: number, text: string) => `${text} ${plural(count, "Produkt", "Produkte")}`,
      (count, text) => `${text} ${plural(count, "product", "products")}`,
    ),
    confirmed: say("sichere Verknüpfungen", "sure links"),
    ofLinks: say("von {all} Verknüpfungen", "of {all} links"),
    toReview: say("zu prüfen", "to review"),
    reviewNow: say("jetzt prüfen", "review now"),
    byGroup: say("Abdeckung je Shop", "Coverage by shop"),
    byGroupNote: say(
      "Anteil der Produkte mit verknüpfter Seite; eine Zelle öffnet die Lücken",
      "share of products with a linked page; a cell opens the gaps",
    ),
    by: say("Gliedern nach", "Group by"),
    groups: {
      brand: say("Marke", "Brand"),
      category: say("Kategorie", "Category"),
    },
    count: say("Produkte", "Products"),
    all: say("Alle Produkte", "All products"),
    noName: say("ohne Angabe", "not said"),
    rest: say("{text} weitere", "{text} more"),
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
      "The sitemaps of the shops are read and their pages visited bit by bit, behind all other fetches.",
    ),
    shops: "Shops",
    start: say(
      (count: number, text: string) => `In ${text} ${plural(count, "Shop", "Shops")} suchen`,
      (count, text) => `Search ${text} ${plural(count, "shop", "shops")}`,
    ),
    started: say(
      (count: number, text: string) =>
        `${text} ${plural(count, "Shop wird", "Shops werden")} durchsucht`,
      (count, text) => `${text} ${plural(count, "shop is", "shops are")} searched`,
    ),
  },
  discovery: {
    title: say("Seiten finden", "Finding pages"),
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
      idle: say("ruht bis morgen", "rests until tomorrow"),
      reading: say("liest Sitemaps", "reads sitemaps"),
      ordering: say("ordnet Seiten", "sorts pages"),
      visiting: say("besucht Seiten", "visits pages"),
    } satisfies Labels<DiscoveryPhase>,
    none: say("Noch nicht gesucht.", "Nothing was searched yet."),
    products: say("mit Produkt", "with a product"),
    foreign: say("auf fremden Hosts, ausgelassen", "of other hosts, left out"),
    progress: say("{done} von {all} Seiten besucht", "{done} of {all} pages visited"),
    eta: say(
      (days: number, text: string) => `noch ${text} ${plural(days, "Tag", "Tage")}`,
      (days, text) => `${text} ${plural(days, "day", "days")} left`,
    ),
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
        "no room for more pages: further ones are left out",
      ),
    },
    settings: say("Einstellen", "Set up"),
    run: say("Jetzt suchen", "Search now"),
    pause: say("Anhalten", "Pause"),
    resume: say("Fortsetzen", "Go on"),
    begun: say("Die Suche läuft", "The search is running"),
    stopped: say("Die Suche ist angehalten", "The search is paused"),
    editTitle: say("Seiten finden: Einstellungen", "Finding pages: settings"),
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
