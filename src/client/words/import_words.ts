import type { ImportMode } from "../../imports/choices.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";
import { codes, columns, type Labels, say } from "./label.ts";

export const importWords = {
  imports: {
    title: say("Importe", "Imports"),
    create: say("Datei importieren", "Import a file"),
    noneTitle: say("Kein Import passt zu diesem Filter", "No import matches this filter"),
    noneText: say(
      "Die Quelle hat noch nichts gebracht, oder es wurde schon aufgeräumt.",
      "Nothing has arrived from this source yet, or its old imports have been removed.",
    ),
    emptyTitle: say("Noch kein Import", "No import yet"),
    emptyText: say(
      "Ziehen Sie die Preisdatei Ihres ERP hinein. Ein Probelauf zeigt vorher, was sich ändern würde.",
      "Drop your ERP’s price file here. A dry run shows what would change before anything does.",
    ),
    columns: {
      created: say("Beginn", "Started"),
      inserted: columns.inserted,
      updated: columns.updated,
      skipped: say("Unverändert", "Unchanged"),
      errors: say("Abgelehnt", "Refused"),
      undo: say("Aktion / Grund", "Action / reason"),
    },
    counts: {
      inserted: say("{count} neu", "{count} new"),
      updated: say("{count} geändert", "{count} changed"),
      removed: say("{count} gelöscht", "{count} deleted"),
      reverted: say(
        "{count} Ihrer Preise überschrieben",
        "{count} of your prices overwritten",
      ),
      errors: say("{count} {count|Zeile|Zeilen} abgelehnt", "{count} {count|row|rows} refused"),
      ofRecords: say("von {count}", "of {count}"),
    },
    states: codes.jobStates satisfies Labels<JobStatus>,
    withoutPrices: {
      label: say("Ohne diese Preise einlesen", "Import it without these prices"),
      hint: say(
        "Alles andere der Datei wird übernommen; unsere Preise bleiben, wie sie sind.",
        "Everything else in the file is applied; our prices stay as they are.",
      ),
    },
    held: codes.importHolds.held,
    applied: say("übernommen", "applied"),
    withErrors: say("teils abgelehnt", "partly refused"),
    modes: {
      upsert: say("Neue anlegen, vorhandene ändern", "Create new, change existing"),
      insert: say("Nur neue anlegen", "Create new only"),
      update: say("Nur vorhandene ändern", "Change existing only"),
      replace: say("Vollbestand: fehlende löschen", "Full load: delete missing"),
    },
    modeNames: codes.importModes satisfies Labels<ImportMode>,
    new: {
      drop: say("Datei irgendwo auf diese Seite ziehen", "Drop a file anywhere on this page"),
      or: say(
        "oder Zellen aus Excel einfügen (Strg + V) oder",
        "or paste cells from Excel (Ctrl + V) or",
      ),
      pasted: say("Aus der Zwischenablage.txt", "From the clipboard.txt"),
      first: say(
        "Angesehen wird die erste Datei; der Probelauf liest alle.",
        "The first file is previewed; the dry run reads all of them.",
      ),
      steps: say(["Datei", "Spalten", "Probelauf", "Übernahme"], [
        "File",
        "Columns",
        "Dry run",
        "Apply",
      ]),
      stepsLabel: say("Schritte", "Steps"),
      choose: say("Datei auswählen", "Choose a file"),
      kinds: say(
        "XML, CSV, Excel oder JSON, auch mehrere und gepackt; Kodierung und Aufbau werden erkannt.",
        "XML, CSV, Excel or JSON, several files and zipped ones too; encoding and structure are detected.",
      ),
      mode: say("Was geschieht", "What happens"),
      profile: say("Aufbau der Datei", "Structure of the file"),
      profileAuto: say("wird erkannt", "is recognised"),
      tier: say("Preisgruppe für „Unser Preis“", "Price tier for “our price”"),
      tierHint: say("Leer: die des Datensatzes", "If empty: the one in the record"),
      dryRun: say("Probelauf starten", "Start the dry run"),
      fileFirst: say("Wählen Sie zuerst eine Datei.", "Choose a file first."),
      dryRunNote: say(
        "Der Probelauf prüft alles und ändert nichts.",
        "The dry run checks everything and changes nothing.",
      ),
      remember: say("Zuordnung als Profil merken", "Save the mapping as a profile"),
      rememberHint: say(
        "Dateien mit diesen Spalten werden dann so gelesen.",
        "From then on, files with these columns are read this way.",
      ),
      changes: say(
        "Ihre Zuordnung wird im Profil „{name}“ gesichert.",
        "Your mapping is saved in the profile “{name}”.",
      ),
      profileName: say("Name des Profils", "Name of the profile"),
      apply: say("Ohne Probelauf übernehmen", "Apply without a dry run"),
      uploading: say("Wird übertragen: {share}", "Uploading: {share}"),
      taken: say("Import angenommen", "Import accepted"),
      remove: say("{name} entfernen", "Remove {name}"),
      files: say("Ausgewählte Dateien", "Chosen files"),
    },
    job: {
      title: (file: string) => `Import ${file}`,
      phases: {
        check: say("Datei wird geprüft", "Checking the file"),
        plan: say("Änderungen werden berechnet", "Calculating changes"),
        apply: say("Änderungen werden übernommen", "Applying changes"),
        undo: say("Änderungen werden zurückgenommen", "Undoing changes"),
      },
      progress: say(
        "{done} von {total} {total|Datensatz|Datensätzen}",
        "{done} of {total} {total|record|records}",
      ),
      cancelSure: say("Import abbrechen?", "Cancel the import?"),
      cancelText: say(
        "Was schon übernommen ist, bleibt; der Rest geschieht nicht.",
        "Changes already applied stay; the rest is skipped.",
      ),
      discard: say("Datei verwerfen", "Discard the file"),
      discardSure: say("Datei verwerfen?", "Discard the file?"),
      discardText: say(
        "Der Import kann dann nicht mehr übernommen werden; sein Bericht bleibt.",
        "You can then no longer apply the import; its report stays.",
      ),
      apply: say("Jetzt übernehmen", "Apply now"),
      applyForce: say("Trotzdem übernehmen", "Apply anyway"),
      applyWithout: say(
        "Ohne {count} {count|Produkt|Produkte} übernehmen",
        "Apply without {count} {count|product|products}",
      ),
      forceWithout: say(
        "Trotzdem ohne {count} {count|Produkt|Produkte} übernehmen",
        "Apply anyway without {count} {count|product|products}",
      ),
      included: say("dabei", "included"),
      include: say("{sku} übernehmen", "Apply {sku}"),
      hold: {
        short: {
          price: say(
            "{count} von {of} Preisen ändern sich um mehr als {move}",
            "{count} of {of} prices change by more than {move}",
          ),
          cost: say(
            "{count} von {of} Einkaufspreisen ändern sich um mehr als {move}",
            "{count} of {of} costs change by more than {move}",
          ),
        },
        today: say("heute {time}", "{time} today"),
        kept: say(
          "Freigeben oder verwerfen bis {until}; sonst wird die Datei gelöscht und muss neu gesendet werden",
          "Apply or discard by {until}; otherwise the file is deleted and has to be sent again",
        ),
        look: say("Import prüfen", "Review import"),
        waits: say("{file} ist angehalten.", "{file} is held."),
        others: say(
          "{count} {count|weiterer Datensatz hat|weitere Datensätze haben} keinen Preis zum Vergleichen",
          "{count} other {count|record has|records have} no price to compare",
        ),
        refused: say(", davon {count} abgelehnt", ", {count} of them refused"),
        review: say("Bis {until} entscheiden", "Decide by {until}"),
        isHeld: say("Angehalten: Es wurde nichts übernommen.", "Held: nothing was applied."),
        wouldBe: say(
          "Probelauf: So würde dieser Import angehalten.",
          "Dry run: this import would be held.",
        ),
        why: say(
          "{moved} von {products} vorhandenen Produkten der Datei ändern Preis oder Einkaufspreis um mehr als {move}, verlieren ihn oder wechseln die Währung; ohne Rückfrage gehen bis {share} durch.",
          "{moved} of {products} existing products in the file change their price or cost by more than {move}, lose it, or change their currency; up to {share} pass without asking.",
        ),
        toDo: say(
          "Ist das so gewollt, übernehmen Sie den Import trotzdem; die Datei bleibt 24 Stunden liegen. Sonst berichtigen Sie den Export und senden ihn noch einmal.",
          "If this is intended, apply the import anyway; the file is kept for 24 hours. Otherwise correct the export and send it again.",
        ),
        toDoLater: say(
          "Ist das so gewollt, übernehmen Sie die Datei trotzdem. Sonst berichtigen Sie den Export.",
          "If this is intended, apply the file anyway. Otherwise correct the export.",
        ),
        reasons: say("Gründe: {counts}.", "Reasons: {counts}."),
        causes: {
          price: say("Preis", "Price"),
          cost: say("Einkaufspreis", "Cost"),
          currency: say("Währung", "Currency"),
        },
        samples: say("Was auffällt", "What stands out"),
        samplesNote: say("Die größten Änderungen", "Largest changes"),
      },
      undo: {
        badge: say("Rücknahme", "undone"),
        title: say("Rücknahme {file}", "Undo {file}"),
        until: say("Zurücknehmen bis {day}", "Undo until {day}"),
        now: say("Jetzt zurücknehmen", "Undo now"),
        reasonHint: say(
          "Mit Grund gehen auch Preise zurück, die außerhalb ihrer Grenzen, gesperrt oder gehalten sind.",
          "With a reason, prices that are outside their limits, locked or held are undone too.",
        ),
        goesOn: say("Die Quelle läuft weiter", "The source resumes"),
        comesAgain: say(
          "Diese Datei kam von einem Programm: Die nächste brächte wohl dasselbe wieder. Deshalb wird die Quelle pausiert, wenn Sie nichts anderes wählen.",
          "This file was sent by a program, and the next one would probably contain the same again. The source is therefore paused unless you choose otherwise.",
        ),
        ofImport: say("Zum Import", "View the import"),
        undone: say("Dieser Import wurde zurückgenommen.", "This import was undone."),
        toUndo: say("Zur Rücknahme", "View the undo"),
        wouldBe: say(
          "Probe der Rücknahme: Es wurde nichts geändert. Was seit dem Import geändert wurde, bleibt.",
          "Preview of the undo: nothing was changed. Changes made since the import stay.",
        ),
        progress: say(
          "{done} von {total} {total|Produkt|Produkten}",
          "{done} of {total} {total|product|products}",
        ),
        stats: {
          setBack: say("Wie zuvor", "As before"),
          prices: say("Preise zurück", "Prices back"),
          deleted: say("Neue gelöscht", "New products deleted"),
          restored: say("Gelöschte zurück", "Deleted products restored"),
          links: say("Verknüpfungen", "Links"),
          kept: say("Bleibt", "Stays"),
        },
        kept: say("Bleibt, wie es ist", "Stays as it is"),
        nothingKept: say(
          "Seit dem Import wurde nichts davon geändert: Alles geht zurück.",
          "Nothing has been changed since the import, so everything is undone.",
        ),
      },
      applyText: say(
        "Übernehmen übergeht die Schutzgrenze für diesen einen Lauf.",
        "Applying overrides the guard for this run only.",
      ),
      willApply: say(
        "Übernommen werden {inserted} neue und {updated} geänderte Produkte.",
        "{inserted} new and {updated} changed products will be applied.",
      ),
      willRemove: say(
        "{count} {count|Produkt fehlt in der Datei und wird|Produkte fehlen in der Datei und werden} gelöscht.",
        "{count} {count|product is|products are} missing from the file and will be deleted.",
      ),
      leftOut: say(
        "{count} {count|fehlerhafter Datensatz bleibt|fehlerhafte Datensätze bleiben} draußen.",
        "{count} faulty {count|record is|records are} left out.",
      ),
      excluded: say(
        "{count} {count|Produkt blieb|Produkte blieben} auf Wunsch draußen.",
        "{count} {count|product was|products were} left out on purpose.",
      ),
      because: say("Grund: „{reason}“", "Reason: “{reason}”"),
      effects: {
        title: say("Was das auslöst", "What this triggers"),
        note: say(
          "Produkte, die seit Beginn des Imports geändert wurden, auch von Hand oder durch Regeln",
          "Products changed since the import began, by people and rules too",
        ),
        changed: say("Seither geändert", "Changed since"),
        proposals: say("Mit offenem Vorschlag", "With an open proposal"),
        overtaken: say("Überholte Vorschläge", "Superseded proposals"),
        cheapest: say("Jetzt am günstigsten", "Now cheapest in the market"),
        thin: say("Marge unter {pct}", "Margin below {pct}"),
        unlinked: say("Noch ohne Verknüpfung", "Not linked yet"),
      },
      report: say("Im Einzelnen", "In detail"),
      views: {
        held: say("auffällig", "suspicious"),
        prices: say("Preis neu", "new price"),
        changes: say("geändert", "changed"),
        additions: say("neue Produkte", "new products"),
        removals: say("fehlt in der Datei", "missing from the file"),
      },
      wouldBe: say(
        "Probelauf: Es wurde nichts geändert. Die Datei bleibt 24 Stunden zum Übernehmen liegen.",
        "Dry run: nothing was changed. You can apply the file within 24 hours.",
      ),
      stats: {
        removed: say("Gelöscht", "Deleted"),
        reverted: say("Ihre Preise überschrieben", "Your prices overwritten"),
      },
      impactStats: {
        priceChanges: say("Preise geändert", "Prices changed"),
        ways: say("{up} teurer, {down} günstiger", "{up} up, {down} down"),
        over20pct: say("Um mehr als 20\u00a0%", "By more than 20%"),
        belowCost: say("Unter Einkauf", "Below cost"),
      },
      largest: say("Größte Preisänderungen", "Largest price changes"),
      changes: say("Änderungen", "Changes"),
      findings: {
        message: say("Was ist", "What is wrong"),
      },
      noFindings: say("Keine Fehler und keine Hinweise", "No errors and no warnings"),
      download: say("Fehler und Hinweise", "Errors and notes"),
      file: {
        bytes: say("Größe", "Size"),
        encoding: say("Kodierung", "Encoding"),
        profile: say("Aufbau", "Structure"),
      },
      written: say(" (in der Datei: {text})", " (in the file: {text})"),
    },
  },
};
