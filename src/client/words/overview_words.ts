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
      expiring: de("{count Vorschlag läuft|Vorschläge laufen} heute ab.")
        .en("{count proposal expires|proposals expire} today."),
      expiringNote: de("Ohne Entscheidung bleiben die Preise, wie sie sind.")
        .en("Without a decision, prices stay as they are."),
      held: de("Ein Import ist angehalten: {why}.").en("An import is held: {why}."),
      late: de("Die Datei des ERP fehlt seit mehr als {hours} Stunden.")
        .en("The ERP file has been missing for more than {hours} hours."),
      lateNote: de("Bis sie kommt, rechnen Regeln mit den letzten bekannten Preisen und Kosten.")
        .en("Until it comes, rules work with the last known prices and costs."),
      failingNote: de("Keiner seiner Preise zählt noch: Regeln vergleichen ohne diesen Shop.")
        .en("None of its prices count any more: rules compare without this shop."),
      open: de("{count Vorschlag wartet|Vorschläge warten} auf Sie.")
        .en("{count proposal is|proposals are} waiting for you."),
      none: de("Nichts ist dringend.").en("Nothing is urgent."),
      noneNote: de("Kein Vorschlag wartet, die Daten sind da.")
        .en("No proposal is waiting, and the data are here."),
      decide: de("{count Vorschlag|Vorschläge} entscheiden")
        .en("Decide {count proposal|proposals}"),
      look: de("{count Vorschlag|Vorschläge} ansehen").en("View {count proposal|proposals}"),
      toImports: de("Zu den Importen").en("To the imports"),
      toMarket: de("Zum Markt").en("To the market"),
    },
    position: {
      title: de("Wo stehen wir?").en("Where do we stand?"),
      compared: de("{count Produkt|Produkte} mit Vergleich")
        .en("{count product|products} compared"),
      index: de("Preisindex {index}").en("Price index {index}"),
      indexBefore: de("(vor {days Tag|Tagen}: {index})").en("({days day|days} ago: {index})"),
      today: de("heute: {share}").en("today: {share}"),
      scale: de("Alle drei von 0 bis {high}; gestrichelt: vor {days Tag|Tagen}")
        .en("All three from 0 to {high}; dotted: {days day|days} ago"),
      points: de("{points} Pkt.").en("{points} pts"),
      noTrend: de("Verlauf erscheint ab 3 Tagen").en("The trend appears once there are 3 days"),
      table: de("Verlauf").en("Trend"),
      room: de("{text} mit Spielraum nach oben").en("{text} with headroom"),
      margin: de("{text} unter {pct} Marge").en("{text} below {pct} margin"),
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
      fresh: de("{shop}: {fresh} von {links Preis|Preisen} {fresh|ist|sind} frisch")
        .en("{shop}: {fresh} of {links price|prices} {fresh|is|are} fresh"),
      failing: de("{count} nicht lesbar").en("{count} unreadable"),
      stale: de("{count} veraltet").en("{count} stale"),
      down: de("fällt seit {since} aus").en("down since {since}"),
      noShops: de("Noch kein Shop ist verknüpft.").en("No shop is linked yet."),
    },
    index: {
      title: de("Preisindex je Kategorie und Shop").en("Price index by category and shop"),
      dearer: de("wir teurer").en("we are more expensive"),
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
        down: de("{count Preis|Preise}").en("{count price|prices}"),
        up: de("{count Preis|Preise}").en("{count price|prices}"),
        back_in_stock: de("{count} Artikel wieder lieferbar")
          .en("{count product|products} back in stock"),
        sold_out: de("{count} Artikel nicht mehr lieferbar")
          .en("{count product|products} sold out"),
        new_offer: de("{count neues Angebot|neue Angebote}").en("{count new offer|new offers}"),
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
      look: de("alle ansehen").en("view all"),
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

export const firstHourWords = {
  start: {
    stepsLeft: de("Noch {count Schritt|Schritte} bis zum ersten Vorschlag")
      .en("{count} more {count|step|steps} to the first proposal"),
    ready: de("Alles ist bereit: Der erste Vorschlag kommt, sobald eine Regel auslöst.")
      .en("All set: the first proposal comes as soon as a rule triggers."),
    waiting: de("Alles ist bereit: Entscheiden Sie über Ihren ersten Vorschlag.")
      .en("All set: decide on your first proposal."),
    invite: de("Kollegen einladen").en("Invite colleagues"),
    step: de((number: number) => `Schritt ${number}`).en((number: number) => `Step ${number}`),
    done: de("erledigt").en("done"),
    products: de("Ihre Produkte").en("Your products"),
    productsText: de(
      "Wenigstens Artikelnummer, Titel und Preis; mit GTIN findet Kurant fast alles von selbst.",
    ).en("At least SKU, title and price; with GTINs Kurant finds almost everything by itself."),
    from: de("aus {file}, übernommen {time}").en("from {file}, applied {time}"),
    byHand: de("von Hand oder über die Schnittstelle angelegt").en("made by hand or by the API"),
    findings: de("{count Hinweis|Hinweise}").en("{count note|notes}"),
    otherFile: de("weitere Datei").en("another file"),
    typed: {
      title: de("Keine Datei zur Hand?").en("No file at hand?"),
      byHand: de("Ein paar Produkte eintragen").en("Type in a few products"),
      examples: de("Mit Beispieldaten ansehen").en("Try sample data"),
      label: de("Eine Zeile je Produkt").en("One line per product"),
      hint: de("Artikelnummer; Titel; Preis; GTIN").en("SKU; title; price; GTIN"),
      header: de("SKU;Titel;Unser Preis;GTIN").en("SKU;Title;Our price;GTIN"),
      take: de("Vorschau ansehen").en("See the preview"),
      fileName: de("von-hand.csv").en("typed.csv"),
      exampleName: de("beispiel.csv").en("sample.csv"),
      example: de(
        "B-1;Wasserkocher Aroma 1,7 l;65,90;4006381333931\nB-2;Toaster Retro Set;49,00;4012345678901\nB-3;Kaffeemühle Barista;129,00;4001234567891\nB-4;Soundbar Mini;529,00;4003994155486\nB-5;Stabmixer Compact;39,90;4009900455855",
      ).en(
        "B-1;Kettle Aroma 1.7 l;65.90;4006381333931\nB-2;Toaster Retro;49.00;4012345678901\nB-3;Coffee grinder Barista;129.00;4001234567891\nB-4;Soundbar Mini;529.00;4003994155486\nB-5;Hand blender Compact;39.90;4009900455855",
      ),
    },
    shops: de("Shops, mit denen Sie sich vergleichen").en("Shops you compare with"),
    shopsNone: de("Kurant sucht Ihre Produkte dort; was robots.txt verbietet, bleibt ungelesen.")
      .en("Kurant looks for your products there; what robots.txt forbids stays unread."),
    shopsEarly: de("Geht auch schon jetzt: Kurant prüft die Adresse und wartet auf Ihre Datei.")
      .en("You can do this now: Kurant checks the address and waits for your file."),
    shopsText: de("Kurant sucht Ihre Produkte. Sie können die Seite verlassen.")
      .en("Kurant is looking for your products. You may leave this page."),
    linked: de("verknüpft").en("linked"),
    sure: de("sicher, noch nicht verknüpft").en("sure, not linked yet"),
    toLook: de("bitte ansehen").en("please look"),
    linkSure: de("{count} sichere verknüpfen").en("Link {count} sure {count|one|ones}"),
    linkSureText: de(
      "Sonst verknüpft Kurant sie von selbst, sobald der Shop ganz durchgesehen ist.",
    ).en("Otherwise Kurant links them once it has seen the whole shop."),
    visited: de("{done} von {all} Seiten gelesen").en("{done} of {all} pages read"),
    minutes: de("noch etwa {count} Min.").en("about {count} min left"),
    hours: de("noch etwa {count} Std.").en("about {count} h left"),
    readsMap: de("liest das Seitenverzeichnis …").en("reading the list of pages …"),
    stuck: {
      nextShop: de("Fügen Sie unten den nächsten Shop ein.").en("Paste the next shop below."),
      noPages: de("Der Shop nennt keine Seiten.").en("The shop lists no pages."),
      noMatch: de("Keine Seite passt sicher zu Ihren Produkten; meist fehlt die GTIN.")
        .en("No page is a sure match for your products; usually the GTIN is missing."),
      paste: de("Liste aus SKU und Adresse einfügen").en("Paste a list of SKUs and addresses"),
    },
    found: de("Zuletzt gefunden").en("Found last"),
    noneFound: de("Treffer stehen hier, sobald Kurant sie findet.")
      .en("Matches appear here as Kurant finds them."),
    foundMatch: de("Gefunden: {title} bei {shop}").en("Found: {title} at {shop}"),
    isSure: de("sicher").en("sure"),
    look: de("ansehen").en("look"),
    price: de("Der erste Vergleich").en("The first comparison"),
    priceText: de("erscheint hier, sobald der Preis einer verknüpften Seite gelesen ist.")
      .en("appears here as soon as the price of a linked page is read."),
    cheaper: de("Sie sind günstiger: {price}.").en("You are cheaper: {price}."),
    dearer: de("Sie sind teurer: {price}.").en("You are more expensive: {price}."),
    equal: de("Sie sind gleichauf: {price}.").en("You ask the same: {price}."),
    asks: de("{shop} verlangt {price}.").en("{shop} charges {price}."),
    headroom: de("Da ist Spielraum.").en("There is headroom."),
    toCompared: de("{count Vergleich|Vergleiche} ansehen").en("See {count comparison|comparisons}"),
    rule: de("Ihre erste Regel").en("Your first rule"),
    ruleText: de("Sie schlägt nur vor. Kein Preis ändert sich, bevor Sie zustimmen.")
      .en("It only proposes. No price changes before you agree."),
    ruleEarly: de("Sie schlägt nur vor. Gerechnet wird mit Ihren Zahlen, sobald Preise da sind.")
      .en("It only proposes. It is calculated with your figures as soon as there are prices."),
    rules: {
      room: {
        name: de("Spielraum nutzen").en("Use headroom"),
        text: de("Wo Sie günstigster sind: bis 1\u00a0% unter den nächsten anheben.")
          .en("Where you are cheapest: raise to 1% below the next."),
      },
      lowest: {
        name: de("Günstigster sein").en("Be the cheapest"),
        text: de("Dem günstigsten Wettbewerber folgen, nie unter 8\u00a0% Marge.")
          .en("Follow the cheapest rival, never below 8% margin."),
      },
      middle: {
        name: de("Im Mittelfeld bleiben").en("Stay in the middle"),
        text: de("Höchstens 3\u00a0% über der Mitte des Markts, nie unter Einkauf.")
          .en("At most 3% above the middle of the market, never below cost."),
      },
    },
    best: de("passt zu Ihnen").en("fits you"),
    today: de("heute {count Vorschlag|Vorschläge}").en("{count proposal|proposals} today"),
    calculating: de("rechnet …").en("calculating …"),
    enable: de("Einschalten und ansehen").en("Switch on and see"),
    note: de("Vormerken").en("Set aside"),
    change: de("anpassen").en("adjust"),
    enabled: de("„{name}“ ist an: {count Vorschlag|Vorschläge}")
      .en("“{name}” is on: {count proposal|proposals}"),
    noted: de("„{name}“ schlägt vor, sobald Preise da sind")
      .en("“{name}” proposes as soon as there are prices"),
    rulesOn: de("Eine Regel ist eingeschaltet.").en("A rule is on."),
    toRules: de("Regeln ansehen").en("See the rules"),
    byItself: de("Von selbst:").en("By itself:"),
    byItselfText: de(
      "Kurant liest verknüpfte Seiten regelmäßig; ab dem ersten Vorschlag steht hier Ihr Morgen mit Preisindex und Verlauf.",
    ).en(
      "Kurant reads linked pages regularly; after your first proposal, your morning overview appears here, with index and trend.",
    ),
    imported: de("Ihre Produkte sind da.").en("Your products are here."),
    next: de("Weiter: Shops einfügen").en("Next: add shops"),
  },
};
