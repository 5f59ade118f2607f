/** Texts of the overview, alerts, mails, runs, webhooks and import profiles. */

import type { PageStatus } from "../../engine/extraction/page_status.ts";
import { termsDe, termsEn } from "../../engine/wording/terms.ts";
import type {
  CurrentRow,
  DateFormat,
  GROUP_PATHS,
  LINK_PATHS,
  NumberFormat,
  PRICE_PATHS,
  SALE_PATHS,
  Transform,
} from "../../imports/choices.ts";
import type { PublicEventType } from "../../platform/events/public_events.ts";
import type { ScrapeError } from "../../scraping/runs/run.ts";
import { codes, columns, type Labels, plural, say, sayAll } from "./label.ts";

type PathIn<Part extends { readonly [Need in "required" | "optional"]: readonly string[] }> =
  Part["required" | "optional"][number];

const errors: Labels<ScrapeError> = sayAll(termsDe.scrapeErrors, termsEn.scrapeErrors);

const pageStatuses: Labels<PageStatus> = sayAll(termsDe.pageStatuses, termsEn.pageStatuses);

const events: Labels<PublicEventType> = {
  "rule.fired": say("Eine Regel hat ausgelöst", "A rule has triggered"),
  "proposal.created": say("Ein Vorschlag ist entstanden", "A proposal was made"),
  "proposal.decided": say("Über einen Vorschlag ist entschieden", "A proposal was decided"),
  "price.changed": say("Ein eigener Preis hat sich geändert", "One of our prices has changed"),
  "observation.changed": say(
    "Ein Wettbewerber hat Preis oder Verfügbarkeit geändert",
    "A competitor has changed price or stock",
  ),
  "import.finished": say("Ein Import ist zu Ende", "An import has ended"),
  "scrape_run.finished": say("Ein Abruf ist zu Ende", "A fetch has ended"),
  "match.suggested": say(
    "Seiten, die unsere Produkte zeigen könnten, sind gefunden",
    "Pages that may show our products are found",
  ),
  "match.linked": say("Ein Produkt ist mit einer Seite verknüpft", "A product is linked to a page"),
  "match.mismatch": say(
    "Eine verknüpfte Seite zeigt ein anderes Produkt",
    "A linked page shows another product",
  ),
  "alert.raised": say("Es gibt eine neue Meldung", "There is a new alert"),
};

export const watchWords = {
  overview: {
    title: say("Morgen", "Morning"),
    greeting: say(
      (name: string | null) => name === null ? "Guten Morgen" : `Guten Morgen, ${name}`,
      (name) => name === null ? "Good morning" : `Good morning, ${name}`,
    ),
    welcome: say("Willkommen", "Welcome"),
    since: say("Seit {time}", "Since {time}"),
    sinceVisit: say("Seit Ihrem letzten Besuch, {time}", "Since your last visit, {time}"),
    spans: {
      "1": say("Seit 24 Stunden", "Last 24 hours"),
      "3": say("Seit 3 Tagen", "Last 3 days"),
      "7": say("Seit 7 Tagen", "Last 7 days"),
      "30": say("Seit 30 Tagen", "Last 30 days"),
    },
    next: say("Als Nächstes:", "Up next:"),
    nextSteps: {
      expiring: say(
        "{count} {count|Vorschlag läuft|Vorschläge laufen} heute ab.",
        "{count} {count|proposal expires|proposals expire} today.",
      ),
      expiringNote: say(
        "Ohne Entscheidung bleiben die Preise, wie sie sind.",
        "Without a decision, prices stay as they are.",
      ),
      held: say("Ein Import ist angehalten: {why}.", "An import is held: {why}."),
      toHeld: say("Import prüfen", "Review the import"),
      late: say(
        "Die Datei des ERP fehlt seit mehr als {hours} Stunden.",
        "The ERP file has been missing for more than {hours} hours.",
      ),
      lateNote: say(
        "Bis sie kommt, rechnen Regeln mit den letzten bekannten Preisen und Kosten.",
        "Until it comes, rules work with the last known prices and costs.",
      ),
      failingNote: say(
        "Keiner seiner Preise zählt noch: Regeln vergleichen ohne diesen Shop.",
        "None of its prices count any more: rules compare without this shop.",
      ),
      open: say(
        "{count} {count|Vorschlag wartet|Vorschläge warten} auf Sie.",
        "{count} {count|proposal is|proposals are} waiting for you.",
      ),
      none: say("Nichts ist dringend.", "Nothing is urgent."),
      noneNote: say(
        "Kein Vorschlag wartet, die Daten sind da.",
        "No proposal is waiting, and the data are here.",
      ),
      decide: say(
        "{count} {count|Vorschlag|Vorschläge} entscheiden",
        "Decide {count} {count|proposal|proposals}",
      ),
      toImports: say("Zu den Importen", "To the imports"),
      toMarket: say("Zum Markt", "To the market"),
    },
    position: {
      title: say("Wo stehen wir?", "Where do we stand?"),
      compared: say(
        "{count} {count|Produkt|Produkte} mit Vergleich",
        "{count} {count|product|products} compared",
      ),
      index: say("Preisindex {index}", "Price index {index}"),
      indexBefore: say(
        "(vor {days} {days|Tag|Tagen}: {index})",
        "({days} {days|day|days} ago: {index})",
      ),
      names: {
        cheapest: say("günstigster", "cheapest"),
        middle: say("im Mittelfeld", "in the middle"),
        dearest: say("teuerster", "most expensive"),
      },
      today: say("heute: {share}", "today: {share}"),
      scale: say(
        "Alle drei von 0 bis {high}; gestrichelt: vor {days} {days|Tag|Tagen}",
        "All three from 0 to {high}; dotted: {days} {days|day|days} ago",
      ),
      points: say("{points} Pkt.", "{points} pts"),
      noTrend: say("Verlauf erscheint ab 3 Tagen", "The trend appears once there are 3 days"),
      table: say("Verlauf", "Trend"),
      day: say("Tag", "Day"),
      indexColumn: say("Preisindex", "Price index"),
      room: say("{text} mit Spielraum nach oben", "{text} with headroom"),
      margin: say("{text} unter {pct} Marge", "{text} below {pct} margin"),
      states: {
        no_links: say("ohne Verknüpfung", "without a link"),
        unreadable: say("nicht lesbar", "unreadable"),
        never_seen: say("noch nie gesehen", "never seen"),
        not_comparable: say("nicht vergleichbar", "not comparable"),
        stale: say("nur veraltete Preise", "only stale prices"),
        sold_out: say("überall ausverkauft", "sold out everywhere"),
      },
      none: say("Noch kein Produkt hat einen Vergleich.", "No product is compared yet."),
    },
    data: {
      title: say("Stand der Daten", "Data status"),
      shops: "Shops",
      erp: say("ERP-Datei", "ERP file"),
      file: say("Datei", "file"),
      sourceStates: {
        came: say("übernommen:", "applied:"),
        late: say("überfällig, zuletzt:", "overdue, last one:"),
        missing: say("kam nicht, zuletzt:", "did not arrive, last one:"),
        refused: say("nicht übernommen:", "not applied:"),
        undone: say("zurückgenommen:", "undone:"),
      },
      held: say("Angehalten:", "Held:"),
      never: say("Noch keine ERP-Datei", "No ERP file yet"),
      changed: say("{updated} geändert, {inserted} neu", "{updated} changed, {inserted} new"),
      share: say(
        "Balken: Preise jünger als {hours} Stunden; rechts: wann die meisten gelesen wurden.",
        "Bars: prices younger than {hours} hours; right: when most of them were read.",
      ),
      fresh: say(
        "{shop}: {fresh} von {links} {links|Preis|Preisen} {links|ist|sind} frisch",
        "{shop}: {fresh} of {links} {links|price|prices} {links|is|are} fresh",
      ),
      failing: say("{count} nicht lesbar", "{count} unreadable"),
      stale: say("{count} veraltet", "{count} stale"),
      down: say("fällt seit {since} aus", "down since {since}"),
      noShops: say("Noch kein Shop ist verknüpft.", "No shop is linked yet."),
    },
    index: {
      title: say("Preisindex je Kategorie und Shop", "Price index by category and shop"),
      cheaper: say("wir günstiger", "we are cheaper"),
      dearer: say("wir teurer", "we are more expensive"),
      readAt: say("gelesen {at}", "read {at}"),
      market: say("Markt", "Market"),
      compared: say("verglichen", "compared"),
      basis: say(
        "100 = Durchschnitt der Angebote, die zählen; bei einem Shop: sein Preis",
        "100 = average of the offers that count; for a shop: its price",
      ),
      few: say("weniger als 5 Vergleiche", "fewer than 5 comparisons"),
      empty: say(
        "Sobald Produkte mit Kategorie einen Vergleich haben, steht hier der Preisindex.",
        "The price index appears here as soon as products with a category are compared.",
      ),
    },
    moves: {
      title: say("Größte Bewegungen", "Biggest moves"),
      since: say("seit {time}", "since {time}"),
      all: say("alle {text}", "all {text}"),
      atLeast: say("mindestens {text}", "at least {text}"),
      groups: {
        down: say("{count} {count|Preis|Preise}", "{count} {count|price|prices}"),
        up: say("{count} {count|Preis|Preise}", "{count} {count|price|prices}"),
        back_in_stock: say(
          "{count} Artikel wieder lieferbar",
          "{count} {count|product|products} back in stock",
        ),
        sold_out: say(
          "{count} Artikel nicht mehr lieferbar",
          "{count} {count|product|products} sold out",
        ),
        new_offer: say(
          "{count} {count|neues Angebot|neue Angebote}",
          "{count} {count|new offer|new offers}",
        ),
      },
      within: (what: string, category: string) => `${what} in ${category}`,
      ofShop: say("alle {count} bei {shop}", "all {count} at {shop}"),
      undercutUs: say("unterbietet uns bei {text}", "undercuts us on {text}"),
      withRoom: say("Spielraum bei {text}", "headroom on {text}"),
      step: (from: string, to: string) => `${from} → ${to}`,
      mean: say("im Mittel", "on average"),
      order: say(
        "Je Shop die stärkste Gruppe, Shops nach Zahl der Bewegungen",
        "The strongest group of each shop; shops by number of moves",
      ),
      rest: say("{text} bei weiteren Shops", "{text} at other shops"),
      none: say("Seitdem hat sich nichts bewegt.", "Nothing has moved since."),
    },
    effect: {
      title: say("Vorschläge nach Wirkung", "Proposals by effect"),
      open: say(
        "{text} offen · Ertrag in 30 Tagen, wenn der Absatz gleich bleibt",
        "{text} open · 30-day profit if unit sales stay the same",
      ),
      all: say("alle entscheiden", "decide all"),
      none: say(
        "Nichts wartet. Neue Vorschläge erscheinen hier, sobald eine Regel einen macht.",
        "Nothing is waiting. New proposals appear here as soon as a rule makes one.",
      ),
      columns: {
        change: say("Änderung", "Change"),
        marginAfter: say("Marge danach", "New margin"),
        rankAfter: say("Rang danach", "New rank"),
      },
      rank: (rank: string, of: string) => `${rank}/${of}`,
    },
  },
  morningMail: {
    note: say("Ab {time} Uhr, an ruhigen Tagen keine", "From {time}; none on quiet days"),
    isOn: say("Die Seite „Morgen“ als Mail bekommen", "Get the “Morning” page by email"),
    test: say("Mail von heute schicken", "Send today’s email"),
  },
  alerts: {
    title: say("Meldungen", "Alerts"),
    openCount: say(
      (count: number) => `${count} offene ${plural(count, "Ursache", "Ursachen")}`,
      (count: number) => `${count} open ${plural(count, "cause", "causes")}`,
    ),
    emptyTitle: say("Keine Meldungen", "No alerts"),
    emptyText: say(
      "Hier melden sich Regeln mit der Aktion „in der App melden“, gescheiterte Importe und Shops, die nicht antworten.",
      "Alerts from rules, failed imports and unreachable shops appear here.",
    ),
    rules: say("Zu den Regeln", "To the rules"),
    noneTitle: say("Keine Meldung passt zu diesem Filter", "No alert matches this filter"),
    noneText: say(
      "Leeren Sie den Filter, um alle zu sehen.",
      "Clear the filter to see all of them.",
    ),
    severities: sayAll(termsDe.severities, termsEn.severities),
    state: say("Zeigen", "Show"),
    states: {
      "": say("Alle", "All"),
      "true": say("Ungelesene", "Unread"),
      "false": say("Gelesene", "Read"),
    },
    columns: {
      title: say("Meldung", "Alert"),
      at: say("Wann", "When"),
      mail: say("E-Mail", "Email"),
    },
    mails: codes.mails,
    isUnread: say("ungelesen", "unread"),
    detail: say("Meldung", "Alert"),
    system: say("Der Dienst selbst", "Kurant"),
    source: say("Von", "From"),
    product: say("Produkt ansehen", "See the product"),
    toImport: say("Zum Import", "View the import"),
    ofProduct: say("Alle Meldungen zum Produkt", "All alerts of the product"),
    ofRule: say("Alle Meldungen der Regel", "All alerts of the rule"),
  },
  runs: {
    title: say("Abrufe", "Fetches"),
    nav: say("Abrufe", "Fetches"),
    emptyTitle: say("Noch kein Abruf", "No fetch yet"),
    emptyText: say(
      "Ein Abruf besucht die verknüpften Seiten eines Produkts. Er beginnt von selbst, sobald ein Produkt verknüpft ist, oder auf der Produktseite mit „Jetzt abrufen“.",
      "A fetch visits the linked pages of a product. It starts automatically once a product is linked, or with “Fetch now” on the product page.",
    ),
    toProducts: say("Zu den Produkten", "To the products"),
    noneTitle: say("Kein Abruf passt zu diesem Filter", "No fetch matches this filter"),
    noneText: say(
      "Leeren Sie den Filter, um alle zu sehen.",
      "Clear the filter to see all of them.",
    ),
    states: codes.jobStates,
    withErrors: say("teils gelesen", "partly read"),
    triggers: codes.runTriggers,
    columns: {
      targets: columns.targets,
      ok: columns.ok,
      failed: say("Fehler", "Failed"),
      skipped: say("ausgelassen", "skipped"),
      trigger: say("Anlass", "Trigger"),
      at: say("Begonnen", "Started"),
      took: say("Dauer", "Duration"),
    },
    title1: say("Abruf {sku}", "Fetch {sku}"),
    toProduct: say("Zum Produkt", "To the product"),
    cancel: say("Abbrechen", "Cancel fetch"),
    progress: say(
      "{done} von {total} {total|Seite|Seiten}",
      "{done} of {total} {total|page|pages}",
    ),
    waiting: say("Wartet, bis die Shops an der Reihe sind", "Waiting for its turn at the shops"),
    results: say("Ergebnisse", "Results"),
    noResults: say("Noch kein Ergebnis", "No result yet"),
    noTargets: say(
      "Das Produkt hat keine eingeschaltete Verknüpfung. Verknüpfen Sie auf der Produktseite die Seite eines Wettbewerbers.",
      "The product has no active link. Link a competitor’s page on the product page.",
    ),
    resultStates: codes.visitResults,
    resultColumns: {
      state: say("Ergebnis", "Result"),
      others: say("Auch gefunden", "Also found"),
      took: say("Dauer", "Duration"),
      reason: say("Warum", "Why"),
    },
    now: say("Jetzt abrufen", "Fetch now"),
    finished: say(
      "Abruf fertig: {ok} von {targets} {targets|Seite|Seiten} gelesen",
      "Fetch done: {ok} of {targets} {targets|page|pages} read",
    ),
    details: say("Ergebnisse ansehen", "See the results"),
    errors,
    pageStatuses,
    pageWarnings: {
      selector_dead: say(
        "Der Selektor findet den Preis nicht mehr",
        "The selector no longer finds the price",
      ),
    },
    pageIs: say("Die Seite ist", "The page is"),
    variant: say("Gelesen für", "Read for"),
    listPrice: say("Früherer oder empfohlener Preis", "Former or recommended price"),
    lowest30: say("Tiefster Preis in 30 Tagen", "Lowest price of 30 days"),
    seller: say("Verkäufer", "Seller"),
    test: say("Seite probeweise lesen", "Read the page as a test"),
    testNote: say(
      "Liest die Seite einmal und speichert nichts.",
      "Reads the page once and stores nothing.",
    ),
    testOk: say("Gelesen: {price}", "Read: {price}"),
    testFailed: say("Kein Preis gelesen", "No price was read"),
    stock: say("Verfügbar", "In stock"),
  },
  health: {
    title: say("Abruf der letzten 24 Stunden", "Scraping in the last 24 hours"),
    column: say("Abruf 24 Std.", "Scraped 24 h"),
    counts: say("{ok} gelesen, {failed} Fehler", "{ok} read, {failed} failed"),
    idle: say("nichts abgerufen", "nothing scraped"),
    due: say("Abrufe am Tag nach Plan", "Scrapes per day by schedule"),
    perDayMax: say("Höchstens möglich", "At most possible"),
    stretched: say(
      "Mehr Abrufe geplant, als die Pause zwischen zwei Anfragen zulässt: Die Abstände werden länger.",
      "More fetches are planned than the pause between requests allows, so intervals get longer.",
    ),
  },
  webhooks: {
    title: "Webhooks",
    create: say("Webhook anlegen", "New webhook"),
    emptyTitle: say("Noch kein Webhook", "No webhook yet"),
    emptyText: say(
      "Ein Webhook schickt Ereignisse wie eine Preisänderung sofort an Ihr ERP, statt dass es danach fragt.",
      "A webhook sends events such as a price change to your ERP at once, so that the ERP need not poll.",
    ),
    columns: {
      url: say("Adresse", "Address"),
      events: say("Ereignisse", "Events"),
      state: say("Zustand", "State"),
      since: say("Seit", "Since"),
    },
    states: {
      on: say("an", "on"),
      off: say("aus", "off"),
      failing: say("kommt nicht an", "does not arrive"),
      disabled: say("vom Dienst abgeschaltet", "disabled by the service"),
    },
    urlHint: say(
      "Zum Beispiel https://erp.example/hooks/kurant",
      "For example https://erp.example/hooks/kurant",
    ),
    events,
    eventsLabel: say("Ereignisse", "Events"),
    enabled: say("Eingeschaltet", "Enabled"),
    editTitle: "Webhook",
    made: say("Ihr neuer Webhook", "Your new webhook"),
    madeText: say(
      "Mit diesem Geheimnis prüft der Empfänger die Signatur. Es wird nur jetzt gezeigt.",
      "The receiver checks the signature with this secret. It is shown only now.",
    ),
    secret: say("Geheimnis", "Secret"),
    rotate: say("Geheimnis austauschen", "Rotate the secret"),
    rotateSure: say("Geheimnis austauschen?", "Rotate the secret?"),
    rotateText: say(
      "Sie bekommen ein neues Geheimnis. 24 Stunden lang wird mit beiden unterschrieben.",
      "You get a new secret. For 24 hours each event is signed with both.",
    ),
    test: say("Probe senden", "Send a test"),
    tested: say("Die Probe ist unterwegs", "The test is on its way"),
    remove: say("Webhook löschen?", "Delete the webhook?"),
    removeText: say(
      "Es wird nichts mehr an diese Adresse geschickt.",
      "Nothing more is sent to this address.",
    ),
    failingSince: say(
      "Seit {since} kommt nichts an. Nach drei Tagen wird der Webhook abgeschaltet.",
      "Nothing has arrived since {since}. After three days the webhook is disabled.",
    ),
    disabledAt: say(
      "Am {at} abgeschaltet, weil drei Tage lang nichts ankam. Einschalten versucht es neu.",
      "Disabled on {at}, because nothing arrived for three days. Enabling it tries again.",
    ),
    deliveries: say("Zustellungen", "Deliveries"),
    deliveriesNote: say("Die letzten 30 Tage", "The last 30 days"),
    noDeliveries: say(
      "Noch nichts zugestellt. „Probe senden“ schickt ein Ereignis zum Testen.",
      "Nothing delivered yet. “Send a test” sends an event to try it.",
    ),
    deliveryColumns: {
      event: say("Ereignis", "Event"),
      state: say("Zustand", "State"),
      tries: say("Versuche", "Tries"),
      answer: say("Letzte Antwort", "Last answer"),
    },
    deliveryStates: {
      pending: say("unterwegs", "on its way"),
      delivered: say("zugestellt", "delivered"),
      failed: say("gescheitert", "failed"),
    },
    resend: say("Erneut senden", "Send again"),
    resent: say("Wird noch einmal gesendet", "Resending"),
    more: say("Weitere laden", "Load more"),
  },
  mail: {
    title: say("E-Mail", "Email"),
    text: say("Schickt eine Probe an Ihre eigene Adresse.", "Sends a test to your own address."),
    send: say("Probe-Mail senden", "Send a test email"),
    sent: say(
      "Der Mailserver hat die Probe an {to} angenommen.",
      "The mail server accepted the test email to {to}.",
    ),
    failed: say(
      "Der Mailserver hat die Probe nicht angenommen.",
      "The mail server did not accept the test email.",
    ),
    off: say(
      "Es ist kein Mailserver eingerichtet (SMTP_URL). Meldungen erscheinen nur in der App.",
      "No mail server is configured (SMTP_URL). Alerts appear only in the app.",
    ),
  },
  profiles: {
    title: say("Importprofile", "Import profiles"),
    create: say("Profil anlegen", "Create a profile"),
    note: say(
      "Ein Profil sagt, wie eine Datei aufgebaut ist.",
      "A profile says how a file is structured.",
    ),
    columns: {
      name: "Name",
      id: say("Kennung", "ID"),
      root: say("Liest", "Reads"),
      kind: say("Art", "Kind"),
    },
    aTable: "CSV, Excel, JSON",
    builtInNames: {
      bmecat: say("BMEcat 1.2 und 2005", "BMEcat 1.2 and 2005"),
      "erp-default": say("Artikelexport des ERP", "ERP item export"),
    },
    builtIn: say("eingebaut", "built in"),
    own: say("eigenes", "own"),
    newTitle: say("Neues Importprofil", "New import profile"),
    viewTitle: say("Importprofil", "Import profile"),
    builtInNote: say(
      "Eingebaute Profile lassen sich nicht ändern. Legen Sie eine Kopie an.",
      "Built-in profiles cannot be changed. Create a copy.",
    ),
    builtInTableNote: say(
      "Dieses eingebaute Profil liest CSV, Excel und JSON. Es wird an den Spalten der Datei erkannt.",
      "This built-in profile reads CSV, Excel and JSON. It is recognised by the columns of the file.",
    ),
    tableNote: say(
      "Dieses Profil enthält mehr, als diese Seite zeigen kann. Ändern lässt es sich über die Schnittstelle.",
      "This profile contains more than this page can show. Change it through the API.",
    ),
    copy: say("Kopie anlegen", "Create a copy"),
    idHint: say(
      "Kleinbuchstaben, Ziffern und Bindestriche; später nicht mehr änderbar",
      "Lower-case letters, digits and hyphens; cannot be changed later",
    ),
    isThere: say("Steht in der Datei", "Is in the file"),
    required: say("{label} (nötig)", "{label} (required)"),
    transform: say("Umformen", "Transform"),
    transforms: {
      "": say("wie es ist", "as it is"),
      upper: say("in Großbuchstaben", "upper case"),
      lower: say("in Kleinbuchstaben", "lower case"),
      digits: say("nur Ziffern", "digits only"),
      strip_leading_zeros: say("ohne führende Nullen", "without leading zeros"),
    } satisfies Labels<Transform | "">,
    groups: {
      name: say("Profil", "Profile"),
      record: say("Datei und Datensatz", "File and record"),
      fields: say("Felder", "Fields"),
      prices: say("Preise", "Prices"),
      links: say("Seiten der Wettbewerber", "Pages of competitors"),
      groups: say("Kategoriebaum", "Category tree"),
      writing: say("Schreibweisen", "Formats"),
    },
    labels: {
      root: say("Wurzelelement", "Root element"),
      namespace: say("Namensraum", "Namespace"),
      itemPath: say("Weg zum Datensatz", "Path to the record"),
      groupItems: say(
        "Gleiche SKU hintereinander ist ein Datensatz",
        "Consecutive rows with the same SKU are one record",
      ),
      prices: {
        path: say("Weg zur Preiszeile", "Path to the price row"),
        amount: say("Betrag", "Amount"),
        tier: say("Preisgruppe", "Price tier"),
        currency: say("Währung", "Currency"),
        minQty: say("Mindestmenge", "Minimum quantity"),
        validFrom: say("Gültig ab", "Valid from"),
        validUntil: say("Gültig bis", "Valid until"),
        quantity: say("Preis gilt für so viele Stück", "Units the price is for"),
      } satisfies Labels<PathIn<typeof PRICE_PATHS>>,
      current: say("Heute gültig ist", "Valid today"),
      defaultTier: say("Preisgruppe für „Unser Preis“", "Price tier of “our price”"),
      alsoCostPrice: say(
        "Preisgruppen, die auch Einkauf sind",
        "Price tiers that are also the cost",
      ),
      alsoTargetPrice: say(
        "Preisgruppen, die auch Zielpreis sind",
        "Price tiers that are also the target",
      ),
      firstTierCounts: say(
        "Ist keine Preisgruppe genannt, zählt die erste der Datei",
        "If no tier is named, the first one in the file counts",
      ),
      sale: {
        amount: say("Aktionspreis", "Sale price"),
        from: say("Aktion ab", "Sale from"),
        until: say("Aktion bis", "Sale until"),
        range: say("Aktion: beide Tage in einem Text", "Sale: both days in one text"),
      } satisfies Labels<PathIn<typeof SALE_PATHS>>,
      currencyInAmount: say(
        "Die Währung steht beim Betrag",
        "The currency is next to the amount",
      ),
      links: {
        path: say("Weg zur Verknüpfung", "Path to the link"),
        url: say("Adresse", "Address"),
        name: say("Name des Wettbewerbers", "Name of the competitor"),
        domain: "Domain",
        enabled: say("Eingeschaltet (J/N)", "Switched on (Y/N)"),
      } satisfies Labels<PathIn<typeof LINK_PATHS>>,
      groups: {
        path: say("Weg zur Gruppe", "Path to the group"),
        id: say("Nummer der Gruppe", "Id of the group"),
        name: say("Name der Gruppe", "Name of the group"),
        memberPath: say("Weg zur Zuordnung", "Path to the membership"),
        memberSku: say("SKU der Zuordnung", "SKU of the membership"),
        memberGroup: say("Gruppe der Zuordnung", "Group of the membership"),
      } satisfies Labels<PathIn<typeof GROUP_PATHS>>,
      numberFormat: say("Zahlen", "Numbers"),
      zeroIsEmpty: say("Ein Preis von 0,00 zählt als leer", "A price of 0.00 counts as empty"),
      openEnd: say("Auch „ohne Ende“ heißt", "“Without end” is also written"),
      fileCurrency: say("Währung der ganzen Datei", "Currency of the whole file"),
      mode: say("Löschkennzeichen", "Deletion flag"),
    },
    hints: {
      root: say("* für jedes", "* for any"),
      optional: say("Freiwillig", "Optional"),
      itemPath: say(
        "Von der Wurzel, zum Beispiel KATALOG/ARTIKEL",
        "From the root, for example CATALOGUE/ARTICLE",
      ),
      groupItems: say(
        "Für Dateien, die je Preis eine Zeile haben",
        "For files with a row per price",
      ),
      fields: say(
        "Wege ab dem Datensatz: A/B, @attribut, A[@t='x']/B; mit | stehen mehrere zur Wahl. Leer: nicht in der Datei.",
        "Paths start at the record: A/B, @attribute, A[@t='x']/B; | separates alternatives. Empty: not in the file.",
      ),
      prices: say(
        "Der erste Weg geht vom Datensatz aus, die übrigen von der Preiszeile.",
        "The first path starts at the record, the others at the price row.",
      ),
      groups: say(
        "Alle Wege gehen von der Wurzel oder ihrer Zeile aus und sind nötig.",
        "All paths start at the root or at their row, and all are required.",
      ),
      defaultTier: say("Leer: die des Datensatzes", "Empty: the one in the record"),
      commaList: say("Mit Komma getrennt", "Separated by commas"),
      zeroIsEmpty: say(
        "Der gespeicherte Preis bleibt; sonst wird 0 gespeichert",
        "The stored price stays; otherwise 0 is stored",
      ),
      openEnd: say(
        "Zum Beispiel 01.01.2099; mit Komma getrennt",
        "For example 01.01.2099; separated by commas",
      ),
      mode: say(
        "Steht dort „delete“, wird das Produkt gelöscht",
        "If it says “delete”, the product is deleted",
      ),
    },
    currents: {
      open_end: say("die Zeile ohne Enddatum", "the row without an end date"),
      today: say("die Zeile, deren Zeitraum heute einschließt", "the row whose dates hold today"),
    } satisfies Labels<CurrentRow>,
    numbers: {
      de: say("deutsch: 1.234,56", "German: 1.234,56"),
      en: say("englisch: 1,234.56", "English: 1,234.56"),
      auto: say("an jeder Zahl erkennen", "detected for each number"),
    } satisfies Labels<NumberFormat>,
    dates: {
      "D.M.Y": "31.12.2026",
      "Y-M-D": "2026-12-31",
      YMD: "20261231",
    } satisfies Labels<
      DateFormat
    >,
    asJson: say("Als JSON", "As JSON"),
    file: say("Beispieldatei wählen", "Choose a sample file"),
    fileHint: say(
      "Wählen Sie eine echte Datei: Hier steht, was das Profil daraus liest. Importiert wird nichts.",
      "Choose a real file to see what the profile reads from it. Nothing is imported.",
    ),
    suggest: say("Leere Felder aus der Datei vorschlagen", "Fill empty fields from the file"),
    preview: say("Vorschau", "Preview"),
    incomplete: say(
      "Sobald das Profil vollständig ist, erscheint die Vorschau.",
      "The preview appears as soon as the profile is complete.",
    ),
    records: say("Erste Datensätze", "First records"),
    readOf: say(
      "von {count} {count|Datensatz|Datensätzen} gelesen",
      "of {count} {count|record|records} read",
    ),
    refused: say("abgelehnt", "refused"),
    warnings: say(
      (count: string) => `${count} ${plural(Number(count), "Hinweis", "Hinweise")}`,
      (count) => `${count} ${plural(Number(count), "warning", "warnings")}`,
    ),
    noRecords: say(
      "Der Weg zum Datensatz findet in dieser Datei nichts.",
      "The path to the record matches nothing in this file.",
    ),
    remove: say("Profil löschen?", "Delete the profile?"),
    removeText: say(
      "Künftige Importe können es nicht mehr benutzen.",
      "Future imports can no longer use it.",
    ),
  },
};
