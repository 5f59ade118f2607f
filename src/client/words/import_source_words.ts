/**
 * Where files come from: their sources, when they are fetched, and what holds them; and whether prices
 * that the ERP has fetched came back with them.
 */
import { codeWords } from "../../engine/wording/code_words.ts";
import { columnWords } from "../../engine/wording/column_words.ts";
import type { HoldCode, UnitRemedy } from "../../imports/files/hold_codes.ts";
import type {
  AUTH_KINDS,
  Day,
  HOLD_BOUNDS,
  PULL_OUTCOMES,
  PULL_PERIODS,
  SOURCE_KINDS,
} from "../../imports/source_choices.ts";
import type { ArrivalStatus } from "../../catalogue/prices/awaited_price_store.ts";
import { type Labels, plural } from "./label.ts";

const columnsDe = columnWords("de");
const columnsEn = columnWords("en");
const codesDe = codeWords("de");
const codesEn = codeWords("en");

type Of<L extends readonly string[]> = Labels<L[number]>;

const kinds: Of<typeof SOURCE_KINDS> = codesDe.sourceKinds;

const outcomes: Of<typeof PULL_OUTCOMES> = codesDe.pullOutcomes;

const periods: Of<typeof PULL_PERIODS> = codesDe.pullPeriods;

const auths: Of<typeof AUTH_KINDS> = codesDe.auths;

const days: Labels<Day> = codesDe.days;

const bounds: Of<typeof HOLD_BOUNDS> = {
  movePct: "Preis ändert sich um mehr als (%)",
  costMovePct: "Einkaufspreis ändert sich um mehr als (%)",
  sharePct: "bei mehr als so vielen Produkten (%)",
  changedPct: "Anteil geänderter Artikel (%)",
  newPct: "Anteil neuer Artikel (%)",
  deletedPct: "Anteil gelöschter Artikel (%)",
  currencyPct: "Anteil mit anderer Währung (%)",
};

const guards: Labels<HoldCode> = {
  price_guard: "Preise springen",
  cost_guard: "Einkaufspreise springen",
  change_guard: "Zu viel ändert sich",
  replace_guard: "Zu viel fehlt",
  new_guard: "Zu viel ist neu",
  currency_guard: "Währungen wechseln",
  unit_guard: "Preise in falscher Einheit",
};

export const importSourceDe = {
  importSources: {
    title: "Quellen",
    about: "Woher Dateien kommen, wie sie gelesen werden und was sie anhält. " +
      "Eine Sendung ohne Angabe gehört zur Standardquelle.",
    create: "Neue Quelle",
    edit: (name: string) => `Quelle ${name}`,
    columns: { name: "Quelle", state: "Zustand", way: "Dateien", last: "Letzter Import" },
    states: { on: "läuft", paused: "pausiert", unguarded: "läuft ungeschützt" },
    never: "noch keiner",
    kinds,
    outcomes,
    periods,
    days,
    bounds,
    guards,
    guard: (name: string, count: string, of: string, share: string) =>
      `${name}: ${count} von ${of}, ohne Rückfrage gehen bis ${share} durch`,
    remedies: {
      minor: (column: string | null) =>
        `${
          column === null ? "Die Preise scheinen" : `„${column}“ scheint`
        } in Cent zu stehen. Geben Sie die Spalte in Euro mit zwei Nachkommastellen aus, oder stellen Sie die Beträge bei der Zuordnung unter „Schreibweise“ auf Cent.`,
      decimals: (column: string | null) =>
        `${
          column === null ? "In den Preisen" : `In „${column}“`
        } sind wohl Tausender und Nachkommastellen vertauscht. Stellen Sie die Zahlen bei der Zuordnung unter „Schreibweise“ auf deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.`,
    } satisfies Readonly<Record<UnitRemedy, (column: string | null) => string>>,
    unguarded: "Diese Quelle hält nichts an: Auch eine kaputte Datei wird sofort übernommen.",
    pausedSince: (name: string, at: string) =>
      `Die Quelle „${name}“ ist seit ${at} pausiert: Ein Probelauf geht, übernommen wird nichts.`,
    resume: "Weiterlaufen lassen",
    resumed: (name: string) => `Die Quelle „${name}“ läuft weiter`,
    heldByMoves: (move: string, share: string) =>
      `Angehalten wird, wenn bei mehr als ${share} der Produkte der Preis oder Einkaufspreis um mehr als ${move} springt oder die Währung wechselt.`,
    heldWhen: (bounds: string) => `Angehalten wird ein auffälliger Import. Grenzen: ${bounds}.`,
    guardBounds: {
      movePct: "Preissprung",
      costMovePct: "Sprung des Einkaufspreises",
      sharePct: "Anteil der Produkte mit Sprung",
      changedPct: "geänderte Artikel",
      newPct: "neue Artikel",
      deletedPct: "gelöschte Artikel",
      currencyPct: "andere Währung",
    } satisfies Of<typeof HOLD_BOUNDS>,
    source: "Quelle",
    toImports: "Importe dieser Quelle",
    upload: "Datei dieser Quelle hochladen",
    workspaceHold:
      "Für die Standardquelle gilt das Anhalten aus den Einstellungen des Arbeitsbereichs.",
    fields: {
      name: "Name",
      kind: "Die Datei",
      tier: "Preisgruppe für „Unser Preis“",
      strict:
        "Schnittstelle antwortet mit einem Fehler, wenn ein Import scheitert oder angehalten wird",
      strictHint: "Der Aufruf wartet dann bis zu 60 Sekunden auf das Ende.",
      paused: "Pausieren",
      pausedHint: "Nichts wird abgeholt oder übernommen, bis die Quelle weiterläuft.",
      url: "Adresse der Datei",
      urlHint: "Eine öffentliche Adresse mit https://, zum Beispiel des Exports im ERP",
      schedule: "Wann abholen",
      manual: "nur von Hand",
      at: "zu einer Uhrzeit",
      atTime: "Uhrzeit",
      atHint: "In der Zeitzone des Arbeitsbereichs, zum Beispiel 04:30",
      auth: "Anmeldung",
      noAuth: "keine",
      authHint: "Zugangsdaten werden verschlüsselt abgelegt und nie wieder gezeigt.",
      authKept: "Leer: die gespeicherten bleiben",
      user: "Benutzer",
      password: "Passwort",
      token: "Token",
      headerName: "Name der Kopfzeile",
      headerValue: "Wert der Kopfzeile",
      expects: "Erwartet bis",
      expectsHint: "Kommt bis dahin nichts, gibt es eine Meldung. Leer: keine",
      onDays: "An diesen Tagen",
      holds: "Auffällige Importe anhalten",
      holdsHint:
        "Angehalten wird, was eine der Grenzen überschreitet. Bringt die Quelle nur Änderungen, " +
        "stellen Sie den Anteil geänderter Artikel auf 100.",
    },
    auths,
    pull: "Jetzt abholen",
    pulled: {
      running: "Die Datei wird abgeholt.",
      imported: "Abgeholt: Der Import läuft.",
      unchanged: "Die Datei ist dieselbe wie zuletzt.",
      waiting: "Das hat nicht geklappt; es wird wiederholt.",
      failed: "Die Datei ließ sich nicht abholen.",
    } satisfies Of<typeof PULL_OUTCOMES>,
    lastPull: (outcome: string, at: string) => `${outcome}, ${at}`,
    nextTry: (at: string) => `Nächster Versuch: ${at}`,
    remove: "Quelle löschen?",
    removeText: "Ihre Produkte bleiben; keine andere Quelle kann sie löschen.",
  },
  priceArrivals: {
    title: "Zurückgekommene Preise",
    about:
      "Preise, die das ERP hier abgeholt hat, sollen mit einem der nächsten Importe wiederkommen. Was noch aussteht oder anders ankam, steht hier.",
    statuses: codesDe.arrivals satisfies Labels<ArrivalStatus>,
    columns: {
      sku: columnsDe.sku,
      expected: columnsDe.expected,
      seen: "angekommen",
      fetched: columnsDe.fetchedAt,
      tier: columnsDe.tier,
      seenIn: columnsDe.seenIn,
    },
    nothing: "nichts",
    noneTitle: "Kein Preis passt zu diesem Filter",
    emptyTitle: "Kein abgeholter Preis steht aus",
    emptyText:
      "Sobald das ERP geänderte Preise abholt, steht hier, welche davon nicht zurückkommen.",
    ofImport: (arrived: string, expected: string) =>
      `${arrived} von ${expected} Preisen, die das ERP abgeholt hatte, kamen mit dieser Datei zurück.`,
    notArrived: (count: string, prices: number) =>
      `${count} ${plural(prices, "Preis fehlt", "Preise fehlen")}`,
    toList: "Welche Preise das sind",
  },
};

export const importSourceEn: typeof importSourceDe = {
  importSources: {
    title: "Sources",
    about: "Where files come from, how they are read and what holds them. " +
      "What names no source belongs to the default one.",
    create: "New source",
    edit: (name) => `Source ${name}`,
    columns: { name: "Source", state: "State", way: "Files", last: "Last import" },
    states: { on: "works", paused: "paused", unguarded: "works unguarded" },
    never: "none yet",
    kinds: codesEn.sourceKinds,
    outcomes: codesEn.pullOutcomes,
    periods: codesEn.pullPeriods,
    days: codesEn.days,
    bounds: {
      movePct: "Price moves by more than (%)",
      costMovePct: "Cost moves by more than (%)",
      sharePct: "of more than so many products (%)",
      changedPct: "Share of changed articles (%)",
      newPct: "Share of new articles (%)",
      deletedPct: "Share of deleted articles (%)",
      currencyPct: "Share with another currency (%)",
    },
    guards: {
      price_guard: "Prices jump",
      cost_guard: "Costs jump",
      change_guard: "Too much changes",
      replace_guard: "Too much is missing",
      new_guard: "Too much is new",
      currency_guard: "Currencies change",
      unit_guard: "Prices in a wrong unit",
    },
    guard: (name, count, of, share) => `${name}: ${count} of ${of}, up to ${share} pass unasked`,
    remedies: {
      minor: (column) =>
        `${
          column === null ? "The prices seem" : `“${column}” seems`
        } to be in cents. Export the column in the currency itself with two decimals, or set the amounts to cents below “Ways of writing” where the columns are matched.`,
      decimals: (column) =>
        `${
          column === null ? "In the prices" : `In “${column}”`
        } thousands and decimals seem to be mixed up. Set the numbers to German or English below “Ways of writing” where the columns are matched, or export the column with two decimals.`,
    },
    unguarded: "Nothing of this source is held: a broken file is applied at once, too.",
    pausedSince: (name, at) =>
      `The source “${name}” is paused since ${at}: a rehearsal works, nothing is applied.`,
    resume: "Let it go on",
    resumed: (name) => `The source “${name}” goes on`,
    heldByMoves: (move, share) =>
      `Held when price or cost of more than ${share} of the products jump by more than ${move}, or change their currency.`,
    heldWhen: (bounds) => `A suspicious import is held. Bounds: ${bounds}.`,
    guardBounds: {
      movePct: "jump of a price",
      costMovePct: "jump of a cost",
      sharePct: "share of products that jump",
      changedPct: "changed articles",
      newPct: "new articles",
      deletedPct: "deleted articles",
      currencyPct: "other currency",
    },
    source: "Source",
    toImports: "Imports of this source",
    upload: "Upload a file of this source",
    workspaceHold: "The default source is held by the setting of the workspace.",
    fields: {
      name: "Name",
      kind: "The file",
      tier: "Price tier of “our price”",
      strict: "The interface answers with an error when an import fails or is held",
      strictHint: "The call then waits up to 60 seconds for the end.",
      paused: "Pause",
      pausedHint: "Nothing is fetched or applied until the source goes on.",
      url: "Address of the file",
      urlHint: "A public address with https://, such as the export of the ERP",
      schedule: "When to fetch",
      manual: "by hand only",
      at: "at a time of day",
      atTime: "Time",
      atHint: "In the time zone of the workspace, such as 04:30",
      auth: "Credentials",
      noAuth: "none",
      authHint: "Credentials are stored encrypted and never shown again.",
      authKept: "Empty: the stored ones stay",
      user: "User",
      password: "Password",
      token: "Token",
      headerName: "Name of the header",
      headerValue: "Value of the header",
      expects: "Expected by",
      expectsHint: "When nothing has come by then, there is an alert. Empty: none",
      onDays: "On these days",
      holds: "Hold suspicious imports",
      holdsHint: "Held is what goes beyond one of the bounds. Where the source brings changes " +
        "alone, set the share of changed articles to 100.",
    },
    auths: codesEn.auths,
    pull: "Fetch now",
    pulled: {
      running: "The file is being fetched.",
      imported: "Fetched: the import is running.",
      unchanged: "The file is the same as the last one.",
      waiting: "That did not work; it is tried again.",
      failed: "The file could not be fetched.",
    },
    lastPull: (outcome, at) => `${outcome}, ${at}`,
    nextTry: (at) => `Next try: ${at}`,
    remove: "Delete the source?",
    removeText: "Its products stay; no other source can delete them.",
  },
  priceArrivals: {
    title: "Prices that came back",
    about:
      "Prices that the ERP has fetched here should come back with one of the next imports. What is still awaited, or came otherwise, is listed here.",
    statuses: codesEn.arrivals,
    columns: {
      sku: columnsEn.sku,
      expected: columnsEn.expected,
      seen: "came",
      fetched: columnsEn.fetchedAt,
      tier: columnsEn.tier,
      seenIn: columnsEn.seenIn,
    },
    nothing: "nothing",
    noneTitle: "No price fits this filter",
    emptyTitle: "No fetched price is awaited",
    emptyText: "Once the ERP fetches changed prices, those that do not come back are listed here.",
    ofImport: (arrived, expected) =>
      `${arrived} of ${expected} prices that the ERP had fetched came back with this file.`,
    notArrived: (count, prices) => `${count} ${plural(prices, "is", "are")} missing`,
    toList: "Which prices these are",
  },
};
