/**
 * Texts of alerts and of mails. Texts contain names of facts in braces, which `show.ts` replaces.
 * `WORDINGS` selects the title and the body for each kind of alert.
 */
import type { AlertFacts } from "./alert_facts.ts";
import { GUARD_ROWS } from "./guard_words.ts";
import { storedReasonText } from "./page_words.ts";
import { type AnyFacts, type Audience, shownMargin, textOf } from "./show.ts";
import { type Labels, TERMS } from "./terms.ts";
import { comparisonText, TRIGGER_ROWS } from "./trigger_words.ts";

const de = {
  product: "{sku} {productTitle}",
  fired: "{ruleName}: {why}",
  proposed: "Vorschlag: {proposedCents}.",
  applied: "Übernommen: {proposedCents}.",
  noPrice: "Kein Preis: {guardName}.",
  margin: "Unsere Marge ist {margin}.",
  because: "Die Regel hat angeschlagen, weil {trigger}.",
  priceWar: "Preiskampf mit {competitor}: {sku} {productTitle}",
  brakeClosed: "Senkungen gestoppt: {sku} {productTitle}",
  brakeMeans: "{ruleName} hat den Preis {cuts} × gesenkt, von {fromCents} auf {toCents}.",
  brakedUntil: "Bis {until} senkt die Regel den Preis nicht, außer jemand löst die Bremse.",
  importFailed: "Import „{label}“ ist gescheitert",
  importHeld: "Import „{label}“ ist angehalten",
  seeImport: "Die Seite des Imports sagt, woran es lag.",
  why: "{why}",
  reason: "{why}.",
  holdSwitchedOn: "Auffällige Importe werden jetzt angehalten",
  holdMeans:
    "Die neue Version hält einen Import an, wenn sich bei mehr als {sharePct} seiner Produkte Preis " +
    "oder Einkaufspreis um mehr als {movePct} ändern oder die Währung wechselt; übernommen wird dann " +
    "nichts. Auch ein nächtlicher Import kann dadurch angehalten werden: Er endet mit " +
    "„price_guard“, und seine Datei lässt sich 24 Stunden lang unter Importe freigeben. Grenzen " +
    "ändern oder abschalten: Einstellungen → Arbeitsbereich.",
  importOverdue: "Seit {hours} Stunden kein Import",
  lastImport: "Der letzte gelungene Import war am {lastAt}.",
  priceNotArrived: "1 Preis ist nicht angekommen",
  pricesNotArrived: "{count} Preise sind nicht angekommen",
  pricesAwaited:
    "Die Warenwirtschaft hat sie abgerufen (erwartet: {expected}), aber ihre Importe enthielten andere " +
    "Preise oder keine.",
  notFetched: "Datei von „{name}“ wurde nicht abgeholt",
  notFetchedMeans:
    "Auch mehrere Versuche brachten keine Datei; importiert wurde nichts. Adresse und " +
    "Zugangsdaten stehen unter Importe → Quellen.",
  sourceSilent: "Von „{name}“ ist keine Datei gekommen",
  silentSince: "Erwartet war sie bis {expectedAt}.",
  neverImported: "Von dieser Quelle ist noch kein Import gelungen.",
  recipeDrifting: "{competitor} zeigt Preise an anderer Stelle",
  recipeDriftingMeans:
    "Seiten von {domain} haben den Preis nicht mehr dort, wo er bisher stand. Preise dieser Seiten " +
    "gelten als weniger sicher, bis die neue Stelle gelernt ist oder jemand sie zeigt.",
  outOfBounds: "{sku} {productTitle}: Preis außerhalb der Grenzen",
  below_min: "Der Schlüssel „{by}“ hat {cents} gesetzt; der Mindestpreis ist {limitCents}.",
  above_max: "Der Schlüssel „{by}“ hat {cents} gesetzt; der Höchstpreis ist {limitCents}.",
  importedOutOfBounds: "Import „{label}“: {count} Preise außerhalb der Grenzen",
  importedOneOutOfBounds: "Import „{label}“: {count} Preis außerhalb der Grenzen",
  importedMeans:
    "Die Preise der Datei gelten trotzdem. Welche es sind, steht in den Befunden des Imports.",
  shopHeld: "{competitor}: Preise sehen falsch aus",
  down: "{count} von {seen} Preisen sind um mehr als 30 % gefallen.",
  up: "{count} von {seen} Preisen sind um mehr als 30 % gestiegen.",
  same: "{count} Produkte haben denselben Preis: {priceCents}.",
  shopHeldMeans: "Sie zählen erst, wenn jemand sie freigibt.",
  fellBack: "{competitor}: Seiten werden nur noch vorgeschlagen",
  fellBackMeans:
    "Von {of} zuletzt automatisch verknüpften Seiten wurden {takenBack} abgelehnt oder gelöscht. " +
    "Automatisch verknüpft wird hier nichts mehr, bis jemand es wieder einschaltet.",
  otherProduct: "{competitor} zeigt ein anderes Produkt als {sku}",
  otherProductLinked: "Verknüpft ist die Seite mit „{title}“.",
  otherProductMeans:
    "Keine Regel verwendet diesen Preis, bis jemand die Seite bestätigt oder eine andere verknüpft.",
  oneOtherProduct: "1 Verknüpfung zeigt ein anderes Produkt",
  otherProducts: "{count} Verknüpfungen zeigen ein anderes Produkt",
  otherProductsSince:
    "Gefunden seit {since}, Wettbewerber: {shops}. Die Seiten stehen bei ihren Wettbewerbern unter " +
    "„Seiten ohne Preis“.",
  domainFailing: "{competitor} fällt aus",
  domainSince: "Seit {since} wurde dort keine Seite gelesen. Die bekannten Preise bleiben.",
  webhookDisabled: "Webhook an {host} ist abgeschaltet",
  webhookSince:
    "Seit {from} kam dort nichts an. Unter Einstellungen → Webhooks lässt er sich wieder einschalten.",
  severity: "Dringlichkeit: {severity}",
  many: "{count} Meldungen",
  rest: "Und {count} weitere:",
  all: "Alle Meldungen: {address}",
  testSubject: "Kurant: Testmail",
  test: "Diese Mail zeigt, dass Kurant Mails verschicken kann. Eine Antwort ist nicht nötig.",
  sealSubject: "{workspace}: Protokoll, Siegel {number}",
  seal: "Das Protokoll von „{workspace}“ endet mit Siegel {number} vom {time}. Sein Hash ist:",
  sealUse:
    "Bitte bewahren Sie diese Mail auf. „kurant audit verify --head HASH“ prüft später, ob das Protokoll dieses Siegel noch enthält.",
};

type TextName = keyof typeof de;

const en: Readonly<Record<TextName, string>> = {
  product: de.product,
  fired: de.fired,
  proposed: "Proposal: {proposedCents}.",
  applied: "Applied: {proposedCents}.",
  noPrice: "No price: {guardName}.",
  margin: "Our margin is {margin}.",
  because: "The rule fired because {trigger}.",
  priceWar: "Price war with {competitor}: {sku} {productTitle}",
  brakeClosed: "Cuts are stopped: {sku} {productTitle}",
  brakeMeans: "{ruleName} has cut the price {cuts} times, from {fromCents} to {toCents}.",
  brakedUntil: "The rule makes no cut until {until}, unless somebody releases the brake.",
  importFailed: "Import “{label}” failed",
  importHeld: "Import “{label}” is held",
  seeImport: "The page of the import says why.",
  why: de.why,
  reason: de.reason,
  holdSwitchedOn: "Suspicious imports are held now",
  holdMeans:
    "The new version holds an import if the price or cost of more than {sharePct} of its products " +
    "changes by more than {movePct}, or if their currency changes; nothing is applied then. This may " +
    "also hold a nightly import: it ends with “price_guard”, and its file can be released under " +
    "Imports for 24 hours. Change the limits or switch this off: Settings → Workspace.",
  importOverdue: "No import for {hours} hours",
  lastImport: "The last successful import was at {lastAt}.",
  priceNotArrived: "1 price did not arrive",
  pricesNotArrived: "{count} prices did not arrive",
  pricesAwaited:
    "The ERP fetched them (expected: {expected}), but its imports contained other prices or none.",
  notFetched: "The file of “{name}” was not fetched",
  notFetchedMeans:
    "Several attempts brought no file; nothing was imported. Address and credentials are " +
    "under Imports → Sources.",
  sourceSilent: "No file has come from “{name}”",
  silentSince: "It was expected by {expectedAt}.",
  neverImported: "No import of this source has succeeded yet.",
  recipeDrifting: "{competitor} shows its prices elsewhere",
  recipeDriftingMeans:
    "Pages of {domain} no longer have the price where it was until now. Prices of these pages are " +
    "less certain until the new place is learned or somebody shows it.",
  outOfBounds: "{sku} {productTitle}: price outside its bounds",
  below_min: 'The key "{by}" has set {cents}; the minimum price is {limitCents}.',
  above_max: 'The key "{by}" has set {cents}; the maximum price is {limitCents}.',
  importedOutOfBounds: 'Import "{label}": {count} prices outside the bounds',
  importedOneOutOfBounds: 'Import "{label}": {count} price outside the bounds',
  importedMeans: "The prices of the file apply nevertheless. The findings of the import name them.",
  shopHeld: "{competitor}: prices look wrong",
  down: "{count} of {seen} prices fell by more than 30%.",
  up: "{count} of {seen} prices rose by more than 30%.",
  same: "{count} products have the same price: {priceCents}.",
  shopHeldMeans: "They count once someone releases them.",
  fellBack: "{competitor}: pages are only suggested now",
  fellBackMeans:
    "Of the last {of} pages that were linked automatically, {takenBack} were rejected or " +
    "deleted. Nothing is linked automatically here until somebody switches it on again.",
  otherProduct: "{competitor} shows a different product than {sku}",
  otherProductLinked: "The page is linked to “{title}”.",
  otherProductMeans:
    "No rule uses this price until somebody confirms the page or links another one.",
  oneOtherProduct: "1 link shows a different product",
  otherProducts: "{count} links show a different product",
  otherProductsSince:
    "Found since {since}, competitors: {shops}. The pages are listed at their competitors under " +
    "“Pages without a price”.",
  domainFailing: "{competitor} is down",
  domainSince: "No page has been read there since {since}. The known prices stay.",
  webhookDisabled: "The webhook to {host} is disabled",
  webhookSince:
    "Nothing has arrived there since {from}. It can be switched on again under Settings → Webhooks.",
  severity: "Severity: {severity}",
  many: "{count} alerts",
  rest: "And {count} more:",
  all: "All alerts: {address}",
  testSubject: "Kurant: test mail",
  test: "This mail shows that Kurant can send mails. No answer is needed.",
  sealSubject: "{workspace}: audit log, seal {number}",
  seal: 'The audit log of "{workspace}" ends with seal {number} of {time}. Its hash is:',
  sealUse:
    'Please keep this mail. "kurant audit verify --head HASH" checks later whether the log still contains this seal.',
};

export function alertSentence(to: Audience, name: TextName, facts: AnyFacts = {}): string {
  return textOf({ de: de[name], en: en[name] }, facts, to) ?? "";
}

type Code = AlertFacts["code"];

type FactsOf<Own, Facts = AlertFacts> = Facts extends { readonly code: infer Codes }
  ? Own extends Codes ? Facts : never
  : never;

type Wording = readonly [title: TextName, body: readonly TextName[], more?: AnyFacts];

/** Taken from a method type, so that functions for more specific `Facts` are accepted too. */
type Choice<Facts> = { choose(facts: Facts, to: Audience): Wording }["choose"];

const WORDINGS: { readonly [Own in Code]: Choice<FactsOf<Own>> } = {
  rule_fired(fired, to) {
    const { guard, outcome, proposedCents } = fired;
    const priced = outcome === "apply" ? "applied" : "proposed";
    const price = proposedCents !== null ? [priced] as const : guard ? ["noPrice"] as const : [];
    const guardName = GUARD_ROWS[guard ?? ""]?.name[to.language] ?? guard;
    return ["product", ["fired", ...price], { why: whyText(to, fired), guardName }];
  },
  brake_closed: ({ competitor }) => [
    competitor === null ? "brakeClosed" : "priceWar",
    ["brakeMeans", "brakedUntil"],
  ],
  import_failed: (facts, to) => ["importFailed", ...importBody(to, facts.errorCode)],
  import_held: (facts, to) => ["importHeld", ...importBody(to, facts.errorCode)],
  price_out_of_bounds: ({ bound }) => ["outOfBounds", [bound]],
  import_out_of_bounds: ({ count }) => [
    count === 1 ? "importedOneOutOfBounds" : "importedOutOfBounds",
    ["importedMeans"],
  ],
  hold_switched_on: () => ["holdSwitchedOn", ["holdMeans"]],
  import_overdue: () => ["importOverdue", ["lastImport"]],
  prices_not_arrived: ({ count }) => [
    count === 1 ? "priceNotArrived" : "pricesNotArrived",
    ["pricesAwaited"],
  ],
  not_fetched({ errorCode, message }, { language }) {
    const why = TERMS[language].fetchErrors[errorCode] ?? message;
    return ["notFetched", ["why", "notFetchedMeans"], { why }];
  },
  source_silent: ({ lastAt }) => [
    "sourceSilent",
    ["silentSince", lastAt === null ? "neverImported" : "lastImport"],
  ],
  domain_failing({ competitor, domain, lastError }, { language }) {
    const labels: Labels = TERMS[language].scrapeErrors;
    const why = labels[lastError ?? ""] ?? lastError;
    return ["domainFailing", ["domainSince", "why"], { why, competitor: competitor ?? domain }];
  },
  recipe_drifting: () => ["recipeDrifting", ["recipeDriftingMeans"]],
  shop_held: ({ pattern }) => ["shopHeld", [pattern, "shopHeldMeans"]],
  discovery_fell_back: () => ["fellBack", ["fellBackMeans"]],
  other_product({ sku, productTitle, reason }, { language }) {
    const why = reason && storedReasonText(reason, language);
    const reasons = why === null ? [] : ["reason"] as const;
    return [
      "otherProduct",
      ["otherProductLinked", ...reasons, "otherProductMeans"],
      { why, title: productTitle || sku },
    ];
  },
  other_products: ({ count }) => [
    count === 1 ? "oneOtherProduct" : "otherProducts",
    ["otherProductsSince", "otherProductMeans"],
  ],
  webhook_disabled({ since }, { show }) {
    return ["webhookDisabled", ["webhookSince"], { from: show.dateTime(since) }];
  },
};

interface AlertText {
  readonly title: string;
  readonly body: string;
}

export function alertText(
  to: Audience,
  { title, body, facts }: AlertText & { readonly facts: AlertFacts | null },
): AlertText {
  if (facts === null) return { title, body };
  const wordings: Readonly<Record<Code, Choice<AlertFacts>>> = WORDINGS;
  const [heading, sentences, more] = wordings[facts.code](facts, to);
  const say = (name: TextName) => alertSentence(to, name, { ...facts, ...more });
  return { title: say(heading), body: sentences.map(say).join(" ") };
}

function importBody({ language }: Audience, code: string | null) {
  const why = TERMS[language].findings[code ?? ""];
  return why === undefined ? [["seeImport"]] as const : [["why"], { why }] as const;
}

function whyText(to: Audience, fired: FactsOf<"rule_fired">): string {
  const { language, show } = to;
  const trigger = TRIGGER_ROWS[fired.trigger];
  const { competitor, competitorCents, currentCents, currency } = fired;
  if (trigger?.subject === "margin" && fired.marginPct !== null) {
    // With a proposal, `marginPct` is the margin at the new price, which is not why the rule fired.
    if (fired.proposedCents === null) {
      return alertSentence(to, "margin", { margin: shownMargin(fired.marginPct, show) });
    }
  } else if (competitor !== null && competitorCents !== null && currentCents) {
    const prices = { priceCents: competitorCents, ourPriceCents: currentCents, currency };
    return comparisonText({ kind: "cheapest", competitor, count: 1, ...prices, fires: true }, to);
  }
  return alertSentence(to, "because", { trigger: trigger?.label[language] ?? fired.trigger });
}
