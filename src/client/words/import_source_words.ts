import type {
  AUTH_KINDS,
  Day,
  HOLD_BOUNDS,
  HoldCode,
  PULL_OUTCOMES,
  PULL_PERIODS,
  SOURCE_KINDS,
  UnitRemedy,
} from "../../imports/choices.ts";
import type { ArrivalStatus } from "../../catalogue/prices/awaited_price_store.ts";
import { codes, columns, type Labels, say, type Translated } from "./label.ts";

type Of<L extends readonly string[]> = Labels<L[number]>;

const kinds: Of<typeof SOURCE_KINDS> = codes.sourceKinds;

const outcomes: Of<typeof PULL_OUTCOMES> = codes.pullOutcomes;

const periods: Of<typeof PULL_PERIODS> = codes.pullPeriods;

const days: Labels<Day> = codes.days;

const bounds: Of<typeof HOLD_BOUNDS> = {
  movePct: say("Preis ändert sich um mehr als (%)", "Price moves by more than (%)"),
  costMovePct: say("Einkaufspreis ändert sich um mehr als (%)", "Cost moves by more than (%)"),
  sharePct: say("bei mehr als so vielen Produkten (%)", "for more than this share of products (%)"),
  changedPct: say("Anteil geänderter Artikel (%)", "Share of changed products (%)"),
  newPct: say("Anteil neuer Artikel (%)", "Share of new products (%)"),
  deletedPct: say("Anteil gelöschter Artikel (%)", "Share of deleted products (%)"),
  currencyPct: say("Anteil mit anderer Währung (%)", "Share with another currency (%)"),
};

const guards: Readonly<Record<HoldCode, Translated<(count: string, of: string) => string>>> = {
  price_guard: say(
    "{count} von {of} Preisen {count|springt|springen}",
    "{count} of {of} prices {count|jumps|jump}",
  ),
  cost_guard: say(
    "{count} von {of} Einkaufspreisen {count|springt|springen}",
    "{count} of {of} costs {count|jumps|jump}",
  ),
  change_guard: say(
    "{count} von {of} Produkten {count|ändert|ändern} sich",
    "{count} of {of} products {count|changes|change}",
  ),
  replace_guard: say(
    "{count} von {of} Produkten {count|fehlt|fehlen} in der Datei",
    "{count} of {of} products {count|is|are} missing from the file",
  ),
  new_guard: say(
    "{count} von {of} Produkten {count|ist|sind} neu",
    "{count} of {of} products {count|is|are} new",
  ),
  currency_guard: say(
    "{count} von {of} Produkten {count|wechselt|wechseln} die Währung",
    "{count} of {of} products {count|changes its|change their} currency",
  ),
  unit_guard: say(
    "{count} von {of} Preisen {count|steht|stehen} wohl in der falschen Einheit",
    "{count} of {of} prices {count|seems|seem} to be in the wrong unit",
  ),
};

const auths: Of<typeof AUTH_KINDS> = codes.auths;

export const importSourceWords = {
  importSources: {
    title: say("Quellen", "Sources"),
    about: say(
      "Woher Dateien kommen, wie sie gelesen werden und was sie anhält. " +
        "Eine Sendung ohne Angabe gehört zur Standardquelle.",
      "Where files come from, how they are read and what holds them. " +
        "A file sent without a source goes to the standard source.",
    ),
    create: say("Neue Quelle", "New source"),
    edit: say("Quelle {name}", "Source {name}"),
    counts: say(
      "{count} {count|Quelle|Quellen}, {paused} pausiert, {missed} überfällig",
      "{count} {count|source|sources}, {paused} paused, {missed} overdue",
    ),
    columns: {
      read: say("Was wird gelesen", "What is read"),
      deliveries: say("Letzte Lieferungen", "Latest deliveries"),
      last: say("Zuletzt", "Latest"),
    },
    states: {
      punctual: say("pünktlich", "on schedule"),
      applied: say("letzte Datei übernommen", "last file applied"),
      idle: say("ruht", "idle"),
      paused: say("pausiert", "paused"),
      missed: say("kam nicht", "did not arrive"),
      held: say("letzte Datei angehalten", "last file held"),
      failed: say("letzte Datei gescheitert", "last file failed"),
      waiting: say("1 Datei angehalten", "1 file held"),
      unguarded: say("ohne Schutzgrenze", "unguarded"),
    },
    profile: say("Profil „{name}“", "profile “{name}”"),
    detected: say("Aufbau wird erkannt", "Layout is detected"),
    noDelivery: say("noch keine Datei", "no file yet"),
    bar: {
      good: say("übernommen", "applied"),
      held: say("angehalten", "held"),
      bad: say("gescheitert", "failed"),
    },
    pausedBy: say("{who} hat {at} pausiert.", "{who} paused it {at}."),
    pausedAt: say("Pausiert seit {at}.", "Paused since {at}."),
    becauseUndone: say(
      "Ein Import dieser Quelle wurde zurückgenommen; die nächste Datei hätte den Fehler wiederholt.",
      "An import of this source was undone; the next file would have repeated the error.",
    ),
    becauseHeld: say(
      "Der letzte Import ist angehalten.",
      "The last import is held.",
    ),
    meanwhile: say(
      "Die bisherigen Werte gelten weiter. Auch die nächste Datei wird geprüft, bevor sie gilt.",
      "The current values stay. The next file is checked, too, before it is applied.",
    ),
    expectedBy: say("erwartet bis {at}", "expected by {at}"),
    showFiles: say("Dateien ansehen", "View files"),
    catchUp: say("Fortsetzen und nachholen", "Resume and catch up"),
    templates: say("Vorlagen und eigene Profile", "Templates and your profiles"),
    templatesNote: say(
      "Fertige Zuordnungen; ein Klick zeigt, was woher gelesen wird. Nach dem ersten Import wird daraus Ihr Profil.",
      "Ready-made mappings; click one to see what is read from where. Your first import turns it into your own profile.",
    ),
    inUse: say("in Gebrauch", "in use"),
    own: say("eigenes Profil", "own profile"),
    allProfiles: say("alle {count}", "all {count}"),
    never: say("noch keiner", "none yet"),
    kinds,
    outcomes,
    periods,
    days,
    bounds,
    guards,
    guard: say(
      "{what}; ohne Rückfrage gehen bis {share} durch",
      "{what}; up to {share} pass without asking",
    ),
    remedies: {
      minor: say(
        "{column?„#“ scheint|Die Preise scheinen} in Cent zu stehen. Geben Sie die Spalte in Euro mit zwei Nachkommastellen aus, oder stellen Sie die Beträge bei der Zuordnung unter „Schreibweise“ auf Cent.",
        "{column?“#” seems|The prices seem} to be in cents. Export the column in whole currency units with two decimals, or set the amounts to cents under “Formats” when you match the columns.",
      ),
      decimals: say(
        "{column?In „#“|In den Preisen} sind wohl Tausender und Nachkommastellen vertauscht. Stellen Sie die Zahlen bei der Zuordnung unter „Schreibweise“ auf deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.",
        "{column?In “#”|In the prices} the thousands separator and the decimal point seem to be swapped. Set the numbers to German or English under “Formats” when you match the columns, or export the column with two decimals.",
      ),
    } satisfies Readonly<Record<UnitRemedy, Translated<(column: string) => string>>>,
    unguarded: say(
      "Diese Quelle hält nichts an: Auch eine kaputte Datei wird sofort übernommen.",
      "Nothing from this source is held: even a broken file is applied at once.",
    ),
    pausedSince: say(
      "Die Quelle „{name}“ ist seit {at} pausiert: Ein Probelauf geht, übernommen wird nichts.",
      "The source “{name}” has been paused since {at}: dry runs work, nothing is applied.",
    ),
    resume: say("Weiterlaufen lassen", "Let it resume"),
    goOn: say("Fortsetzen", "Resume"),
    resumed: say("Die Quelle „{name}“ läuft weiter", "The source “{name}” has resumed"),
    heldByMoves: say(
      "Angehalten wird, wenn bei mehr als {share} der Produkte der Preis oder Einkaufspreis um mehr als {move} springt oder die Währung wechselt.",
      "Held when the price or cost of more than {share} of the products jumps by more than {move}, or changes currency.",
    ),
    heldWhen: say(
      "Angehalten wird ein auffälliger Import. Grenzen: {bounds}.",
      "A suspicious import is held. Limits: {bounds}.",
    ),
    guardBounds: {
      movePct: say("Preissprung", "price jump"),
      costMovePct: say("Sprung des Einkaufspreises", "cost jump"),
      sharePct: say("Anteil der Produkte mit Sprung", "share of products that jump"),
      changedPct: say("geänderte Artikel", "changed products"),
      newPct: say("neue Artikel", "new products"),
      deletedPct: say("gelöschte Artikel", "deleted products"),
      currencyPct: say("andere Währung", "other currency"),
    } satisfies Of<typeof HOLD_BOUNDS>,
    source: say("Quelle", "Source"),
    toImports: say("Importe dieser Quelle", "Imports from this source"),
    upload: say("Datei dieser Quelle hochladen", "Upload a file for this source"),
    workspaceHold: say(
      "Für die Standardquelle gilt das Anhalten aus den Einstellungen des Arbeitsbereichs.",
      "The standard source follows the hold setting of the workspace.",
    ),
    fields: {
      kind: say("Die Datei", "The file"),
      tier: say("Preisgruppe für „Unser Preis“", "Price tier of “our price”"),
      strict: say(
        "Schnittstelle antwortet mit einem Fehler, wenn ein Import scheitert oder angehalten wird",
        "The API answers with an error when an import fails or is held",
      ),
      strictHint: say(
        "Der Aufruf wartet dann bis zu 60 Sekunden auf das Ende.",
        "The call then waits up to 60 seconds for the end.",
      ),
      paused: say("Pausieren", "Pause"),
      pausedHint: say(
        "Nichts wird abgeholt oder übernommen, bis die Quelle weiterläuft.",
        "Nothing is fetched or applied until the source is resumed.",
      ),
      url: say("Adresse der Datei", "Address of the file"),
      urlHint: say(
        "Eine öffentliche Adresse mit https://, zum Beispiel des Exports im ERP",
        "A public address with https://, such as the export of the ERP",
      ),
      schedule: say("Wann abholen", "When to fetch"),
      manual: say("nur von Hand", "manually only"),
      at: say("zu einer Uhrzeit", "at a set time"),
      atTime: say("Uhrzeit", "Time"),
      atHint: say(
        "In der Zeitzone des Arbeitsbereichs, zum Beispiel 04:30",
        "In the time zone of the workspace, such as 04:30",
      ),
      auth: say("Anmeldung", "Credentials"),
      authHint: say(
        "Zugangsdaten werden verschlüsselt abgelegt und nie wieder gezeigt.",
        "Credentials are stored encrypted and never shown again.",
      ),
      authKept: say("Leer: die gespeicherten bleiben", "Empty: the stored ones stay"),
      user: say("Benutzer", "User"),
      token: "Token",
      headerName: say("Name der Kopfzeile", "Name of the header"),
      headerValue: say("Wert der Kopfzeile", "Value of the header"),
      expectsHint: say(
        "Kommt bis dahin nichts, gibt es eine Meldung. Leer: keine",
        "If nothing has arrived by then, an alert is raised. Empty: none",
      ),
      onDays: say("An diesen Tagen", "On these days"),
      holdsHint: say(
        "Angehalten wird, was eine der Grenzen überschreitet. Bringt die Quelle nur Änderungen, " +
          "stellen Sie den Anteil geänderter Artikel auf 100.",
        "An import is held when it exceeds one of the limits. If the source sends changes " +
          "only, set the share of changed products to 100.",
      ),
    },
    auths,
    pull: say("Jetzt abholen", "Fetch now"),
    pulled: {
      running: say("Die Datei wird abgeholt.", "The file is being fetched."),
      imported: say("Abgeholt: Der Import läuft.", "Fetched: the import is running."),
      unchanged: say(
        "Die Datei ist dieselbe wie zuletzt.",
        "The file is the same as the last one.",
      ),
      waiting: say(
        "Das hat nicht geklappt; es wird wiederholt.",
        "That did not work; Kurant will try again.",
      ),
      failed: say("Die Datei ließ sich nicht abholen.", "The file could not be fetched."),
    } satisfies Of<typeof PULL_OUTCOMES>,
    lastPull: (outcome: string, at: string) => `${outcome}, ${at}`,
    nextTry: say("Nächster Versuch: {at}", "Next try: {at}"),
    remove: say("Quelle löschen?", "Delete the source?"),
    removeText: say(
      "Ihre Produkte bleiben; keine andere Quelle kann sie löschen.",
      "Its products stay; no other source can delete them.",
    ),
  },
  priceArrivals: {
    title: say("Vom ERP nicht bestätigte Preise", "Prices not confirmed by ERP"),
    about: say(
      "Preise, die das ERP hier abgeholt hat, sollen mit einem der nächsten Importe wiederkommen. Was noch aussteht oder anders ankam, steht hier.",
      "Prices that the ERP has fetched here should come back with one of the next imports. Those still missing, or that came back with a different price, are listed here.",
    ),
    statuses: codes.arrivals satisfies Labels<ArrivalStatus>,
    columns: {
      expected: columns.expected,
      seen: say("angekommen", "came"),
    },
    noneTitle: say("Kein Preis passt zu diesem Filter", "No price matches this filter"),
    emptyTitle: say("Kein abgeholter Preis steht aus", "No price is outstanding"),
    emptyText: say(
      "Sobald das ERP geänderte Preise abholt, steht hier, welche davon nicht zurückkommen.",
      "Once the ERP fetches changed prices, the ones that do not come back are listed here.",
    ),
    ofImport: say(
      "{arrived} von {expected} {expected|Preis|Preisen}, die das ERP abgeholt hatte, kamen mit dieser Datei zurück.",
      "{arrived} of {expected} {expected|price|prices} that the ERP had fetched came back with this file.",
    ),
    notArrived: say("{count} {count|Preis fehlt|Preise fehlen}", "{count} {count|is|are} missing"),
    toList: say("Welche Preise das sind", "Which prices these are"),
  },
};
