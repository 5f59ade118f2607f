import { columns, de } from "./label.ts";

export const marketWords = {
  frame: {
    shopsPlace: "Shops",
    groups: { data: de("Daten").en("Data"), control: de("Steuern").en("Control") },
    more: de("Mehr").en("More"),
    connectionLost: de("Keine Verbindung zum Dienst. Sie sehen den Stand von {time}.")
      .en("The service cannot be reached. You are looking at data from {time}."),
    tabs: de("Wichtigste Seiten").en("Main screens"),
    openProposals: de("{count wartet|warten} auf eine Entscheidung")
      .en("{count waits|wait} for a decision"),
    linkSuggestions: de("{count Vorschlag|Vorschläge}").en("{count suggestion|suggestions}"),
    moreWaits: de("Dort wartet etwas").en("Something waits there"),
    shopsInNeed: de("In {count Shop|Shops} ist etwas zu erledigen")
      .en("{count shop needs|shops need} attention"),
    products: de("{count Produkt|Produkte}").en("{count product|products}"),
    shops: de("{count Shop|Shops}").en("{count shop|shops}"),
    links: de("{count Verknüpfung|Verknüpfungen}").en("{count link|links}"),
    rows: de("{count Zeile|Zeilen}").en("{count row|rows}"),
    undo: de("Rückgängig").en("Undo"),
    undone: de("Zurückgenommen").en("Undone"),
    nothingToUndo: de("Nichts zurückzunehmen").en("Nothing to undo"),
  },
  market: {
    compared: de("{count} mit Vergleich").en("{count} compared"),
    lacksShipping: de("ohne Versand").en("shipping unknown"),
    delivered: de("Verglichen wird mit Versand; „ohne Versand“: Der Shop nennt keinen.")
      .en("Prices compare with shipping; “shipping unknown”: the shop does not say."),
    mostRead: de("Preise meist von {time}").en("most prices from {time}"),
    allOfView: de("alle").en("all"),
    asList: de("Liste").en("List"),
    asMatrix: "Matrix",
    shape: de("Darstellung").en("View as"),
    columnMenu: {
      noRoom: de("kein Platz im Fenster").en("no room in the window"),
    },
    columns: {
      ...columns,
      article: de("Produkt").en("Product"),
      gapPct: de("Abstand").en("Gap"),
      gapCents: columns.gap,
      range: de("Preisspanne").en("Price range"),
      index: de("Preisindex").en("Price index"),
      cheapestAt: de("Stand vor").en("Price age"),
      newestAt: de("Neuester Preis vor").en("Newest price"),
    },
    equal: de("gleich").en("equal"),
    moreShops: de("und {count weiterer|weitere}").en("and {count} more"),
    range: de("{count Angebot|Angebote} von {cheapest} bis {dearest}, wir {ours}")
      .en("{count offer|offers} from {cheapest} to {dearest}, us {ours}"),
    rankLegend: de("1 ist der günstigste").en("1 is the cheapest"),
    indexLegend: de("100 = Durchschnitt der Angebote, die zählen")
      .en("100 = average of the offers that count"),
    rangeLow: de("günstig").en("low"),
    rangeHigh: de("teuer").en("high"),
    rangeLegend: de(
      "Links das günstigste Angebot, rechts das teuerste; Striche sind Angebote, der Punkt sind wir",
    ).en(
      "The cheapest offer is on the left, the most expensive on the right; lines are offers, the dot is us",
    ),
    chips: {
      compared: de("mit Vergleich").en("compared"),
      dearer: de("über {pct} unterboten").en("undercut by over {pct}"),
      room: de("Spielraum").en("headroom"),
      margin: de("Marge < {pct}").en("margin < {pct}"),
      noLinks: de("ohne Verknüpfung").en("no link"),
      stale: de("nur veraltete Preise").en("only stale prices"),
      proposal: de("mit Vorschlag").en("with proposal"),
      held: de("gehalten").en("held"),
    },
    chosen: {
      undercutAbovePct: de("Abstand > {pct}").en("gap > {pct}"),
      dearerThanPct: de("Abstand > {pct} des günstigsten Preises")
        .en("gap > {pct} of the cheapest price"),
      roomAbovePct: de("Spielraum > {pct}").en("headroom > {pct}"),
      marginBelowPct: de("Marge < {pct}").en("margin < {pct}"),
      rankMin: de("Rang ab {rank}").en("rank from {rank}"),
      rankMax: de("Rang bis {rank}").en("rank up to {rank}"),
      competitorId: de("Angebot bei {shop}").en("offer at {shop}"),
      cheapestCompetitorId: de("Günstigster ist {shop}").en("{shop} is cheapest"),
      undercutBy: de("{shop} unterbietet uns").en("{shop} undercuts us"),
      missing: de("{shop?ohne Verknüpfung bei #|nirgends verknüpft}")
        .en("{shop?not linked at #|not linked anywhere}"),
      ruleId: de("Regel {rule}").en("rule {rule}"),
      newestBefore: de("zuletzt gesehen vor {at}").en("last seen before {at}"),
      hasNoProposal: de("ohne Vorschlag").en("without proposal"),
      isNotHeld: de("nicht gehalten").en("not held"),
      field: (name: string, value: string) => `${name}: ${value}`,
    },
    someShop: de("diesem Shop").en("this shop"),
    someRule: de("dieser Regel").en("this rule"),
    drop: de("„{filter}“ wegnehmen").en("Remove “{filter}”"),
    dropCount: de("„{filter}“ wegnehmen ({count} Treffer)")
      .en("Remove “{filter}” ({count result|results})"),
    show: de("{count} zeigen").en("Show {count}"),
    filter: "Filter",
    filterNames: {
      position: de("Unsere Stellung").en("Our position"),
      state: de("Vergleich").en("Comparison"),
      competitorId: de("Angebot bei").en("Offer at"),
      cheapestCompetitorId: de("Günstigster ist").en("Cheapest is"),
      undercutBy: de("Unterboten von").en("Undercut by"),
      missing: de("Ohne Verknüpfung bei").en("Without a link at"),
      undercutAbovePct: de("Abstand größer als, in %").en("Gap above, in %"),
      roomAbovePct: de("Spielraum größer als, in %").en("Headroom above, in %"),
      marginBelowPct: de("Marge kleiner als, in %").en("Margin below, in %"),
    },
    stocks: { true: de("vorrätig").en("in stock"), false: de("nicht vorrätig").en("not in stock") },
    any: de("beliebig").en("any"),
    noShop: de("allen Shops").en("all shops"),
    moved: de("{count hat|haben} sich bewegt").en("{count has|have} moved"),
    refresh: de("Neu laden").en("Refresh"),
    noneTitle: de("Kein Produkt passt zu {count|diesem Filter|diesen # Filtern}")
      .en("No product fits {count|this filter|these # filters}"),
    export: "Export",
    markAll: de("alle {count} dieser Ansicht markieren").en("select all {count} of this view"),
    bulk: {
      price: de("Preis setzen … ({count})").en("Set price … ({count})"),
      rule: de("Regel für diese ({count})").en("Rule for these ({count})"),
      scrape: de("Jetzt abrufen ({count})").en("Fetch now ({count})"),
      lock: de("Preis sperren ({count})").en("Lock price ({count})"),
      unlock: de("Sperre aufheben ({count})").en("Unlock price ({count})"),
      hold: de("Halten bis … ({count})").en("Hold until … ({count})"),
      scrapeOn: de("Abruf an ({count})").en("Fetching on ({count})"),
      scrapeOff: de("Abruf aus ({count})").en("Fetching off ({count})"),
    },
    matrix: {
      label: de("Produkte und Shops").en("Products and shops"),
      dearer: de("wir teurer als dieser Shop").en("we are more expensive than this shop"),
      cheaper: de("wir günstiger").en("we are cheaper"),
      least: de("unterstrichen: günstigster Shop").en("underlined: cheapest shop"),
      ignored: de("kursiv: zählt nicht mit").en("italics: does not count"),
      none: de("keine Verknüpfung").en("no link"),
      link: de("Seite bei {shop} verknüpfen").en("Link a page at {shop}"),
    },
    notCounted: de("zählt nicht").en("does not count"),
    preview: {
      counted: de("{count Angebot zählt|Angebote zählen}, {others} nicht")
        .en("{count offer counts|offers count}, {others does|do} not"),
    },
  },
  bulkScrape: {
    sure: de("Seiten von {count Produkt|Produkten} jetzt abrufen?")
      .en("Fetch the pages of {count product|products} now?"),
    sureText: de(
      "Auch von Produkten, die nicht geladen sind. Shops werden so langsam besucht wie immer.",
    ).en("Including products that are not loaded. Shops are visited at the usual slow pace."),
    started: de("{count Abruf|Abrufe} begonnen").en("{count fetch|fetches} started"),
    inHand: de("{count} liefen schon").en("{count} were already running"),
    noRoom: de("{count} nicht: zu viele Abrufe warten schon")
      .en("{count} not started: too many fetches are already waiting"),
  },
  bulkPrices: {
    title: de("Preise setzen").en("Set prices"),
    kind: de("Neuer Preis").en("New price"),
    kinds: {
      percent: de("heutiger Preis ± Prozent").en("today’s price ± percent"),
      cheapestPct: de("Günstigster ± Prozent").en("cheapest ± percent"),
      cheapestCents: de("Günstigster ± Betrag").en("cheapest ± amount"),
      amount: de("fester Betrag").en("fixed amount"),
    },
    hints: {
      percent: de("−3 senkt um 3\u00a0%, 2,5 hebt um 2,5\u00a0%")
        .en("−3 lowers by 3%, 2.5 raises by 2.5%"),
      cheapestPct: de("0 ist wie der Günstigste, −1 ist 1\u00a0% darunter")
        .en("0 matches the cheapest, −1 is 1% below it"),
      cheapestCents: de("0 ist wie der Günstigste, −0,01 ist einen Cent darunter")
        .en("0 matches the cheapest, −0.01 is one cent below it"),
      amount: de("Derselbe Preis für alle").en("The same price for all"),
    },
    pct: de("Prozent").en("Percent"),
    amount: de("Betrag in {currency}").en("Amount in {currency}"),
    reading: de("Produkte werden gelesen: {count}").en("Reading products: {count}"),
    changes: de("{count Preis ändert|Preise ändern} sich")
      .en("{count price changes|prices change}"),
    directions: de("{down} sinken, {up} steigen").en("{down} go down, {up} go up"),
    stay: de("Bleiben:").en("Unchanged:"),
    leftOut: {
      same: de("bereits dieser Preis").en("already at that price"),
      locked: de("gesperrt").en("locked"),
      held: de("gehalten").en("held"),
      noPrice: de("ohne Preis").en("without a price"),
      noMarket: de("ohne Vergleich").en("without a comparison"),
      currency: de("in anderer Währung").en("in another currency"),
      notPositive: de("wären nicht über 0").en("would not be above 0"),
    },
    doubtTitle: de("Auffällig und deshalb ausgelassen; ankreuzen, um sie mitzunehmen")
      .en("Suspicious, so left out; tick to include them"),
    doubts: {
      factor: de("{count} mit verschobenem Komma (× oder ÷ 10, 100, 1.000)")
        .en("{count} with a moved decimal point (× or ÷ 10, 100, 1,000)"),
      below_cost: de("{count} unter Einkauf (nur mit Grund)")
        .en("{count} below cost (only with a reason)"),
      below_floor: de("{count} unter der Mindestmarge ihrer Regel (nur mit Grund)")
        .en("{count} below the margin floor of their rule (only with a reason)"),
      below_min: de("{count} unter dem Mindestpreis (nur mit Grund)")
        .en("{count} below the minimum price (only with a reason)"),
      above_max: de("{count} über dem Höchstpreis (nur mit Grund)")
        .en("{count} above the maximum price (only with a reason)"),
      far_off: de("{count} mehr als 25 % vom heutigen Preis entfernt")
        .en("{count} more than 25% away from today’s price"),
    },
    largest: de("Größte Änderungen").en("Largest changes"),
    set: de("{count Preis|Preise} setzen").en("Set {count price|prices}"),
    sent: de("{done} von {all} gesetzt").en("{done} of {all} set"),
    done: de("Preise gesetzt: {count}").en("Prices set: {count}"),
    undone: de("Preise zurückgenommen: {count}").en("Prices undone: {count}"),
    left: de("{count} blieben, weil sie sich inzwischen geändert haben")
      .en("{count} were left, because they have changed in the meantime"),
  },
  moves: {
    title: de("Bewegungen").en("Moves"),
    told: de("{count Bewegung|Bewegungen} bei {products Produkt|Produkten}")
      .en("{count move|moves} of {products product|products}"),
    biggest: de("Gezeigt werden die {count} größten.").en("The {count} biggest are shown."),
    chips: de("Art der Bewegung").en("Kind of move"),
    columns: { kind: de("Bewegung").en("Move"), at: de("Gesehen").en("Seen") },
    withoutCategory: de("ohne Kategorie").en("without category"),
    noneTitle: de("Nichts hat sich bewegt").en("Nothing has moved"),
    noneText: de("In dieser Zeit hat kein Shop an einem Produkt etwas geändert, der hierher passt.")
      .en("No shop has changed a product that matches this filter in this period."),
  },
  views: {
    label: de("Ansichten").en("Views"),
    save: de("Ansicht sichern").en("Save view"),
    change: de("Ansicht ändern").en("Change view"),
    shared: de("Für alle im Arbeitsbereich").en("For everyone in the workspace"),
    sharedHint: de("Sonst sehen nur Sie sie.").en("Otherwise only you see it."),
    kept: de("Gesichert werden Filter, Reihenfolge und Spalten.")
      .en("Filters, order and columns are saved."),
    saved: de("Ansicht „{name}“ gesichert").en("View “{name}” saved"),
    changed: de("Ansicht „{name}“ geändert").en("View “{name}” changed"),
    remove: de("Ansicht löschen?").en("Delete the view?"),
    removeText: de("„{name}“ wird gelöscht.").en("“{name}” will be deleted."),
    overwrite: de("Mit dem jetzigen Stand überschreiben").en("Overwrite with what is shown now"),
    isShared: de("für alle").en("for all"),
    deviates: de("geändert").en("changed"),
  },
};
