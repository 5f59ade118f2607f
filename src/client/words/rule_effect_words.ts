import { codes, de, type Labels, sayAll } from "./label.ts";
import type { Severity } from "../../base/codes.ts";
import type { Action } from "../../engine/pricing/actions.ts";
import type { Rounding } from "../../engine/pricing/price_goal.ts";
import type {
  Marketplaces,
  referenceFields,
  ReferenceKind,
} from "../../engine/pricing/reference.ts";
import type { LeftOut } from "../../engine/pricing/situation.ts";
import { guardNames } from "../../engine/wording/guard_words.ts";
import { formulaLabels } from "../../engine/wording/price_sentence.ts";
import { termsDe } from "../../engine/wording/terms.ts";
import { triggerLabels } from "../../engine/wording/trigger_words.ts";
import type { CloseReason } from "../../rules/proposals/proposal.ts";

export const ruleEffectWords = {
  simulation: {
    limited: de("begrenzt: {how}").en("limited: {how}"),
    title: de("Wirkung auf heutige Preise").en("Effect on today’s prices"),
    note: de("Probelauf, ändert nichts").en("Dry run, changes nothing"),
    waiting: de("Sobald die Regel vollständig ist, erscheint hier der Probelauf.")
      .en("The dry run appears here as soon as the rule is complete."),
    running: de("Wird berechnet …").en("Calculating …"),
    none: de("Kein Produkt liegt in diesem Umfang. Prüfen Sie die Merkmale oder die SKUs.")
      .en("No product is in this scope. Check the attributes or the SKUs."),
    fires: de("Betroffene Produkte").en("Products affected"),
    cooling: de("{count} in der Ruhezeit: {count|löst|lösen} erst danach wieder aus")
      .en("{count} in cooldown: {count|triggers|trigger} again when it ends"),
    allCooling: de("alle {count} in der Ruhezeit: lösen erst danach wieder aus")
      .en("all {count} in cooldown: trigger again when it ends"),
    basis: de(
      "Der Probelauf zählt den Absatz bis heute, ein Vorschlag den Absatz bis zu seinem Tag.",
    ).en("The dry run counts unit sales up to today, a proposal those up to its own day."),
    up: de("teurer").en("more expensive"),
    down: de("günstiger").en("cheaper"),
    blocked: de("ohne Preis").en("no price"),
    resting: de("{count|löst|lösen} nicht aus").en("{count|does|do} not trigger it"),
    restingWithOffers: de("mit Angeboten {count|löst|lösen} nicht aus")
      .en("with offers {count|does|do} not trigger it"),
    withoutOffers: de("ohne Angebote").en("without offers"),
    alertOnly: de("nur Meldung").en("alert only"),
    equalSales: de("bei gleichem Absatz").en("if unit sales stay the same"),
    sold: de("bei gleichem Absatz; {known} von {moves} mit Verkäufen")
      .en("if unit sales stay the same; {known} of {moves} with sales"),
    ofChanged: de("der geänderten Preise").en("of the changed prices"),
    noMargin: de("Einkaufspreis fehlt").en("Cost is missing"),
    results: de("Beispiele").en("Examples"),
    rest: de("{count} weitere Beispiele zeigen").en("Show {count} more examples"),
  },
  catalogue: {
    title: de("Ergebnis für alle Produkte").en("Result for all products"),
    run: de("Für alle Produkte berechnen").en("Calculate for all products"),
    text: de("Berechnet die Regel in dieser Fassung für alle Produkte. Es wird nichts geändert.")
      .en("Calculates this version of the rule for all products. Nothing is changed."),
    asOf: de("{products} Produkte, Stand {at}. Nichts wird geändert.")
      .en("{products} products, as of {at}. Nothing is changed."),
    old: de("Mit einer früheren Fassung berechnet. Bitte neu berechnen.")
      .en("Calculated with an earlier version. Please calculate again."),
    stopped: de("Die Berechnung wurde abgebrochen.").en("The calculation was cancelled."),
    apply: de("Jetzt anwenden: {moves} Preise").en("Apply now: {moves} prices"),
    applyTitle: de("Die Regel auf {count Preis|Preise} anwenden?")
      .en("Apply the rule to {count price|prices}?"),
    applyHow: de("{byItself} setzt die Regel selbst, {others} werden Vorschläge.")
      .en("The rule sets {byItself} automatically, {others} become proposals."),
    applied: de("Die Regel wird angewendet, {moves} Preise bewegen sich")
      .en("The rule is being applied; {moves} prices change"),
    fires: de("löst aus bei").en("triggers for"),
    moves: de("{down} senken, {up} anheben").en("{down} down, {up} up"),
    byItself: de("{count} von selbst").en("{count} automatically"),
    margin: de("Marge im Mittel").en("Mean margin"),
    known: de("bei {count} bekannt").en("known for {count}"),
    effect: de("Ertrag in 30 Tagen").en("Profit in 30 days"),
    revenue: de("Nettoumsatz in 30 Tagen").en("Net revenue in 30 days"),
    equalSales: de("wenn der Absatz gleich bleibt, {products} Produkte")
      .en("if unit sales stay the same, {products} products"),
    noSales: de("kein Absatz bekannt").en("no sales known"),
    cheapest: de("günstigster").en("cheapest"),
    before: de("vorher").en("before"),
    stored: de("gespeicherte Fassung").en("saved version"),
    after: de("danach").en("after"),
    sides: de(
      "Produkte nach Abstand zum Günstigsten in Prozent: links sind wir günstiger, rechts teurer",
    ).en("Products by gap to the cheapest in percent: left we are cheaper, right more expensive"),
    conflicts: de("Andere Regeln wollen dieselben Preise").en("Other rules want the same prices"),
    conflict: de("beide wollen {products Produkt|Produkte}")
      .en("both want {products product|products}"),
    wins: de("bei {count} geht sie vor").en("it has priority on {count}"),
    loses: de("bei {count} übernimmt diese Regel").en("this rule takes over on {count}"),
    takesBack: de("bei {count} ruht diese Regel, weil sie den Preis zurücknähme")
      .en("this rule stays idle on {count} because the other one would reverse the price"),
    braked: de("Wer wird begrenzt?").en("What is limited?"),
    all: de("Alle {products}, {free} frei").en("All {products}, {free} free"),
    rest: de("ruht").en("idle"),
    example: de("Beispiel").en("Example"),
    now: de("heute").en("today"),
    guard: de("Schranke").en("Guard"),
    rests: {
      not_fired: de("löst nicht aus").en("does not trigger"),
      alert_only: de("nur Meldung").en("alert only"),
      outranked: de("eine andere Regel geht vor").en("another rule has priority"),
      no_reference: de("kein Angebot zählt").en("no offer counts"),
      too_few_references: de("zu wenige Wettbewerber").en("too few competitors"),
      no_second: de("kein zweites Angebot").en("no second offer"),
      no_own_price: de("kein eigener Preis").en("no own price"),
      vat_unknown: de("Steuersatz fehlt").en("VAT rate is missing"),
    },
  },
  backtest: {
    title: de("Rückblick").en("Back-test"),
    run: de("Rückblick berechnen").en("Run back-test"),
    text: de(
      "Spielt die gespeicherte Regel über die vergangenen Tage nach: an jedem Produkt ihres Umfangs, mit den damals gesehenen Preisen.",
    ).en(
      "Replays the saved rule over the past days: on every product of its scope, with the prices that were seen then.",
    ),
    saveFirst: de("Der Rückblick rechnet mit der gespeicherten Fassung. Speichern Sie zuerst.")
      .en("The back-test uses the saved version. Please save first."),
    evaluated: de("Produkte").en("Products"),
    fires: de("Auslösungen").en("Triggered"),
    proposals: de("Preisvorschläge").en("Price proposals"),
    moves: de("Preisbewegungen").en("Price moves"),
    average: de("im Schnitt {pct}").en("{pct} on average"),
    marginNote: de("vorher → mit der Regel").en("before → with the rule"),
    noFires: de("In dieser Zeit hätte die Regel nie ausgelöst.")
      .en("The rule would never have triggered in this period."),
    chart: de("Auslösungen und Vorschläge je Tag, {days} Tage")
      .en("Triggers and proposals per day, {days} days"),
    stopped: de("Der Rückblick ist nicht zu Ende gekommen").en("The back-test did not finish"),
  },
  outcome: {
    title: de("Was sie getan hat").en("What it has done"),
    on: de("Eingeschaltet seit {at}.").en("On since {at}."),
    off: de("War an von {from} bis {to}.").en("Was on from {from} to {to}."),
    daysLeft: de("Noch {count Tag|Tage} bis zum vollen Bild.")
      .en("{count} more {count|day|days} until the picture is complete."),
    moves: de("Preise gesetzt").en("Prices set"),
    by: de("{applied} von selbst, {accepted} angenommen")
      .en("{applied} automatic, {accepted} accepted"),
    takenBack: de(", {count} zurückgenommen").en(", {count} undone"),
    sum: de("Summe der Änderungen").en("Total of the changes"),
    ways: de("{down} gesenkt, {up} angehoben").en("{down} down, {up} up"),
    units: de("Stück").en("Units"),
    margin: de("Nettomarge").en("Net margin"),
    days: de("{count Preis|Preise}, zusammen {days Tag|Tage} davor und danach")
      .en("{count price|prices}, {days day|days} in all, before and after"),
    nothing: de("noch nichts gezählt").en("nothing counted yet"),
    isCut: de("Nur die ersten {count} Preise sind gezählt.")
      .en("Only the first {count} prices are counted."),
    note: de("Davor → danach, an gleich vielen Tagen: was folgte, nicht was die Regel bewirkt hat.")
      .en(
        "Before → after, over the same number of days: what followed, not necessarily what the rule caused.",
      ),
  },
  learning: {
    title: de("Was danach kam").en("What followed"),
    earlier: de("Monat davor").en("Month before"),
    later: de("Monat danach").en("Month after"),
    counted: de("{counted} von {all Änderung|Änderungen} gezählt.")
      .en("{counted} of {all change|changes} counted."),
    without: de("Nicht gezählt:").en("Not counted:"),
    why: {
      tooYoung: de("noch zu neu").en("still too recent"),
      otherChange: de("mit weiterer Änderung").en("changed once more"),
      noSales: de("ohne Verkäufe").en("without sales"),
      noCost: de("ohne EK oder USt.").en("without cost or VAT"),
      otherCurrency: de("in anderer Währung").en("in another currency"),
    },
    units: de("Stück am Tag").en("Units per day"),
    margin: de("Nettomarge am Tag").en("Net margin per day"),
    changes: de("Gezählte Änderungen").en("Counted changes"),
    at: de("gesetzt").en("set"),
    category: de("Andere der Kategorien, Stück am Tag")
      .en("Other products in these categories, units per day"),
    tooFew: de("Unter 20 gezählten Änderungen sagt das nichts.")
      .en("Fewer than 20 counted changes are not enough to tell."),
    note: de("14 Tage davor → 14 Tage danach: was folgte, nicht was die Regel bewirkt hat.")
      .en("14 days before → 14 days after: what followed, not necessarily what the rule caused."),
  },
};

const ofTriggers = sayAll(triggerLabels("de"), triggerLabels("en"));

/** Without a text for a code, the screen shows the service's text or the code. */
type Texts = Labels<string>;

type FieldOf<One> = One extends Action ? Exclude<keyof One, "type"> : never;

const actions: Texts = codes.actions satisfies Labels<Action["type"]>;

const fields: Texts = {
  ...ofTriggers.fields,
  reference: de("verglichen mit").en("compared with"),
  competitorIds: de("nur diese Wettbewerber").en("only these competitors"),
  excludeCompetitorIds: de("ohne diese Wettbewerber").en("without these competitors"),
  groups: de("nur diese Gruppen").en("only these groups"),
  excludeGroups: de("ohne diese Gruppen").en("without these groups"),
  marketplaces: de("Marktplatz-Händler").en("sellers on marketplaces"),
  inStockOnly: de("nur lieferbare Angebote").en("only offers in stock"),
  maxAgeHours: de("Preise höchstens … Stunden alt").en("prices at most … hours old"),
  minCompetitors: de("mindestens … Wettbewerber").en("at least … competitors"),
  exactOnly: de("nur das gleiche Produkt").en("only the same product"),
  sameCondition: de("nur im gleichen Zustand").en("only in the same condition"),
  withShipping: de("mit Versand").en("with shipping"),
  withoutShipping: de("ohne Versand").en("without shipping"),
  price: de("Preis nach Maß").en("made-to-measure price"),
  severity: de("Dringlichkeit").en(null),
  to: de("Empfänger").en(null),
  formula: de("Preis").en("Price"),
  targetMarginPct: de("Zielmarge in %").en("target margin in %"),
  rounding: de("gerundet auf").en("rounded to"),
  maxChangePct: de("höchstens … % Änderung").en("at most …% change"),
} satisfies Labels<FieldOf<Action> | keyof typeof referenceFields>;

const fieldHints: Texts = {
  ...ofTriggers.fieldHints,
  inStockOnly: de("Unbekannte Verfügbarkeit zählt als lieferbar")
    .en("Unknown availability counts as in stock"),
  maxAgeHours: de("Leer: 48").en("Empty: 48"),
  minCompetitors: de("Mit weniger ruht die Regel").en("With fewer, the rule is idle"),
  exactOnly: de("Ohne Angebote, die nur vergleichbar sind")
    .en("Without offers that are only comparable"),
  sameCondition: de("Ein unbekannter Zustand zählt als der gleiche")
    .en("An unknown condition counts as the same"),
  withShipping: de("Dazu der bekannte Versand des Shops, abzüglich unseres eigenen")
    .en("Plus the known shipping of the shop, minus our own"),
  withoutShipping: de("Nur die Preise, auch wenn die Einstellungen mit Versand vergleichen")
    .en("Prices alone, even if the settings compare with shipping"),
  marketplaces: de("Angebote unbekannter Händler zählen immer")
    .en("Offers of unknown sellers always count"),
  to: de("E-Mail-Adressen, mit Komma getrennt; leer: Inhaber und Preismanager")
    .en("Email addresses, separated by commas; empty: owners and managers"),
  targetMarginPct: de("Nur für „Marge erreichen“; leer: aus dem Auslöser oder der Mindestmarge")
    .en("Only for “Reach a margin”; empty: taken from the trigger or the margin floor"),
  rounding: de("Nur bei Währungen mit zwei Nachkommastellen")
    .en("Only for currencies with two decimals"),
  maxChangePct: de("Gegen den heutigen Preis und den von vor 24 Stunden")
    .en("From today’s price, and from the price 24 hours ago"),
};

const values: Texts = {
  ...ofTriggers.values,
  ...sayAll(formulaLabels("de"), formulaLabels("en")),
  ...sayAll(termsDe.severities, {}),
  cheapest: de("dem günstigsten").en("the cheapest"),
  second: de("dem zweitgünstigsten").en("the second cheapest"),
  average: de("dem Durchschnitt").en("the average"),
  highest: de("dem teuersten").en("the most expensive"),
  none: de("nichts").en("nothing"),
  with: de("mit ihnen").en("with them"),
  without: de("ohne sie").en("without them"),
  only: de("nur sie").en("only them"),
  "x.99": de("…,99").en("x.99"),
  "x.95": de("…,95").en("x.95"),
  "10ct": de("volle 10 Cent").en("full 10 cents"),
} satisfies Labels<ReferenceKind | Rounding | Severity | Marketplaces>;

const leftOut: Texts = {
  own_offer: de("unser Angebot").en("our offer"),
  competitor_excluded: de("Wettbewerber ausgenommen").en("competitor excluded"),
  stale: de("veraltet").en("stale"),
  out_of_stock: de("nicht lieferbar").en("out of stock"),
  other_currency: de("andere Währung").en("other currency"),
  vat_unknown: de("Umsatzsteuersatz unbekannt").en("VAT rate unknown"),
  never_observed: de("noch nie gesehen").en("never seen"),
  other_product: de("Seite zeigt ein anderes Produkt").en("page shows a different product"),
  not_exact: de("nicht das gleiche Produkt").en("not the same product"),
  other_condition: de("anderer Zustand").en("different condition"),
  by_seller: de("von einem Marktplatz-Händler").en("from a marketplace seller"),
  no_seller: de("nicht von einem Marktplatz-Händler").en("not from a marketplace seller"),
} satisfies Labels<LeftOut>;

const closeReasons: Texts = {
  no_longer_fires: de("Die Regel löst nicht mehr aus").en("The rule no longer triggers"),
  newer_decision: de("Von einem neueren Vorschlag abgelöst").en("Replaced by a newer proposal"),
  rule_deleted: de("Die Regel wurde gelöscht").en("The rule was deleted"),
  rule_off: de("Die Regel wurde ausgeschaltet").en("The rule was switched off"),
  product_deleted: de("Das Produkt wurde gelöscht").en("The product was deleted"),
  price_applied: de("Der Preis wurde inzwischen geändert")
    .en("The price has changed in the meantime"),
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

export const ruleTermWords = { terms: names };
