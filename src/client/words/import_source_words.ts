import type { HOLD_BOUNDS, HoldCode, PULL_OUTCOMES, UnitRemedy } from "../../imports/choices.ts";
import { columns, de, type Labels, type Translated } from "./label.ts";

type Of<L extends readonly string[]> = Labels<L[number]>;

const bounds: Of<typeof HOLD_BOUNDS> = {
  movePct: de("Preis ändert sich um mehr als (%)").en("Price moves by more than (%)"),
  costMovePct: de("Einkaufspreis ändert sich um mehr als (%)").en("Cost moves by more than (%)"),
  sharePct: de("bei mehr als so vielen Produkten (%)")
    .en("for more than this share of products (%)"),
  changedPct: de("Anteil geänderter Artikel (%)").en("Share of changed products (%)"),
  newPct: de("Anteil neuer Artikel (%)").en("Share of new products (%)"),
  deletedPct: de("Anteil gelöschter Artikel (%)").en("Share of deleted products (%)"),
  currencyPct: de("Anteil mit anderer Währung (%)").en("Share with another currency (%)"),
};

const guards: Readonly<Record<HoldCode, Translated<(count: number, of: number) => string>>> = {
  price_guard: de("{count} von {of} Preisen {count|springt|springen}")
    .en("{count} of {of} prices {count|jumps|jump}"),
  cost_guard: de("{count} von {of} Einkaufspreisen {count|springt|springen}")
    .en("{count} of {of} costs {count|jumps|jump}"),
  change_guard: de("{count} von {of} Produkten {count|ändert|ändern} sich")
    .en("{count} of {of} products {count|changes|change}"),
  replace_guard: de("{count} von {of} Produkten {count|würde|würden} gelöscht")
    .en("{count} of {of} products would be deleted"),
  new_guard: de("{count} von {of} Produkten {count|ist|sind} neu")
    .en("{count} of {of} products {count|is|are} new"),
  currency_guard: de("{count} von {of} Produkten {count|wechselt|wechseln} die Währung")
    .en("{count} of {of} products {count|changes its|change their} currency"),
  unit_guard: de("{count} von {of} Preisen {count|steht|stehen} wohl in der falschen Einheit")
    .en("{count} of {of} prices {count|seems|seem} to be in the wrong unit"),
};

export const importSourceWords = {
  importSources: {
    title: de("Quellen").en("Sources"),
    about: de(
      "Woher Dateien kommen, wie sie gelesen werden und was sie anhält. " +
        "Eine Datei ohne Quelle gehört zur Standardquelle.",
    ).en(
      "Where files come from, how they are read and what holds them. " +
        "A file sent without a source goes to the standard source.",
    ),
    create: de("Neue Quelle").en("New source"),
    edit: de("Quelle {name}").en("Source {name}"),
    counts: de("{count Quelle|Quellen}, {paused} pausiert, {missed} überfällig")
      .en("{count source|sources}, {paused} paused, {missed} overdue"),
    columns: {
      read: de("Was wird gelesen").en("What is read"),
      deliveries: de("Letzte Lieferungen").en("Latest deliveries"),
      last: de("Zuletzt").en("Latest"),
    },
    states: {
      punctual: de("pünktlich").en("on schedule"),
      applied: de("letzte Datei übernommen").en("last file applied"),
      idle: de("ruht").en("idle"),
      paused: de("pausiert").en("paused"),
      missed: de("kam nicht").en("did not arrive"),
      held: de("letzte Datei angehalten").en("last file held"),
      failed: de("letzte Datei gescheitert").en("last file failed"),
      waiting: de("1 Datei angehalten").en("1 file held"),
      unguarded: de("ohne Schutzgrenze").en("unguarded"),
    },
    profile: de("Profil „{name}“").en("profile “{name}”"),
    detected: de("Aufbau wird erkannt").en("Layout is detected"),
    noDelivery: de("noch keine Datei").en("no file yet"),
    bar: {
      good: de("übernommen").en("applied"),
      held: de("angehalten").en("held"),
      bad: de("gescheitert").en("failed"),
    },
    pausedBy: de("{who} hat sie pausiert.").en("{who} paused it."),
    becauseUndone: de(
      "Ein Import dieser Quelle wurde zurückgenommen; die nächste Datei hätte den Fehler wiederholt.",
    ).en("An import of this source was undone; the next file would have repeated the error."),
    becauseHeld: de("Der letzte Import ist angehalten.").en("The last import is held."),
    meanwhile: de(
      "Die bisherigen Werte gelten weiter. Auch die nächste Datei wird geprüft, bevor sie gilt.",
    ).en("The current values stay. The next file is checked, too, before it is applied."),
    expectedBy: de("erwartet bis {at}").en("expected by {at}"),
    showFiles: de("Dateien ansehen").en("View files"),
    catchUp: de("Fortsetzen und nachholen").en("Resume and catch up"),
    templates: de("Vorlagen und eigene Profile").en("Templates and your profiles"),
    templatesNote: de(
      "Fertige Zuordnungen; ein Klick zeigt, was woher gelesen wird. Nach dem ersten Import wird daraus Ihr Profil.",
    ).en(
      "Ready-made mappings; click one to see what is read from where. Your first import turns it into your own profile.",
    ),
    inUse: de("in Gebrauch").en("in use"),
    own: de("eigenes Profil").en("own profile"),
    allProfiles: de("alle {count}").en("all {count}"),
    never: de("noch keiner").en("none yet"),
    bounds,
    guards,
    guard: de("{what}; ohne Rückfrage gehen bis {share} durch")
      .en("{what}; up to {share} pass without asking"),
    remedies: {
      minor: de(
        "{column?„#“ scheint|Die Preise scheinen} in Cent zu stehen. Geben Sie die Spalte in Euro mit zwei Nachkommastellen aus, oder stellen Sie die Beträge bei der Zuordnung unter „Schreibweise“ auf Cent.",
      ).en(
        "{column?“#” seems|The prices seem} to be in cents. Export the column in whole currency units with two decimals, or set the amounts to cents under “Formats” when you match the columns.",
      ),
      decimals: de(
        "{column?In „#“|In den Preisen} sind wohl Tausender und Nachkommastellen vertauscht. Stellen Sie die Zahlen bei der Zuordnung unter „Schreibweise“ auf deutsch oder englisch, oder geben Sie die Spalte mit zwei Nachkommastellen aus.",
      ).en(
        "{column?In “#”|In the prices} the thousands separator and the decimal point seem to be swapped. Set the numbers to German or English under “Formats” when you match the columns, or export the column with two decimals.",
      ),
    } satisfies Readonly<Record<UnitRemedy, Translated<(column: string) => string>>>,
    unguarded: de("Diese Quelle hält nichts an: Auch eine kaputte Datei wird sofort übernommen.")
      .en("Nothing from this source is held: even a broken file is applied at once."),
    pausedSince: de(
      "Die Quelle „{name}“ ist seit {at} pausiert: Ein Probelauf geht, übernommen wird nichts.",
    ).en("The source “{name}” has been paused since {at}: dry runs work, nothing is applied."),
    resume: de("Fortsetzen").en("Resume"),
    resumed: de("Die Quelle „{name}“ läuft weiter").en("The source “{name}” has resumed"),
    heldByMoves: de(
      "Angehalten wird, wenn bei mehr als {share} der Produkte der Preis oder Einkaufspreis um mehr als {move} springt oder die Währung wechselt.",
    ).en(
      "Held when the price or cost of more than {share} of the products jumps by more than {move}, or changes currency.",
    ),
    heldWhen: de("Angehalten wird ein auffälliger Import. Grenzen: {bounds}.")
      .en("A suspicious import is held. Limits: {bounds}."),
    guardBounds: {
      movePct: de("Preissprung").en("price jump"),
      costMovePct: de("Sprung des Einkaufspreises").en("cost jump"),
      sharePct: de("Anteil der Produkte mit Sprung").en("share of products that jump"),
      changedPct: de("geänderte Artikel").en("changed products"),
      newPct: de("neue Artikel").en("new products"),
      deletedPct: de("gelöschte Artikel").en("deleted products"),
      currencyPct: de("andere Währung").en("other currency"),
    } satisfies Of<typeof HOLD_BOUNDS>,
    source: de("Quelle").en("Source"),
    toImports: de("Importe dieser Quelle").en("Imports from this source"),
    upload: de("Datei dieser Quelle hochladen").en("Upload a file for this source"),
    workspaceHold: de(
      "Ob Importe der Standardquelle angehalten werden, steht in den Einstellungen des Arbeitsbereichs.",
    ).en("The standard source follows the hold setting of the workspace."),
    fields: {
      kind: de("Die Datei").en("The file"),
      tier: de("Preisgruppe für „Unser Preis“").en("Price tier of “our price”"),
      strict: de(
        "Schnittstelle antwortet mit einem Fehler, wenn ein Import scheitert oder angehalten wird",
      ).en("The API answers with an error when an import fails or is held"),
      strictHint: de("Der Aufruf wartet dann bis zu 60 Sekunden auf das Ende.")
        .en("The call then waits up to 60 seconds for the end."),
      paused: de("Pausieren").en("Pause"),
      pausedHint: de("Nichts wird abgeholt oder übernommen, bis die Quelle weiterläuft.")
        .en("Nothing is fetched or applied until the source is resumed."),
      url: de("Adresse der Datei").en("Address of the file"),
      urlHint: de("Eine öffentliche Adresse mit https://, zum Beispiel des Exports im ERP")
        .en("A public address with https://, such as the export of the ERP"),
      schedule: de("Wann abholen").en("When to fetch"),
      manual: de("nur von Hand").en("manually only"),
      at: de("zu einer Uhrzeit").en("at a set time"),
      atTime: de("Uhrzeit").en("Time"),
      atHint: de("In der Zeitzone des Arbeitsbereichs, zum Beispiel 04:30")
        .en("In the time zone of the workspace, such as 04:30"),
      auth: de("Anmeldung").en("Credentials"),
      authHint: de("Zugangsdaten werden verschlüsselt abgelegt und nie wieder gezeigt.")
        .en("Credentials are stored encrypted and never shown again."),
      authKept: de("Leer: die gespeicherten bleiben").en("Empty: the stored ones stay"),
      user: de("Benutzer").en("User"),
      token: "Token",
      headerName: de("Name der Kopfzeile").en("Name of the header"),
      headerValue: de("Wert der Kopfzeile").en("Value of the header"),
      expectsHint: de("Kommt bis dahin nichts, gibt es eine Meldung. Leer: keine")
        .en("If nothing has arrived by then, an alert is raised. Empty: none"),
      onDays: de("An diesen Tagen").en("On these days"),
      holdsHint: de(
        "Angehalten wird, was eine der Grenzen überschreitet. Bringt die Quelle nur Änderungen, " +
          "stellen Sie den Anteil geänderter Artikel auf 100.",
      ).en(
        "An import is held when it exceeds one of the limits. If the source sends changes " +
          "only, set the share of changed products to 100.",
      ),
    },
    pull: de("Jetzt abholen").en("Fetch now"),
    pulled: {
      running: de("Die Datei wird abgeholt.").en("The file is being fetched."),
      imported: de("Abgeholt: Der Import läuft.").en("Fetched: the import is running."),
      unchanged: de("Die Datei ist dieselbe wie zuletzt.")
        .en("The file is the same as the last one."),
      waiting: de("Das hat nicht geklappt; es wird wiederholt.")
        .en("That did not work; Kurant will try again."),
      failed: de("Die Datei ließ sich nicht abholen.").en("The file could not be fetched."),
    } satisfies Of<typeof PULL_OUTCOMES>,
    nextTry: de("Nächster Versuch: {at}").en("Next try: {at}"),
    remove: de("Quelle löschen?").en("Delete the source?"),
    removeText: de("Ihre Produkte bleiben; keine andere Quelle kann sie löschen.")
      .en("Its products stay; no other source can delete them."),
  },
  priceArrivals: {
    title: de("Vom ERP nicht bestätigte Preise").en("Prices not confirmed by ERP"),
    about: de(
      "Preise, die das ERP hier abgeholt hat, sollen mit einem der nächsten Importe wiederkommen. Was noch aussteht oder anders ankam, steht hier.",
    ).en(
      "Prices that the ERP has fetched here should come back with one of the next imports. Those still missing, or that came back with a different price, are listed here.",
    ),
    columns: { expected: columns.expected, seen: de("angekommen").en("came") },
    noneTitle: de("Kein Preis passt zu diesem Filter").en("No price matches this filter"),
    emptyTitle: de("Kein abgeholter Preis steht aus").en("No price is outstanding"),
    emptyText: de(
      "Sobald das ERP geänderte Preise abholt, steht hier, welche davon nicht zurückkommen.",
    ).en("Once the ERP fetches changed prices, the ones that do not come back are listed here."),
    ofImport: de(
      "{arrived} von {expected Preis|Preisen}, {expected|den|die} das ERP abgeholt hatte, {arrived|kam|kamen} mit dieser Datei zurück.",
    ).en(
      "{arrived} of {expected price|prices} that the ERP had fetched came back with this file.",
    ),
    notArrived: de("{count Preis fehlt|Preise fehlen}").en("{count is|are} missing"),
  },
};
