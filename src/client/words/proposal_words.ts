import type { LeavableKind } from "../../rules/proposals/preview_many.ts";
import { de, type Translated } from "./label.ts";

export const proposalWords = {
  decision: {
    owner: {
      title: de("Welche Regel setzt den Preis?").en("Which rule sets the price?"),
      sets: de("diese Regel").en("this rule"),
      rests: de("ruht").en("idle"),
      waits: de("wartet: {reason}").en("waits: {reason}"),
      schedule: de("bis zu ihrer Zeit").en("until its time"),
      outranked: de("würde {price} vorschlagen").en("would propose {price}"),
      takenBack: de("würde {price} vorschlagen, „{rule}“ nähme das zurück")
        .en("would propose {price}, but “{rule}” would reverse it"),
    },
    title: de("Regeln zu diesem Produkt").en("Rules for this product"),
    note: de("Jede aktive Regel, jetzt gefragt, in ihrer Reihenfolge")
      .en("Every active rule, evaluated now, in order of priority"),
    emptyTitle: de("Keine aktive Regel").en("No active rule"),
    emptyText: de("Sobald eine Regel eingeschaltet ist, steht hier, ob sie auslöst und warum.")
      .en("Once a rule is switched on, this shows whether it triggers and why."),
    fires: de("löst aus").en("triggers"),
    blocked: de("kein Preis").en("no price"),
    cooling: de("in der Ruhezeit").en("in cooldown"),
    why: de("Warum?").en("Why?"),
    path: de("So entstand der Preis").en("How the price was calculated"),
    vat: de("USt.").en("VAT"),
    gross: de("brutto").en("incl."),
    net: de("netto").en("excl."),
    byPerson: de("Von einer Person gesetzt").en("Set by a person"),
    noReferences: de("Kein brauchbarer Wettbewerberpreis").en("No usable competitor price"),
    used: de("maßgeblich").en("decisive"),
    wished: de("Formel „{formula}“").en("Formula “{formula}”"),
    aimed: de("Gerechnet ab: {from}").en("Calculated from: {from}"),
    floorLifts: de("Mindestmarge {pct} hebt den Preis an")
      .en("The margin floor of {pct} raises the price"),
    floorLiftsTo: de("Die Mindestmarge von {pct} hebt den Preis auf {price} an.")
      .en("The margin floor of {pct} raises the price to {price}."),
    floorApplies: de("begrenzt: Mindestmarge {pct}").en("limited: margin floor {pct}"),
    floorMet: de("Mindestmarge {pct} eingehalten, Untergrenze")
      .en("The margin floor of {pct} is met; lowest possible price"),
    rounded: de("Gerundet auf {ending}").en("Rounded to {ending}"),
    noFormula: de("Diese Regel macht keinen Preis").en("This rule sets no price"),
    passed: de("{count} weitere Prüfungen ohne Einwand").en("{count} more checks passed"),
    notConcerned: de(
      "{count} weitere aktive {count|Regel gilt|Regeln gelten} für dieses Produkt nicht",
    ).en("{count} more active {count|rule does|rules do} not apply to this product"),
  },
  proposals: {
    title: de("Vorschläge").en("Proposals"),
    open: de("{count} offen").en("{count} open"),
    emptyTitle: de("Nichts zu entscheiden").en("Nothing to decide"),
    emptyText: de(
      "Hier landen die Preise, die Ihre Regeln vorschlagen. Schalten Sie eine Regel ein, oder sehen Sie nach, warum keine auslöst.",
    ).en(
      "Prices proposed by your rules arrive here. Switch on a rule, or check why none triggers.",
    ),
    toRules: de("Zu den Regeln").en("To the rules"),
    noneTitle: de("Kein Vorschlag passt zu diesem Filter").en("No proposal matches this filter"),
    noneText: de("Nehmen Sie einen Teil des Filters weg.").en("Remove part of the filter."),
    showOpen: de("Offene zeigen").en("Show open proposals"),
    columns: {
      decided: de("Entschieden").en("Decided"),
    },
    chips: {
      label: de("Vorschläge nach Art").en("Proposals by kind"),
      search: de("SKU, Produkt oder Regel").en("SKU, product or rule"),
      expires: de("läuft heute ab").en("expires today"),
      small: de("Änderung < {pct}").en("change < {pct}"),
      up: de("steigt").en("rising"),
      thin: de("danach unter {pct} Marge").en("new margin below {pct}"),
      moved: de("Markt seither bewegt").en("market moved since"),
      later: de("später").en("snoozed"),
      decided: de("entschieden").en("decided"),
      oneRule: de("nur eine Regel ×").en("one rule only ×"),
      decidedSince: de("seit {time} ×").en("since {time} ×"),
    },
    order: de("Reihenfolge").en("Order"),
    sorts: {
      rule: de("nach Regel").en("by rule"),
      effect: de("nach Wirkung").en("by effect"),
      expires: de("nach Ablauf").en("by expiry"),
    },
    expiring: de("{count läuft|laufen} heute ab").en("{count expires|expire} today"),
    putOffCount: de("{count} zurückgestellt").en("{count} snoozed"),
    listed: de("Vorschläge dieser Liste").en("Proposals in this list"),
    changedPrices: de("Freigegebene und geänderte Preise der letzten 30 Tage")
      .en("Approved and changed prices of the last 30 days"),
    together: de((sum: string, isLess: boolean) =>
      `${sum} ${isLess ? "weniger" : "mehr"} Ertrag in 30 Tagen, wenn der Absatz gleich bleibt`
    ).en((sum, isLess) =>
      `${sum} ${isLess ? "less" : "more"} profit in 30 days if unit sales stay the same`
    ),
    in30Days: de("in 30 Tagen").en("in 30 days"),
    effect30d: de("Wirkung 30 Tage").en("30-day effect"),
    instead: de("{price} statt {current}?").en("{price} instead of {current}?"),
    insteadOf: de("vorgeschlagen waren {price}").en("{price} was proposed"),
    ends: de("läuft {at} ab").en("expires {at}"),
    endsTomorrow: de("läuft morgen ab").en("expires tomorrow"),
    keysFirst: de("j oder ↓ wählt eine Zeile, dann a, r, e oder s.")
      .en("j or ↓ selects a row, then a, r, e or s."),
    verdicts: {
      approve: de("angenommen um {time}").en("accepted at {time}"),
      reject: de("abgelehnt um {time}").en("rejected at {time}"),
      later: de("zurückgestellt um {time}, morgen früh wieder da")
        .en("snoozed at {time}, back tomorrow morning"),
    },
    asMuch: de("{shop} verlangt genauso viel").en("{shop} charges the same"),
    than: {
      cheaper: de("{shop} ist {pct} günstiger").en("{shop} is {pct} cheaper"),
      dearer: de("{shop} ist {pct} teurer").en("{shop} is {pct} more expensive"),
    },
    ladder: {
      title: de("Preisleiter").en("Price ladder"),
      note: de("jetzt · Abstand unseres heutigen Preises").en("now · gap of our current price"),
      today: de("Wir heute").en("Our price today"),
      proposed: de("Vorschlag").en("Proposed price"),
      floor: de("Untergrenze, {pct} Marge").en("Floor, {pct} margin"),
      rrp: de("UVP").en("RRP"),
      costGross: de("EK mit USt.").en("Cost incl. VAT"),
      cost: de("EK").en("Cost"),
      was: de("war {price}").en("was {price}"),
    },
    markRule: de("Alle von „{rule}“ markieren").en("Select all from “{rule}”"),
    approve: de("Annehmen").en("Accept"),
    approveOne: de("Annehmen …").en("Accept …"),
    approveAll: de("Alle {count} annehmen …").en("Accept all {count} …"),
    approveWhat: de("{what} annehmen").en("Accept {what}"),
    accept: {
      title: de("{count Preis|Preise} übernehmen?").en("Accept {count price|prices}?"),
      titleOf: de("{count} von {found} Preisen übernehmen?")
        .en("Accept {count} of {found} prices?"),
      reckoned: de("berechnet um {time}").en("calculated at {time}"),
      reckonedOf: de("Regel „{rule}“, berechnet um {time}")
        .en("Rule “{rule}”, calculated at {time}"),
      prices: de("Preise").en("Prices"),
      of: de(" von {found}").en(" of {found}"),
      leftOut: de("ausgenommen").en("left out"),
      leftOutCount: de("{shown} ausgenommen").en("{shown} left out"),
      noneLeftOut: de("keiner ausgenommen").en("none left out"),
      moves: de("Sinken / steigen").en("Falling / rising"),
      mean: de("im Mittel {pct}").en("{pct} on average"),
      thin: de("Danach unter {pct} Marge").en("New margin below {pct}"),
      noneBelowCost: de("keiner unter EK").en("none below cost"),
      belowCost: de("{count} unter EK").en("{count} below cost"),
      stayOpen: de(", {count|bleibt|bleiben} offen").en(", {count|stays|stay} open"),
      effect: de("Wirkung auf 30 Tage Marge").en("Effect on 30-day margin"),
      effectOfAll: de("alle {shown}: {sum}").en("all {shown}: {sum}"),
      withoutSales: de("ohne {count}, {count|dessen|deren} Absatz nicht bekannt ist")
        .en("without {count}, for which there are no sales figures"),
      changes: de("Wie stark sich Preise ändern").en("How much prices change"),
      sink: de("{count} sinken{pct?, im Mittel #}").en("{count} fall{pct?, # on average}"),
      rise: de("{count} steigen{pct?, im Mittel #}").en("{count} rise{pct?, # on average}"),
      largest: de("Die {count|größte Wirkung|# größten Wirkungen}")
        .en("The {count|largest effect|# largest effects}"),
      untick: de("Ohne Haken bleibt ein Vorschlag offen").en("unticked ones stay open"),
      acceptOne: de("{name} übernehmen").en("Accept {name}"),
      byKind: de("Unten als Gruppe ausgenommen").en("Left out below as a group"),
      leaveOut: de("Ausnehmen").en("Leave out"),
      kinds: {
        below_cost: de(() => "unter EK").en(() => "below cost"),
        thin: de("danach unter {pct} Marge").en("new margin below {pct}"),
        moved: de(() => "Markt hat sich seither bewegt").en(() => "market has moved since"),
        large: de("Änderung über {pct}").en("change over {pct}"),
        unsold: de(() => "kein Verkauf in 30 Tagen").en(() => "no units sold in 30 days"),
      } satisfies Record<LeavableKind, Translated<(pct: string) => string>>,
      saves: de("{shown} · spart {sum}").en("{shown} · saves {sum}"),
      already: de("{shown}, davon {already} schon ausgenommen")
        .en("{shown}, {already} of them already left out"),
      hasMoved: de("Seit der Berechnung hat sich etwas bewegt. Hier stehen die neuen Zahlen.")
        .en("Something has moved since these figures were calculated. Here are the new ones."),
      afterwards: de(
        "Ausgenommene bleiben offen. Zurücknehmbar, bis sich der Preis wieder ändert; steht im Protokoll.",
      ).en(
        "Left-out proposals stay open. You can undo this until the price changes again; it is in the audit log.",
      ),
      settles: de(
        "{count|Ein Vorschlag einer weiteren Regel ist|# Vorschläge weiterer Regeln sind} damit erledigt",
      ).en("This settles {count|one proposal from another rule|# proposals of other rules}"),
      accept: de("{count Preis|Preise} übernehmen").en("Accept {count price|prices}"),
    },
    allText: de("Rückgängig geht danach auch.").en("It can be undone afterwards."),
    reject: de("Ablehnen").en("Reject"),
    rejectMany: de("{count} ablehnen").en("Reject {count}"),
    rejectManyFor: de("{count} ablehnen …").en("Reject {count} …"),
    withReason: de("Mit Grund ablehnen …").en("Reject with reason …"),
    reasonNeeded: de("Grund (unter Einkauf oder Mindestmarge nötig)")
      .en("Reason (needed below cost or margin floor)"),
    later: de("Später").en("Snooze"),
    bringBack: de("Zurückholen").en("Bring back"),
    counter: de("Gegenpreis in {currency}").en("Counter-price in {currency}"),
    details: "Details",
    unmark: de("Aufheben").en("Clear"),
    rollBack: de("Preis zurücknehmen").en("Undo the price"),
    waitsFor: de(
      "{who} {approvers|hat|haben} {price} zugestimmt. Es {missing|fehlt noch eine andere Person|fehlen noch # andere Personen}.",
    ).en("{who} approved {price}. {missing|Another person|# other people} must do so, too."),
    needsOthers: de(
      "Mehr als {pct} Änderung: Außer Ihnen {others|muss eine andere Person|müssen # andere Personen} zustimmen.",
    ).en(
      "A change of more than {pct}: besides you, {others|another person|# other people} must approve.",
    ),
    rollBackSure: de("Preis zurücknehmen?").en("Undo the price?"),
    rollBackText: de("Der Preis wird wieder {price}.").en("The price becomes {price} again."),
    reopen: de("Wieder öffnen").en("Reopen"),
    marked: de("{count} markiert").en("{count} selected"),
    falls: de("{count Preis sinkt|Preise sinken}").en("{count} price {count|cut|cuts}"),
    rises: de("{count Preis steigt|Preise steigen}").en("{count} price {count|rise|rises}"),
    risesToo: de("{count steigt|steigen}").en("{count rise|rises}"),
    approved: de("{what} angenommen").en("{what} accepted"),
    countered: de("{what} zu {price} angenommen").en("{what} accepted at {price}"),
    rejected: de("{what} abgelehnt").en("{what} rejected"),
    rejectedFor: de("{what} abgelehnt: „{reason}“").en("{what} rejected: “{reason}”"),
    putOff: de("{what} zurückgestellt bis {until}").en("{what} snoozed until {until}"),
    takenBack: de("{what}: zurückgenommen").en("{what}: undone"),
    returned: {
      rejected: de("am {day} abgelehnt").en("rejected on {day}"),
      because: de("Am {day} abgelehnt{reason? („#“)}.").en("Rejected on {day}{reason? (“#”)}."),
      ourPrice: de("Wieder da: Unser Preis hat sich seither geändert (war {price}).")
        .en("Back because our price has changed since (was {price})."),
      otherPrice: de("Wieder da: Die Regel schlägt jetzt einen anderen Preis vor (war {price}).")
        .en("Back because the rule now proposes another price (was {price})."),
      same: de("Wieder da: Die Regel schlägt den Preis weiter vor.")
        .en("Back because the rule still proposes this price."),
    },
    reopened: {
      open: de("Der Vorschlag ist wieder offen.").en("The proposal is open again."),
      otherPrice: de("Der Vorschlag ist wieder offen, jetzt mit {price}.")
        .en("The proposal is open again, now at {price}."),
      closed: de("Der Vorschlag bleibt geschlossen: {why}.")
        .en("The proposal stays closed: {why}."),
      manyOpen: de(
        "{count Vorschlag ist|Vorschläge sind} wieder offen{moved?, davon # mit anderem Preis}.",
      ).en(
        "{count proposal is|proposals are} open again{moved?, # of them at another price}.",
      ),
      manyClosed: de("{count bleibt|bleiben} geschlossen: {why}.")
        .en("{count stays|stay} closed: {why}."),
    },
    failed: de("{count} nicht möglich").en("{count} could not be done"),
    failedMore: de("und {count} weitere").en("and {count} more"),
    notLoaded: de("Ein nicht geladener").en("One that is not loaded"),
    laterMany: de("{count} zurückstellen").en("Snooze {count}"),
    panel: de("Warum dieser Preis?").en("Why this price?"),
    panelHint: de("Wählen Sie eine Zeile. Hier steht dann, warum der Preis vorgeschlagen wird.")
      .en("Select a row to see why its price is proposed."),
    keysHint: de(
      [
        ["j k", "Zeile vor und zurück"],
        ["a", "annehmen"],
        ["r", "ablehnen"],
        ["e", "Gegenpreis"],
        ["s", "später: morgen früh wieder"],
        ["u", "rückgängig"],
        ["x", "markieren"],
      ] as readonly (readonly [string, string])[],
    ).en([
      ["j k", "next and previous row"],
      ["a", "accept"],
      ["r", "reject"],
      ["e", "counter-price"],
      ["s", "snooze: back tomorrow morning"],
      ["u", "undo"],
      ["x", "mark"],
    ]),
    without: de("{count Angebot zählt|Angebote zählen} nicht")
      .en("{count offer does|offers do} not count"),
    asks: de("{shop} verlangt {price}").en("{shop} charges {price}"),
    effectOf: {
      piece: de("{amount}/Stück").en("{amount}/unit"),
      "30d": de("{amount}").en("{amount}"),
    },
    noSales: de("nichts verkauft").en("no units sold"),
    salesUntil: de("Gerechnet mit dem Absatz der 30 Tage bis {day}")
      .en("Based on unit sales in the 30 days to {day}."),
    thenTied: de("Danach gleichauf mit {shop}.").en("We would then match {shop}."),
    asOf: de("Stand {day}").en("as of {day}"),
    withoutSales: de("Je Stück gerechnet: Absatz unbekannt.").en("Per unit: sales unknown."),
    rankOf: de("Rang von {of}").en("Rank out of {of}"),
    since: de("Seit {day} hat sich der Markt bewegt.").en("The market has moved since {day}."),
    because: de("Grund: {reason}").en("Reason: {reason}"),
    heldUntil: de("zurückgestellt bis {at}").en("snoozed until {at}"),
    noTrace: de("Zu diesem Vorschlag ist die Herleitung nicht mehr gespeichert.")
      .en("The calculation behind this proposal is no longer stored."),
    openRule: de("Zur Regel").en("To the rule"),
  },
};
