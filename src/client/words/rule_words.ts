import { ruleEffectWords } from "./rule_effect_words.ts";
import type { ScopeField, ScopeOp } from "../../engine/pricing/codes.ts";
import type { Scope } from "../../engine/pricing/scope.ts";
import type { Day } from "../../imports/choices.ts";
import { codes, type Labels, say } from "./label.ts";

/** Texts by code. For a code without a text, the screen shows the text that the service sends. */
type Texts = Labels<string>;

const fieldNames: Texts = {
  name: say("Name der Regel", "Name of the rule"),
  marginFloor: say("Mindestmarge", "Margin floor"),
  "marginFloor.pct": say("Mindestmarge", "Margin floor"),
  "scope.list": "SKUs",
  "scope.matches": say("Merkmale", "Attributes"),
  priority: say("Vorrang", "Priority"),
  cooldownMinutes: say("Ruhezeit", "Cooldown"),
  actions: say("Aktionen", "Actions"),
};

export const ruleWords = {
  rules: {
    ...ruleEffectWords,
    title: say("Regeln", "Rules"),
    create: say("Regel anlegen", "New rule"),
    newTitle: say("Neue Regel", "New rule"),
    emptyTitle: say("Noch keine Regel", "No rule yet"),
    emptyText: say(
      "Eine Regel vergleicht unsere Preise mit denen der Wettbewerber, schlägt Preise vor oder meldet sich. Beginnen Sie mit einer Vorlage; sie ist ausgeschaltet, bis Sie sie einschalten.",
      "A rule compares our prices with those of competitors, proposes prices or raises alerts. Start with a template; it is off until you switch it on.",
    ),
    templates: {
      follow: say("Wettbewerbern folgen", "Follow competitors"),
      followText: say(
        "Ist jemand günstiger, den Preis vorschlagen, nie unter 15\u00a0% Marge.",
        "When a competitor is cheaper, propose that price, never below a 15% margin.",
      ),
      margin: say("Marge bewachen", "Watch the margin"),
      marginText: say(
        "Melden, wenn eine Marge unter 10\u00a0% fällt.",
        "Alert when a margin falls below 10%.",
      ),
      stale: say("Veraltete Preise melden", "Report stale prices"),
      staleText: say(
        "Melden, wenn ein Wettbewerber lange nicht abgerufen wurde.",
        "Alert when a competitor’s prices have not been fetched for a long time.",
      ),
    },
    templateNames: {
      follow: say("Günstigeren Wettbewerbern folgen", "Follow cheaper competitors"),
      margin: say("Marge unter 10\u00a0%", "Margin below 10%"),
      stale: say("Wettbewerberpreise veraltet", "Competitor prices out of date"),
    },
    columns: {
      state: say("Aktiv", "Active"),
    },
    firedTimes: say("{count} Mal", "{count} {count|time|times}"),
    order: say(
      "Wollen mehrere Regeln denselben Preis setzen, gilt die mit der kleineren Vorrangzahl.",
      "If several rules want to set the same price, the one with the lower priority number wins.",
    ),
    lastFired: say("zuletzt {ago}", "most recently {ago}"),
    standing: {
      title: say("Preise", "Prices"),
      none: say("noch nicht gezählt", "not counted yet"),
      ownsNone: say("setzt bei keinem Produkt den Preis", "sets the price of no product"),
      tells: say("meldet nur", "alerts only"),
      owns: say(
        "setzt bei {count} {count|Produkt|Produkten} den Preis",
        "sets the price of {count} {count|product|products}",
      ),
      behind: say("ruht bei {count} hinter {rules}", "gives way to {rules} on {count}"),
      rules: say(["einer Regel", "zwei Regeln", "drei Regeln"], [
        "one rule",
        "two rules",
        "three rules",
      ]),
      manyRules: say("{count} Regeln", "{count} rules"),
      reached: say(
        "{count} {count|hat|haben} ihn schon",
        "{count} already {count|has|have} it",
      ),
      rest: say(
        "{count} ohne Vorschlag, z.\u00a0B. abgelehnt, gehalten oder in der Ruhezeit",
        "{count} without a proposal: rejected, held or in cooldown, for example",
      ),
      allReached: say("alle haben ihn schon", "all already have it"),
      reachedNote: say(
        "Wo der Preis schon stimmt, löst die Regel nicht aus.",
        "Where the price is already right, the rule does not trigger.",
      ),
      inFront: say("Vor ihr:", "Ahead of it:"),
      asOf: say("Gezählt {at}.", "Counted {at}."),
      before: say("Wenn Sie diese Regel einschalten", "When you switch this rule on"),
      beside: say("Neben den anderen Regeln", "Alongside the other rules"),
      goesFirst: say(
        "Bei {wins} von {of} Produkten geht „{rule}“ vor",
        "“{rule}” has priority on {wins} of {of} products",
      ),
      takesOver: say(
        "Bei {count} {count|Produkt|Produkten} übernimmt sie den Preis von „{rule}“",
        "It takes over {count} {count|product|products} from “{rule}”",
      ),
      takesBack: say(
        "Bei {count} {count|Produkt|Produkten} ruht sie: „{rule}“ nähme den Preis zurück",
        "It stays idle on {count} {count|product|products}: “{rule}” would reverse the price",
      ),
      more: say(
        "und {count} weitere {count|Regel|Regeln}",
        "and {count} more {count|rule|rules}",
      ),
      isCut: say(
        "Gezählt am Anfang des Katalogs; „Für alle Produkte berechnen“ zählt alle.",
        "Counted at the beginning of the catalogue; “Calculate for all products” counts them all.",
      ),
    },
    openProposals: say(
      "{count} {count|Vorschlag|Vorschläge} offen",
      "{count} open {count|proposal|proposals}",
    ),
    on: say("aktiv", "active"),
    off: say("aus", "off"),
    toggle: say("{name} ein- oder ausschalten", "Switch {name} on or off"),
    didNothing: say(
      "„{name}“ hat gerechnet: heute kein Vorschlag",
      "“{name}” has run: no proposal today",
    ),
    didNow: say(
      "„{name}“ hat gerechnet: {count} {count|Vorschlag|Vorschläge}",
      "“{name}” has run: {count} {count|proposal|proposals}",
    ),
    toggledOn: say("„{name}“ ist eingeschaltet", "“{name}” is on"),
    toggledOff: say("„{name}“ ist ausgeschaltet", "“{name}” is off"),
    created: say("„{name}“ gespeichert, noch ausgeschaltet", "“{name}” saved, not switched on yet"),
    rename: say("Umbenennen", "Rename"),
    remove: say("Regel löschen?", "Delete the rule?"),
    removeText: say(
      "Ihre offenen Vorschläge werden geschlossen. Das Protokoll bleibt.",
      "Its open proposals are closed. The audit log stays.",
    ),
    removed: say("„{name}“ gelöscht", "“{name}” deleted"),
    clauses: {
      scope: say("Für", "For"),
      who: say("bei", "and"),
      when: say("wenn", "when"),
      then: say("dann", "then"),
      floor: say("aber", "but"),
      otherwise: say("sonst", "else"),
      more: say("dazu", "also"),
    },
    counts: {
      atLeast: (count: string) => `≥ ${count}`,
      units: {
        scope: say("{count} {count|Produkt|Produkte}", "{count} {count|product|products}"),
        who: say("{count} davon mit genug Angeboten", "{count} with enough offers"),
        when: say(
          "{count} {count|löst|lösen} aus",
          "{count} {count|triggers|trigger} it",
        ),
        then: say(
          "{count} {count|Preis ändert|Preise ändern} sich",
          "{count} {count|price changes|prices change}",
        ),
        floor: say(
          "{count} {count|Preis|Preise} begrenzt",
          "{count} {count|price|prices} limited",
        ),
      },
      scope: say("Produkte in der Auswahl: {count}", "Products in scope: {count}"),
      who: say(
        "Angebote, die zählen: {offers}; Produkte mit genug davon: {products}",
        "Offers that count: {offers}; products with enough of them: {products}",
      ),
      when: say("löst aus bei so vielen Produkten: {count}", "Products that trigger it: {count}"),
      then: say("Preise, die sich ändern: {count}", "Prices that change: {count}"),
      floor: say(
        "Preise, die eine Schranke ändert: {count}",
        "Prices changed by a limit: {count}",
      ),
    },
    told: say("So liest sich die Regel", "The rule in one sentence"),
    isLive: say(
      "Die Regel ist aktiv: Änderungen gelten, sobald Sie speichern.",
      "The rule is active: changes take effect as soon as you save.",
    ),
    anybody: say("allen Angeboten", "count all offers"),
    noBounds: say("+ Schranke", "+ limit"),
    noGroups: say(
      "Noch keine Gruppe: ein Wettbewerber bekommt sie auf seiner Seite",
      "No group yet: a competitor gets one on its page",
    ),
    always: say("bei jeder Prüfung", "at every check"),
    also: say("oder wenn", "or when"),
    addAlso: say("oder wenn …", "or when …"),
    removeAlso: say("Diesen Auslöser entfernen", "Remove this trigger"),
    scope: say("Produkte", "Products"),
    scopes: {
      all: say("alle Produkte", "all products"),
      attribute: say("Produkte mit diesen Merkmalen", "products with these attributes"),
      sku: say("diese SKUs", "these SKUs"),
    } satisfies Labels<Scope["mode"]>,
    scopeField: say("Merkmal", "Attribute"),
    scopeFields: {
      brand: say("Marke", "brand"),
      category: say("Kategorie", "category"),
      tier: say("Preisgruppe", "tier"),
      currency: say("Währung", "currency"),
    } satisfies Labels<ScopeField>,
    scopeOp: say("Vergleich", "Comparison"),
    scopeOps: {
      eq: say("ist", "is"),
      contains: say("enthält", "contains"),
    } satisfies Labels<ScopeOp>,
    scopeValue: say("Wert", "Value"),
    scopeHint: say(
      "Gleiches Merkmal: eines davon genügt. Verschiedene Merkmale: alle müssen passen.",
      "The same attribute: one match is enough. Different attributes: all must match.",
    ),
    addScopeRow: say("Merkmal hinzufügen", "Add an attribute"),
    removeScopeRow: say("Merkmal entfernen", "Remove the attribute"),
    skus: "SKUs",
    skusHint: say("Eine je Zeile, höchstens 1.000", "One per line, up to 1,000"),
    warnings: say(
      "Zu {count|dieser SKU|diesen SKUs} gibt es kein Produkt:",
      "{count|No product has this SKU|No products have these SKUs}:",
    ),
    action: say("Aktion {at}", "Action {at}"),
    addAction: say("Weitere Aktion", "Another action"),
    removeAction: say("Aktion entfernen", "Remove the action"),
    aim: {
      own: say("aus einem Bezugspreis", "from a reference"),
      kind: say("Bezugspreis", "Reference price"),
      nth: say("Platz", "Place"),
      competitorId: "Shop",
      by: say("Abstand (− = darunter)", "Distance (− = below)"),
      unit: say("Einheit", "Unit"),
      units: {
        pct: say("Prozent", "percent"),
        money: (currency: string) => currency,
      },
      direction: say("Richtung", "Direction"),
      directions: {
        both: say("senken und anheben", "lower and raise"),
        lower: say("nur senken", "lower only"),
        raise: say("nur anheben", "raise only"),
      },
      way: say("Rundung", "Rounding"),
      ways: {
        down: say("ab", "down"),
        up: say("auf", "up"),
        nearest: say("zum nächsten", "to the nearest"),
      },
      belowCents: say("bis zum Preis", "below the price"),
      endings: say("Endungen", "Endings"),
      endingsHint: say(
        "Letzte Ziffern: 99 ist …,99 und 990 ist …9,90; leer: jede",
        "Last digits: 99 is x.99 and 990 is x9.90; empty: any",
      ),
      addRange: say("Andere Endungen bis zu einem Preis", "Different endings up to a price"),
      removeRange: say("Endungen entfernen", "Remove endings"),
      deadbandPct: say("Änderungen unter … % lassen", "Ignore changes below …%"),
      fallback: say("ohne Wettbewerber", "without competitors"),
      noFallback: say("Preis lassen", "leave the price"),
      fallbackPct: say("Aufschlag in % (− = Abschlag)", "Markup in % (− = discount)"),
    },
    bounds: {
      markupPct: say("nie unter Einkauf + … %", "never below cost + …%"),
      minCents: say("nie unter dem Preis", "never below the price"),
      maxCents: say("nie über dem Preis", "never above the price"),
      belowTargetPct: say("höchstens … % unter UVP", "at most …% below RRP"),
      aboveTargetPct: say("höchstens … % über UVP", "at most …% above RRP"),
      maxMovePct: say("höchstens … % auf einmal", "at most …% at once"),
      maxMovePerDayPct: say("höchstens … % am Tag", "at most …% per day"),
      maxMovesPerDay: say("höchstens … × am Tag", "at most … times per day"),
      cuts: say("Bremse: nach … Senkungen", "Brake: after … price cuts"),
      days: say("in … Tagen", "in … days"),
      restDays: say("… Tage Pause", "… days’ pause"),
      more: say("UVP fehlt, andere Währung", "RRP missing, other currency"),
      isStopped: say("ohne UVP kein Preis", "no price without RRP"),
      currency: say("Währung der Beträge", "Currency of the amounts"),
      currencyHint: say("Leer: {code}", "Empty: {code}"),
    },
    floor: say("nie unter … % Marge", "never below …% margin"),
    floorHint: say(
      "Leer: keine Untergrenze. Selbstständige Änderungen brauchen eine.",
      "Empty: no floor. Automatic changes need one.",
    ),
    name: say("Name der Regel", "Name of the rule"),
    fieldNames,
    description: say("Notiz", "Note"),
    more: say("Vorrang, Ruhezeit, Notiz", "Priority, cooldown, note"),
    priority: say("Vorrang", "Priority"),
    priorityHint: say("0–1000; die kleinere Zahl geht vor", "0–1000; the lower number goes first"),
    budget: say(
      "höchstens … Preise am Tag selbst setzen",
      "set at most … prices per day automatically",
    ),
    brakes: {
      title: say("Gebremst", "Limited"),
      war: say("Preiskampf mit {shop}", "Price war with {shop}"),
      cuts: say(
        "{count} {count|Senkung|Senkungen}, {from} → {to}",
        "{count} {count|cut|cuts}, {from} → {to}",
      ),
      until: say("bis {at}", "until {at}"),
      release: say("Bremse lösen", "Release the brake"),
      released: say("Bremse gelöst", "Brake released"),
    },
    cooldownUnit: say("Einheit der Ruhezeit", "Unit of the cooldown"),
    cooldownUnits: {
      minutes: say("Minuten", "minutes"),
      hours: say("Stunden", "hours"),
      days: say("Tage", "days"),
    },
    cooldownHint: say("Je Produkt, nach einer Auslösung", "Per product, after it has triggered"),
    noCompetitors: say("Noch keine Wettbewerber", "No competitors yet"),
    schedule: {
      at: say("Uhrzeit, z. B. 06:00", "Time of day, such as 06:00"),
      hint: say(
        "Dann wird die Regel für alle ihre Produkte geprüft. Leer: keine feste Zeit.",
        "The rule is then checked for all its products. Empty: no fixed time.",
      ),
      only: say("nur zu dieser Zeit", "only at that time"),
      days: codes.days satisfies Labels<Day>,
    },
    audit: {
      title: say("Protokoll der Regel", "Audit log of the rule"),
      empty: say("Noch keine Änderung", "No change yet"),
      open: say("Alle Einträge", "All entries"),
      on: say("eingeschaltet", "switched on"),
      off: say("ausgeschaltet", "switched off"),
    },
  },
};
