import { de } from "./label.ts";

export const overviewWords = {
  overview: {
    title: de("Morgen").en("Morning"),
    greeting: de("Guten Morgen{name?, #}").en("Good morning{name?, #}"),
    welcome: de("Willkommen").en("Welcome"),
    since: de("Seit {time}").en("Since {time}"),
    sinceVisit: de("Seit Ihrem letzten Besuch, {time}").en("Since your last visit, {time}"),
    spans: {
      "1": de("Seit 24 Stunden").en("Last 24 hours"),
      "3": de("Seit 3 Tagen").en("Last 3 days"),
      "7": de("Seit 7 Tagen").en("Last 7 days"),
      "30": de("Seit 30 Tagen").en("Last 30 days"),
    },
    next: de("Als Nächstes:").en("Up next:"),
    nextSteps: {
      expiring: de("{count} {count|Vorschlag läuft|Vorschläge laufen} heute ab.")
        .en("{count} {count|proposal expires|proposals expire} today."),
      expiringNote: de("Ohne Entscheidung bleiben die Preise, wie sie sind.")
        .en("Without a decision, prices stay as they are."),
      held: de("Ein Import ist angehalten: {why}.").en("An import is held: {why}."),
      toHeld: de("Import prüfen").en("Review the import"),
      late: de("Die Datei des ERP fehlt seit mehr als {hours} Stunden.")
        .en("The ERP file has been missing for more than {hours} hours."),
      lateNote: de("Bis sie kommt, rechnen Regeln mit den letzten bekannten Preisen und Kosten.")
        .en("Until it comes, rules work with the last known prices and costs."),
      failingNote: de("Keiner seiner Preise zählt noch: Regeln vergleichen ohne diesen Shop.")
        .en("None of its prices count any more: rules compare without this shop."),
      open: de("{count} {count|Vorschlag wartet|Vorschläge warten} auf Sie.")
        .en("{count} {count|proposal is|proposals are} waiting for you."),
      none: de("Nichts ist dringend.").en("Nothing is urgent."),
      noneNote: de("Kein Vorschlag wartet, die Daten sind da.")
        .en("No proposal is waiting, and the data are here."),
      decide: de("{count} {count|Vorschlag|Vorschläge} entscheiden")
        .en("Decide {count} {count|proposal|proposals}"),
      toImports: de("Zu den Importen").en("To the imports"),
      toMarket: de("Zum Markt").en("To the market"),
    },
    position: {
      title: de("Wo stehen wir?").en("Where do we stand?"),
      compared: de("{count} {count|Produkt|Produkte} mit Vergleich")
        .en("{count} {count|product|products} compared"),
      index: de("Preisindex {index}").en("Price index {index}"),
      indexBefore: de("(vor {days} {days|Tag|Tagen}: {index})")
        .en("({days} {days|day|days} ago: {index})"),
      names: {
        cheapest: de("günstigster").en("cheapest"),
        middle: de("im Mittelfeld").en("in the middle"),
        dearest: de("teuerster").en("most expensive"),
      },
      today: de("heute: {share}").en("today: {share}"),
      scale: de("Alle drei von 0 bis {high}; gestrichelt: vor {days} {days|Tag|Tagen}")
        .en("All three from 0 to {high}; dotted: {days} {days|day|days} ago"),
      points: de("{points} Pkt.").en("{points} pts"),
      noTrend: de("Verlauf erscheint ab 3 Tagen").en("The trend appears once there are 3 days"),
      table: de("Verlauf").en("Trend"),
      room: de("{text} mit Spielraum nach oben").en("{text} with headroom"),
      margin: de("{text} unter {pct} Marge").en("{text} below {pct} margin"),
      states: {
        no_links: de("ohne Verknüpfung").en("without a link"),
        unreadable: de("nicht lesbar").en("unreadable"),
        never_seen: de("noch nie gesehen").en("never seen"),
        not_comparable: de("nicht vergleichbar").en("not comparable"),
        stale: de("nur veraltete Preise").en("only stale prices"),
        sold_out: de("überall ausverkauft").en("sold out everywhere"),
      },
      none: de("Noch kein Produkt hat einen Vergleich.").en("No product is compared yet."),
    },
    data: {
      title: de("Stand der Daten").en("Data status"),
      erp: de("ERP-Datei").en("ERP file"),
      file: de("Datei").en("file"),
      sourceStates: {
        came: de("übernommen:").en("applied:"),
        late: de("überfällig, zuletzt:").en("overdue, last one:"),
        missing: de("kam nicht, zuletzt:").en("did not arrive, last one:"),
        refused: de("nicht übernommen:").en("not applied:"),
        undone: de("zurückgenommen:").en("undone:"),
      },
      held: de("Angehalten:").en("Held:"),
      never: de("Noch keine ERP-Datei").en("No ERP file yet"),
      changed: de("{updated} geändert, {inserted} neu").en("{updated} changed, {inserted} new"),
      share: de(
        "Balken: Preise jünger als {hours} Stunden; rechts: wann die meisten gelesen wurden.",
      ).en("Bars: prices younger than {hours} hours; right: when most of them were read."),
      fresh: de("{shop}: {fresh} von {links} {links|Preis|Preisen} {links|ist|sind} frisch")
        .en("{shop}: {fresh} of {links} {links|price|prices} {links|is|are} fresh"),
      failing: de("{count} nicht lesbar").en("{count} unreadable"),
      stale: de("{count} veraltet").en("{count} stale"),
      down: de("fällt seit {since} aus").en("down since {since}"),
      noShops: de("Noch kein Shop ist verknüpft.").en("No shop is linked yet."),
    },
    index: {
      title: de("Preisindex je Kategorie und Shop").en("Price index by category and shop"),
      dearer: de("wir teurer").en("we are more expensive"),
      readAt: de("gelesen {at}").en("read {at}"),
      compared: de("verglichen").en("compared"),
      basis: de("100 = Durchschnitt der Angebote, die zählen; bei einem Shop: sein Preis")
        .en("100 = average of the offers that count; for a shop: its price"),
      few: de("weniger als 5 Vergleiche").en("fewer than 5 comparisons"),
      empty: de("Sobald Produkte mit Kategorie einen Vergleich haben, steht hier der Preisindex.")
        .en("The price index appears here as soon as products with a category are compared."),
    },
    moves: {
      title: de("Größte Bewegungen").en("Biggest moves"),
      all: de("alle {text}").en("all {text}"),
      atLeast: de("mindestens {text}").en("at least {text}"),
      groups: {
        down: de("{count} {count|Preis|Preise}").en("{count} {count|price|prices}"),
        up: de("{count} {count|Preis|Preise}").en("{count} {count|price|prices}"),
        back_in_stock: de("{count} Artikel wieder lieferbar")
          .en("{count} {count|product|products} back in stock"),
        sold_out: de("{count} Artikel nicht mehr lieferbar")
          .en("{count} {count|product|products} sold out"),
        new_offer: de("{count} {count|neues Angebot|neue Angebote}")
          .en("{count} {count|new offer|new offers}"),
      },
      within: (what: string, category: string) => `${what} in ${category}`,
      ofShop: de("alle {count} bei {shop}").en("all {count} at {shop}"),
      undercutUs: de("unterbietet uns bei {text}").en("undercuts us on {text}"),
      withRoom: de("Spielraum bei {text}").en("headroom on {text}"),
      step: (from: string, to: string) => `${from} → ${to}`,
      mean: de("im Mittel").en("on average"),
      order: de("Je Shop die stärkste Gruppe, Shops nach Zahl der Bewegungen")
        .en("The strongest group of each shop; shops by number of moves"),
      rest: de("{text} bei weiteren Shops").en("{text} at other shops"),
      none: de("Seitdem hat sich nichts bewegt.").en("Nothing has moved since."),
    },
    effect: {
      title: de("Vorschläge nach Wirkung").en("Proposals by effect"),
      open: de("{text} offen · Ertrag in 30 Tagen, wenn der Absatz gleich bleibt")
        .en("{text} open · 30-day profit if unit sales stay the same"),
      all: de("alle entscheiden").en("decide all"),
      none: de("Nichts wartet. Neue Vorschläge erscheinen hier, sobald eine Regel einen macht.")
        .en("Nothing is waiting. New proposals appear here as soon as a rule makes one."),
      columns: { rankAfter: de("Rang danach").en("New rank") },
      rank: (rank: number, of: number) => `${rank}/${of}`,
    },
  },
  morningMail: {
    note: de("Ab {time} Uhr, an ruhigen Tagen keine").en("From {time}; none on quiet days"),
    isOn: de("Die Seite „Morgen“ als Mail bekommen").en("Get the “Morning” page by email"),
    test: de("Mail von heute schicken").en("Send today’s email"),
  },
};
