import type { PriceRival } from "../../base/price_doubts.ts";
import type { MoveKind } from "../../shops/observations/move_store.ts";
import type { MarketState } from "../../engine/pricing/market_facts.ts";
import type { PRICE_SOURCES } from "../../catalogue/prices/price_rows.ts";
import type { ProposalStatus } from "../../rules/proposals/proposal.ts";
import { type Labels, say, type Translated } from "./label.ts";

type Source = (typeof PRICE_SOURCES)[number];

const sources: Labels<Source> = {
  api: say("Person oder API", "person or API"),
  import: say("Import", "import"),
  rule: say("Regel", "rule"),
  proposal: say("Vorschlag", "proposal"),
  rollback: say("Rücknahme", "rollback"),
};

const states: Labels<MarketState> = {
  no_links: say("keine Verknüpfung", "no link"),
  unreadable: say("kein Preis lesbar", "no price readable"),
  never_seen: say("noch nie gesehen", "never seen"),
  not_comparable: say("nicht vergleichbar", "not comparable"),
  stale: say("nur veraltete Preise", "only stale prices"),
  sold_out: say("nirgends lieferbar", "out of stock everywhere"),
  ok: say("aktuell", "up to date"),
};

const rivals: Labels<PriceRival> = {
  old: say("Bisher", "So far"),
  market: say("Der Günstigste verlangt", "The cheapest charges"),
  cost: say("Der Einkauf ist als Preis", "The cost as a price is"),
};

const moves: Labels<MoveKind> = {
  down: say("senkt", "lowers the price"),
  up: say("erhöht", "raises the price"),
  back_in_stock: say("liefert wieder", "delivers again"),
  sold_out: say("ist ausverkauft", "is sold out"),
  new_offer: say("bietet neu an", "has a new offer"),
};

export const positionWords = {
  position: {
    label: say("Stand im Markt", "Market position"),
    since: say("seit {date}, {source}", "since {date}, {source}"),
    sources,
    cost: say("EK {cost} netto", "cost {cost} net"),
    noCost: say("EK unbekannt", "cost unknown"),
    rankOf: say("{rank} von {count}", "{rank} of {count}"),
    counting: say(
      "wir + {count} {count|Angebot|Angebote}",
      "us + {count} {count|offer|offers}",
    ),
    index: say("Preisindex", "Price index"),
    indexNote: say(
      "100 = Durchschnitt der Angebote",
      "100 = average of the offers",
    ),
    gap: say("Abstand zum Günstigsten", "Gap to the cheapest"),
    gapShort: say("Abstand", "Gap"),
    gapBase: say("Abstand in % unseres Preises", "gap in % of our price"),
    above: say("{amount} über {shop}", "{amount} above {shop}"),
    below: say("{amount} unter {shop}", "{amount} below {shop}"),
    same: say("gleichauf mit {shop}", "level with {shop}"),
    range: say("Preisspanne der Angebote, die zählen", "Price range of the offers that count"),
    middle: say("Median {price}", "Median {price}"),
    us: say("Wir", "Us"),
    usSpoken: say("wir", "us"),
    states,
    held: say("gehalten bis {day}", "held until {day}"),
  },
  stockDot: {
    in: say("lieferbar", "in stock"),
    out: say("nicht lieferbar", "out of stock"),
    unknown: say("Verfügbarkeit unbekannt", "stock unknown"),
  },
  productPage: {
    place: say(
      "Produkt {at} von {total} der Auswahl im Markt",
      "Product {at} of {total} in the Market selection",
    ),
    previous: say("Voriges Produkt", "Previous product"),
    next: say("Nächstes Produkt", "Next product"),
    byPrice: say("nach Preis je Stück", "by price per unit"),
    usRow: say("{name} (wir)", "{name} (us)"),
    ofUs: say("Unser Abstand", "Our gap"),
    age: say("Gesehen", "Seen"),
    counts: say("Zählt?", "Counts?"),
    notCounting: say("zählt nicht ({count})", "does not count ({count})"),
    off: say("ausgeschaltet", "switched off"),
    shopOff: say("Shop ausgeschaltet", "shop switched off"),
    equivalent: say("vergleichbar", "comparable"),
    soldBy: say("von {seller}", "by {seller}"),
    insteadOf: say("statt {amount}", "instead of {amount}"),
    lowest30: say("30-Tage-Tief {amount}", "30-day low {amount}"),
    shipping: say("+ {amount} Versand", "+ {amount} shipping"),
    withShipping: say("davon {amount} Versand", "including {amount} shipping"),
    withoutShipping: say("{amount} ohne Versand", "{amount} without shipping"),
    lacksShipping: say("ohne Versand, er ist unbekannt", "without shipping, which is unknown"),
    freeShipping: say("ohne Versandkosten", "free shipping"),
    editLink: say("Verknüpfung bei {shop} bearbeiten", "Edit the link at {shop}"),
  },
  openProposal: {
    title: say("Offener Vorschlag", "Open proposal"),
    byRule: say("Regel „{rule}“", "Rule “{rule}”"),
    whole: say("Ganze Erklärung", "Full explanation"),
    rejected: say("Vorschlag abgelehnt", "Proposal rejected"),
    rejectedTitle: say("Abgelehnter Vorschlag", "Rejected proposal"),
    staysRejected: say(
      "Er kommt wieder, sobald sich unser Preis oder der vorgeschlagene ändert.",
      "It returns once our price or the proposed price changes.",
    ),
    reopened: say("Vorschlag wieder geöffnet", "Proposal reopened"),
    putOff: say("Vorschlag zurückgestellt bis {until}", "Proposal snoozed until {until}"),
    reason: say("Grund der Entscheidung (freiwillig)", "Reason for the decision (optional)"),
  },
  priceEdit: {
    title: say("Anderer Preis", "Different price"),
    hint: say("Enter speichert, Esc bricht ab", "Enter saves, Esc cancels"),
    counterHint: say(
      "Enter nimmt den Vorschlag zu diesem Preis an",
      "Enter accepts the proposal at this price",
    ),
    price: say("Neuer Preis in {currency}", "New price in {currency}"),
    hold: say("Danach halten bis", "Then hold until"),
    reasonNeeded: say("Grund (nötig)", "Reason (required)"),
    save: say("Preis setzen", "Set price"),
    saveHeld: say("Preis setzen und halten", "Set price and hold it"),
    saved: say("Preis ist jetzt {price}", "The price is now {price}"),
    undone: say("Preis ist wieder {price}", "The price is {price} again"),
    onlyReason: say("Erst einen Grund eingeben", "Enter a reason first"),
    overtaken: say(
      "Der Preis hat sich inzwischen geändert: es bleibt beim neuen.",
      "The price has changed in the meantime, so the new one stays.",
    ),
    factors: {
      more: {
        10: say("Fast das Zehnfache?", "Almost ten times as much?"),
        100: say("Fast das Hundertfache?", "Almost a hundred times as much?"),
        1000: say("Fast das Tausendfache?", "Almost a thousand times as much?"),
      },
      less: {
        10: say("Nur ein Zehntel?", "Only a tenth?"),
        100: say("Nur ein Hundertstel?", "Only a hundredth?"),
        1000: say("Nur ein Tausendstel?", "Only a thousandth?"),
      },
    },
    rivals,
    than: (rival: string, price: string) => `${rival} ${price}.`,
    meant: say("Meinten Sie {price}?", "Did you mean {price}?"),
    far: say("{pct} gegenüber {old}.", "{pct} compared with {old}."),
    farTitle: say("Mehr als 25\u00a0% Abweichung?", "More than 25% away?"),
    belowCost: say("Unter Einkauf.", "Below cost."),
    belowCostText: say(
      "Jedes verkaufte Stück bringt Verlust.",
      "Every unit sold makes a loss.",
    ),
    belowMin: say("Unter dem Mindestpreis von {limit}.", "Below the minimum price of {limit}."),
    aboveMax: say("Über dem Höchstpreis von {limit}.", "Above the maximum price of {limit}."),
    locked: say("Der Preis ist gesperrt.", "The price is locked."),
    held: say("Der Preis wird gehalten.", "The price is held."),
    belowFloor: say(
      "Marge {margin}, die Mindestmarge ist {floor}.",
      "Margin {margin}, the margin floor is {floor}.",
    ),
    take: say("{price} nehmen", "Use {price}"),
    keep: say("{price} lassen", "Keep {price}"),
    insist: say("{price} ist gemeint", "I mean {price}"),
    justify: say("{price} begründen …", "Justify {price} …"),
    calculated: say("Gerechnet mit {price}.", "Calculated with {price}."),
  },
  holding: {
    button: say("Halten bis …", "Hold until …"),
    title: say("Preis halten", "Hold the price"),
    text: say(
      "Bis zum Ende dieses Tages schlägt keine Regel einen Preis vor und setzt keinen. Importe setzen ihn weiter.",
      "Until the end of that day, no rule proposes or sets a price. Imports still do.",
    ),
    until: say("Halten bis", "Hold until"),
    release: say("Nicht mehr halten", "Stop holding"),
    held: say("Preis wird bis {day} gehalten", "The price is held until {day}"),
    released: say("Preis wird nicht mehr gehalten", "The price is no longer held"),
    change: say("Gehalten bis {day}", "Held until {day}"),
  },
  past: {
    title: say("Verlauf", "Timeline"),
    alert: say("Meldung", "Alert"),
    all: say("alles", "all"),
    own: say("nur wir", "ours only"),
    market: say("Markt", "market"),
    which: say("Was der Verlauf zeigt", "What the timeline shows"),
    empty: say("Noch nichts geschehen.", "Nothing has happened yet."),
    moves,
    moveTitle: (shop: string, move: string) => `${shop} ${move}`,
    priceBy: {
      api: say("{who} setzt den Preis", "{who} sets the price"),
      import: say("Import {name} setzt den Preis", "Import {name} sets the price"),
      rule: say("Regel „{name}“ setzt den Preis", "Rule “{name}” sets the price"),
      proposal: say("{who} nimmt den Vorschlag an", "{who} accepts the proposal"),
      rollback: say("{who} nimmt die Änderung zurück", "{who} undoes the change"),
    } satisfies Record<Source, Translated<(name: string) => string>>,
    fires: say("Regel „{rule}“ löst aus", "Rule “{rule}” triggers"),
    proposes: say("Vorschlag {price}, gilt bis {until}", "Proposes {price}, valid until {until}"),
    decided: {
      open: say(
        (_who: string, price: string) => `Vorschlag ${price} ist offen`,
        (_who, price) => `Proposal ${price} is open`,
      ),
      applied: say("{who} nimmt {price} an", "{who} accepts {price}"),
      rejected: say("{who} lehnt {price} ab", "{who} rejects {price}"),
      expired: say(
        (_who: string, price: string) => `Vorschlag ${price} ist abgelaufen`,
        (_who, price) => `Proposal ${price} has expired`,
      ),
      superseded: say(
        (_who: string, price: string) => `Vorschlag ${price} ist überholt`,
        (_who, price) => `Proposal ${price} is overtaken`,
      ),
      rolled_back: say("{who} nimmt {price} zurück", "{who} undoes {price}"),
    } satisfies Record<ProposalStatus, Translated<(who: string, price: string) => string>>,
    exported: say("Preis exportiert ({format})", "Price exported ({format})"),
    rows: say("{rows} Zeilen", "{rows} rows"),
    service: "Kurant",
    mark: say("Als Fehler markieren …", "Mark as an error …"),
    marked: say("als Fehler markiert", "marked as an error"),
    markedBy: (who: string, reason: string) => [who, reason].filter(Boolean).join(": "),
    unmark: say("Markierung aufheben", "Remove the mark"),
    markTitle: say("Preis als Fehler markieren", "Mark the price as an error"),
    markText: say("{price} vom {at}", "{price} of {at}"),
    neverShown: say("Der Preis wurde Kunden nie gezeigt", "The price was never shown to customers"),
    neverShownHint: say(
      "Nur dann zählt er nicht für den niedrigsten Preis der letzten 30 Tage (§ 11 PAngV).",
      "Only then is it left out of the lowest price of the last 30 days.",
    ),
    markDone: say("Als Fehler markiert", "Marked as an error"),
    markUndone: say("Markierung aufgehoben", "Mark removed"),
  },
};
