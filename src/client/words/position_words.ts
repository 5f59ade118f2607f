import type { PriceRival } from "../../base/price_doubts.ts";
import type { MoveKind } from "../../shops/observations/move_store.ts";
import type { PRICE_SOURCES } from "../../catalogue/prices/price_rows.ts";
import type { ProposalStatus } from "../../rules/proposals/proposal.ts";
import { de, type Labels, type Translated } from "./label.ts";

type Source = (typeof PRICE_SOURCES)[number];

const rivals: Labels<PriceRival> = {
  old: de("Bisher").en("So far"),
  market: de("Der Günstigste verlangt").en("The cheapest charges"),
  cost: de("Der Einkauf ist als Preis").en("The cost as a price is"),
};

const moves: Labels<MoveKind> = {
  down: de("senkt").en("lowers the price"),
  up: de("erhöht").en("raises the price"),
  back_in_stock: de("liefert wieder").en("delivers again"),
  sold_out: de("ist ausverkauft").en("is sold out"),
  new_offer: de("bietet neu an").en("has a new offer"),
};

export const positionWords = {
  position: {
    label: de("Stand im Markt").en("Market position"),
    since: de("seit {date} ({source})").en("since {date} ({source})"),
    cost: de("EK {cost} netto").en("cost {cost} net"),
    noCost: de("EK unbekannt").en("cost unknown"),
    partOf: de("{part} von {whole}").en("{part} of {whole}"),
    counting: de("wir + {count Angebot|Angebote}").en("us + {count offer|offers}"),
    indexNote: de("100 = Durchschnitt der Angebote").en("100 = average of the offers"),
    gap: de("Abstand zum Günstigsten").en("Gap to the cheapest"),
    gapBase: de("Abstand in % unseres Preises").en("gap in % of our price"),
    above: de("{amount} über {shop}").en("{amount} above {shop}"),
    below: de("{amount} unter {shop}").en("{amount} below {shop}"),
    same: de("gleichauf mit {shop}").en("level with {shop}"),
    range: de("Preisspanne der Angebote, die zählen").en("Price range of the offers that count"),
    middle: de("Median {price}").en("Median {price}"),
    us: de("Wir").en("Us"),
    usSpoken: de("wir").en("us"),
    held: de("gehalten bis {day}").en("held until {day}"),
  },
  stockDot: {
    in: de("lieferbar").en("in stock"),
    out: de("nicht lieferbar").en("out of stock"),
    unknown: de("Verfügbarkeit unbekannt").en("stock unknown"),
  },
  productPage: {
    place: de("Produkt {at} von {total} der Auswahl im Markt")
      .en("Product {at} of {total} in the Market selection"),
    previous: de("Voriges Produkt").en("Previous product"),
    next: de("Nächstes Produkt").en("Next product"),
    byPrice: de("nach Preis je Stück").en("by price per unit"),
    usRow: de("{name} (wir)").en("{name} (us)"),
    ofUs: de("Unser Abstand").en("Our gap"),
    counts: de("Zählt?").en("Counts?"),
    notCounting: de("zählt nicht ({count})").en("does not count ({count})"),
    off: de("ausgeschaltet").en("switched off"),
    shopOff: de("Shop ausgeschaltet").en("shop switched off"),
    equivalent: de("vergleichbar").en("comparable"),
    soldBy: de("von {seller}").en("by {seller}"),
    insteadOf: de("statt {amount}").en("instead of {amount}"),
    lowest30: de("30-Tage-Tief {amount}").en("30-day low {amount}"),
    shipping: de("+ {amount} Versand").en("+ {amount} shipping"),
    withShipping: de("davon {amount} Versand").en("including {amount} shipping"),
    withoutShipping: de("{amount} ohne Versand").en("{amount} without shipping"),
    lacksShipping: de("ohne Versand, er ist unbekannt").en("without shipping, which is unknown"),
    freeShipping: de("ohne Versandkosten").en("free shipping"),
    editLink: de("Verknüpfung bei {shop} bearbeiten").en("Edit the link at {shop}"),
  },
  openProposal: {
    title: de("Offener Vorschlag").en("Open proposal"),
    byRule: de("Regel „{rule}“").en("Rule “{rule}”"),
    whole: de("Ganze Erklärung").en("Full explanation"),
    rejected: de("Vorschlag abgelehnt").en("Proposal rejected"),
    putOff: de("Vorschlag zurückgestellt bis {until}").en("Proposal snoozed until {until}"),
    reason: de("Grund der Entscheidung (freiwillig)").en("Reason for the decision (optional)"),
  },
  priceEdit: {
    title: de("Anderer Preis").en("Different price"),
    hint: de("Enter speichert, Esc bricht ab").en("Enter saves, Esc cancels"),
    counterHint: de("Enter nimmt den Vorschlag zu diesem Preis an")
      .en("Enter accepts the proposal at this price"),
    price: de("Neuer Preis in {currency}").en("New price in {currency}"),
    hold: de("Danach halten bis").en("Then hold until"),
    reasonNeeded: de("Grund (nötig)").en("Reason (required)"),
    save: de("Preis setzen").en("Set price"),
    saveHeld: de("Preis setzen und halten").en("Set price and hold it"),
    saved: de("Preis ist jetzt {price}").en("The price is now {price}"),
    undone: de("Preis ist wieder {price}").en("The price is {price} again"),
    onlyReason: de("Erst einen Grund eingeben").en("Enter a reason first"),
    overtaken: de("Der Preis hat sich inzwischen geändert: es bleibt beim neuen.")
      .en("The price has changed in the meantime, so the new one stays."),
    factors: {
      more: {
        10: de("Fast das Zehnfache?").en("Almost ten times as much?"),
        100: de("Fast das Hundertfache?").en("Almost a hundred times as much?"),
        1000: de("Fast das Tausendfache?").en("Almost a thousand times as much?"),
      },
      less: {
        10: de("Nur ein Zehntel?").en("Only a tenth?"),
        100: de("Nur ein Hundertstel?").en("Only a hundredth?"),
        1000: de("Nur ein Tausendstel?").en("Only a thousandth?"),
      },
    },
    rivals,
    than: (rival: string, price: string) => `${rival} ${price}.`,
    meant: de("Meinten Sie {price}?").en("Did you mean {price}?"),
    far: de("{pct} gegenüber {old}.").en("{pct} compared with {old}."),
    farTitle: de("Mehr als 25\u00a0% Abweichung?").en("More than 25% away?"),
    belowCost: de("Unter Einkauf.").en("Below cost."),
    belowCostText: de("Jedes verkaufte Stück bringt Verlust.").en("Every unit sold makes a loss."),
    belowMin: de("Unter dem Mindestpreis von {limit}.").en("Below the minimum price of {limit}."),
    aboveMax: de("Über dem Höchstpreis von {limit}.").en("Above the maximum price of {limit}."),
    locked: de("Der Preis ist gesperrt.").en("The price is locked."),
    held: de("Der Preis wird gehalten.").en("The price is held."),
    belowFloor: de("Marge {margin}, die Mindestmarge ist {floor}.")
      .en("Margin {margin}, the margin floor is {floor}."),
    take: de("{price} nehmen").en("Use {price}"),
    keep: de("{price} lassen").en("Keep {price}"),
    insist: de("{price} ist gemeint").en("I mean {price}"),
    justify: de("{price} begründen …").en("Justify {price} …"),
    calculated: de("Gerechnet mit {price}.").en("Calculated with {price}."),
  },
  holding: {
    button: de("Halten bis …").en("Hold until …"),
    title: de("Preis halten").en("Hold the price"),
    text: de(
      "Bis zum Ende dieses Tages schlägt keine Regel einen Preis vor und setzt keinen. Importe setzen ihn weiter.",
    ).en("Until the end of that day, no rule proposes or sets a price. Imports still do."),
    until: de("Halten bis").en("Hold until"),
    fromToday: de("Bitte heute oder einen späteren Tag wählen").en("Choose today or a later day"),
    release: de("Nicht mehr halten").en("Stop holding"),
    held: de("Preis wird bis {day} gehalten").en("The price is held until {day}"),
    released: de("Preis wird nicht mehr gehalten").en("The price is no longer held"),
    change: de("Gehalten bis {day}").en("Held until {day}"),
  },
  past: {
    title: de("Verlauf").en("Timeline"),
    all: de("alles").en("all"),
    own: de("nur wir").en("ours only"),
    market: de("Markt").en("market"),
    which: de("Was der Verlauf zeigt").en("What the timeline shows"),
    empty: de("Noch nichts geschehen.").en("Nothing has happened yet."),
    moves,
    priceBy: {
      api: de("{who} setzt den Preis").en("{who} sets the price"),
      import: de("Import {name} setzt den Preis").en("Import {name} sets the price"),
      rule: de("Regel „{name}“ setzt den Preis").en("Rule “{name}” sets the price"),
      proposal: de("{who} nimmt den Vorschlag an").en("{who} accepts the proposal"),
      rollback: de("{who} nimmt die Änderung zurück").en("{who} undoes the change"),
    } satisfies Record<Source, Translated<(name: string) => string>>,
    fires: de("Regel „{rule}“ löst aus").en("Rule “{rule}” triggers"),
    proposes: de("Vorschlag {price}, gilt bis {until}").en("Proposes {price}, valid until {until}"),
    decided: {
      open: de((_who: string, price: string) => `Vorschlag ${price} ist offen`)
        .en((_who, price) => `Proposal ${price} is open`),
      applied: de("{who} nimmt {price} an").en("{who} accepts {price}"),
      rejected: de("{who} lehnt {price} ab").en("{who} rejects {price}"),
      expired: de((_who: string, price: string) => `Vorschlag ${price} ist abgelaufen`)
        .en((_who, price) => `Proposal ${price} has expired`),
      superseded: de((_who: string, price: string) => `Vorschlag ${price} ist überholt`)
        .en((_who, price) => `Proposal ${price} is overtaken`),
      rolled_back: de("{who} nimmt {price} zurück").en("{who} undoes {price}"),
    } satisfies Record<ProposalStatus, Translated<(who: string, price: string) => string>>,
    exported: de("Preis exportiert ({format})").en("Price exported ({format})"),
    rows: de("{rows} Zeilen").en("{rows} rows"),
    mark: de("Als Fehler markieren …").en("Mark as an error …"),
    marked: de("als Fehler markiert").en("marked as an error"),
    unmark: de("Markierung aufheben").en("Remove the mark"),
    markTitle: de("Preis als Fehler markieren").en("Mark the price as an error"),
    markText: de("{price} vom {at}").en("{price} of {at}"),
    neverShown: de("Der Preis wurde Kunden nie gezeigt")
      .en("The price was never shown to customers"),
    neverShownHint: de(
      "Nur dann zählt er nicht für den niedrigsten Preis der letzten 30 Tage (§ 11 PAngV).",
    ).en("Only then is it left out of the lowest price of the last 30 days."),
    markDone: de("Als Fehler markiert").en("Marked as an error"),
    markUndone: de("Markierung aufgehoben").en("Mark removed"),
  },
};
