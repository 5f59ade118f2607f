/** The frame around all screens, the market of all products, and the views of it. */
import type { MoveKind } from "../../shops/observations/move_store.ts";
import type { MarketPosition, MarketState } from "../../engine/pricing/market_facts.ts";
import { codes, columns, type Labels, plural, say } from "./label.ts";

const states: Labels<MarketState> = codes.marketStates;

const positions: Labels<MarketPosition> = codes.marketPositions;

export const marketWords = {
  frame: {
    shopsPlace: "Shops",
    groups: {
      data: say("Daten", "Data"),
      control: say("Steuern", "Control"),
    },
    more: say("Mehr", "More"),
    tabs: say("Wichtigste Seiten", "Main screens"),
    openProposals: say(
      (count: number) => `${count} ${plural(count, "wartet", "warten")} auf eine Entscheidung`,
      (count) => `${count} ${plural(count, "waits", "wait")} for a decision`,
    ),
    products: say(
      (count: number, text: string) => `${text} ${plural(count, "Produkt", "Produkte")}`,
      (count, text) => `${text} ${plural(count, "product", "products")}`,
    ),
    shops: say(
      (count: number, text: string) => `${text} ${plural(count, "Shop", "Shops")}`,
      (count, text) => `${text} ${plural(count, "shop", "shops")}`,
    ),
    links: say(
      (count: number, text: string) => `${text} ${plural(count, "Verknüpfung", "Verknüpfungen")}`,
      (count, text) => `${text} ${plural(count, "link", "links")}`,
    ),
    rows: say(
      (count: number, text: string) => `${text} ${plural(count, "Zeile", "Zeilen")}`,
      (count, text) => `${text} ${plural(count, "row", "rows")}`,
    ),
    undo: say("Rückgängig", "Undo"),
    undone: say("Zurückgenommen", "Taken back"),
  },
  market: {
    compared: say("{count} mit Vergleich", "{count} compared"),
    asOf: say("Stand {time}", "as of {time}"),
    create: say("Produkt", "Product"),
    allOfView: say("alle", "all"),
    asList: say("Liste", "List"),
    asMatrix: "Matrix",
    shape: say("Darstellung", "Shown as"),
    columnMenu: {
      up: say("{column} nach vorn", "Move {column} forward"),
      down: say("{column} nach hinten", "Move {column} back"),
      noRoom: say("kein Platz im Fenster", "no room in the window"),
    },
    columns: {
      article: say("Artikel", "Product"),
      cheapest: columns.cheapest,
      gapPct: say("Abstand", "Gap"),
      gapCents: columns.gap,
      room: columns.room,
      rank: columns.rank,
      range: say("Preisspanne", "Price range"),
      offers: columns.offers,
      median: columns.median,
      average: columns.average,
      index: say("Preisindex", "Price index"),
      newestAt: say("Stand vor", "Seen"),
      margin: columns.margin,
      proposal: columns.proposal,
      rule: columns.rule,
    },
    states,
    positions,
    gap: {
      equal: say("gleich", "equal"),
      dearer: say("{amount} teurer", "{amount} dearer"),
      cheaper: say("{amount} günstiger", "{amount} cheaper"),
    },
    moreShops: say(
      (count: number) => `und ${count} ${plural(count, "weiterer", "weitere")}`,
      (count) => `and ${count} more`,
    ),
    range: say(
      "Von {cheapest} bis {dearest}, wir {ours}",
      "From {cheapest} to {dearest}, we {ours}",
    ),
    us: say("Wir", "We"),
    chips: {
      dearer: say("teurer als Günstigster > {pct}", "dearer than cheapest > {pct}"),
      room: say("Spielraum nach oben", "headroom upwards"),
      margin: say("Marge < {pct}", "margin < {pct}"),
      noLinks: say("ohne Verknüpfung", "no link"),
      stale: say("veraltet", "stale"),
      proposal: say("mit Vorschlag", "with proposal"),
      held: say("gehalten", "held"),
    },
    chosen: {
      dearerThanPct: say("Abstand > {pct}", "gap > {pct}"),
      roomAbovePct: say("Spielraum > {pct}", "headroom > {pct}"),
      marginBelowPct: say("Marge < {pct}", "margin < {pct}"),
      rankMin: say("Rang ab {rank}", "rank from {rank}"),
      rankMax: say("Rang bis {rank}", "rank up to {rank}"),
      competitorId: say("Angebot bei {shop}", "offer at {shop}"),
      cheapestCompetitorId: say("Günstigster ist {shop}", "{shop} is cheapest"),
      undercutBy: say("{shop} unterbietet uns", "{shop} undercuts us"),
      missing: say(
        (shop: string | null) =>
          shop === null ? "nirgends verknüpft" : `ohne Verknüpfung bei ${shop}`,
        (shop) => shop === null ? "linked nowhere" : `not linked at ${shop}`,
      ),
      ruleId: say("Regel {rule}", "rule {rule}"),
      newestBefore: say("zuletzt gesehen vor {at}", "last seen before {at}"),
      hasNoProposal: say("ohne Vorschlag", "without proposal"),
      isNotHeld: say("nicht gehalten", "not held"),
      field: (name: string, value: string) => `${name}: ${value}`,
    },
    someShop: say("diesem Shop", "this shop"),
    someRule: say("dieser Regel", "this rule"),
    drop: say("„{filter}“ wegnehmen", "Take “{filter}” away"),
    dropCount: say(
      (filter: string, count: string, hits: number) =>
        `„${filter}“ wegnehmen (${count} ${plural(hits, "Treffer", "Treffer")})`,
      (filter, count, hits) => `Take “${filter}” away (${count} ${plural(hits, "hit", "hits")})`,
    ),
    show: say("{count} zeigen", "Show {count}"),
    filter: "Filter",
    filterNames: {
      position: say("Unsere Stellung", "Our position"),
      state: say("Vergleich", "Comparison"),
      competitorId: say("Angebot bei", "Offer at"),
      cheapestCompetitorId: say("Günstigster ist", "Cheapest is"),
      undercutBy: say("Unterboten von", "Undercut by"),
      missing: say("Ohne Verknüpfung bei", "Without a link at"),
      dearerThanPct: say("Abstand größer als, in %", "Gap above, in %"),
      roomAbovePct: say("Spielraum größer als, in %", "Headroom above, in %"),
      marginBelowPct: say("Marge kleiner als, in %", "Margin below, in %"),
    },
    stocks: {
      true: say("vorrätig", "in stock"),
      false: say("nicht vorrätig", "not in stock"),
    },
    any: say("alle", "all"),
    noShop: say("keinem Shop", "any shop"),
    moved: say(
      (count: number, text: string) => `${text} ${plural(count, "hat", "haben")} sich bewegt`,
      (count, text) => `${text} ${plural(count, "has", "have")} moved`,
    ),
    refresh: say("Neu laden", "Refresh"),
    noneTitle: say(
      (filters: number) =>
        `Kein Produkt passt zu ${plural(filters, "diesem Filter", `diesen ${filters} Filtern`)}`,
      (filters) => `No product fits ${plural(filters, "this filter", `these ${filters} filters`)}`,
    ),
    export: "Export",
    marked: say("{count} markiert", "{count} selected"),
    markAll: say("alle {count} dieser Ansicht markieren", "select all {count} of this view"),
    clear: say("Aufheben", "Clear"),
    bulk: {
      price: say("Preis setzen … ({count})", "Set price … ({count})"),
      scrape: say("Jetzt abrufen ({count})", "Fetch now ({count})"),
      lock: say("Preis sperren ({count})", "Lock price ({count})"),
      unlock: say("Sperre aufheben ({count})", "Unlock price ({count})"),
      hold: say("Halten bis … ({count})", "Hold until … ({count})"),
      scrapeOn: say("Abruf an ({count})", "Fetching on ({count})"),
      scrapeOff: say("Abruf aus ({count})", "Fetching off ({count})"),
      approve: say("Vorschläge annehmen ({count})", "Accept proposals ({count})"),
      approveText: say(
        "Jeder Vorschlag dieser Ansicht wird zum eigenen Preis, auch nicht geladene.",
        "Each proposal of this view becomes our price, loaded or not.",
      ),
      approved: say("{count} Vorschläge angenommen", "{count} proposals accepted"),
    },
    matrix: {
      label: say("Produkte und Shops", "Products and shops"),
      dearer: say("wir teurer als dieser Shop", "we are dearer than this shop"),
      cheaper: say("wir günstiger", "we are cheaper"),
      ignored: say("kursiv: zählt nicht mit", "italics: does not count"),
      none: say("keine Verknüpfung", "no link"),
      link: say("Seite bei {shop} verknüpfen", "Link a page at {shop}"),
    },
    notCounted: say("zählt nicht", "does not count"),
    preview: {
      counted: say(
        (count: number, text: string, others: string) =>
          `${text} ${plural(count, "Angebot zählt", "Angebote zählen")}, ${others} nicht`,
        (count, text, others) =>
          `${text} ${plural(count, "offer counts", "offers count")}, ${others} ${
            others === "1" ? "does" : "do"
          } not`,
      ),
    },
  },
  bulkScrape: {
    sure: say(
      "Seiten von {count} Produkten jetzt abrufen?",
      "Fetch the pages of {count} products now?",
    ),
    sureText: say(
      "Auch von Produkten, die nicht geladen sind. Shops werden so langsam besucht wie immer.",
      "Also of products that are not loaded. Shops are visited as slowly as ever.",
    ),
    started: say(
      (count: number, text: string) => `${text} ${plural(count, "Abruf", "Abrufe")} begonnen`,
      (count, text) => `${text} ${plural(count, "fetch", "fetches")} started`,
    ),
    inHand: say("{count} liefen schon", "{count} were running already"),
    noRoom: say(
      "{count} nicht: zu viele Abrufe warten schon",
      "{count} not: too many fetches wait already",
    ),
  },
  bulkPrices: {
    title: say("Preise setzen", "Set prices"),
    kind: say("Neuer Preis", "New price"),
    kinds: {
      percent: say("heutiger Preis ± Prozent", "today’s price ± percent"),
      cheapestPct: say("Günstigster ± Prozent", "cheapest ± percent"),
      cheapestCents: say("Günstigster ± Betrag", "cheapest ± amount"),
      amount: say("fester Betrag", "fixed amount"),
    },
    hints: {
      percent: say(
        "−3 senkt um 3\u00a0%, 2,5 hebt um 2,5\u00a0%",
        "−3 lowers by 3\u00a0%, 2.5 raises by 2.5\u00a0%",
      ),
      cheapestPct: say(
        "0 ist wie der Günstigste, −1 ist 1\u00a0% darunter",
        "0 is as the cheapest, −1 is 1\u00a0% below",
      ),
      cheapestCents: say(
        "0 ist wie der Günstigste, −0,01 ist einen Cent darunter",
        "0 is as the cheapest, −0.01 is one cent below",
      ),
      amount: say("Für alle derselbe", "The same for all"),
    },
    pct: say("Prozent", "Percent"),
    amount: say("Betrag in {currency}", "Amount in {currency}"),
    reading: say("Produkte werden gelesen: {count}", "Reading products: {count}"),
    changes: say(
      (count: number, text: string) =>
        `${text} ${plural(count, "Preis ändert", "Preise ändern")} sich`,
      (count, text) => `${text} ${plural(count, "price changes", "prices change")}`,
    ),
    directions: say("{down} sinken, {up} steigen", "{down} go down, {up} go up"),
    sum: say("zusammen {amounts} je Stück", "together {amounts} per piece"),
    stay: say("Bleiben:", "Stay as they are:"),
    leftOut: {
      same: say("schon so", "so already"),
      locked: say("gesperrt", "locked"),
      held: say("gehalten", "held"),
      noPrice: say("ohne Preis", "without a price"),
      noMarket: say("ohne Vergleich", "without a comparison"),
      currency: say("in anderer Währung", "in another currency"),
      notPositive: say("wären nicht über 0", "would not be above 0"),
    },
    doubtTitle: say(
      "Auffällig und deshalb nicht dabei; ankreuzen nimmt sie dazu",
      "Odd, and left out for that; tick to take them in",
    ),
    doubts: {
      factor: say(
        "{count} mit verschobenem Komma (× oder ÷ 10, 100, 1.000)",
        "{count} with a moved decimal point (× or ÷ 10, 100, 1,000)",
      ),
      below_cost: say(
        "{count} unter Einkauf (nur mit Grund)",
        "{count} below cost (only with a reason)",
      ),
      below_floor: say(
        "{count} unter der Mindestmarge ihrer Regel (nur mit Grund)",
        "{count} below the margin floor of their rule (only with a reason)",
      ),
      below_min: say(
        "{count} unter dem Mindestpreis (nur mit Grund)",
        "{count} below the minimum price (only with a reason)",
      ),
      above_max: say(
        "{count} über dem Höchstpreis (nur mit Grund)",
        "{count} above the maximum price (only with a reason)",
      ),
      far_off: say(
        "{count} mehr als 25 % vom heutigen Preis entfernt",
        "{count} more than 25 % away from today’s price",
      ),
    },
    largest: say("Größte Änderungen", "Largest changes"),
    before: say("Heute", "Today"),
    after: say("Neu", "New"),
    change: say("Änderung", "Change"),
    set: say(
      (count: number, text: string) => `${text} ${plural(count, "Preis", "Preise")} setzen`,
      (count, text) => `Set ${text} ${plural(count, "price", "prices")}`,
    ),
    sent: say("{done} von {all} gesetzt", "{done} of {all} set"),
    done: say("Preise gesetzt: {count}", "Prices set: {count}"),
    undone: say("Preise zurückgenommen: {count}", "Prices taken back: {count}"),
    left: say(
      "{count} blieben, weil sie sich inzwischen geändert haben",
      "{count} stayed, because they have changed meanwhile",
    ),
  },
  moves: {
    title: say("Bewegungen", "Moves"),
    told: say(
      (count: number, text: string, products: number, productText: string) =>
        `${text} ${plural(count, "Bewegung", "Bewegungen")} bei ${productText} ${
          plural(products, "Artikel", "Artikeln")
        }`,
      (count, text, products, productText) =>
        `${text} ${plural(count, "move", "moves")} of ${productText} ${
          plural(products, "product", "products")
        }`,
    ),
    since: say("seit {time}", "since {time}"),
    atLeast: say("mindestens {text}", "at least {text}"),
    biggest: say("Gezeigt werden die {count} größten.", "The {count} biggest are shown."),
    chips: say("Art der Bewegung", "Kind of move"),
    kinds: codes.moveKinds satisfies Labels<MoveKind>,
    columns: {
      article: say("Artikel", "Product"),
      shop: columns.competitor,
      kind: say("Bewegung", "Move"),
      from: say("Vorher", "Before"),
      to: columns.to,
      change: say("Änderung", "Change"),
      gap: say("Abstand", "Gap"),
      at: say("Gesehen", "Seen"),
    },
    nowCheapest: say("jetzt Günstigster", "cheapest now"),
    withoutCategory: say("ohne Kategorie", "without category"),
    noneTitle: say("Nichts hat sich bewegt", "Nothing has moved"),
    noneText: say(
      "In dieser Zeit hat kein Shop an einem Artikel etwas geändert, der hierher passt.",
      "In this time no shop has changed anything of a product that fits here.",
    ),
  },
  views: {
    label: say("Ansichten", "Views"),
    all: say("Alle", "All"),
    save: say("Ansicht sichern", "Save view"),
    change: say("Ansicht ändern", "Change view"),
    name: "Name",
    shared: say("Für alle im Arbeitsbereich", "For everybody in the workspace"),
    sharedHint: say("Sonst sehen nur Sie sie.", "Else you alone see it."),
    kept: say(
      "Gesichert werden Filter, Reihenfolge und Spalten.",
      "Filters, order and columns are saved.",
    ),
    saved: say("Ansicht „{name}“ gesichert", "View “{name}” saved"),
    changed: say("Ansicht „{name}“ geändert", "View “{name}” changed"),
    deleted: say("Ansicht „{name}“ gelöscht", "View “{name}” deleted"),
    deleteNewer: say(
      "Die Ansicht „{name}“ ist nicht mehr, wie Sie sie sahen. Trotzdem löschen?",
      "The view “{name}” is no longer as you saw it. Delete it all the same?",
    ),
    overwrite: say("Mit dem jetzigen Stand überschreiben", "Overwrite with what is shown now"),
    isShared: say("für alle", "for all"),
    deviates: say("geändert", "changed"),
  },
};
