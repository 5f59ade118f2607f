import type { FailureCode } from "../../base/failure.ts";
import type { SoldField } from "../../imports/choices.ts";
import { columns, type Labels, say, sayAll } from "./label.ts";
import { serviceWords } from "./service_words.ts";
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
import type { Language } from "../../base/language.ts";

/** Error codes that need no text, because no screen can cause these errors. */
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
  units: say("Verkaufte Menge", "Units sold"),
  unitsDate: say("Verkaufstag", "Day of the sale"),
  when: say("Auslöser", "Trigger"),
  scope: say("Umfang", "Scope"),
  marginFloor: say("Mindestmarge", "Margin floor"),
  bounds: say("Grenzen des Preises", "Price limits"),
  brake: say("Bremse im Preiskampf", "Brake in price wars"),
  brakedUntil: say("Gebremst bis", "Braked until"),
  quarantine: say("Auffällige Marktpreise prüfen", "Check suspicious market prices"),
  held: say("In Quarantäne", "In quarantine"),
  cooldownMinutes: say("Ruhezeit", "Cooldown"),
  budgetPerDay: say("Automatische Preise am Tag", "Automatic prices per day"),
  schedule: say("Uhrzeit", "Time of day"),
  version: say("Fassung", "Version"),
  events: say("Ereignisse", "Events"),
  failingSince: say("Kommt nicht an seit", "Failing since"),
  disabledAt: say("Abgeschaltet am", "Disabled at"),
  extractor: say("Preis finden", "Finding the price"),
  matchType: say("Art", "Kind"),
  changed: say("Geändert", "Changed"),
  change: say("Änderung", "Change"),
  marginAfter: say("Marge danach", "New margin"),
  day: say("Tag", "Day"),
  currentCents: say("Heute", "Today"),
  proposedCents: say("Vorschlag", "Proposal"),
  appliedCents: say("Gegenpreis", "Counter-price"),
  lastUsedAt: say("Zuletzt benutzt am", "Last used at"),
  email: say("E-Mail-Adresse", "Email address"),
  role: say("Rolle", "Role"),
  scopes: say("Rechte", "Scopes"),
  prefix: say("Beginnt mit", "Begins with"),
  timeZone: say("Zeitzone", "Time zone"),
  locale: say("Zahlen- und Datumsformat", "Number and date format"),
  autoApply: say("Regeln ändern Preise selbst", "Rules change prices automatically"),
  ownShippingCents: say("Unsere Versandkosten", "Our shipping cost"),
  compareDelivered: say("Mit Versand vergleichen", "Compare with shipping"),
  ownSellerNames: say("Eigene Händlernamen", "Own seller names"),
  groups: say("Gruppen", "Groups"),
  isMarketplace: say("Marktplatz", "Marketplace"),
  sellerNames: say("Verkauft selbst als", "Its own seller names"),
  automationStop: say("Automatik gestoppt", "Automatic prices stopped"),
  approval: say("Große Änderungen: mehrere Personen", "Large changes: several people"),
  importHold: say("Auffällige Importe anhalten", "Hold suspicious imports"),
  importHoldUnconfirmed: say("Anhalten noch unbestätigt", "Hold not confirmed yet"),
  dailyMail: say("Mail am Morgen", "Morning email"),
  secondFactorRoles: say("Zweiter Faktor ist Pflicht für", "Second factor required for"),
  importExpectedHours: say("Warnen ohne Import nach", "Warn without an import after"),
  query: say("Filter und Reihenfolge", "Filters and order"),
  columns: say("Spalten", "Columns"),
  isShared: say("Für alle", "For everyone"),
  options: say("Einstellungen", "Settings"),
  expected: say("Erwartet", "Expected"),
  pull: say("Holen", "Fetching"),
  noPrice: say("Seite ohne Preis", "Page without a price"),
  visit: say("Erster Abruf", "First visit"),
  colour: say("Farbe", "Colour"),
  selectors: say("Stellen auf der Seite", "Places on the page"),
  confidenceMost: say("Höchste Sicherheit", "Highest confidence"),
  taughtFrom: say("Gezeigt auf", "Shown on"),
  rows: say("Zeilen", "Rows"),
  exportedAt: say("Exportiert am", "Exported at"),
  isDefault: say("Standardquelle", "Default source"),
  disabledBy: say("Abgeschaltet durch", "Switched off by"),
  said: say("Urteil über die Seite", "Verdict on the page"),
} satisfies Labels<SoldField> & Labels<string>;

const errors: Labels<Refusal> = {
  offline: say(
    "Keine Verbindung zum Dienst. Ihre Eingaben bleiben stehen.",
    "The service cannot be reached. What you entered stays.",
  ),
  not_loaded: say(
    "Dieser Teil der Seite kam nicht an: keine Verbindung, oder der Dienst ist neuer.",
    "This part of the page could not be loaded: no connection, or a newer version is running.",
  ),
  client_error: say(
    "In dieser Seite ist ein Fehler aufgetreten.",
    "Something went wrong on this page.",
  ),
  validation_failed: say("Die Eingabe wurde nicht angenommen.", "Your input was not accepted."),
  not_authenticated: say("Sie sind nicht mehr angemeldet.", "You are no longer signed in."),
  invalid_login: say(
    "E-Mail-Adresse oder Passwort stimmt nicht.",
    "The email address or the password is wrong.",
  ),
  forbidden: say("Das ist Ihnen nicht erlaubt.", "You are not allowed to do that."),
  csrf_refused: say(
    "Die Anfrage kam nicht von dieser Seite.",
    "The request did not come from this page.",
  ),
  second_factor_required: say(
    "Bestätigen Sie die Anmeldung mit Ihrem zweiten Faktor.",
    "Confirm the sign-in with your second factor.",
  ),
  second_factor_missing: say(
    "Ihre Rolle braucht einen zweiten Faktor. Richten Sie ihn zuerst ein.",
    "Your role needs a second factor. Set one up first.",
  ),
  reauthentication_required: say(
    "Bestätigen Sie zuerst, dass Sie es sind.",
    "Confirm first that it is you.",
  ),
  not_found: say("Das gibt es nicht (mehr).", "This does not exist, or no longer exists."),
  sku_exists: say("Diese SKU ist schon vergeben.", "This SKU is taken."),
  conflict: say(
    "Das passt nicht mehr zum heutigen Stand.",
    "This no longer matches the current state.",
  ),
  version_conflict: say(
    "Jemand anders hat das inzwischen geändert.",
    "Someone else has changed this in the meantime.",
  ),
  payload_too_large: say("Das ist zu groß.", "This is too large."),
  unsupported_media_type: say(
    "Diese Art von Datei wird hier nicht gelesen.",
    "Files of this type cannot be read here.",
  ),
  import_refused: say(
    "Der Import ist gescheitert oder angehalten; nichts wurde übernommen.",
    "The import failed or is held; nothing was applied.",
  ),
  price_unit_suspicious: say(
    "Der Preis ist genau das Hundertfache des alten. Euro und Cent verwechselt?",
    "The price is exactly 100 times the old one. Euros and cents mixed up?",
  ),
  market_too_large: say(
    "Der Katalog ist zu groß, um ihn nach dem Markt zu sortieren oder zu filtern.",
    "The catalogue is too large to sort or filter by market figures.",
  ),
  rate_limited: say(
    "Zu viele Versuche. Bitte einen Augenblick warten.",
    "Too many attempts. Please wait a moment.",
  ),
  internal_error: say(
    "Im Dienst ist ein Fehler aufgetreten.",
    "Something went wrong in the service.",
  ),
  unavailable: say(
    "Der Dienst ist gerade nicht bereit.",
    "The service is not ready at the moment.",
  ),
  request_timeout: say("Die Übertragung war zu langsam.", "The transfer was too slow."),
  other: say("Das hat nicht geklappt.", "That did not work."),
};

export const generalWords = {
  service: serviceWords,
  fields,
  close: say("Schließen", "Close"),
  cancel: say("Abbrechen", "Cancel"),
  save: say("Speichern", "Save"),
  saved: say("Gespeichert", "Saved"),
  create: say("Anlegen", "Create"),
  edit: say("Bearbeiten", "Edit"),
  remove: say("Löschen", "Delete"),
  all: say("Alle", "All"),
  yes: say("Ja", "Yes"),
  no: say("Nein", "No"),
  none: say("keine", "none"),
  time: say("Zeitpunkt", "Time"),
  price: say("Preis", "Price"),
  from: say("von", "from"),
  to: say("bis", "to"),
  loading: say("Wird geladen …", "Loading …"),
  tryAgain: say("Noch einmal versuchen", "Try again"),
  exactWords: say("Genauer (englisch)", "Technical details"),
  minorUnits: say("{count} (kleinste Einheiten)", "{count} (minor units)"),
  copyIt: say("Kopieren", "Copy"),
  copy: say("{what} kopieren", "Copy {what}"),
  copied: say("Kopiert", "Copied"),
  messages: say("Meldungen", "Messages"),
  navigation: "Navigation",
  skipToContent: say("Zum Inhalt", "Skip to content"),
  signOut: say("Abmelden", "Sign out"),
  language: say("Sprache", "Language"),
  actions: say("Aktionen", "Actions"),
  back: say("Zurück", "Back"),
  next: say("Weiter", "Next"),
  errors,
  apiDocs: say("API-Dokumentation", "API documentation"),
  palette: {
    open: say("Suchen oder öffnen", "Search or open"),
    key: say("Strg K", "Ctrl K"),
    hint: say(
      "Seite, Regel, Shop, Aktion, SKU, Titel oder EAN",
      "Screen, rule, shop, action, SKU, title or EAN",
    ),
    actions: {
      shop: say("Shop anlegen", "Add a shop"),
      links: say("Verknüpfungen einfügen", "Paste links"),
    },
    template: say("Neue Regel: {name}", "New rule: {name}"),
    themes: {
      light: say("Helle Ansicht", "Light theme"),
      dark: say("Dunkle Ansicht", "Dark theme"),
      system: say("Ansicht wie das System", "Theme of the system"),
    },
    language: say("In English", "Auf Deutsch"),
    none: say("Nichts gefunden", "Nothing found"),
  },
  keys: {
    title: say("Tastenkürzel", "Keyboard shortcuts"),
    search: say("Suchfeld der Seite", "Search field of the screen"),
    move: say("Zeile vor und zurück (auch Pfeiltasten)", "Next and previous row (arrow keys too)"),
    open: say("Zeile öffnen", "Open the row"),
    select: say("Zeile markieren", "Select the row"),
    close: say("Fenster schließen", "Close the window"),
    goTo: say("Gehe zu: {screen}", "Go to: {screen}"),
    areOn: say("Einzelne Tasten als Kürzel verwenden", "Use single keys as shortcuts"),
  },
  table: {
    selectLoaded: say("Alle geladenen Zeilen markieren", "Select all loaded rows"),
    selectRow: say("Zeile markieren", "Select row"),
    sort: say("Sortieren", "Sort by"),
    defaultOrder: say("Standard", "Default"),
    more: say("Mehr laden", "Load more"),
    loadedMore: say("{loaded} geladen, weitere vorhanden", "{loaded} loaded, there are more"),
    loadedOf: say("{loaded} von {total} geladen", "{loaded} of {total} loaded"),
    loadedAll: say("{loaded} {loaded|Eintrag|Einträge}", "{loaded} {loaded|entry|entries}"),
  },
  form: {
    unchanged: say("Noch nichts geändert", "No changes yet"),
    noNumber: say(
      "Keine Zahl. Beispiele: 1.234,56 oder 1234.56",
      "Not a number. Examples: 1,234.56 or 1234.56",
    ),
    leave: {
      title: say("Eingaben verwerfen?", "Discard your input?"),
      text: say(
        "Was Sie eingegeben haben, ist noch nicht gespeichert.",
        "What you have entered is not saved yet.",
      ),
      yes: say("Verwerfen", "Discard"),
    },
  },
  chart: {
    asTable: say("Als Tabelle zeigen", "Show as table"),
    by: say("Wodurch", "By"),
    now: say("jetzt", "now"),
    until: say("{price} bis {time}", "{price} until {time}"),
    unknown: say("nicht gesehen", "not seen"),
    nothing: say("Kein Preis in dieser Zeit", "No price in this period"),
    range: say("Zeitraum", "Period"),
    days: say((days: number) => `${days} Tage`, (days) => `${days} days`),
    whole: say("Ganzen Zeitraum zeigen", "Show the whole period"),
    hint: say(
      "Ziehen vergrößert, Doppelklick verkleinert. In einer Lücke wurde kein Preis gesehen",
      "Drag to zoom in, double-click to zoom out. In a gap, no price was seen",
    ),
    markers: {
      import: "Import",
      rule: say("Regel", "Rule"),
      proposal: say("Vorschlag", "Proposal"),
      person: say("Person", "User"),
    } satisfies Labels<Action>,
    markerLetters: {
      import: "I",
      rule: "R",
      proposal: say("V", "P"),
      person: say("P", "U"),
    } satisfies Labels<Action>,
  },
  overtaken: {
    title: say(
      "Jemand anders hat das inzwischen geändert",
      "Someone else has changed this in the meantime",
    ),
    by: (who: string, at: string) => `${who}, ${at}:`,
    text: say(
      "Ihre Eingaben sind noch da. Nichts wurde überschrieben.",
      "Your input is still here. Nothing was overwritten.",
    ),
    theirs: say("Neuere Fassung laden", "Load the newer version"),
    mine: say("Meine Eingaben darüber speichern", "Overwrite with mine"),
    removal: say(
      "Jemand anders hat das geändert, seit Sie es sehen. Trotzdem?",
      "Someone else has changed this since you saw it. Do it anyway?",
    ),
  },
  notFound: {
    title: say("Diese Seite gibt es nicht", "This page does not exist"),
    text: say(
      "Die Adresse ist falsch, oder was dort stand, wurde gelöscht.",
      "The address is wrong, or the page was deleted.",
    ),
    toProducts: say("Zu den Produkten", "To the products"),
  },
  holdBanner: {
    title: say("Neu: Auffällige Importe werden angehalten", "New: suspicious imports are held"),
    text: say(
      "Ändern mehr als {share} der Produkte einer Datei Preis oder Einkaufspreis um mehr als {move}, oder wechseln sie die Währung, wird nichts übernommen, bis jemand zustimmt. Ein Nachtlauf kann dadurch erstmals stehen bleiben.",
      "When more than {share} of a file’s products change their price or cost by more than {move}, or change their currency, nothing is applied until someone agrees. A night job may stop there for the first time.",
    ),
    keep: say("So lassen", "Keep it so"),
    change: say("Grenzen ändern", "Change the limits"),
  },
  automation: {
    stop: say("Automatik stoppen", "Stop automatic prices"),
    stopAll: say("Alle automatischen Preise stoppen", "Stop all automatic prices"),
    now: say(
      "{rules|Eine Regel setzt|# Regeln setzen} Preise selbst, in den letzten 24 Stunden {applied} {applied|Preis|Preise}.",
      "{rules|One rule sets|# rules set} prices automatically, {applied} {applied|price|prices} in the last 24 hours.",
    ),
    none: say(
      "Zurzeit setzt keine Regel Preise selbst.",
      "No rule sets prices automatically at the moment.",
    ),
    effect: say(
      "Ab sofort ändert keine Regel mehr einen Preis: Sie schlagen nur noch vor. " +
        "Preise, die schon gelten, bleiben, und was Menschen annehmen, gilt.",
      "From now on, rules only propose prices. Prices already set stay, and prices that people " +
        "approve still apply.",
    ),
    reason: say("Warum? Das sehen alle", "Why? Everyone sees this"),
    stopped: say("Alle automatischen Preise sind gestoppt", "All automatic prices are stopped"),
    since: say("Seit {time} durch {name}: {reason}", "Since {time} by {name}: {reason}"),
    onlyProposed: say("Regeln schlagen Preise nur noch vor.", "Rules only propose prices."),
    resume: say("Wieder laufen lassen", "Resume automatic prices"),
    resumed: say(
      "Regeln dürfen wieder selbst Preise setzen",
      "Rules may set prices automatically again",
    ),
  },
};

/** Fields for the same amount, such as `ourPrice` and `ourPriceCents`, have the same text. */
function productWords(
  language: Language,
): Readonly<Record<FieldName | MajorName<AmountName>, string>> {
  const words = fromKeys(FIELD_NAMES, (name) => PRODUCT_FIELDS[name].label[language]);
  const amounts = AMOUNT_NAMES.map(majorName);
  return { ...words, ...fromKeys(amounts, (name) => words[`${name}Cents` as const]) };
}
