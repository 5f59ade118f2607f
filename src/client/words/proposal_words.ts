/** Texts of proposals, and of why a rule decided as it did. */
import type { LeavableKind } from "../../rules/proposals/preview_many.ts";
import type { ProposalStatus } from "../../rules/proposals/proposal.ts";
import { codes, columns, type Labels, plural, say, type Translated } from "./label.ts";

export const proposalWords = {
  decision: {
    owner: {
      title: say("Welche Regel setzt den Preis?", "Which rule sets the price?"),
      sets: say("diese Regel", "this rule"),
      rests: say("ruht", "idle"),
      waits: say("wartet: {reason}", "waits: {reason}"),
      schedule: say("bis zu ihrer Zeit", "until its time"),
      outranked: say("würde {price} vorschlagen", "would propose {price}"),
      takenBack: say(
        "würde {price} vorschlagen, „{rule}“ nähme das zurück",
        "would propose {price}, but “{rule}” would reverse it",
      ),
    },
    title: say("Regeln zu diesem Produkt", "Rules for this product"),
    note: say(
      "Jede aktive Regel, jetzt gefragt, in ihrer Reihenfolge",
      "Every active rule, evaluated now, in order of priority",
    ),
    emptyTitle: say("Keine aktive Regel", "No active rule"),
    emptyText: say(
      "Sobald eine Regel eingeschaltet ist, steht hier, ob sie auslöst und warum.",
      "Once a rule is switched on, this shows whether it triggers and why.",
    ),
    toRules: say("Zu den Regeln", "To the rules"),
    outcomes: codes.decisionOutcomes,
    fires: say("löst aus", "triggers"),
    blocked: say("kein Preis", "no price"),
    cooling: say("in der Ruhezeit", "in cooldown"),
    why: say("Warum?", "Why?"),
    ours: say("Wir", "Us"),
    market: say("Markt", "Market"),
    path: say("So entstand der Preis", "How the price was calculated"),
    vat: say("USt.", "VAT"),
    gross: say("brutto", "incl."),
    net: say("netto", "excl."),
    locked: say("gesperrt", "locked"),
    byPerson: say("Von einer Person gesetzt", "Set by a person"),
    noReferences: say("Kein brauchbarer Wettbewerberpreis", "No usable competitor price"),
    used: say("maßgeblich", "decisive"),
    wished: say("Formel „{formula}“", "Formula “{formula}”"),
    aimed: say("Gerechnet ab: {from}", "Calculated from: {from}"),
    floorLifts: say(
      "Mindestmarge {pct} hebt den Preis an",
      "The margin floor of {pct} raises the price",
    ),
    floorLiftsTo: say(
      "Die Mindestmarge von {pct} hebt den Preis auf {price} an.",
      "The margin floor of {pct} raises the price to {price}.",
    ),
    floorApplies: say("begrenzt: Mindestmarge {pct}", "limited: margin floor {pct}"),
    floorMet: say(
      "Mindestmarge {pct} eingehalten, Untergrenze",
      "The margin floor of {pct} is met; lowest possible price",
    ),
    rounded: say("Gerundet auf {ending}", "Rounded to {ending}"),
    noFormula: say("Diese Regel macht keinen Preis", "This rule sets no price"),
    passed: say("{count} weitere Prüfungen ohne Einwand", "{count} more checks passed"),
    notConcerned: say(
      (count: number) =>
        `${count} weitere aktive ${
          plural(count, "Regel gilt", "Regeln gelten")
        } für dieses Produkt nicht`,
      (count) =>
        `${count} more active ${count === 1 ? "rule does" : "rules do"} not apply to this product`,
    ),
  },
  proposals: {
    title: say("Vorschläge", "Proposals"),
    open: say("{count} offen", "{count} open"),
    emptyTitle: say("Nichts zu entscheiden", "Nothing to decide"),
    emptyText: say(
      "Hier landen die Preise, die Ihre Regeln vorschlagen. Schalten Sie eine Regel ein, oder sehen Sie nach, warum keine auslöst.",
      "Prices proposed by your rules arrive here. Switch on a rule, or check why none triggers.",
    ),
    toRules: say("Zu den Regeln", "To the rules"),
    noneTitle: say("Kein Vorschlag passt zu diesem Filter", "No proposal matches this filter"),
    noneText: say("Nehmen Sie einen Teil des Filters weg.", "Remove part of the filter."),
    showOpen: say("Offene zeigen", "Show open proposals"),
    columns: {
      change: say("Änderung", "Change"),
      marginAfter: say("Marge danach", "New margin"),
      effect: columns.effect,
      decided: say("Entschieden", "Decided"),
      status: say("Stand", "State"),
    },
    statuses: codes.proposalStatuses satisfies Labels<ProposalStatus>,
    chips: {
      label: say("Vorschläge nach Art", "Proposals by kind"),
      search: say("SKU, Produkt oder Regel", "SKU, product or rule"),
      expires: say("läuft heute ab", "expires today"),
      small: say("Änderung < {pct}", "change < {pct}"),
      smallField: say("Änderung unter … %", "Change below …%"),
      up: say("steigt", "rising"),
      thin: say("danach unter {pct} Marge", "new margin below {pct}"),
      moved: say("Markt seither bewegt", "market moved since"),
      later: say("später", "snoozed"),
      decided: say("entschieden", "decided"),
      oneRule: say("nur eine Regel ×", "one rule only ×"),
      decidedSince: say("seit {time} ×", "since {time} ×"),
    },
    order: say("Reihenfolge", "Order"),
    sorts: {
      rule: say("nach Regel", "by rule"),
      effect: say("nach Wirkung", "by effect"),
      expires: say("nach Ablauf", "by expiry"),
    },
    expiring: say("{count} {count|läuft|laufen} heute ab", "{count} {count|expires|expire} today"),
    putOffCount: say("{count} zurückgestellt", "{count} snoozed"),
    listed: say("Vorschläge dieser Liste", "Proposals in this list"),
    changedPrices: say(
      "Freigegebene und geänderte Preise der letzten 30 Tage",
      "Approved and changed prices of the last 30 days",
    ),
    together: say(
      (sum: string, isLess: boolean) =>
        `${sum} ${isLess ? "weniger" : "mehr"} Ertrag in 30 Tagen, wenn der Absatz gleich bleibt`,
      (sum, isLess) =>
        `${sum} ${isLess ? "less" : "more"} profit in 30 days if unit sales stay the same`,
    ),
    in30Days: say("in 30 Tagen", "in 30 days"),
    effect30d: say("Wirkung 30 Tage", "30-day effect"),
    instead: say("{price} statt {current}?", "{price} instead of {current}?"),
    insteadOf: say("vorgeschlagen waren {price}", "{price} was proposed"),
    endsAt: say("läuft {time} ab", "expires {time}"),
    endsTomorrow: say("läuft morgen ab", "expires tomorrow"),
    endsOn: say("läuft {day} ab", "expires {day}"),
    keysFirst: say(
      "j oder ↓ wählt eine Zeile, dann a, r, e oder s.",
      "j or ↓ selects a row, then a, r, e or s.",
    ),
    takeBack: say("Zurücknehmen", "Undo"),
    verdicts: {
      approve: say("angenommen um {time}", "accepted at {time}"),
      reject: say("abgelehnt um {time}", "rejected at {time}"),
      later: say(
        "zurückgestellt um {time}, morgen früh wieder da",
        "snoozed at {time}, back tomorrow morning",
      ),
    },
    asMuch: say("{shop} verlangt genauso viel", "{shop} charges the same"),
    than: {
      cheaper: say("{shop} ist {pct} günstiger", "{shop} is {pct} cheaper"),
      dearer: say("{shop} ist {pct} teurer", "{shop} is {pct} more expensive"),
    },
    ladder: {
      title: say("Preisleiter", "Price ladder"),
      note: say("jetzt · Abstand unseres heutigen Preises", "now · gap of our current price"),
      today: say("Wir heute", "Our price today"),
      proposed: say("Vorschlag", "Proposed price"),
      floor: say("Untergrenze, {pct} Marge", "Floor, {pct} margin"),
      rrp: say("UVP", "RRP"),
      costGross: say("EK mit USt.", "Cost incl. VAT"),
      cost: say("EK", "Cost"),
      was: say("war {price}", "was {price}"),
    },
    markRule: say("Alle von „{rule}“ markieren", "Select all from “{rule}”"),
    approve: say("Annehmen", "Accept"),
    approveAt: say("{price} annehmen", "Accept {price}"),
    approveOne: say("Annehmen …", "Accept …"),
    approveAll: say("Alle {count} annehmen …", "Accept all {count} …"),
    approveMany: say("{count} annehmen", "Accept {count}"),
    accept: {
      title: say(
        (shown: string, count: number, found: string, isPart: boolean) =>
          isPart
            ? `${shown} von ${found} Preisen übernehmen?`
            : `${shown} ${plural(count, "Preis", "Preise")} übernehmen?`,
        (shown, count, found, isPart) =>
          isPart
            ? `Accept ${shown} of ${found} prices?`
            : `Accept ${shown} ${plural(count, "price", "prices")}?`,
      ),
      reckoned: say("berechnet um {time}", "calculated at {time}"),
      reckonedOf: say("Regel „{rule}“, berechnet um {time}", "Rule “{rule}”, calculated at {time}"),
      prices: say("Preise", "Prices"),
      of: say(" von {found}", " of {found}"),
      leftOut: say("ausgenommen", "left out"),
      leftOutCount: say("{shown} ausgenommen", "{shown} left out"),
      noneLeftOut: say("keiner ausgenommen", "none left out"),
      moves: say("Sinken / steigen", "Falling / rising"),
      mean: say("im Mittel {pct}", "{pct} on average"),
      thin: say("Danach unter {pct} Marge", "New margin below {pct}"),
      belowCost: say(
        (shown: string, count: number, staysOpen: boolean) =>
          count === 0
            ? "keiner unter EK"
            : `${shown} unter EK${
              staysOpen ? `, ${plural(count, "bleibt", "bleiben")} offen` : ""
            }`,
        (shown, count, staysOpen) =>
          count === 0
            ? "none below cost"
            : `${shown} below cost${staysOpen ? `, ${plural(count, "stays", "stay")} open` : ""}`,
      ),
      effect: say("Wirkung auf 30 Tage Marge", "Effect on 30-day margin"),
      effectOfAll: say("alle {shown}: {sum}", "all {shown}: {sum}"),
      withoutSales: say(
        "ohne {count}, {count|dessen|deren} Absatz nicht bekannt ist",
        "without {count}, for which there are no sales figures",
      ),
      changes: say("Wie stark sich Preise ändern", "How much prices change"),
      sink: say(
        (shown: string, pct: string) => `${shown} sinken${pct && `, im Mittel ${pct}`}`,
        (shown, pct) => `${shown} fall${pct && `, ${pct} on average`}`,
      ),
      rise: say(
        (shown: string, pct: string) => `${shown} steigen${pct && `, im Mittel ${pct}`}`,
        (shown, pct) => `${shown} rise${pct && `, ${pct} on average`}`,
      ),
      largest: say(
        (count: number) => count === 1 ? "Die größte Wirkung" : `Die ${count} größten Wirkungen`,
        (count) => count === 1 ? "The largest effect" : `The ${count} largest effects`,
      ),
      untick: say("Ohne Haken bleibt ein Vorschlag offen", "unticked ones stay open"),
      acceptOne: say("{name} übernehmen", "Accept {name}"),
      byKind: say("Unten als Gruppe ausgenommen", "Left out below as a group"),
      leaveOut: say("Ausnehmen", "Leave out"),
      kinds: {
        below_cost: say(() => "unter EK", () => "below cost"),
        thin: say("danach unter {pct} Marge", "new margin below {pct}"),
        moved: say(() => "Markt hat sich seither bewegt", () => "market has moved since"),
        large: say("Änderung über {pct}", "change over {pct}"),
        unsold: say(() => "kein Verkauf in 30 Tagen", () => "no units sold in 30 days"),
      } satisfies Record<LeavableKind, Translated<(pct: string) => string>>,
      saves: say("{shown} · spart {sum}", "{shown} · saves {sum}"),
      already: say(
        "{shown}, davon {already} schon ausgenommen",
        "{shown}, {already} of them already left out",
      ),
      hasMoved: say(
        "Seit der Berechnung hat sich etwas bewegt. Hier stehen die neuen Zahlen.",
        "Something has moved since these figures were calculated. Here are the new ones.",
      ),
      afterwards: say(
        "Ausgenommene bleiben offen. Zurücknehmbar, bis sich der Preis wieder ändert; steht im Protokoll.",
        "Left-out proposals stay open. You can undo this until the price changes again; it is in the audit log.",
      ),
      settles: say(
        (shown: string, count: number) =>
          count === 1
            ? "Ein Vorschlag einer weiteren Regel ist damit erledigt"
            : `${shown} Vorschläge weiterer Regeln sind damit erledigt`,
        (shown, count) =>
          count === 1
            ? "This settles one proposal from another rule"
            : `This settles ${shown} proposals of other rules`,
      ),
      accept: say("{count} {count|Preis|Preise} übernehmen", "Accept {count} {count|price|prices}"),
    },
    allText: say("Rückgängig geht danach auch.", "It can be undone afterwards."),
    reject: say("Ablehnen", "Reject"),
    rejectMany: say("{count} ablehnen", "Reject {count}"),
    rejectManyFor: say("{count} ablehnen …", "Reject {count} …"),
    withReason: say("Mit Grund ablehnen …", "Reject with reason …"),
    reason: say("Grund", "Reason"),
    reasonNeeded: say(
      "Grund (unter Einkauf oder Mindestmarge nötig)",
      "Reason (needed below cost or margin floor)",
    ),
    later: say("Später", "Snooze"),
    bringBack: say("Zurückholen", "Bring back"),
    counter: say("Gegenpreis in {currency}", "Counter-price in {currency}"),
    details: "Details",
    unmark: say("Aufheben", "Clear"),
    rollBack: say("Preis zurücknehmen", "Undo the price"),
    waitsFor: say(
      (price: string, who: string, approvers: number, missing: number) =>
        `${who} ${plural(approvers, "hat", "haben")} ${price} zugestimmt. Es ${
          missing === 1 ? "fehlt noch eine andere Person" : `fehlen noch ${missing} andere Personen`
        }.`,
      (price, who, _approvers, missing) =>
        `${who} approved ${price}. ${
          missing === 1 ? "Another person" : `${missing} other people`
        } must do so, too.`,
    ),
    needsOthers: say(
      (pct: string, others: number) =>
        `Mehr als ${pct} Änderung: Außer Ihnen ${
          others === 1 ? "muss eine andere Person" : `müssen ${others} andere Personen`
        } zustimmen.`,
      (pct, others) =>
        `A change of more than ${pct}: besides you, ${
          others === 1 ? "another person" : `${others} other people`
        } must approve.`,
    ),
    rollBackSure: say("Preis zurücknehmen?", "Undo the price?"),
    rollBackText: say("Der Preis wird wieder {price}.", "The price becomes {price} again."),
    reopen: say("Wieder öffnen", "Reopen"),
    marked: say("{count} markiert", "{count} selected"),
    moves: say((down: number, up: number) =>
      [
        down > 0 && `${down} ${plural(down, "Preis sinkt", "Preise sinken")}`,
        up > 0 &&
        `${up} ${down > 0 ? "" : plural(up, "Preis ", "Preise ")}${
          plural(up, "steigt", "steigen")
        }`,
      ].filter(Boolean).join(", "), (down, up) =>
      [
        down > 0 && `${down} price ${plural(down, "cut", "cuts")}`,
        up > 0 && `${up} ${down > 0 ? "" : "price "}${plural(up, "rise", "rises")}`,
      ].filter(Boolean).join(", ")),
    approved: say("{what} angenommen", "{what} accepted"),
    countered: say("{what} zu {price} angenommen", "{what} accepted at {price}"),
    rejected: say("{what} abgelehnt", "{what} rejected"),
    rejectedFor: say("{what} abgelehnt: „{reason}“", "{what} rejected: “{reason}”"),
    putOff: say("{what} zurückgestellt bis {until}", "{what} snoozed until {until}"),
    takenBack: say("{what}: zurückgenommen", "{what}: undone"),
    returned: {
      rejected: say("am {day} abgelehnt", "rejected on {day}"),
      because: say(
        (day: string, reason: string | null) =>
          `Am ${day} abgelehnt${reason === null ? "" : ` („${reason}“)`}.`,
        (day, reason) => `Rejected on ${day}${reason === null ? "" : ` (“${reason}”)`}.`,
      ),
      ourPrice: say(
        "Wieder da: Unser Preis hat sich seither geändert (war {price}).",
        "Back because our price has changed since (was {price}).",
      ),
      otherPrice: say(
        "Wieder da: Die Regel schlägt jetzt einen anderen Preis vor (war {price}).",
        "Back because the rule now proposes another price (was {price}).",
      ),
      same: say(
        "Wieder da: Die Regel schlägt den Preis weiter vor.",
        "Back because the rule still proposes this price.",
      ),
    },
    reopened: {
      open: say("Der Vorschlag ist wieder offen.", "The proposal is open again."),
      otherPrice: say(
        "Der Vorschlag ist wieder offen, jetzt mit {price}.",
        "The proposal is open again, now at {price}.",
      ),
      closed: say("Der Vorschlag bleibt geschlossen: {why}.", "The proposal stays closed: {why}."),
      manyOpen: say(
        (count: number, shown: string, moved: string | null) =>
          `${shown} ${plural(count, "Vorschlag ist", "Vorschläge sind")} wieder offen${
            moved === null ? "" : `, davon ${moved} mit anderem Preis`
          }.`,
        (count, shown, moved) =>
          `${shown} ${plural(count, "proposal is", "proposals are")} open again${
            moved === null ? "" : `, ${moved} of them at another price`
          }.`,
      ),
      manyClosed: say(
        "{count} {count|bleibt|bleiben} geschlossen: {why}.",
        "{count} {count|stays|stay} closed: {why}.",
      ),
    },
    failed: say("{count} nicht möglich", "{count} could not be done"),
    failedMore: say("und {count} weitere", "and {count} more"),
    notLoaded: say("Ein nicht geladener", "One that is not loaded"),
    laterMany: say("{count} zurückstellen", "Snooze {count}"),
    panel: say("Warum dieser Preis?", "Why this price?"),
    panelHint: say(
      "Wählen Sie eine Zeile. Hier steht dann, warum der Preis vorgeschlagen wird.",
      "Select a row to see why its price is proposed.",
    ),
    keysHint: say(
      [
        ["j k", "Zeile vor und zurück"],
        ["a", "annehmen"],
        ["r", "ablehnen"],
        ["e", "Gegenpreis"],
        ["s", "später: morgen früh wieder"],
        ["u", "rückgängig"],
        ["x", "markieren"],
      ] as readonly (readonly [string, string])[],
      [
        ["j k", "next and previous row"],
        ["a", "accept"],
        ["r", "reject"],
        ["e", "counter-price"],
        ["s", "snooze: back tomorrow morning"],
        ["u", "undo"],
        ["x", "mark"],
      ],
    ),
    without: say(
      "{count} {count|Angebot zählt|Angebote zählen} nicht",
      "{count} {count|offer does|offers do} not count",
    ),
    asks: say("{shop} verlangt {price}", "{shop} charges {price}"),
    effectOf: {
      piece: say("{amount}/Stück", "{amount}/unit"),
      "30d": say("{amount}", "{amount}"),
    },
    noSales: say("nichts verkauft", "no units sold"),
    salesUntil: say(
      "Gerechnet mit dem Absatz der 30 Tage bis {day}",
      "Based on unit sales in the 30 days to {day}.",
    ),
    thenTied: say("Danach gleichauf mit {shop}.", "We would then match {shop}."),
    asOf: say("Stand {day}", "as of {day}"),
    withoutSales: say("Je Stück gerechnet: Absatz unbekannt.", "Per unit: sales unknown."),
    rankOf: say("Rang von {of}", "Rank out of {of}"),
    since: {
      and: say(" und ", " and "),
      shops: say("{count}\u00a0Shops", "{count}\u00a0shops"),
      up: say(
        (shops: string, count: number) =>
          `${shops} ${plural(count, "hat den Preis erhöht", "haben die Preise erhöht")}`,
        (shops, count) => `${shops} ${plural(count, "raised its price", "raised their prices")}`,
      ),
      down: say(
        (shops: string, count: number) =>
          `${shops} ${plural(count, "hat den Preis gesenkt", "haben die Preise gesenkt")}`,
        (shops, count) => `${shops} ${plural(count, "cut its price", "cut their prices")}`,
      ),
      more: say("{count} {count|Angebot|Angebote} mehr", "{count} more {count|offer|offers}"),
      fewer: say("{count} {count|Angebot|Angebote} weniger", "{count} fewer {count|offer|offers}"),
      moved: say("Seit {day} hat sich der Markt bewegt.", "The market has moved since {day}."),
      what: say("Seit {day}: {what}.", "Since {day}: {what}."),
    },
    because: say("Grund: {reason}", "Reason: {reason}"),
    heldUntil: say("zurückgestellt bis {at}", "snoozed until {at}"),
    decidedBy: (who: string, at: string) => `${who}, ${at}`,
    noTrace: say(
      "Zu diesem Vorschlag ist die Herleitung nicht mehr gespeichert.",
      "The calculation behind this proposal is no longer stored.",
    ),
    openRule: say("Zur Regel", "To the rule"),
  },
};
