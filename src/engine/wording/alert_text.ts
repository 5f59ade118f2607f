/** Texts of alerts and of their mails. */

import { changePct } from "../../base/fraction.ts";
import type { AlertFacts } from "./alert_facts.ts";
import { guardWordsOf } from "./guard_words.ts";
import { storedReasonText } from "./page_words.ts";
import type { Language } from "../../base/codes.ts";
import { type Audience, shownMargin, termsOf } from "./show.ts";
import type { Labels } from "./terms.ts";
import { triggerWordsOf } from "./trigger_words.ts";

const fetchErrors: Readonly<Record<string, string>> = {
  timeout: "Der Server hat nicht rechtzeitig geantwortet.",
  dns_error: "Den Namen des Servers gibt es nicht.",
  unreachable: "Der Server ist nicht zu erreichen.",
  private_address: "Die Adresse führt nicht ins öffentliche Internet.",
  redirect_refused: "Die Adresse leitet auf ein Ziel weiter, das nicht abgerufen werden darf.",
  too_large: "Die Datei ist zu groß.",
  payload_too_large: "Die Datei ist zu groß, oder andere Dateien warten noch.",
  unsupported_content: "Die Übertragung ließ sich nicht entpacken.",
  http_401: "Der Server verlangt eine Anmeldung (401).",
  http_403: "Der Server verweigert den Zugriff (403).",
  http_404: "Die Datei gibt es dort nicht (404).",
  conflict: "Die Zugangsdaten müssen neu eingegeben werden.",
  validation_failed: "Das Importprofil der Quelle gibt es nicht mehr.",
};

const de = {
  priceWar: (shop: string, sku: string, title: string) => `Preiskampf mit ${shop}: ${sku} ${title}`,
  brakeClosed: (sku: string, title: string) => `Senkungen gestoppt: ${sku} ${title}`,
  brakeMeans: (rule: string, cuts: string, from: string, to: string) =>
    `${rule} hat den Preis ${cuts} × gesenkt, von ${from} auf ${to}.`,
  brakedUntil: (at: string) =>
    `Bis ${at} senkt die Regel den Preis nicht, außer jemand löst die Bremse.`,
  importFailed: (file: string) => `Import „${file}“ ist gescheitert`,
  importHeld: (file: string) => `Import „${file}“ ist angehalten`,
  seeImport: "Die Seite des Imports sagt, woran es lag.",
  holdSwitchedOn: "Auffällige Importe werden jetzt angehalten",
  holdMeans: (move: string, share: string) =>
    `Die neue Version hält einen Import an, wenn sich bei mehr als ${share} seiner Produkte Preis ` +
    `oder Einkaufspreis um mehr als ${move} ändern oder die Währung wechselt; übernommen wird dann ` +
    "nichts. Auch ein nächtlicher Import kann dadurch angehalten werden: Er endet mit " +
    "„price_guard“, und seine Datei lässt sich 24 Stunden lang unter Importe freigeben. Grenzen " +
    "ändern oder abschalten: Einstellungen → Arbeitsbereich.",
  importOverdue: (hours: string) => `Seit ${hours} Stunden kein Import`,
  lastImport: (at: string) => `Der letzte gelungene Import war am ${at}.`,
  priceNotArrived: "1 Preis ist nicht angekommen",
  pricesNotArrived: (count: string) => `${count} Preise sind nicht angekommen`,
  pricesAwaited: (all: string) =>
    `Die Warenwirtschaft hat sie abgerufen (erwartet: ${all}), aber ihre Importe enthielten andere ` +
    "Preise oder keine.",
  notFetched: (name: string) => `Datei von „${name}“ wurde nicht abgeholt`,
  notFetchedMeans: (why: string) =>
    `${why} Auch mehrere Versuche brachten keine Datei; importiert wurde nichts. Adresse und ` +
    "Zugangsdaten stehen unter Importe → Quellen.",
  fetchErrors,
  sourceSilent: (name: string) => `Von „${name}“ ist keine Datei gekommen`,
  silentSince: (at: string) => `Erwartet war sie bis ${at}.`,
  neverImported: "Von dieser Quelle ist noch kein Import gelungen.",
  recipeDrifting: (shop: string) => `${shop} zeigt Preise an anderer Stelle`,
  recipeDriftingMeans: (domain: string) =>
    `Seiten von ${domain} haben den Preis nicht mehr dort, wo er bisher stand. Preise dieser Seiten ` +
    "gelten als weniger sicher, bis die neue Stelle gelernt ist oder jemand sie zeigt.",
  outOfBounds: (sku: string, title: string) => `${sku} ${title}: Preis außerhalb der Grenzen`,
  outOfBoundsMeans: {
    below_min: (key: string, price: string, limit: string) =>
      `Der Schlüssel „${key}“ hat ${price} gesetzt; der Mindestpreis ist ${limit}.`,
    above_max: (key: string, price: string, limit: string) =>
      `Der Schlüssel „${key}“ hat ${price} gesetzt; der Höchstpreis ist ${limit}.`,
  },
  importOutOfBounds: (label: string, text: string, count: number) =>
    `Import „${label}“: ${text} ${count === 1 ? "Preis" : "Preise"} außerhalb der Grenzen`,
  importOutOfBoundsMeans:
    "Die Preise der Datei gelten trotzdem. Welche es sind, steht in den Befunden des Imports.",
  shopHeld: (shop: string) => `${shop}: Preise sehen falsch aus`,
  shopJump: {
    down: (count: string, seen: string) =>
      `${count} von ${seen} Preisen sind um mehr als 30 % gefallen.`,
    up: (count: string, seen: string) =>
      `${count} von ${seen} Preisen sind um mehr als 30 % gestiegen.`,
  },
  shopSame: (count: string, price: string) => `${count} Produkte haben denselben Preis: ${price}.`,
  shopHeldMeans: "Sie zählen erst, wenn jemand sie freigibt.",
  fellBack: (shop: string) => `${shop}: Seiten werden nur noch vorgeschlagen`,
  fellBackMeans: (takenBack: string, of: string) =>
    `Von ${of} zuletzt automatisch verknüpften Seiten wurden ${takenBack} abgelehnt oder gelöscht. ` +
    "Automatisch verknüpft wird hier nichts mehr, bis jemand es wieder einschaltet.",
  otherProduct: (shop: string, sku: string) => `${shop} zeigt ein anderes Produkt als ${sku}`,
  otherProductLinked: (title: string) => `Verknüpft ist die Seite mit „${title}“.`,
  otherProductMeans:
    "Keine Regel verwendet diesen Preis, bis jemand die Seite bestätigt oder eine andere verknüpft.",
  oneOtherProduct: "1 Verknüpfung zeigt ein anderes Produkt",
  otherProducts: (count: string) => `${count} Verknüpfungen zeigen ein anderes Produkt`,
  otherProductsSince: (at: string, shops: string) =>
    `Gefunden seit ${at}, Wettbewerber: ${shops}. Die Seiten stehen bei ihren Wettbewerbern unter ` +
    "„Seiten ohne Preis“.",
  domainFailing: (shop: string) => `${shop} fällt aus`,
  domainSince: (at: string) =>
    `Seit ${at} wurde dort keine Seite gelesen. Die bekannten Preise bleiben.`,
  webhookDisabled: (host: string) => `Webhook an ${host} ist abgeschaltet`,
  webhookSince: (at: string) =>
    `Seit ${at} kam dort nichts an. Unter Einstellungen → Webhooks lässt er sich wieder einschalten.`,
  proposed: (price: string) => `Vorschlag: ${price}.`,
  applied: (price: string) => `Übernommen: ${price}.`,
  noPrice: (guard: string) => `Kein Preis: ${guard}.`,
  margin: (pct: string) => `Unsere Marge ist ${pct}.`,
  because: (trigger: string) => `Die Regel hat angeschlagen, weil ${trigger}.`,
  severity: (severity: string) => `Dringlichkeit: ${severity}`,
  many: (count: string) => `${count} Meldungen`,
  rest: (count: string) => `Und ${count} weitere:`,
  all: (address: string) => `Alle Meldungen: ${address}`,
  testSubject: "Kurant: Testmail",
  test: "Diese Mail zeigt, dass Kurant Mails verschicken kann. Eine Antwort ist nicht nötig.",
  sealSubject: (workspace: string, number: number) => `${workspace}: Protokoll, Siegel ${number}`,
  seal: (workspace: string, number: number, at: string) =>
    `Das Protokoll von „${workspace}“ endet mit Siegel ${number} vom ${at}. Sein Hash ist:`,
  sealUse:
    "Bitte bewahren Sie diese Mail auf. „kurant audit verify --head HASH“ prüft später, ob das Protokoll dieses Siegel noch enthält.",
};

type AlertWords = typeof de;

const en: AlertWords = {
  priceWar: (shop, sku, title) => `Price war with ${shop}: ${sku} ${title}`,
  brakeClosed: (sku, title) => `Cuts are stopped: ${sku} ${title}`,
  brakeMeans: (rule, cuts, from, to) =>
    `${rule} has cut the price ${cuts} times, from ${from} to ${to}.`,
  brakedUntil: (at) => `The rule makes no cut until ${at}, unless somebody releases the brake.`,
  importFailed: (file) => `Import “${file}” failed`,
  importHeld: (file) => `Import “${file}” is held`,
  seeImport: "The page of the import says why.",
  holdSwitchedOn: "Suspicious imports are held now",
  holdMeans: (move, share) =>
    `The new version holds an import if the price or cost of more than ${share} of its products ` +
    `changes by more than ${move}, or if their currency changes; nothing is applied then. This may ` +
    "also hold a nightly import: it ends with “price_guard”, and its file can be released under " +
    "Imports for 24 hours. Change the limits or switch this off: Settings → Workspace.",
  importOverdue: (hours) => `No import for ${hours} hours`,
  lastImport: (at) => `The last successful import was at ${at}.`,
  priceNotArrived: "1 price did not arrive",
  pricesNotArrived: (count) => `${count} prices did not arrive`,
  pricesAwaited: (all) =>
    `The ERP fetched them (expected: ${all}), but its imports contained other prices or none.`,
  notFetched: (name) => `The file of “${name}” was not fetched`,
  notFetchedMeans: (why) =>
    `${why} Several attempts brought no file; nothing was imported. Address and credentials are ` +
    "under Imports → Sources.",
  fetchErrors: {
    timeout: "The server did not answer in time.",
    dns_error: "There is no server of that name.",
    unreachable: "The server cannot be reached.",
    private_address: "The address does not lead to the public internet.",
    redirect_refused: "The address redirects to a target that may not be fetched.",
    too_large: "The file is too large.",
    payload_too_large: "The file is too large, or other files are still waiting.",
    unsupported_content: "The transferred file could not be unpacked.",
    http_401: "The server asks for credentials (401).",
    http_403: "The server denies access (403).",
    http_404: "There is no such file (404).",
    conflict: "The credentials have to be entered again.",
    validation_failed: "The import profile of the source is gone.",
  },
  sourceSilent: (name) => `No file has come from “${name}”`,
  silentSince: (at) => `It was expected by ${at}.`,
  neverImported: "No import of this source has succeeded yet.",
  recipeDrifting: (shop) => `${shop} shows its prices elsewhere`,
  recipeDriftingMeans: (domain) =>
    `Pages of ${domain} no longer have the price where it was until now. Prices of these pages are ` +
    "less certain until the new place is learned or somebody shows it.",
  outOfBounds: (sku, title) => `${sku} ${title}: price outside its bounds`,
  outOfBoundsMeans: {
    below_min: (key, price, limit) =>
      `The key "${key}" has set ${price}; the minimum price is ${limit}.`,
    above_max: (key, price, limit) =>
      `The key "${key}" has set ${price}; the maximum price is ${limit}.`,
  },
  importOutOfBounds: (label, text, count) =>
    `Import "${label}": ${text} ${count === 1 ? "price" : "prices"} outside the bounds`,
  importOutOfBoundsMeans:
    "The prices of the file apply nevertheless. The findings of the import name them.",
  shopHeld: (shop) => `${shop}: prices look wrong`,
  shopJump: {
    down: (count, seen) => `${count} of ${seen} prices fell by more than 30%.`,
    up: (count, seen) => `${count} of ${seen} prices rose by more than 30%.`,
  },
  shopSame: (count, price) => `${count} products have the same price: ${price}.`,
  shopHeldMeans: "They count once someone releases them.",
  fellBack: (shop) => `${shop}: pages are only suggested now`,
  fellBackMeans: (takenBack, of) =>
    `Of the last ${of} pages that were linked automatically, ${takenBack} were rejected or ` +
    "deleted. Nothing is linked automatically here until somebody switches it on again.",
  otherProduct: (shop, sku) => `${shop} shows a different product than ${sku}`,
  otherProductLinked: (title) => `The page is linked to “${title}”.`,
  otherProductMeans:
    "No rule uses this price until somebody confirms the page or links another one.",
  oneOtherProduct: "1 link shows a different product",
  otherProducts: (count) => `${count} links show a different product`,
  otherProductsSince: (at, shops) =>
    `Found since ${at}, competitors: ${shops}. The pages are listed at their competitors under ` +
    "“Pages without a price”.",
  domainFailing: (shop) => `${shop} is down`,
  domainSince: (at) => `No page has been read there since ${at}. The known prices stay.`,
  webhookDisabled: (host) => `The webhook to ${host} is disabled`,
  webhookSince: (at) =>
    `Nothing has arrived there since ${at}. It can be switched on again under Settings → Webhooks.`,
  proposed: (price) => `Proposal: ${price}.`,
  applied: (price) => `Applied: ${price}.`,
  noPrice: (guard) => `No price: ${guard}.`,
  margin: (pct) => `Our margin is ${pct}.`,
  because: (trigger) => `The rule fired because ${trigger}.`,
  severity: (severity) => `Severity: ${severity}`,
  many: (count) => `${count} alerts`,
  rest: (count) => `And ${count} more:`,
  all: (address) => `All alerts: ${address}`,
  testSubject: "Kurant: test mail",
  test: "This mail shows that Kurant can send mails. No answer is needed.",
  sealSubject: (workspace, number) => `${workspace}: audit log, seal ${number}`,
  seal: (workspace, number, at) =>
    `The audit log of "${workspace}" ends with seal ${number} of ${at}. Its hash is:`,
  sealUse:
    'Please keep this mail. "kurant audit verify --head HASH" checks later whether the log still contains this seal.',
};

const WORDS: Readonly<Record<Language, AlertWords>> = { de, en };

export function alertWordsOf(language: Language): AlertWords {
  return WORDS[language];
}

interface AlertText {
  readonly title: string;
  readonly body: string;
}

/** `say` is a method, because TypeScript compares parameters of methods less strictly. */
type TextOf<Facts> = { say(facts: Facts, to: Audience, texts: AlertWords): AlertText }["say"];

type FactsOf<Code, Facts = AlertFacts> = Facts extends { readonly code: infer Own }
  ? Code extends Own ? Facts : never
  : never;

const TEXTS: { readonly [Code in AlertFacts["code"]]: TextOf<FactsOf<Code>> } = {
  rule_fired: (facts, to) => ({
    title: `${facts.sku} ${facts.productTitle}`,
    body: `${facts.ruleName}: ${firedText(to, facts)}`,
  }),
  brake_closed(facts, { show }, texts) {
    const { competitor, sku, productTitle, ruleName, currency, fromCents, toCents } = facts;
    const [from, to] = [show.money(fromCents, currency), show.money(toCents, currency)];
    return {
      title: competitor === null
        ? texts.brakeClosed(sku, productTitle)
        : texts.priceWar(competitor, sku, productTitle),
      body: texts.brakeMeans(ruleName, show.number(facts.cuts), from, to) + " " +
        texts.brakedUntil(show.dateTime(facts.until)),
    };
  },
  import_failed: (facts, to, texts) => ({
    title: texts.importFailed(facts.label),
    body: importText(to, facts.errorCode),
  }),
  import_held: (facts, to, texts) => ({
    title: texts.importHeld(facts.label),
    body: importText(to, facts.errorCode),
  }),
  price_out_of_bounds(facts, { show }, texts) {
    const { sku, productTitle, currency, bound, by } = facts;
    const [price, limit] = [facts.cents, facts.limitCents].map((one) => show.money(one, currency));
    return {
      title: texts.outOfBounds(sku, productTitle),
      body: texts.outOfBoundsMeans[bound](by, price ?? "", limit ?? ""),
    };
  },
  import_out_of_bounds: (facts, { show }, texts) => ({
    title: texts.importOutOfBounds(facts.label, show.number(facts.count), facts.count),
    body: texts.importOutOfBoundsMeans,
  }),
  hold_switched_on(facts, { show }, texts) {
    const [movePct, sharePct] = [show.percent(facts.movePct), show.percent(facts.sharePct)];
    return { title: texts.holdSwitchedOn, body: texts.holdMeans(movePct, sharePct) };
  },
  import_overdue: (facts, { show }, texts) => ({
    title: texts.importOverdue(show.number(facts.hours)),
    body: texts.lastImport(show.dateTime(facts.lastAt)),
  }),
  prices_not_arrived(facts, { show }, texts) {
    const { count, expected } = facts;
    const [missing, all] = [show.number(count), show.number(expected)];
    return {
      title: count === 1 ? texts.priceNotArrived : texts.pricesNotArrived(missing),
      body: texts.pricesAwaited(all),
    };
  },
  not_fetched(facts, _to, texts) {
    const why = texts.fetchErrors[facts.errorCode] ?? facts.message;
    return { title: texts.notFetched(facts.name), body: texts.notFetchedMeans(why) };
  },
  source_silent: (facts, { show }, texts) => ({
    title: texts.sourceSilent(facts.name),
    body: [
      texts.silentSince(show.dateTime(facts.expectedAt)),
      facts.lastAt === null ? texts.neverImported : texts.lastImport(show.dateTime(facts.lastAt)),
    ].join(" "),
  }),
  domain_failing(facts, to, texts) {
    const since = texts.domainSince(to.show.dateTime(facts.since));
    const body = `${since} ${errorText(to, facts.lastError)}`;
    return { title: texts.domainFailing(facts.competitor ?? facts.domain), body };
  },
  recipe_drifting: (facts, _to, texts) => ({
    title: texts.recipeDrifting(facts.competitor),
    body: texts.recipeDriftingMeans(facts.domain),
  }),
  shop_held(facts, { show }, texts) {
    const { competitor, pattern, count, seen, priceCents, currency } = facts;
    const products = show.number(count);
    const did = pattern === "same"
      ? texts.shopSame(products, show.money(priceCents ?? 0, currency ?? ""))
      : texts.shopJump[pattern](products, show.number(seen));
    return { title: texts.shopHeld(competitor), body: `${did} ${texts.shopHeldMeans}` };
  },
  discovery_fell_back: (facts, { show }, texts) => ({
    title: texts.fellBack(facts.competitor),
    body: texts.fellBackMeans(show.number(facts.takenBack), show.number(facts.of)),
  }),
  other_product(facts, { language }, texts) {
    const { competitor, sku, productTitle, reason } = facts;
    const sentence = reason && storedReasonText(reason, language);
    const why = sentence === null ? "" : `${sentence}. `;
    return {
      title: texts.otherProduct(competitor, sku),
      body: `${texts.otherProductLinked(productTitle === "" ? sku : productTitle)} ${why}` +
        texts.otherProductMeans,
    };
  },
  other_products(facts, { show }, texts) {
    const [count, shops] = [show.number(facts.count), show.number(facts.shops)];
    return {
      title: facts.count === 1 ? texts.oneOtherProduct : texts.otherProducts(count),
      body: `${texts.otherProductsSince(show.dateTime(facts.since), shops)} ` +
        texts.otherProductMeans,
    };
  },
  webhook_disabled: (facts, { show }, texts) => ({
    title: texts.webhookDisabled(facts.host),
    body: texts.webhookSince(show.dateTime(facts.since)),
  }),
};

export function alertText(
  to: Audience,
  { title, body, facts }: AlertText & { readonly facts: AlertFacts | null },
): AlertText {
  if (facts === null) return { title, body };
  const texts: Readonly<Record<AlertFacts["code"], TextOf<AlertFacts>>> = TEXTS;
  return texts[facts.code](facts, to, alertWordsOf(to.language));
}

function errorText({ language }: Audience, code: string | null): string {
  const labels: Labels = termsOf(language).scrapeErrors;
  return code === null ? "" : labels[code] ?? code;
}

function importText({ language }: Audience, code: string | null): string {
  return termsOf(language).findings[code ?? ""] ?? alertWordsOf(language).seeImport;
}

type Fired = Extract<AlertFacts, { code: "rule_fired" }>;

function firedText({ language, show }: Audience, fired: Fired): string {
  const texts = alertWordsOf(language);
  const money = (cents: number) => show.money(cents, fired.currency);
  const guard = fired.guard && (guardWordsOf(fired.guard)?.name[language] ?? fired.guard);
  const price = fired.proposedCents !== null
    ? texts[fired.outcome === "apply" ? "applied" : "proposed"](money(fired.proposedCents))
    : guard && texts.noPrice(guard);
  return [whyText({ language, show }, fired), price].filter(Boolean).join(" ");
}

function whyText({ language, show }: Audience, fired: Fired): string {
  const { compared } = termsOf(language);
  const trigger = triggerWordsOf(fired.trigger);
  const texts = alertWordsOf(language);
  const { competitor, competitorCents, currentCents, currency } = fired;
  const money = (cents: number) => show.money(cents, currency);
  if (trigger?.subject === "margin" && fired.marginPct !== null) {
    // With a proposal, `marginPct` is the margin at the new price, not the reason of the alert.
    if (fired.proposedCents === null) return texts.margin(shownMargin(fired.marginPct, show));
  } else if (competitor !== null && competitorCents !== null && currentCents) {
    const gap = changePct(currentCents, competitorCents);
    const pct = show.percent(Math.abs(gap));
    const asks = compared.asks(competitor, money(competitorCents));
    const direction = competitorCents < currentCents ? "less" : "more";
    return `${asks}, ${compared[direction](pct, money(currentCents))}.`;
  }
  return texts.because(trigger?.label[language] ?? fired.trigger);
}
