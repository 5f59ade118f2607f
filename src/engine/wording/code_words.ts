/** German and English names of codes, for lists on screens and in files. */

import { mapValues } from "../../base/collections.ts";
import type { Language, LocalisedText } from "../../base/codes.ts";
import { CONDITION_WORDS, verdictWords } from "./page_words.ts";
import { type InBoth, wordsIn } from "./show.ts";
import { TERMS } from "./terms.ts";
import { triggerLabels } from "./trigger_words.ts";

const TABLES = {
  actions: {
    alert_inapp: { de: "in der App melden", en: "alert in the app" },
    alert_email: { de: "per E-Mail melden", en: "alert by e-mail" },
    propose_price: { de: "einen Preis vorschlagen", en: "propose a price" },
    auto_apply_if_safe: {
      de: "den Preis übernehmen, wenn es sicher ist",
      en: "apply the price when it is safe",
    },
  },
  actors: {
    user: { de: "Person", en: "Person" },
    api_key: { de: "API-Schlüssel", en: "API key" },
    system: { de: "Dienst", en: "Service" },
  },
  arrivals: {
    waiting: { de: "noch offen", en: "still awaited" },
    not_arrived: { de: "anders angekommen", en: "arrived differently" },
    missing: { de: "nicht angekommen", en: "did not arrive" },
  },
  audited: {
    product: { de: "Produkt", en: "Product" },
    proposal: { de: "Vorschlag", en: "Proposal" },
    rule: { de: "Regel", en: "Rule" },
    competitor: { de: "Wettbewerber", en: "Competitor" },
    recipe: { de: "Preisstelle", en: "Price location" },
    discovery: { de: "Seitensuche", en: "Page search" },
    match_suggestion: { de: "Verknüpfungsvorschlag", en: "Suggested link" },
    competitor_product: { de: "Verknüpfung", en: "Match" },
    import: { de: "Import", en: "Import" },
    import_profile: { de: "Importprofil", en: "Import profile" },
    import_source: { de: "Importquelle", en: "Import source" },
    sales: { de: "Absatz", en: "Sales" },
    view: { de: "Ansicht", en: "View" },
    webhook: { de: "Webhook", en: "Webhook" },
    api_key: { de: "API-Schlüssel", en: "API key" },
    user: { de: "Person", en: "Person" },
    workspace: { de: "Arbeitsbereich", en: "Workspace" },
    audit: { de: "Protokoll", en: "Audit log" },
  },
  auditVerbs: {
    create: { de: "angelegt", en: "created" },
    update: { de: "geändert", en: "changed" },
    delete: { de: "gelöscht", en: "deleted" },
    restore: { de: "wiederhergestellt", en: "restored" },
    bulk: { de: "gesammelt geändert", en: "changed in bulk" },
    mark: { de: "im Preisverlauf gekennzeichnet", en: "marked in the price history" },
    unmark: { de: "Kennzeichnung zurückgenommen", en: "mark removed" },
    approve: { de: "angenommen", en: "accepted" },
    reject: { de: "abgelehnt", en: "rejected" },
    rollback: { de: "zurückgenommen", en: "rolled back" },
    later: { de: "zurückgestellt", en: "snoozed" },
    reopen: { de: "wieder geöffnet", en: "reopened" },
    toggle: { de: "umgeschaltet", en: "switched" },
    release: { de: "freigegeben", en: "released" },
    drop: { de: "verworfen", en: "dropped" },
    apply: { de: "angewendet", en: "applied" },
    finish: { de: "beendet", en: "ended" },
    discard: { de: "verworfen", en: "discarded" },
    pull: { de: "abgeholt", en: "fetched" },
    undo: { de: "Rücknahme beendet", en: "undo finished" },
    push: { de: "über die API gemeldet", en: "reported by API" },
    revoke: { de: "widerrufen", en: "revoked" },
    join: { de: "beigetreten", en: "joined" },
    password: { de: "Passwort gesetzt", en: "password set" },
    reset_link: { de: "Link zum Zurücksetzen", en: "link to reset" },
    factor_add: { de: "zweiter Faktor eingerichtet", en: "second factor added" },
    factor_remove: { de: "zweiter Faktor entfernt", en: "second factor removed" },
    factor_use: { de: "Identität bestätigt", en: "identity confirmed" },
    factor_fail: { de: "Bestätigung falsch", en: "identity check failed" },
    factor_rename: { de: "Passkey umbenannt", en: "passkey renamed" },
    provider_fail: { de: "Anmeldung beim Anbieter abgelehnt", en: "sign-in by provider refused" },
    factor_reset: { de: "zweiter Faktor zurückgesetzt", en: "second factor reset" },
    recovery_codes: { de: "neue Wiederherstellungscodes", en: "new recovery codes" },
    session_end: { de: "Sitzung beendet", en: "session ended" },
    disable: { de: "vom Dienst abgeschaltet", en: "disabled by the service" },
    rotate: { de: "ausgetauscht", en: "rotated" },
    import: { de: "eingelesen", en: "read in" },
    teach: { de: "gezeigt", en: "taught" },
    relearn: { de: "neu gelernt", en: "learned again" },
    run: { de: "gestartet", en: "started" },
    pause: { de: "angehalten", en: "paused" },
    unpause: { de: "fortgesetzt", en: "resumed" },
    accept: { de: "angenommen", en: "accepted" },
    confirm: { de: "bestätigt", en: "confirmed" },
    stop: { de: "Automatik gestoppt", en: "automatic prices stopped" },
    resume: { de: "Automatik läuft wieder", en: "automatic prices resumed" },
    seal: { de: "versiegelt", en: "sealed" },
  },
  auths: {
    basic: { de: "Benutzer und Passwort", en: "User and password" },
    bearer: { de: "Token (Bearer)", en: "Token (Bearer)" },
    header: { de: "eigene Kopfzeile", en: "own header" },
  },
  availabilities: {
    in_stock: { de: "lieferbar", en: "in stock" },
    limited: { de: "begrenzt lieferbar", en: "limited stock" },
    out_of_stock: { de: "nicht lieferbar", en: "out of stock" },
    pre_order: { de: "vorbestellbar", en: "can be pre-ordered" },
    back_order: { de: "wird nachgeliefert", en: "on back order" },
    discontinued: { de: "nicht mehr im Sortiment", en: "discontinued" },
    unknown: { de: "unbekannt", en: "unknown" },
  },
  checkOutcomes: {
    sure: { de: "Sicher", en: "Sure" },
    check: { de: "Zu prüfen", en: "To check" },
    wrong: { de: "Falsch", en: "Wrong" },
    failed: { de: "Nicht lesbar", en: "Not readable" },
  },
  days: {
    mon: { de: "Mo", en: "Mon" },
    tue: { de: "Di", en: "Tue" },
    wed: { de: "Mi", en: "Wed" },
    thu: { de: "Do", en: "Thu" },
    fri: { de: "Fr", en: "Fri" },
    sat: { de: "Sa", en: "Sat" },
    sun: { de: "So", en: "Sun" },
  },
  decisionOutcomes: {
    rest: { de: "ruht", en: "rests" },
    alert: { de: "meldet", en: "alerts" },
    propose: { de: "schlägt vor", en: "proposes" },
    apply: { de: "übernimmt", en: "applies" },
  },
  effectBases: {
    piece: { de: "je verkauftem Stück", en: "per piece sold" },
    "30d": { de: "in 30 Tagen", en: "in 30 days" },
  },
  findingSeverities: {
    error: { de: "Fehler", en: "error" },
    warning: { de: "Hinweis", en: "warning" },
  },
  importModes: {
    upsert: { de: "neue und vorhandene", en: "new and existing" },
    insert: { de: "nur neue", en: "new only" },
    update: { de: "nur vorhandene", en: "existing only" },
    replace: { de: "Vollbestand", en: "full load" },
  },
  importHolds: { held: { de: "angehalten", en: "held" } },
  jobStates: {
    queued: { de: "wartet", en: "waiting" },
    running: { de: "läuft", en: "running" },
    succeeded: { de: "fertig", en: "done" },
    failed: { de: "gescheitert", en: "failed" },
    cancelled: { de: "abgebrochen", en: "cancelled" },
  },
  lineStatuses: {
    open: { de: "offen", en: "open" },
    linked: { de: "verknüpft", en: "linked" },
    existing: { de: "war schon verknüpft", en: "was linked before" },
    dropped: { de: "beiseite gelegt", en: "set aside" },
  },
  mails: {
    sent: { de: "verschickt", en: "sent" },
    queued: { de: "in der Warteschlange", en: "queued" },
    off: { de: "aus (kein Mailserver)", en: "off (no mail server)" },
    failed: { de: "gescheitert", en: "failed" },
  },
  marketPositions: {
    cheapest: { de: "günstigster", en: "cheapest" },
    middle: { de: "Mittelfeld", en: "middle" },
    dearest: { de: "teuerster", en: "most expensive" },
  },
  marketStates: {
    no_links: { de: "ohne Verknüpfung", en: "no link" },
    unreadable: { de: "nicht lesbar", en: "unreadable" },
    never_seen: { de: "noch nie gesehen", en: "never seen" },
    not_comparable: { de: "nicht vergleichbar", en: "not comparable" },
    stale: { de: "veraltet", en: "stale" },
    sold_out: { de: "ausverkauft", en: "sold out" },
    ok: { de: "verglichen", en: "compared" },
  },
  matchTypes: {
    exact: { de: "dasselbe Produkt", en: "the same product" },
    equivalent: { de: "vergleichbares Produkt", en: "a comparable product" },
  },
  moveKinds: {
    down: { de: "gesenkt", en: "lowered" },
    up: { de: "erhöht", en: "raised" },
    back_in_stock: { de: "wieder lieferbar", en: "back in stock" },
    sold_out: { de: "nicht mehr lieferbar", en: "sold out" },
    new_offer: { de: "neues Angebot", en: "new offer" },
  },
  pageSources: {
    visit: { de: "Besuch der Seite", en: "visit of the page" },
    feed: { de: "Feed des Shops", en: "feed of the shop" },
  },
  pageStatuses: {
    priced: { de: "Preis", en: "price" },
    on_request: { de: "auf Anfrage", en: "on request" },
    sold_out: { de: "ausverkauft", en: "sold out" },
    gone: { de: "nicht mehr da", en: "gone" },
    listing: { de: "Liste", en: "list" },
    other_product: { de: "anderer Artikel", en: "other article" },
    variant_open: { de: "Variante offen", en: "variant open" },
    variant_unknown: { de: "Variante fehlt", en: "variant missing" },
    net_only: { de: "nur netto", en: "net only" },
    third_party: { de: "anderer Händler", en: "other seller" },
    blocked: { de: "abgewiesen", en: "rejected" },
    unread: { de: "nicht gelesen", en: "not read" },
  },
  priceSources: {
    api: { de: "Eingabe oder API", en: "Entered or API" },
    import: { de: "Import", en: "Import" },
    rule: { de: "Regel", en: "Rule" },
    proposal: { de: "Vorschlag", en: "Proposal" },
    rollback: { de: "Zurückgenommen", en: "Rolled back" },
  },
  proposalStatuses: {
    open: { de: "offen", en: "open" },
    applied: { de: "angenommen", en: "accepted" },
    rejected: { de: "abgelehnt", en: "rejected" },
    expired: { de: "abgelaufen", en: "expired" },
    superseded: { de: "überholt", en: "superseded" },
    rolled_back: { de: "zurückgenommen", en: "rolled back" },
  },
  pullOutcomes: {
    running: { de: "wird abgeholt", en: "being fetched" },
    imported: { de: "abgeholt", en: "fetched" },
    unchanged: { de: "unverändert", en: "unchanged" },
    waiting: { de: "wird wiederholt", en: "tried again" },
    failed: { de: "nicht abgeholt", en: "not fetched" },
  },
  pullPeriods: {
    "15m": { de: "alle 15 Minuten", en: "every 15 minutes" },
    "1h": { de: "jede Stunde", en: "every hour" },
    "24h": { de: "einmal am Tag", en: "once a day" },
  },
  runTriggers: {
    manual: { de: "von Hand", en: "by hand" },
    schedule: { de: "nach Plan", en: "by schedule" },
  },
  sourceKinds: {
    api: { de: "wird per Schnittstelle gesendet", en: "sent through the API" },
    upload: { de: "wird hier hochgeladen", en: "uploaded here" },
    pull: { de: "wird abgeholt", en: "fetched" },
  },
  suspicions: {
    unit: { de: "Komma verrutscht", en: "decimal point shifted" },
    currency: { de: "andere Währung", en: "another currency" },
    fell: { de: "halbiert oder mehr", en: "halved or more" },
    rose: { de: "verdoppelt oder mehr", en: "doubled or more" },
    below_market: { de: "unter halbem Median", en: "below half the median" },
    above_market: { de: "über dreifachem Median", en: "above three times the median" },
    below_cost: { de: "unter halbem Einkauf", en: "below half the cost" },
    shop_jump: { de: "viele des Shops gesprungen", en: "many shop prices jumped" },
    shop_same_price: { de: "ein Preis für viele", en: "one price for many" },
    first_price_off: { de: "erster Preis weit von unserem", en: "first price far from ours" },
  },
  visitResults: {
    ok: { de: "gelesen", en: "read" },
    failed: { de: "Fehler", en: "failed" },
    skipped: { de: "ausgelassen", en: "skipped" },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, InBoth>>>>;

const LINE_ERRORS = {
  bad_line: {
    de: "Die Zeile besteht nicht aus SKU und URL",
    en: "The line is not a SKU and a URL",
  },
  bad_pack: { de: "Die Packung ist keine Zahl über 0", en: "The pack is not a number above 0" },
  bad_url: {
    de: "Diese Adresse darf nicht abgerufen werden",
    en: "This address may not be fetched",
  },
  unknown_sku: { de: "Diese SKU gibt es nicht", en: "There is no such SKU" },
  unknown_gtin: { de: "Kein Produkt hat diese GTIN", en: "No product has this GTIN" },
  several_products: {
    de: "Mehrere Produkte haben diese GTIN",
    en: "Several products have this GTIN",
  },
  unknown_shop: {
    de: "Diesen Shop gibt es hier noch nicht: erst anlegen, dann noch einmal prüfen",
    en: "There is no such shop here yet: create it, then check again",
  },
  shop_off: { de: "Der Shop ist ausgeschaltet", en: "The shop is switched off" },
};

type Tables = {
  readonly [Name in keyof typeof TABLES]: Readonly<Record<keyof (typeof TABLES)[Name], string>>;
};

function tablesIn(language: Language): Tables;
function tablesIn(language: Language): unknown {
  return mapValues(TABLES, (table) => wordsIn<string>(language, table));
}

function wordsOf(language: Language) {
  const terms = TERMS[language];
  return {
    ...tablesIn(language),
    conditions: CONDITION_WORDS[language],
    findings: terms.findings,
    lineFaults: { ...terms.scrapeErrors, ...wordsIn(language, LINE_ERRORS) },
    pullErrors: terms.fetchErrors,
    scrapeErrors: terms.scrapeErrors,
    severities: terms.severities,
    triggers: triggerLabels(language).triggers,
    verdicts: verdictWords(language),
  };
}

type CodeLists = Readonly<ReturnType<typeof wordsOf>>;

export const CODE_WORDS: Readonly<Record<Language, CodeLists>> = {
  de: wordsOf("de"),
  en: wordsOf("en"),
};

type WholeList = {
  [List in keyof CodeLists]: string extends keyof CodeLists[List] ? never : List;
}[keyof CodeLists];
type CodeIn<List extends WholeList> = keyof CodeLists[List] & string;

export function codeCell<List extends WholeList>(list: List, code: CodeIn<List> | null) {
  return code === null ? null : codesCell(list, [code]);
}

export function codesCell<List extends WholeList>(
  list: List,
  codes: readonly CodeIn<List>[],
): LocalisedText {
  return {
    plain: codes.join(" "),
    textIn: (language) => codes.map((code) => CODE_WORDS[language][list][code]).join(", "),
  };
}

export function storedCodeCell(
  list: keyof CodeLists,
  code: string | null,
  otherwise: string | null = null,
): LocalisedText | null {
  if (code === null) return null;
  const textIn = (language: Language) => {
    const words: Readonly<Record<string, string>> = CODE_WORDS[language][list];
    return (Object.hasOwn(words, code) ? words[code] : otherwise) ?? code;
  };
  return { plain: code, textIn };
}
