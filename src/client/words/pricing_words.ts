/** Texts of rules, their decisions and their proposals. */

import type { Severity } from "../../base/codes.ts";
import type { Action, Rounding } from "../../engine/pricing/actions.ts";
import type { ScopeField, ScopeOp } from "../../engine/pricing/codes.ts";
import type {
  Marketplaces,
  referenceFields,
  ReferenceKind,
} from "../../engine/pricing/reference.ts";
import type { LeftOut } from "../../engine/pricing/statement.ts";
import type { Scope } from "../../engine/pricing/scope.ts";
import { guardNames } from "../../engine/wording/guard_words.ts";
import { formulaLabels } from "../../engine/wording/price_sentence.ts";
import { termsDe } from "../../engine/wording/terms.ts";
import { triggerLabels } from "../../engine/wording/trigger_words.ts";
import type { Day } from "../../imports/choices.ts";
import type { LeavableKind } from "../../rules/proposals/preview_many.ts";
import type { CloseReason, ProposalStatus } from "../../rules/proposals/proposal.ts";
import { codes, columns, type Labels, plural, say, sayAll, type Translated } from "./label.ts";

const ofTriggers = sayAll(triggerLabels("de"), triggerLabels("en"));

/** If a text is missing, the text of the service is shown. */
type Texts = Labels<string>;

type FieldOf<One> = One extends Action ? Exclude<keyof One, "type"> : never;
const actions: Texts = codes.actions satisfies Labels<Action["type"]>;

const fields: Texts = {
  ...ofTriggers.fields,
  reference: say("verglichen mit", "compared with"),
  competitorIds: say("nur diese Wettbewerber", null),
  excludeCompetitorIds: say("ohne diese Wettbewerber", null),
  groups: say("nur diese Gruppen", "only these groups"),
  excludeGroups: say("ohne diese Gruppen", "without these groups"),
  marketplaces: say("Marktplatz-Händler", "sellers on marketplaces"),
  inStockOnly: say("nur lieferbare Angebote", null),
  maxAgeHours: say("Preise höchstens … Stunden alt", "prices at most … hours old"),
  minCompetitors: say("mindestens … Wettbewerber", "at least … competitors"),
  exactOnly: say("nur das gleiche Produkt", "only the same product"),
  sameCondition: say("nur im gleichen Zustand", "only in the same condition"),
  withShipping: say("mit Versand", "with shipping"),
  withoutShipping: say("ohne Versand", "without shipping"),
  price: say("Preis nach Maß", "made-to-measure price"),
  severity: say("Dringlichkeit", null),
  to: say("Empfänger", null),
  formula: say("Preis", "Price"),
  targetMarginPct: say("Zielmarge in %", "target margin in %"),
  rounding: say("gerundet auf", "rounded to"),
  maxChangePct: say("höchstens … % Änderung", "at most …% change"),
} satisfies Labels<FieldOf<Action> | keyof typeof referenceFields>;

const fieldHints: Texts = {
  ...ofTriggers.fieldHints,
  inStockOnly: say("Unbekannte Verfügbarkeit zählt als lieferbar", null),
  maxAgeHours: say("Leer: 48", "Empty: 48"),
  minCompetitors: say("Mit weniger ruht die Regel", null),
  exactOnly: say("Ohne Angebote, die nur vergleichbar sind", null),
  sameCondition: say("Ein unbekannter Zustand zählt als der gleiche", null),
  withShipping: say("Dazu der bekannte Versand des Shops, abzüglich unseres eigenen", null),
  withoutShipping: say(
    "Nur die Preise, auch wenn die Einstellungen mit Versand vergleichen",
    "Prices alone, even if the settings compare with shipping",
  ),
  marketplaces: say("Wer nicht bekannt ist, zählt immer", null),
  to: say(
    "E-Mail-Adressen, mit Komma getrennt; leer: Inhaber und Preismanager",
    "Email addresses, separated by commas; empty: owners and managers",
  ),
  targetMarginPct: say(
    "Nur für „Marge erreichen“; leer: aus dem Auslöser oder der Mindestmarge",
    "Only for “Reach a margin”; empty: taken from the trigger or the margin floor",
  ),
  rounding: say("Nur bei Währungen mit zwei Nachkommastellen", null),
  maxChangePct: say("Gegen den heutigen Preis und den von vor 24 Stunden", null),
};

const values: Texts = {
  ...ofTriggers.values,
  ...sayAll(formulaLabels("de"), formulaLabels("en")),
  ...sayAll(termsDe.severities, {}),
  cheapest: say("dem günstigsten", "the cheapest"),
  second: say("dem zweitgünstigsten", "the second cheapest"),
  average: say("dem Durchschnitt", "the average"),
  highest: say("dem teuersten", "the most expensive"),
  none: say("nichts", "nothing"),
  with: say("mit ihnen", "with them"),
  without: say("ohne sie", "without them"),
  only: say("nur sie", "only them"),
  "x.99": say("…,99", "x.99"),
  "x.95": say("…,95", "x.95"),
  "10ct": say("volle 10 Cent", "full 10 cents"),
} satisfies Labels<ReferenceKind | Rounding | Severity | Marketplaces>;

const leftOut: Texts = {
  own_offer: say("unser Angebot", "our offer"),
  competitor_excluded: say("Wettbewerber ausgenommen", "competitor excluded"),
  stale: say("veraltet", "stale"),
  out_of_stock: say("nicht lieferbar", "out of stock"),
  other_currency: say("andere Währung", "other currency"),
  vat_unknown: say("Umsatzsteuersatz unbekannt", "VAT rate unknown"),
  never_observed: say("noch nie gesehen", "never seen"),
  other_product: say("Seite zeigt ein anderes Produkt", "page shows a different product"),
  not_exact: say("nicht das gleiche Produkt", "not the same product"),
  other_condition: say("anderer Zustand", "different condition"),
  by_seller: say("von einem Marktplatz-Händler", "from a marketplace seller"),
  no_seller: say("nicht von einem Marktplatz-Händler", "not from a marketplace seller"),
} satisfies Labels<LeftOut>;

const closeReasons: Texts = {
  no_longer_fires: say("Die Regel löst nicht mehr aus", "The rule no longer triggers"),
  newer_decision: say("Von einem neueren Vorschlag abgelöst", "Replaced by a newer proposal"),
  rule_deleted: say("Die Regel wurde gelöscht", "The rule was deleted"),
  rule_off: say("Die Regel wurde ausgeschaltet", "The rule was switched off"),
  product_deleted: say("Das Produkt wurde gelöscht", "The product was deleted"),
  price_applied: say(
    "Der Preis wurde inzwischen geändert",
    "The price has changed in the meantime",
  ),
} satisfies Labels<CloseReason>;

const names = {
  triggers: ofTriggers.triggers,
  guards: sayAll(guardNames("de"), guardNames("en")),
  actions,
  fields,
  fieldHints,
  values,
  leftOut,
  closeReasons,
};

/** Names of a rule's fields by path; triggers and actions name their own fields. */
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

export const pricingWords = {
  terms: names,
  rules: {
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
    didNow: say(
      (name: string, count: number) =>
        count === 0
          ? `„${name}“ hat gerechnet: heute kein Vorschlag`
          : `„${name}“ hat gerechnet: ${count} ${plural(count, "Vorschlag", "Vorschläge")}`,
      (name: string, count: number) =>
        count === 0
          ? `“${name}” has run: no proposal today`
          : `“${name}” has run: ${count} ${plural(count, "proposal", "proposals")}`,
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
      (count: number) =>
        plural(
          count,
          "Zu dieser SKU gibt es kein Produkt:",
          "Zu diesen SKUs gibt es kein Produkt:",
        ),
      (count) => plural(count, "No product has this SKU:", "No products have these SKUs:"),
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
    cooldown: say("Ruhezeit", "Cooldown"),
    cooldownUnit: say("Einheit der Ruhezeit", "Unit of the cooldown"),
    cooldownUnits: {
      minutes: say("Minuten", "minutes"),
      hours: say("Stunden", "hours"),
      days: say("Tage", "days"),
    },
    cooldownHint: say("Je Produkt, nach einer Auslösung", "Per product, after it has triggered"),
    noCompetitors: say("Noch keine Wettbewerber", "No competitors yet"),
    simulation: {
      limited: say("begrenzt: {how}", "limited: {how}"),
      title: say("Wirkung auf heutige Preise", "Effect on today’s prices"),
      note: say("Probelauf, ändert nichts", "Dry run, changes nothing"),
      waiting: say(
        "Sobald die Regel vollständig ist, erscheint hier der Probelauf.",
        "The dry run appears here as soon as the rule is complete.",
      ),
      running: say("Wird berechnet …", "Calculating …"),
      none: say(
        "Kein Produkt liegt in diesem Umfang. Prüfen Sie die Merkmale oder die SKUs.",
        "No product is in this scope. Check the attributes or the SKUs.",
      ),
      fires: say("Betroffene Produkte", "Products affected"),
      cooling: say(
        "{count} in der Ruhezeit: {count|löst|lösen} erst danach wieder aus",
        "{count} in cooldown: {count|triggers|trigger} again when it ends",
      ),
      allCooling: say(
        "alle {count} in der Ruhezeit: lösen erst danach wieder aus",
        "all {count} in cooldown: trigger again when it ends",
      ),
      basis: say(
        "Der Probelauf rechnet mit dem Absatz bis heute, ein Vorschlag mit dem bis zu seinem Tag.",
        "The dry run uses unit sales up to today, a proposal those up to its own day.",
      ),
      of: say("{fired} von {evaluated}", "{fired} of {evaluated}"),
      up: say("teurer", "more expensive"),
      down: say("günstiger", "cheaper"),
      blocked: say("ohne Preis", "no price"),
      resting: say("{count|löst|lösen} nicht aus", "{count|does|do} not trigger it"),
      restingWithOffers: say(
        "mit Angeboten {count|löst|lösen} nicht aus",
        "with offers {count|does|do} not trigger it",
      ),
      withoutOffers: say("ohne Angebote", "without offers"),
      alertOnly: say("nur Meldung", "alert only"),
      equalSales: say("bei gleichem Absatz", "if unit sales stay the same"),
      sold: say(
        "bei gleichem Absatz; {known} von {moves} mit Verkäufen",
        "if unit sales stay the same; {known} of {moves} with sales",
      ),
      ofChanged: say("der geänderten Preise", "of the changed prices"),
      noMargin: say("Einkaufspreis fehlt", "Cost is missing"),
      blockedBy: say("Warum kein Preis", "Why there is no price"),
      held: say("Nur als Vorschlag", "As a proposal only"),
      results: say("Beispiele", "Examples"),
      rest: say("{count} weitere Beispiele zeigen", "Show {count} more examples"),
    },
    schedule: {
      at: say("Uhrzeit, z. B. 06:00", "Time of day, such as 06:00"),
      hint: say(
        "Dann wird die Regel für alle ihre Produkte geprüft. Leer: keine feste Zeit.",
        "The rule is then checked for all its products. Empty: no fixed time.",
      ),
      only: say("nur zu dieser Zeit", "only at that time"),
      days: codes.days satisfies Labels<Day>,
    },
    catalogue: {
      title: say("Ergebnis für alle Produkte", "Result for all products"),
      run: say("Für alle Produkte berechnen", "Calculate for all products"),
      text: say(
        "Berechnet die Regel in dieser Fassung für alle Produkte. Es wird nichts geändert.",
        "Calculates this version of the rule for all products. Nothing is changed.",
      ),
      asOf: say(
        "{products} Produkte, Stand {at}. Nichts wird geändert.",
        "{products} products, as of {at}. Nothing is changed.",
      ),
      old: say(
        "Mit einer früheren Fassung berechnet. Bitte neu berechnen.",
        "Calculated with an earlier version. Please calculate again.",
      ),
      stopped: say("Die Berechnung wurde abgebrochen.", "The calculation was cancelled."),
      apply: say("Jetzt anwenden: {moves} Preise", "Apply now: {moves} prices"),
      applyTitle: say(
        (shown: string, count: number) =>
          count === 1
            ? "Die Regel auf 1 Preis anwenden?"
            : `Die Regel auf ${shown} Preise anwenden?`,
        (shown, count) =>
          count === 1 ? "Apply the rule to 1 price?" : `Apply the rule to ${shown} prices?`,
      ),
      applyHow: say(
        "{byItself} setzt die Regel selbst, {others} werden Vorschläge.",
        "The rule sets {byItself} automatically, {others} become proposals.",
      ),
      applied: say(
        "Die Regel wird angewendet, {moves} Preise bewegen sich",
        "The rule is being applied; {moves} prices change",
      ),
      fires: say("löst aus bei", "triggers for"),
      moves: say("{down} senken, {up} anheben", "{down} down, {up} up"),
      byItself: say("{count} von selbst", "{count} automatically"),
      margin: say("Marge im Mittel", "Mean margin"),
      known: say("bei {count} bekannt", "known for {count}"),
      effect: say("Ertrag in 30 Tagen", "Profit in 30 days"),
      revenue: say("Nettoumsatz in 30 Tagen", "Net revenue in 30 days"),
      equalSales: say(
        "wenn der Absatz gleich bleibt, {products} Produkte",
        "if unit sales stay the same, {products} products",
      ),
      noSales: say("kein Absatz bekannt", "no sales known"),
      cheapest: say("günstigster", "cheapest"),
      before: say("vorher", "before"),
      stored: say("gespeicherte Fassung", "saved version"),
      after: say("danach", "after"),
      sides: say(
        "Produkte nach Abstand zum Günstigsten in Prozent: links sind wir günstiger, rechts teurer",
        "Products by gap to the cheapest in percent: left we are cheaper, right more expensive",
      ),
      gap: say("Abstand zum Günstigsten", "Gap to the cheapest"),
      conflicts: say("Andere Regeln wollen dieselben Preise", "Other rules want the same prices"),
      conflict: say(
        "beide wollen {products} {products|Produkt|Produkte}",
        "both want {products} {products|product|products}",
      ),
      wins: say("bei {count} geht sie vor", "it has priority on {count}"),
      loses: say("bei {count} übernimmt diese Regel", "this rule takes over on {count}"),
      takesBack: say(
        "bei {count} ruht diese Regel, weil sie den Preis zurücknähme",
        "this rule stays idle on {count} because the other one would reverse the price",
      ),
      braked: say("Wer wird begrenzt?", "What is limited?"),
      all: say("Alle {products}, {free} frei", "All {products}, {free} free"),
      rest: say("ruht", "idle"),
      example: say("Beispiel", "Example"),
      now: say("heute", "today"),
      change: say("Änderung", "Change"),
      marginThen: say("Marge danach", "New margin"),
      guard: say("Schranke", "Guard"),
      rests: {
        not_fired: say("löst nicht aus", "does not trigger"),
        alert_only: say("nur Meldung", "alert only"),
        outranked: say("eine andere Regel geht vor", "another rule has priority"),
        no_reference: say("kein Angebot zählt", "no offer counts"),
        too_few_references: say("zu wenige Wettbewerber", "too few competitors"),
        no_second: say("kein zweites Angebot", "no second offer"),
        no_own_price: say("kein eigener Preis", "no own price"),
        vat_unknown: say("Steuersatz fehlt", "VAT rate is missing"),
      },
    },
    backtest: {
      title: say("Rückblick", "Back-test"),
      run: say("Rückblick berechnen", "Run back-test"),
      days: say("Zeitraum", "Period"),
      lastDays: say("{days} Tage", "{days} days"),
      text: say(
        "Spielt die gespeicherte Regel über die vergangenen Tage nach: an jedem Produkt ihres Umfangs, mit den damals gesehenen Preisen.",
        "Replays the saved rule over the past days: on every product of its scope, with the prices that were seen then.",
      ),
      saveFirst: say(
        "Der Rückblick rechnet mit der gespeicherten Fassung. Speichern Sie zuerst.",
        "The back-test uses the saved version. Please save first.",
      ),
      progress: say("{done} von {total} Produkten", "{done} of {total} products"),
      evaluated: say("Produkte", "Products"),
      fires: say("Auslösungen", "Triggered"),
      proposals: say("Preisvorschläge", "Price proposals"),
      moves: say("Preisbewegungen", "Price moves"),
      movesValue: say("{up} teurer, {down} günstiger", "{up} up, {down} down"),
      average: say("im Schnitt {pct}", "{pct} on average"),
      marginNote: say("vorher → mit der Regel", "before → with the rule"),
      conflicts: say(
        "Andere Regeln wollten dieselben Produkte",
        "Other rules wanted the same products",
      ),
      conflict: say("{count} {count|Produkt|Produkte}", "{count} {count|product|products}"),
      noFires: say(
        "In dieser Zeit hätte die Regel nie ausgelöst.",
        "The rule would never have triggered in this period.",
      ),
      chart: say(
        "Auslösungen und Vorschläge je Tag, {days} Tage",
        "Triggers and proposals per day, {days} days",
      ),
      day: say("Tag", "Day"),
      stopped: say(
        "Der Rückblick ist nicht zu Ende gekommen",
        "The back-test did not finish",
      ),
    },
    outcome: {
      title: say("Was sie getan hat", "What it has done"),
      on: say("Eingeschaltet seit {at}.", "On since {at}."),
      off: say("War an von {from} bis {to}.", "Was on from {from} to {to}."),
      daysLeft: say(
        "Noch {count} {count|Tag|Tage} bis zum vollen Bild.",
        "{count} more {count|day|days} until the picture is complete.",
      ),
      moves: say("Preise gesetzt", "Prices set"),
      by: say(
        "{applied} von selbst, {accepted} angenommen",
        "{applied} automatic, {accepted} accepted",
      ),
      takenBack: say(", {count} zurückgenommen", ", {count} undone"),
      sum: say("Summe der Änderungen", "Total of the changes"),
      ways: say("{down} gesenkt, {up} angehoben", "{down} down, {up} up"),
      units: say("Stück", "Units"),
      margin: say("Nettomarge", "Net margin"),
      days: say(
        "{count} {count|Preis|Preise}, zusammen {days} {days|Tag|Tage} davor und danach",
        "{count} {count|price|prices}, {days} {days|day|days} in all, before and after",
      ),
      nothing: say("noch nichts gezählt", "nothing counted yet"),
      isCut: say(
        "Nur die ersten {count} Preise sind gezählt.",
        "Only the first {count} prices are counted.",
      ),
      note: say(
        "Davor → danach, an gleich vielen Tagen: was folgte, nicht was die Regel bewirkt hat.",
        "Before → after, over the same number of days: what followed, not necessarily what the rule caused.",
      ),
    },
    learning: {
      title: say("Was danach kam", "What followed"),
      earlier: say("Monat davor", "Month before"),
      later: say("Monat danach", "Month after"),
      counted: say(
        "{counted} von {all} {all|Änderung|Änderungen} gezählt.",
        "{counted} of {all} {all|change|changes} counted.",
      ),
      without: say("Ohne:", "Without:"),
      why: {
        tooYoung: say("noch zu neu", "still too recent"),
        otherChange: say("mit weiterer Änderung", "changed once more"),
        noSales: say("ohne Verkäufe", "without sales"),
        noCost: say("ohne EK oder MwSt.", "without cost or VAT"),
        otherCurrency: say("in anderer Währung", "in another currency"),
      },
      units: say("Stück am Tag", "Units per day"),
      margin: say("Nettomarge am Tag", "Net margin per day"),
      changes: say("Gezählte Änderungen", "Counted changes"),
      at: say("gesetzt", "set"),
      category: say(
        "Andere der Kategorien, Stück am Tag",
        "Other products in these categories, units per day",
      ),
      tooFew: say(
        "Unter 20 gezählten Änderungen sagt das nichts.",
        "Fewer than 20 counted changes are not enough to tell.",
      ),
      note: say(
        "14 Tage davor → 14 Tage danach: was folgte, nicht was die Regel bewirkt hat.",
        "14 days before → 14 days after: what followed, not necessarily what the rule caused.",
      ),
    },
    audit: {
      title: say("Protokoll der Regel", "Audit log of the rule"),
      empty: say("Noch keine Änderung", "No change yet"),
      open: say("Alle Einträge", "All entries"),
      on: say("eingeschaltet", "switched on"),
      off: say("ausgeschaltet", "switched off"),
    },
  },
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
    nothingToUndo: say("Nichts zurückzunehmen", "Nothing to undo"),
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
