import type { FailureCode, RefusedKind } from "../../base/failure.ts";
import type { SoldField } from "../../imports/choices.ts";
import { columns, de, type Labels, sayAll, type Translated } from "./label.ts";
import { fromKeys } from "../../base/collections.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  FIELD_NAMES,
  type FieldName,
  type MajorName,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import type { Language } from "../../base/codes.ts";
import { termsDe, termsEn } from "../../engine/wording/terms.ts";
import type { FindingCode } from "../../imports/files/source_file.ts";

/** Only programs can cause these errors, so people need no text for them. */
type OfPrograms =
  | "invalid_json"
  | "invalid_cursor"
  | "missing_credentials"
  | "invalid_api_key"
  | "insufficient_scope"
  | "method_not_allowed"
  | "idempotency_key_reused";

type Refusal =
  | Exclude<FailureCode, OfPrograms>
  | "offline"
  | "not_loaded"
  | "client_error"
  | "other";

type Action = "import" | "rule" | "proposal" | "person";

const fields = {
  ...columns,
  ...sayAll(productWords("de"), productWords("en")),
  units: de("Verkaufte Menge").en("Units sold"),
  unitsDate: de("Verkaufstag").en("Day of the sale"),
  when: de("Auslöser").en("Trigger"),
  scope: de("Umfang").en("Scope"),
  marginFloor: de("Mindestmarge").en("Margin floor"),
  bounds: de("Grenzen des Preises").en("Price limits"),
  brake: de("Bremse im Preiskampf").en("Brake in price wars"),
  brakedUntil: de("Gebremst bis").en("Braked until"),
  quarantine: de("Auffällige Marktpreise prüfen").en("Check suspicious market prices"),
  held: de("In Quarantäne").en("In quarantine"),
  cooldownMinutes: de("Ruhezeit").en("Cooldown"),
  budgetPerDay: de("Automatische Preise am Tag").en("Automatic prices per day"),
  schedule: de("Uhrzeit").en("Time of day"),
  version: de("Fassung").en("Version"),
  events: de("Ereignisse").en("Events"),
  failingSince: de("Kommt nicht an seit").en("Failing since"),
  disabledAt: de("Abgeschaltet am").en("Disabled at"),
  extractor: de("Preis finden").en("Finding the price"),
  matchType: de("Art").en("Kind"),
  changed: de("Geändert").en("Changed"),
  change: de("Änderung").en("Change"),
  marginAfter: de("Marge danach").en("New margin"),
  day: de("Tag").en("Day"),
  currentCents: de("Heute").en("Today"),
  proposedCents: de("Vorschlag").en("Proposal"),
  appliedCents: de("Gegenpreis").en("Counter-price"),
  lastUsedAt: de("Zuletzt benutzt am").en("Last used at"),
  email: de("E-Mail-Adresse").en("Email address"),
  role: de("Rolle").en("Role"),
  scopes: de("Rechte").en("Scopes"),
  prefix: de("Beginnt mit").en("Begins with"),
  timeZone: de("Zeitzone").en("Time zone"),
  locale: de("Zahlen- und Datumsformat").en("Number and date format"),
  autoApply: de("Regeln ändern Preise selbst").en("Rules change prices automatically"),
  ownShippingCents: de("Unsere Versandkosten").en("Our shipping cost"),
  compareDelivered: de("Mit Versand vergleichen").en("Compare with shipping"),
  ownSellerNames: de("Eigene Händlernamen").en("Own seller names"),
  groups: de("Gruppen").en("Groups"),
  isMarketplace: de("Marktplatz").en("Marketplace"),
  sellerNames: de("Verkauft selbst als").en("Its own seller names"),
  automationStop: de("Automatik gestoppt").en("Automatic prices stopped"),
  approval: de("Große Änderungen: mehrere Personen").en("Large changes: several people"),
  importHold: de("Auffällige Importe anhalten").en("Hold suspicious imports"),
  importHoldUnconfirmed: de("Anhalten noch unbestätigt").en("Hold not confirmed yet"),
  dailyMail: de("Mail am Morgen").en("Morning email"),
  secondFactorRoles: de("Zweiter Faktor ist Pflicht für").en("Second factor required for"),
  importExpectedHours: de("Warnen ohne Import nach").en("Warn without an import after"),
  query: de("Filter und Reihenfolge").en("Filters and order"),
  columns: de("Spalten").en("Columns"),
  isShared: de("Für alle").en("For everyone"),
  options: de("Einstellungen").en("Settings"),
  expected: de("Erwartet").en("Expected"),
  pull: de("Holen").en("Fetching"),
  noPrice: de("Seite ohne Preis").en("Page without a price"),
  visit: de("Erster Abruf").en("First visit"),
  colour: de("Farbe").en("Colour"),
  selectors: de("Stellen auf der Seite").en("Places on the page"),
  confidenceMost: de("Höchste Sicherheit").en("Highest confidence"),
  taughtFrom: de("Gezeigt auf").en("Shown on"),
  rows: de("Zeilen").en("Rows"),
  exportedAt: de("Exportiert am").en("Exported at"),
  isDefault: de("Standardquelle").en("Default source"),
  disabledBy: de("Abgeschaltet durch").en("Switched off by"),
  said: de("Urteil über die Seite").en("Verdict on the page"),
} satisfies Labels<SoldField> & Labels<string>;

const errors: Labels<Refusal> = {
  offline: de("Keine Verbindung zum Dienst. Ihre Eingaben bleiben stehen.")
    .en("The service cannot be reached. What you entered stays."),
  not_loaded: de("Dieser Teil der Seite kam nicht an: keine Verbindung, oder der Dienst ist neuer.")
    .en("This part of the page could not be loaded: no connection, or a newer version is running."),
  client_error: de("In dieser Seite ist ein Fehler aufgetreten.")
    .en("Something went wrong on this page."),
  validation_failed: de("Die Eingabe wurde nicht angenommen.").en("Your input was not accepted."),
  not_authenticated: de("Sie sind nicht mehr angemeldet.").en("You are no longer signed in."),
  invalid_login: de("E-Mail-Adresse oder Passwort stimmt nicht.")
    .en("The email address or the password is wrong."),
  forbidden: de("Das ist Ihnen nicht erlaubt.").en("You are not allowed to do that."),
  csrf_refused: de("Die Anfrage kam nicht von dieser Seite.")
    .en("The request did not come from this page."),
  second_factor_required: de("Bestätigen Sie die Anmeldung mit Ihrem zweiten Faktor.")
    .en("Confirm the sign-in with your second factor."),
  second_factor_missing: de("Ihre Rolle braucht einen zweiten Faktor. Richten Sie ihn zuerst ein.")
    .en("Your role needs a second factor. Set one up first."),
  reauthentication_required: de("Bestätigen Sie zuerst, dass Sie es sind.")
    .en("Confirm first that it is you."),
  not_found: de("Das gibt es nicht (mehr).").en("This does not exist, or no longer exists."),
  sku_exists: de("Diese SKU ist schon vergeben.").en("This SKU is taken."),
  conflict: de("Das passt nicht mehr zum heutigen Stand.")
    .en("This no longer matches the current state."),
  version_conflict: de("Jemand anders hat das inzwischen geändert.")
    .en("Someone else has changed this in the meantime."),
  payload_too_large: de("Das ist zu groß.").en("This is too large."),
  unsupported_media_type: de("Diese Art von Datei wird hier nicht gelesen.")
    .en("Files of this type cannot be read here."),
  import_refused: de("Der Import ist gescheitert oder angehalten; nichts wurde übernommen.")
    .en("The import failed or is held; nothing was applied."),
  price_unit_suspicious: de(
    "Der Preis ist genau das Hundertfache des alten. Euro und Cent verwechselt?",
  ).en("The price is exactly 100 times the old one. Euros and cents mixed up?"),
  market_too_large: de(
    "Der Katalog ist zu groß, um ihn nach dem Markt zu sortieren oder zu filtern.",
  ).en("The catalogue is too large to sort or filter by market figures."),
  rate_limited: de("Zu viele Anfragen in kurzer Zeit. Bitte einen Augenblick warten.")
    .en("Too many requests in a short time. Please wait a moment."),
  internal_error: de("Im Dienst ist ein Fehler aufgetreten.")
    .en("Something went wrong in the service."),
  unavailable: de("Der Dienst ist gerade nicht bereit.")
    .en("The service is not ready at the moment."),
  request_timeout: de("Die Übertragung war zu langsam.").en("The transfer was too slow."),
  other: de("Das hat nicht geklappt.").en("That did not work."),
};

/** Fields for the same amount, such as `ourPrice` and `ourPriceCents`, have the same text. */
function productWords(
  language: Language,
): Readonly<Record<FieldName | MajorName<AmountName>, string>> {
  const words = fromKeys(FIELD_NAMES, (name) => PRODUCT_FIELDS[name].label[language]);
  const amounts = AMOUNT_NAMES.map(majorName);
  return { ...words, ...fromKeys(amounts, (name) => words[`${name}Cents` as const]) };
}

const findings: Labels<string> = sayAll(termsDe.findings, {
  ...termsEn.findings,
  price_reverted: "The price in the file replaces one that was changed since the last import.",
}) satisfies Labels<FindingCode>;

/** `bound` is the limit as a formatted number. */
const refusals: Readonly<Record<RefusedKind, Translated<(bound: string) => string>>> = {
  missing: de(() => "Fehlt").en(() => "Is missing"),
  unknown: de(() => "Dieses Feld gibt es nicht").en(() => "There is no such field"),
  wrong_type: de(() => "Hier passt diese Angabe nicht").en(() => "This does not fit here"),
  not_an_option: de(() => "Bitte eine der Möglichkeiten wählen")
    .en(() => "Please choose one of the options"),
  too_small: de("Zu klein: mindestens {bound}").en("Too small: at least {bound}"),
  too_large: de("Zu groß: höchstens {bound}").en("Too large: at most {bound}"),
  too_short: de("{bound|Darf nicht leer sein|Mindestens # Zeichen}")
    .en("{bound|Must not be empty|At least # characters}"),
  too_long: de("Höchstens {bound} Zeichen").en("At most {bound} characters"),
  too_few: de("{bound|Mindestens eine Angabe|Mindestens # Angaben}").en("At least {bound}"),
  too_many: de("Höchstens {bound} Angaben").en("At most {bound}"),
};

/** Texts for refusals without a kind, by the last part of the field's path. */
const fieldRefusals: Labels<string> = sayAll({
  sku: "Die SKU hat 1 bis 128 Zeichen und keine Steuerzeichen",
  title: "Der Titel darf nicht leer sein",
  name: "Der Name darf nicht leer sein",
  currency: "Ein Währungskürzel nach ISO 4217, zum Beispiel EUR",
  ean: "Eine GTIN mit 8, 12, 13 oder 14 Ziffern und richtiger Prüfziffer",
  url: "Eine vollständige Adresse, die mit http:// oder https:// beginnt",
  email: "Eine E-Mail-Adresse",
  to: "E-Mail-Adressen, mit Komma getrennt",
  domain: "Eine Domain, zum Beispiel mediamarkt.de",
  country: "Ein Länderkürzel aus zwei Buchstaben, zum Beispiel DE",
  timeZone: "Eine Zeitzone, zum Beispiel Europe/Berlin",
  ...fromKeys(
    AMOUNT_NAMES.map(majorName),
    () => "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen, wie die Währung hat",
  ),
  stock: "Eine Zahl mit höchstens drei Nachkommastellen",
  indexAbove: "Eine der beiden Grenzen wird gebraucht",
  belowCents: "Bis zu welchem Preis? Jeder Bereich endet über dem davor",
  endings: "Letzte Ziffern, mit Komma getrennt, zum Beispiel 99",
  competitorId: "Bitte einen Shop wählen",
  pct: "Eine Prozentzahl mit höchstens vier Nachkommastellen",
  cents: "Ein Betrag wie 0,05",
  minCents: "Ein Betrag wie 299,99",
  maxCents: "Ein Betrag wie 299,99, nicht unter dem niedrigsten Preis",
  bounds: "Schranken brauchen einen Preis aus einem Bezugspreis",
  brake: "Eine Bremse braucht einen Preis aus einem Bezugspreis",
  restDays: "Nicht kürzer als die Tage, in denen gezählt wird",
  marginFloor: "Für diese Aktion wird eine Mindestmarge gebraucht",
  formula: "Für diese Aktion wird ein Preis gebraucht",
  events: "Mindestens ein Ereignis",
  expiresAt: "Ein Zeitpunkt in der Zukunft",
  currentPassword: "Das ist nicht Ihr aktuelles Passwort",
  password: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
  newPassword: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
}, {});

export const generalWords = {
  service: { findings, refusals, fieldRefusals },
  fields,
  close: de("Schließen").en("Close"),
  cancel: de("Abbrechen").en("Cancel"),
  save: de("Speichern").en("Save"),
  saved: de("Gespeichert").en("Saved"),
  create: de("Anlegen").en("Create"),
  edit: de("Bearbeiten").en("Edit"),
  remove: de("Löschen").en("Delete"),
  all: de("Alle").en("All"),
  yes: de("Ja").en("Yes"),
  no: de("Nein").en("No"),
  none: de("keine").en("none"),
  price: de("Preis").en("Price"),
  from: de("von").en("from"),
  to: de("bis").en("to"),
  loading: de("Wird geladen …").en("Loading …"),
  tryAgain: de("Noch einmal versuchen").en("Try again"),
  exactWords: de("Genauer (englisch)").en("Technical details"),
  minorUnits: de("{count} (kleinste Einheiten)").en("{count} (minor units)"),
  copyIt: de("Kopieren").en("Copy"),
  copy: de("{what} kopieren").en("Copy {what}"),
  copied: de("Kopiert").en("Copied"),
  messages: de("Meldungen").en("Messages"),
  navigation: "Navigation",
  skipToContent: de("Zum Inhalt").en("Skip to content"),
  signOut: de("Abmelden").en("Sign out"),
  language: de("Sprache").en("Language"),
  actions: de("Aktionen").en("Actions"),
  back: de("Zurück").en("Back"),
  next: de("Weiter").en("Next"),
  errors,
  apiDocs: de("API-Dokumentation").en("API documentation"),
  palette: {
    open: de("Suchen oder öffnen").en("Search or open"),
    key: de("Strg K").en("Ctrl K"),
    hint: de("Seite, Regel, Shop, Aktion, SKU, Titel oder EAN")
      .en("Screen, rule, shop, action, SKU, title or EAN"),
    actions: {
      shop: de("Shop anlegen").en("Add a shop"),
      links: de("Verknüpfungen einfügen").en("Paste links"),
    },
    none: de("Nichts gefunden").en("Nothing found"),
  },
  keys: {
    title: de("Tastenkürzel").en("Keyboard shortcuts"),
    search: de("Suchfeld der Seite").en("Search field of the screen"),
    move: de("Zeile vor und zurück (auch Pfeiltasten)")
      .en("Next and previous row (arrow keys too)"),
    open: de("Zeile öffnen").en("Open the row"),
    select: de("Zeile markieren").en("Select the row"),
    close: de("Fenster schließen").en("Close the window"),
    areOn: de("Einzelne Tasten als Kürzel verwenden").en("Use single keys as shortcuts"),
  },
  table: {
    selectLoaded: de("Alle geladenen Zeilen markieren").en("Select all loaded rows"),
    selectRow: de("Zeile markieren").en("Select row"),
    sort: de("Sortieren").en("Sort by"),
    defaultOrder: de("Standard").en("Default"),
    more: de("Mehr laden").en("Load more"),
    loadedMore: de("{loaded} geladen, weitere vorhanden").en("{loaded} loaded, there are more"),
    loadedOf: de("{loaded} von {total} geladen").en("{loaded} of {total} loaded"),
    loadedAll: de("{loaded Eintrag|Einträge}").en("{loaded entry|entries}"),
  },
  form: {
    unchanged: de("Noch nichts geändert").en("No changes yet"),
    noNumber: de("Keine Zahl. Beispiele: 1.234,56 oder 1234.56")
      .en("Not a number. Examples: 1,234.56 or 1234.56"),
    leave: {
      title: de("Eingaben verwerfen?").en("Discard your input?"),
      text: de("Was Sie eingegeben haben, ist noch nicht gespeichert.")
        .en("What you have entered is not saved yet."),
      yes: de("Verwerfen").en("Discard"),
    },
  },
  chart: {
    asTable: de("Als Tabelle zeigen").en("Show as table"),
    by: de("Wodurch").en("By"),
    unknown: de("nicht gesehen").en("not seen"),
    nothing: de("Kein Preis in dieser Zeit").en("No price in this period"),
    range: de("Zeitraum").en("Period"),
    days: de((days: number) => `${days} Tage`).en((days) => `${days} days`),
    whole: de("Ganzen Zeitraum zeigen").en("Show the whole period"),
    hint: de("Ziehen vergrößert, Doppelklick verkleinert. In einer Lücke wurde kein Preis gesehen")
      .en("Drag to zoom in, double-click to zoom out. In a gap, no price was seen"),
    markers: {
      import: "Import",
      rule: de("Regel").en("Rule"),
      proposal: de("Vorschlag").en("Proposal"),
      person: de("Person").en("User"),
    } satisfies Labels<Action>,
    markerLetters: {
      import: "I",
      rule: "R",
      proposal: de("V").en("P"),
      person: de("P").en("U"),
    } satisfies Labels<Action>,
  },
  overtaken: {
    title: de("Jemand anders hat das inzwischen geändert")
      .en("Someone else has changed this in the meantime"),
    by: (who: string, at: string) => `${who}, ${at}:`,
    text: de("Ihre Eingaben sind noch da. Nichts wurde überschrieben.")
      .en("Your input is still here. Nothing was overwritten."),
    theirs: de("Neuere Fassung laden").en("Load the newer version"),
    mine: de("Meine Eingaben darüber speichern").en("Overwrite with mine"),
  },
  notFound: {
    title: de("Diese Seite gibt es nicht").en("This page does not exist"),
    text: de("Die Adresse ist falsch, oder was dort stand, wurde gelöscht.")
      .en("The address is wrong, or the page was deleted."),
    toProducts: de("Zu den Produkten").en("To the products"),
  },
  automation: {
    stop: de("Automatik stoppen").en("Stop automatic prices"),
    stopAll: de("Alle automatischen Preise stoppen").en("Stop all automatic prices"),
    now: de(
      "{rules|Eine Regel setzt|# Regeln setzen} Preise selbst, in den letzten 24 Stunden {applied Preis|Preise}.",
    ).en(
      "{rules|One rule sets|# rules set} prices automatically, {applied price|prices} in the last 24 hours.",
    ),
    none: de("Zurzeit setzt keine Regel Preise selbst.")
      .en("No rule sets prices automatically at the moment."),
    effect: de(
      "Ab sofort ändert keine Regel mehr einen Preis: Sie schlagen nur noch vor. " +
        "Preise, die schon gelten, bleiben, und was Menschen annehmen, gilt.",
    ).en(
      "From now on, rules only propose prices. Prices already set stay, and prices that people " +
        "approve still apply.",
    ),
    reason: de("Warum? Das sehen alle").en("Why? Everyone sees this"),
    stopped: de("Alle automatischen Preise sind gestoppt").en("All automatic prices are stopped"),
    since: de("Seit {time} durch {name}: {reason}").en("Since {time} by {name}: {reason}"),
    onlyProposed: de("Regeln schlagen Preise nur noch vor.").en("Rules only propose prices."),
    resume: de("Wieder laufen lassen").en("Resume automatic prices"),
    resumed: de("Regeln dürfen wieder selbst Preise setzen")
      .en("Rules may set prices automatically again"),
  },
};
