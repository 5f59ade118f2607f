import type { Severity } from "../../base/codes.ts";
import type { Action } from "../../engine/pricing/actions.ts";
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
import { codes, de, type Labels, sayAll } from "./label.ts";
import type { Rounding } from "../../engine/pricing/price_goal.ts";

const ofTriggers = sayAll(triggerLabels("de"), triggerLabels("en"));

/** Texts by code. For a code without a text, the screen shows the text that the service sends. */
type Texts = Labels<string>;

type FieldOf<One> = One extends Action ? Exclude<keyof One, "type"> : never;

const actions: Texts = codes.actions satisfies Labels<Action["type"]>;

const fields: Texts = {
  ...ofTriggers.fields,
  reference: de("verglichen mit").en("compared with"),
  competitorIds: de("nur diese Wettbewerber").en(null),
  excludeCompetitorIds: de("ohne diese Wettbewerber").en(null),
  groups: de("nur diese Gruppen").en("only these groups"),
  excludeGroups: de("ohne diese Gruppen").en("without these groups"),
  marketplaces: de("Marktplatz-Händler").en("sellers on marketplaces"),
  inStockOnly: de("nur lieferbare Angebote").en(null),
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
  inStockOnly: de("Unbekannte Verfügbarkeit zählt als lieferbar").en(null),
  maxAgeHours: de("Leer: 48").en("Empty: 48"),
  minCompetitors: de("Mit weniger ruht die Regel").en(null),
  exactOnly: de("Ohne Angebote, die nur vergleichbar sind").en(null),
  sameCondition: de("Ein unbekannter Zustand zählt als der gleiche").en(null),
  withShipping: de("Dazu der bekannte Versand des Shops, abzüglich unseres eigenen").en(null),
  withoutShipping: de("Nur die Preise, auch wenn die Einstellungen mit Versand vergleichen")
    .en("Prices alone, even if the settings compare with shipping"),
  marketplaces: de("Angebote unbekannter Händler zählen immer").en(null),
  to: de("E-Mail-Adressen, mit Komma getrennt; leer: Inhaber und Preismanager")
    .en("Email addresses, separated by commas; empty: owners and managers"),
  targetMarginPct: de("Nur für „Marge erreichen“; leer: aus dem Auslöser oder der Mindestmarge")
    .en("Only for “Reach a margin”; empty: taken from the trigger or the margin floor"),
  rounding: de("Nur bei Währungen mit zwei Nachkommastellen").en(null),
  maxChangePct: de("Gegen den heutigen Preis und den von vor 24 Stunden").en(null),
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
