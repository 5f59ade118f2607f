import { ruleEffectWords } from "./rule_effect_words.ts";
import type { ScopeField, ScopeOp } from "../../engine/pricing/codes.ts";
import type { Scope } from "../../engine/pricing/scope.ts";
import { de, type Labels } from "./label.ts";

/** The keys are paths of fields. */
type Texts = Labels<string>;

const fieldNames: Texts = {
  name: de("Name der Regel").en("Name of the rule"),
  marginFloor: de("Mindestmarge").en("Margin floor"),
  "marginFloor.pct": de("Mindestmarge").en("Margin floor"),
  "scope.list": "SKUs",
  "scope.matches": de("Merkmale").en("Attributes"),
  priority: de("Vorrang").en("Priority"),
  cooldownMinutes: de("Ruhezeit").en("Cooldown"),
  actions: de("Aktionen").en("Actions"),
};

export const ruleWords = {
  rules: {
    ...ruleEffectWords,
    title: de("Regeln").en("Rules"),
    create: de("Regel anlegen").en("New rule"),
    newTitle: de("Neue Regel").en("New rule"),
    emptyTitle: de("Noch keine Regel").en("No rule yet"),
    emptyText: de(
      "Eine Regel vergleicht unsere Preise mit denen der Wettbewerber, schlägt Preise vor oder meldet sich. Beginnen Sie mit einer Vorlage; sie ist ausgeschaltet, bis Sie sie einschalten.",
    ).en(
      "A rule compares our prices with those of competitors, proposes prices or raises alerts. Start with a template; it is off until you switch it on.",
    ),
    columns: { state: de("Aktiv").en("Active") },
    firedTimes: de("{count} Mal").en("{count time|times}"),
    order: de(
      "Wollen mehrere Regeln denselben Preis setzen, gilt die mit der kleineren Vorrangzahl.",
    ).en(
      "If several rules want to set the same price, the one with the lower priority number wins.",
    ),
    lastFired: de("zuletzt {ago}").en("most recently {ago}"),
    standing: {
      title: de("Preise").en("Prices"),
      none: de("noch nicht gezählt").en("not counted yet"),
      ownsNone: de("setzt bei keinem Produkt den Preis").en("sets the price of no product"),
      tells: de("meldet nur").en("alerts only"),
      owns: de("setzt bei {count Produkt|Produkten} den Preis")
        .en("sets the price of {count product|products}"),
      behind: de("ruht bei {count} hinter {rules}").en("gives way to {rules} on {count}"),
      rules: de(["einer Regel", "zwei Regeln", "drei Regeln"]).en([
        "one rule",
        "two rules",
        "three rules",
      ]),
      manyRules: de("{count} Regeln").en("{count} rules"),
      reached: de("{count hat|haben} ihn schon").en("{count} already {count|has|have} it"),
      rest: de("{count} ohne Vorschlag, z.\u00a0B. abgelehnt, gehalten oder in der Ruhezeit")
        .en("{count} without a proposal: rejected, held or in cooldown, for example"),
      allReached: de("alle haben ihn schon").en("all already have it"),
      asOf: de("Gezählt {at}.").en("Counted {at}."),
      before: de("Wenn Sie diese Regel einschalten").en("When you switch this rule on"),
      beside: de("Neben den anderen Regeln").en("Alongside the other rules"),
      goesFirst: de("Bei {wins} von {of} Produkten geht „{rule}“ vor")
        .en("“{rule}” has priority on {wins} of {of} products"),
      takesOver: de("Bei {count Produkt|Produkten} übernimmt sie den Preis von „{rule}“")
        .en("It takes over {count product|products} from “{rule}”"),
      takesBack: de("Bei {count Produkt|Produkten} ruht sie: „{rule}“ nähme den Preis zurück")
        .en("It stays idle on {count product|products}: “{rule}” would reverse the price"),
      more: de("und {count} weitere {count|Regel|Regeln}")
        .en("and {count} more {count|rule|rules}"),
      isCut: de("Gezählt am Anfang des Katalogs; „Für alle Produkte berechnen“ zählt alle.").en(
        "Counted at the beginning of the catalogue; “Calculate for all products” counts them all.",
      ),
    },
    openProposals: de("{count Vorschlag|Vorschläge} offen")
      .en("{count} open {count|proposal|proposals}"),
    on: de("aktiv").en("active"),
    off: de("aus").en("off"),
    toggle: de("{name} ein- oder ausschalten").en("Switch {name} on or off"),
    didNothing: de("„{name}“ hat gerechnet: heute kein Vorschlag")
      .en("“{name}” has run: no proposal today"),
    didNow: de("„{name}“ hat gerechnet: {count Vorschlag|Vorschläge}")
      .en("“{name}” has run: {count proposal|proposals}"),
    toggledOn: de("„{name}“ ist eingeschaltet").en("“{name}” is on"),
    toggledOff: de("„{name}“ ist ausgeschaltet").en("“{name}” is off"),
    created: de("„{name}“ gespeichert, noch ausgeschaltet")
      .en("“{name}” saved, not switched on yet"),
    rename: de("Umbenennen").en("Rename"),
    remove: de("Regel löschen?").en("Delete the rule?"),
    removeText: de("Ihre offenen Vorschläge werden geschlossen. Das Protokoll bleibt.")
      .en("Its open proposals are closed. The audit log stays."),
    removed: de("„{name}“ gelöscht").en("“{name}” deleted"),
    clauses: {
      scope: de("Für").en("For"),
      who: de("bei").en("and"),
      when: de("wenn").en("when"),
      then: de("dann").en("then"),
      floor: de("aber").en("but"),
      otherwise: de("sonst").en("else"),
      more: de("dazu").en("also"),
    },
    counts: {
      atLeast: de("≥ {count}").en("≥ {count}"),
      units: {
        scope: de("{count Produkt|Produkte}").en("{count product|products}"),
        who: de("{count} davon mit genug Angeboten").en("{count} with enough offers"),
        when: de("{count löst|lösen} aus").en("{count triggers|trigger} it"),
        then: de("{count Preis ändert|Preise ändern} sich")
          .en("{count price changes|prices change}"),
        floor: de("{count Preis|Preise} begrenzt").en("{count price|prices} limited"),
      },
      scope: de("Produkte in der Auswahl: {count}").en("Products in scope: {count}"),
      who: de("Angebote, die zählen: {offers}; Produkte mit genug davon: {products}")
        .en("Offers that count: {offers}; products with enough of them: {products}"),
      when: de("löst aus bei so vielen Produkten: {count}").en("Products that trigger it: {count}"),
      then: de("Preise, die sich ändern: {count}").en("Prices that change: {count}"),
      floor: de("Preise, die eine Schranke ändert: {count}")
        .en("Prices changed by a limit: {count}"),
    },
    told: de("So liest sich die Regel").en("The rule in one sentence"),
    isLive: de("Die Regel ist aktiv: Änderungen gelten, sobald Sie speichern.")
      .en("The rule is active: changes take effect as soon as you save."),
    anybody: de("allen Angeboten").en("count all offers"),
    noBounds: de("+ Schranke").en("+ limit"),
    noGroups: de("Noch keine Gruppe: ein Wettbewerber bekommt sie auf seiner Seite")
      .en("No group yet: a competitor gets one on its page"),
    always: de("bei jeder Prüfung").en("at every check"),
    also: de("oder wenn").en("or when"),
    addAlso: de("oder wenn …").en("or when …"),
    removeAlso: de("Diesen Auslöser entfernen").en("Remove this trigger"),
    scope: de("Produkte").en("Products"),
    scopes: {
      all: de("alle Produkte").en("all products"),
      attribute: de("Produkte mit diesen Merkmalen").en("products with these attributes"),
      sku: de("diese SKUs").en("these SKUs"),
    } satisfies Labels<Scope["mode"]>,
    scopeField: de("Merkmal").en("Attribute"),
    scopeFields: {
      brand: de("Marke").en("brand"),
      category: de("Kategorie").en("category"),
      tier: de("Preisgruppe").en("tier"),
      currency: de("Währung").en("currency"),
    } satisfies Labels<ScopeField>,
    scopeOp: de("Vergleich").en("Comparison"),
    scopeOps: {
      eq: de("ist").en("is"),
      contains: de("enthält").en("contains"),
    } satisfies Labels<ScopeOp>,
    scopeHint: de(
      "Gleiches Merkmal: eines davon genügt. Verschiedene Merkmale: alle müssen passen.",
    ).en("The same attribute: one match is enough. Different attributes: all must match."),
    addScopeRow: de("Merkmal hinzufügen").en("Add an attribute"),
    removeScopeRow: de("Merkmal entfernen").en("Remove the attribute"),
    skus: "SKUs",
    skusHint: de("Eine je Zeile, höchstens 1.000").en("One per line, up to 1,000"),
    warnings: de("Zu {count|dieser SKU|diesen SKUs} gibt es kein Produkt:")
      .en("{count|No product has this SKU|No products have these SKUs}:"),
    action: de("Aktion {at}").en("Action {at}"),
    addAction: de("Weitere Aktion").en("Another action"),
    removeAction: de("Aktion entfernen").en("Remove the action"),
    aim: {
      own: de("aus einem Bezugspreis").en("from a reference"),
      kind: de("Bezugspreis").en("Reference price"),
      nth: de("Platz").en("Place"),
      competitorId: "Shop",
      by: de("Abstand (− = darunter)").en("Distance (− = below)"),
      unit: de("Einheit").en("Unit"),
      units: { pct: de("Prozent").en("percent"), money: (currency: string) => currency },
      direction: de("Richtung").en("Direction"),
      directions: {
        both: de("senken und anheben").en("lower and raise"),
        lower: de("nur senken").en("lower only"),
        raise: de("nur anheben").en("raise only"),
      },
      way: de("Rundung").en("Rounding"),
      ways: {
        down: de("ab").en("down"),
        up: de("auf").en("up"),
        nearest: de("zum nächsten").en("to the nearest"),
      },
      belowCents: de("bis zum Preis").en("below the price"),
      endings: de("Endungen").en("Endings"),
      endingsHint: de("Letzte Ziffern: 99 ist …,99 und 990 ist …9,90; leer: jede")
        .en("Last digits: 99 is x.99 and 990 is x9.90; empty: any"),
      addRange: de("Andere Endungen bis zu einem Preis").en("Different endings up to a price"),
      removeRange: de("Endungen entfernen").en("Remove endings"),
      deadbandPct: de("Änderungen unter … % lassen").en("Ignore changes below …%"),
      fallback: de("ohne Wettbewerber").en("without competitors"),
      noFallback: de("Preis lassen").en("leave the price"),
      fallbackPct: de("Aufschlag in % (− = Abschlag)").en("Markup in % (− = discount)"),
    },
    bounds: {
      markupPct: de("nie unter Einkauf + … %").en("never below cost + …%"),
      minCents: de("nie unter dem Preis").en("never below the price"),
      maxCents: de("nie über dem Preis").en("never above the price"),
      belowTargetPct: de("höchstens … % unter UVP").en("at most …% below RRP"),
      aboveTargetPct: de("höchstens … % über UVP").en("at most …% above RRP"),
      maxMovePct: de("höchstens … % auf einmal").en("at most …% at once"),
      maxMovePerDayPct: de("höchstens … % am Tag").en("at most …% per day"),
      maxMovesPerDay: de("höchstens … × am Tag").en("at most … times per day"),
      cuts: de("Bremse: nach … Senkungen").en("Brake: after … price cuts"),
      days: de("in … Tagen").en("in … days"),
      restDays: de("… Tage Pause").en("… days’ pause"),
      more: de("UVP fehlt, andere Währung").en("RRP missing, other currency"),
      isStopped: de("ohne UVP kein Preis").en("no price without RRP"),
      currency: de("Währung der Beträge").en("Currency of the amounts"),
      currencyHint: de("Leer: {code}").en("Empty: {code}"),
    },
    floor: de("nie unter … % Marge").en("never below …% margin"),
    floorHint: de("Leer: keine Untergrenze. Selbstständige Änderungen brauchen eine.")
      .en("Empty: no floor. Automatic changes need one."),
    name: de("Name der Regel").en("Name of the rule"),
    fieldNames,
    more: de("Vorrang, Ruhezeit, Notiz").en("Priority, cooldown, note"),
    priority: de("Vorrang").en("Priority"),
    priorityHint: de("0–1000; die kleinere Zahl geht vor")
      .en("0–1000; the lower number goes first"),
    budget: de("höchstens … Preise am Tag selbst setzen")
      .en("set at most … prices per day automatically"),
    brakes: {
      title: de("Gebremst").en("Limited"),
      war: de("Preiskampf mit {shop}").en("Price war with {shop}"),
      cuts: de("{count Senkung|Senkungen}, {from} → {to}").en("{count cut|cuts}, {from} → {to}"),
      until: de("bis {at}").en("until {at}"),
      release: de("Bremse lösen").en("Release the brake"),
      released: de("Bremse gelöst").en("Brake released"),
    },
    cooldownUnit: de("Einheit der Ruhezeit").en("Unit of the cooldown"),
    cooldownUnits: {
      minutes: de("Minuten").en("minutes"),
      hours: de("Stunden").en("hours"),
      days: de("Tage").en("days"),
    },
    cooldownHint: de("Je Produkt, nach einer Auslösung").en("Per product, after it has triggered"),
    noCompetitors: de("Noch keine Wettbewerber").en("No competitors yet"),
    schedule: {
      at: de("Uhrzeit, z. B. 06:00").en("Time of day, such as 06:00"),
      hint: de("Dann wird die Regel für alle ihre Produkte geprüft. Leer: keine feste Zeit.")
        .en("The rule is then checked for all its products. Empty: no fixed time."),
      only: de("nur zu dieser Zeit").en("only at that time"),
    },
    audit: de("Protokoll der Regel").en("Audit log of the rule"),
  },
};
