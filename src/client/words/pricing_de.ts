/** The texts about rules, their decisions and their proposals in German. */
import { formulaLabels, formulaWordsOf } from "../../wording/formula_words.ts";
import { guardNames } from "../../wording/guard_words.ts";
import { triggerLabels } from "../../wording/trigger_words.ts";

const plural = (count: number, one: string, many: string) => count === 1 ? one : many;

/** What a value or a field of the reference lists is called; who is missing has the service's words. */
type Labels = Readonly<Record<string, string>>;

const ofTriggers = triggerLabels("de");

const actions: Labels = {
  alert_inapp: "in der App melden",
  alert_email: "per E-Mail melden",
  propose_price: "einen Preis vorschlagen",
  auto_apply_if_safe: "den Preis übernehmen, wenn es sicher ist",
};

const fields: Labels = {
  ...ofTriggers.fields,
  reference: "verglichen mit",
  competitorIds: "nur diese Wettbewerber",
  excludeCompetitorIds: "ohne diese Wettbewerber",
  inStockOnly: "nur lieferbare Angebote",
  maxAgeHours: "Preise höchstens … Stunden alt",
  minCompetitors: "mindestens … Wettbewerber",
  severity: "Dringlichkeit",
  to: "Empfänger",
  formula: "Preis",
  targetMarginPct: "Zielmarge in %",
  rounding: "gerundet auf",
  maxChangePct: "höchstens … % Änderung",
};

const fieldHints: Labels = {
  ...ofTriggers.fieldHints,
  inStockOnly: "Unbekannte Verfügbarkeit zählt als lieferbar",
  maxAgeHours: "Leer: 48, im Probelauf 720",
  minCompetitors: "Mit weniger ruht die Regel",
  to: "E-Mail-Adressen, mit Komma getrennt; leer: Inhaber und Preismanager",
  targetMarginPct: "Nur für „Marge erreichen“; leer: aus dem Auslöser oder der Mindestmarge",
  rounding: "Nur bei Währungen mit zwei Nachkommastellen",
  maxChangePct: "Gegen den heutigen Preis und den von vor 24 Stunden",
};

const values: Labels = {
  ...ofTriggers.values,
  ...formulaLabels("de"),
  cheapest: "dem günstigsten",
  second: "dem zweitgünstigsten",
  average: "dem Durchschnitt",
  highest: "dem teuersten",
  none: "nichts",
  "x.99": "…,99",
  "x.95": "…,95",
  "10ct": "volle 10 Cent",
  info: "Hinweis",
  low: "niedrig",
  medium: "mittel",
  high: "hoch",
  critical: "kritisch",
};

const leftOut: Labels = {
  competitor_excluded: "Wettbewerber ausgenommen",
  stale: "zu alt",
  out_of_stock: "nicht lieferbar",
  other_currency: "andere Währung",
  vat_unknown: "Umsatzsteuersatz unbekannt",
  never_observed: "noch nie gesehen",
};

const closeReasons: Labels = {
  no_longer_fires: "Die Regel schlägt nicht mehr an",
  newer_decision: "Von einem neueren Vorschlag abgelöst",
  rule_deleted: "Die Regel wurde gelöscht",
  product_deleted: "Das Produkt wurde gelöscht",
  price_applied: "Der Preis wurde inzwischen geändert",
};

const terms = {
  triggers: ofTriggers.triggers,
  guards: guardNames("de"),
  actions,
  fields,
  fieldHints,
  values,
  leftOut,
  closeReasons,
};

/** Parts of a rule in words; a percentage comes with its sign. */
const sentence = {
  propose: (formula: string, target: string | null) =>
    `schlage ${formulaWordsOf(formula)?.price.de(target) ?? formula} vor`,
  apply: (formula: string | null, maxPct: string) =>
    `${
      formula === null
        ? "übernimm den Preis selbst"
        : `setze ${formulaWordsOf(formula)?.price.de(null) ?? formula} selbst`
    }, wenn es sicher und die Änderung höchstens ${maxPct} ist`,
  alert: "melde es in der App",
  mail: "melde es per E-Mail",
  all: "alle Produkte",
  skus: (count: string) => `${count} SKUs`,
  scopeField: (field: string, wanted: string) => `${field} ${wanted}`,
  or: " oder ",
  and: " und ",
  contains: (text: string) => `enthält „${text}“`,
  whole: (when: string, scope: string, then: string, floor: string | null) =>
    `Wenn ${when}, dann ${then} – für ${scope}${floor ? `, nie unter ${floor} Marge` : ""}.`,
};

/** Paths of a rule's fields that are no fields of a trigger or an action. */
const fieldNames: Labels = {
  name: "Name der Regel",
  marginFloor: "Mindestmarge",
  "marginFloor.pct": "Mindestmarge",
  "scope.list": "SKUs",
  "scope.matches": "Merkmale",
  priority: "Rang",
  cooldownMinutes: "Ruhezeit",
  actions: "Aktionen",
};

const ruleActions: Labels = {
  "rule.create": "angelegt",
  "rule.update": "geändert",
  "rule.toggle": "umgeschaltet",
  "rule.delete": "gelöscht",
};

export const pricingDe = {
  terms,
  rules: {
    title: "Regeln",
    create: "Regel anlegen",
    newTitle: "Neue Regel",
    emptyTitle: "Noch keine Regel",
    emptyText:
      "Eine Regel vergleicht unsere Preise mit denen der Wettbewerber, schlägt Preise vor oder meldet sich. Beginnen Sie mit einer Vorlage; sie ist ausgeschaltet, bis Sie sie einschalten.",
    templates: {
      follow: "Wettbewerbern folgen",
      followText: "Ist jemand billiger, den Preis vorschlagen, nie unter 15 % Marge.",
      margin: "Marge bewachen",
      marginText: "Melden, wenn eine Marge unter 10 % fällt.",
      stale: "Veraltete Preise melden",
      staleText: "Melden, wenn ein Wettbewerber lange nicht abgerufen wurde.",
    },
    templateNames: {
      follow: "Günstigeren Wettbewerbern folgen",
      margin: "Marge unter 10 %",
      stale: "Wettbewerberpreise veraltet",
    },
    columns: {
      name: "Regel",
      says: "Was sie tut",
      state: "Aktiv",
      priority: "Rang",
      fires: "30 Tage",
      lastFired: "Ausgelöst",
    },
    on: "aktiv",
    off: "aus",
    toggle: (name: string) => `${name} ein- oder ausschalten`,
    toggledOn: (name: string) =>
      `„${name}“ ist eingeschaltet und urteilt, sobald ein neuer Preis kommt`,
    toggledOff: (name: string) => `„${name}“ ist ausgeschaltet`,
    created: (name: string) => `„${name}“ gespeichert, noch ausgeschaltet`,
    remove: "Regel löschen?",
    removeText: "Ihre offenen Vorschläge werden geschlossen. Das Protokoll bleibt.",
    removed: (name: string) => `„${name}“ gelöscht`,
    versionTitle: "Jemand anders hat diese Regel inzwischen geändert",
    versionText:
      "Ihre Eingaben stehen noch da. Sie können die fremde Fassung laden oder Ihre darüber speichern.",
    takeTheirs: "Fremde Fassung laden",
    clauses: { when: "Wenn", scope: "für", then: "dann", floor: "aber" },
    trigger: "Auslöser",
    finer: "Vergleich genauer einstellen",
    finerCount: (count: string) => `${count} geändert`,
    scope: "Produkte",
    scopes: {
      all: "alle Produkte",
      attribute: "Produkte mit diesen Merkmalen",
      sku: "diese SKUs",
    },
    scopeField: "Merkmal",
    scopeFields: {
      brand: "Marke",
      category: "Kategorie",
      tier: "Preisgruppe",
      currency: "Währung",
    },
    scopeOp: "Vergleich",
    scopeOps: { eq: "ist", contains: "enthält" },
    scopeValue: "Wert",
    scopeHint: "Gleiches Merkmal: eines davon genügt. Verschiedene Merkmale: alle müssen passen.",
    addScopeRow: "Merkmal hinzufügen",
    removeScopeRow: "Merkmal entfernen",
    skus: "SKUs",
    skusHint: "Eine je Zeile, höchstens 1.000",
    warnings: (count: number) =>
      plural(
        count,
        "Zu dieser SKU gibt es kein Produkt:",
        "Zu diesen SKUs gibt es kein Produkt:",
      ),
    action: (at: string) => `Aktion ${at}`,
    addAction: "Weitere Aktion",
    removeAction: "Aktion entfernen",
    floor: "nie unter … % Marge",
    floorHint: "Leer: keine Untergrenze. Selbstständige Änderungen brauchen eine.",
    name: "Name der Regel",
    fieldNames,
    description: "Notiz",
    more: "Rang, Ruhezeit, Notiz",
    priority: "Rang",
    priorityHint: "0–1000; die kleinere Zahl geht vor",
    cooldown: "Ruhezeit in Minuten",
    cooldownHint: "Je Produkt, nach einer Auslösung",
    noCompetitors: "Noch keine Wettbewerber",
    sentence,
    simulation: {
      title: "Was sie heute täte",
      note: (evaluated: string) => `Probelauf über ${evaluated} Produkte, nichts wird geändert`,
      waiting: "Sobald die Regel vollständig ist, läuft hier die Probe mit.",
      running: "Wird berechnet …",
      none: "Kein Produkt liegt in diesem Umfang. Prüfen Sie die Merkmale oder die SKUs.",
      fires: "Produkten lösen sie aus",
      cooling: "In der Ruhezeit (zählt hier nicht)",
      of: (fired: string, evaluated: string) => `${fired} von ${evaluated}`,
      up: "teurer",
      down: "billiger",
      blocked: "ohne Preis",
      quiet: "ruht",
      alertOnly: "nur Meldung",
      margin: "Marge der geänderten Preise",
      marginNote: "Durchschnitt, heute → danach",
      noMargin: "Einkaufspreis fehlt",
      blockedBy: "Warum kein Preis",
      lifted: "Auf die Mindestmarge angehoben",
      held: "Nur als Vorschlag",
      results: "Produkte der Probe",
      onlyFirst: "Die Probe nimmt bis zu 25 Produkte, zuletzt beobachtete zuerst.",
    },
    backtest: {
      title: "Rückblick",
      run: "Zurückrechnen",
      days: "Zeitraum",
      lastDays: (days: string) => `${days} Tage`,
      text:
        "Spielt die gespeicherte Regel über die vergangenen Tage nach: an jedem Produkt ihres Umfangs, mit den damals gesehenen Preisen.",
      saveFirst: "Der Rückblick rechnet mit der gespeicherten Fassung. Speichern Sie zuerst.",
      progress: (done: string, total: string) => `${done} von ${total} Produkten`,
      evaluated: "Produkte",
      fires: "Auslösungen",
      proposals: "Preisvorschläge",
      moves: "Preisbewegungen",
      movesValue: (up: string, down: string) => `${up} teurer, ${down} billiger`,
      average: (pct: string) => `im Schnitt ${pct}`,
      margin: "Marge",
      marginNote: "vorher → mit der Regel",
      conflicts: "Andere Regeln wollten dieselben Produkte",
      conflict: (count: string, products: number) =>
        `${count} ${plural(products, "Produkt", "Produkte")}`,
      noFires: "In dieser Zeit hätte die Regel nie ausgelöst.",
      chart: (days: string) => `Auslösungen und Vorschläge je Tag, ${days} Tage`,
      day: "Tag",
      stopped: "Der Rückblick ist nicht zu Ende gekommen",
    },
    audit: {
      title: "Protokoll der Regel",
      empty: "Noch keine Änderung",
      changed: "Was",
      open: "Alle Einträge",
      actions: ruleActions,
      on: "eingeschaltet",
      off: "ausgeschaltet",
    },
  },
  decision: {
    title: "Regeln zu diesem Produkt",
    note: "Jede aktive Regel, jetzt gefragt, in ihrer Reihenfolge",
    emptyTitle: "Keine aktive Regel",
    emptyText: "Sobald eine Regel eingeschaltet ist, steht hier, ob sie anschlägt und warum.",
    toRules: "Zu den Regeln",
    outcomes: {
      rest: "ruht",
      alert: "meldet",
      propose: "schlägt vor",
      apply: "übernimmt",
    },
    fires: "schlägt an",
    blocked: "kein Preis",
    cooling: "in der Ruhezeit",
    why: "Warum?",
    ours: "Wir",
    market: "Markt",
    path: "Weg zum Preis",
    ourPrice: "Heute",
    cost: "Einkauf",
    margin: "Marge",
    vat: "USt.",
    gross: "brutto",
    net: "netto",
    locked: "gesperrt",
    byPerson: "Von einer Person gesetzt",
    lastFired: "Zuletzt ausgelöst",
    noReferences: "Kein brauchbarer Wettbewerberpreis",
    used: "maßgeblich",
    seen: "gesehen",
    leftOut: "Nicht berücksichtigt",
    wished: (formula: string) => `Formel „${formula}“`,
    floorLifts: (pct: string) => `Mindestmarge ${pct} hebt an auf`,
    floorMet: (pct: string) => `Mindestmarge ${pct} eingehalten, Untergrenze`,
    rounded: (ending: string) => `Gerundet auf ${ending}`,
    result: "Vorschlag",
    noPrice: "Kein Preis",
    noFormula: "Diese Regel macht keinen Preis",
    heldBack: "Warum nicht von selbst",
    passed: (count: string) => `${count} weitere Prüfungen ohne Einwand`,
    notConcerned: (count: number) =>
      `${count} weitere aktive ${
        plural(count, "Regel gilt", "Regeln gelten")
      } für dieses Produkt nicht`,
  },
  proposals: {
    title: "Vorschläge",
    open: (count: string) => `${count} offen`,
    emptyTitle: "Nichts zu entscheiden",
    emptyText:
      "Hier landen die Preise, die Ihre Regeln vorschlagen. Schalten Sie eine Regel ein, oder sehen Sie nach, warum keine anschlägt.",
    toRules: "Zu den Regeln",
    noneTitle: "Kein Vorschlag passt zu diesem Filter",
    noneText: "Nehmen Sie einen Teil des Filters weg.",
    showOpen: "Offene zeigen",
    rule: "Regel",
    allRules: "alle",
    columns: {
      product: "Produkt",
      rule: "Regel",
      current: "Heute",
      proposed: "Vorschlag",
      change: "Änderung",
      margin: "Marge",
      expires: "Läuft ab",
      decided: "Entschieden",
      status: "Stand",
    },
    statuses: {
      open: "offen",
      applied: "angenommen",
      rejected: "abgelehnt",
      expired: "abgelaufen",
      superseded: "überholt",
      rolled_back: "zurückgenommen",
    },
    approve: "Annehmen",
    reject: "Ablehnen",
    undo: "Rückgängig",
    rollBack: "Preis zurücknehmen",
    rollBackSure: "Preis zurücknehmen?",
    rollBackText: (price: string) => `Der Preis wird wieder ${price}.`,
    rolledBack: (count: string) => `${count} zurückgenommen`,
    marked: (count: string) => `${count} markiert`,
    small: "Änderung unter",
    smallUnit: "%",
    approveSmall: (count: string) => `${count} annehmen`,
    smallSure: (count: string) => `${count} ${plural(Number(count), "Preis", "Preise")} ändern?`,
    smallText: (pct: string) =>
      `Alle geladenen offenen Vorschläge mit weniger als ${pct} Änderung werden angenommen. Rückgängig geht danach auch.`,
    approved: (count: string) => `${count} angenommen`,
    rejected: (count: string) => `${count} abgelehnt`,
    undone: "Ablehnung zurückgenommen",
    working: "Wird ausgeführt …",
    failed: (count: string) => `${count} nicht möglich`,
    panel: "Warum dieser Preis?",
    panelHint: "Wählen Sie eine Zeile. Hier steht dann, warum der Preis vorgeschlagen wird.",
    keysHint: [
      ["j k", "Zeile vor und zurück"],
      ["a", "annehmen"],
      ["r", "ablehnen"],
      ["u", "rückgängig"],
      ["x", "markieren"],
    ] as readonly (readonly [string, string])[],
    decidedBy: (who: string, at: string) => `${who}, ${at}`,
    expiresAt: (at: string) => `Läuft ab ${at}`,
    noTrace: "Zu diesem Vorschlag ist die Herleitung nicht mehr gespeichert.",
    openRule: "Zur Regel",
  },
};
