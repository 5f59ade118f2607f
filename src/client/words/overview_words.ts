import { say } from "./label.ts";

export const overviewWords = {
  overview: {
    title: say("Morgen", "Morning"),
    greeting: say("Guten Morgen{name?, #}", "Good morning{name?, #}"),
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
      dearer: say("wir teurer", "we are more expensive"),
      readAt: say("gelesen {at}", "read {at}"),
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
};
