import type { Severity } from "../../base/codes.ts";
import type { Action, Rounding } from "../../engine/pricing/actions.ts";
import type {
  Marketplaces,
  referenceFields,
  ReferenceKind,
} from "../../engine/pricing/reference.ts";
import type { LeftOut } from "../../engine/pricing/statement.ts";
import { guardNames } from "../../engine/wording/guard_words.ts";
import { formulaLabels } from "../../engine/wording/price_sentence.ts";
import { termsDe } from "../../engine/wording/terms.ts";
import { triggerLabels } from "../../engine/wording/trigger_words.ts";
import type { CloseReason } from "../../rules/proposals/proposal.ts";
import { codes, type Labels, say, sayAll } from "./label.ts";

const ofTriggers = sayAll(triggerLabels("de"), triggerLabels("en"));

/** Texts by code. For a code without a text, the screen shows the text that the service sends. */
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
  marketplaces: say("Angebote unbekannter Händler zählen immer", null),
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

export const ruleTermWords = {
  terms: names,
};
