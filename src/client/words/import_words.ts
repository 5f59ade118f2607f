import { de } from "./label.ts";

export const importWords = {
  imports: {
    title: de("Importe").en("Imports"),
    create: de("Datei importieren").en("Import a file"),
    noneTitle: de("Kein Import passt zu diesem Filter").en("No import matches this filter"),
    noneText: de("Die Quelle hat noch nichts gebracht, oder es wurde schon aufgeräumt.")
      .en("Nothing has arrived from this source yet, or its old imports have been removed."),
    emptyTitle: de("Noch kein Import").en("No import yet"),
    emptyText: de(
      "Ziehen Sie die Preisdatei Ihres ERP hinein. Ein Probelauf zeigt vorher, was sich ändern würde.",
    ).en(
      "Drop your ERP’s price file here. A dry run shows what would change before anything does.",
    ),
    columns: {
      created: de("Beginn").en("Started"),
      errors: de("Abgelehnt").en("Refused"),
      undo: de("Aktion / Grund").en("Action / reason"),
    },
    counts: {
      inserted: de("{count} neu").en("{count} new"),
      updated: de("{count} geändert").en("{count} changed"),
      removed: de("{count} gelöscht").en("{count} deleted"),
      reverted: de("{count} Ihrer Preise überschrieben").en("{count} of your prices overwritten"),
      errors: de("{count Zeile|Zeilen} abgelehnt").en("{count row|rows} refused"),
      ofRecords: de("von {count}").en("of {count}"),
    },
    withoutPrices: {
      label: de("Ohne diese Preise einlesen").en("Import it without these prices"),
      hint: de("Alles andere der Datei wird übernommen; unsere Preise bleiben, wie sie sind.")
        .en("Everything else in the file is applied; our prices stay as they are."),
    },
    applied: de("übernommen").en("applied"),
    withErrors: de("teils abgelehnt").en("partly refused"),
    modes: {
      upsert: de("Neue anlegen, vorhandene ändern").en("Create new, change existing"),
      insert: de("Nur neue anlegen").en("Create new only"),
      update: de("Nur vorhandene ändern").en("Change existing only"),
      replace: de("Vollbestand: fehlende löschen").en("Full load: delete missing"),
    },
    new: {
      drop: de("Datei irgendwo auf diese Seite ziehen").en("Drop a file anywhere on this page"),
      or: de("oder Zellen aus Excel einfügen (Strg + V) oder")
        .en("or paste cells from Excel (Ctrl + V) or"),
      pasted: de("Aus der Zwischenablage.txt").en("From the clipboard.txt"),
      first: de("Angesehen wird die erste Datei; der Probelauf liest alle.")
        .en("The first file is previewed; the dry run reads all of them."),
      steps: de(["Datei", "Spalten", "Probelauf", "Übernahme"]).en([
        "File",
        "Columns",
        "Dry run",
        "Apply",
      ]),
      stepsLabel: de("Schritte").en("Steps"),
      choose: de("Datei auswählen").en("Choose a file"),
      kinds: de(
        "XML, CSV, Excel oder JSON, auch mehrere und gepackt; Kodierung und Aufbau werden erkannt.",
      ).en(
        "XML, CSV, Excel or JSON, several files and zipped ones too; encoding and structure are detected.",
      ),
      mode: de("Was geschieht").en("What happens"),
      profile: de("Aufbau der Datei").en("Structure of the file"),
      profileAuto: de("wird erkannt").en("is recognised"),
      tier: de("Preisgruppe für „Unser Preis“").en("Price tier for “our price”"),
      tierHint: de("Leer: die des Datensatzes").en("If empty: the one in the record"),
      dryRun: de("Probelauf starten").en("Start the dry run"),
      fileFirst: de("Wählen Sie zuerst eine Datei.").en("Choose a file first."),
      dryRunNote: de("Der Probelauf prüft alles und ändert nichts.")
        .en("The dry run checks everything and changes nothing."),
      remember: de("Zuordnung als Profil merken").en("Save the mapping as a profile"),
      rememberHint: de("Dateien mit diesen Spalten werden dann so gelesen.")
        .en("From then on, files with these columns are read this way."),
      changes: de("Ihre Zuordnung wird im Profil „{name}“ gesichert.")
        .en("Your mapping is saved in the profile “{name}”."),
      profileName: de("Name des Profils").en("Name of the profile"),
      apply: de("Ohne Probelauf übernehmen").en("Apply without a dry run"),
      uploading: de("Wird übertragen: {share}").en("Uploading: {share}"),
      taken: de("Import angenommen").en("Import accepted"),
      remove: de("{name} entfernen").en("Remove {name}"),
      files: de("Ausgewählte Dateien").en("Chosen files"),
    },
    job: {
      title: (file: string) => `Import ${file}`,
      phases: {
        check: de("Datei wird geprüft").en("Checking the file"),
        plan: de("Änderungen werden berechnet").en("Calculating changes"),
        apply: de("Änderungen werden übernommen").en("Applying changes"),
        undo: de("Änderungen werden zurückgenommen").en("Undoing changes"),
      },
      progress: de("{done} von {total Datensatz|Datensätzen}")
        .en("{done} of {total record|records}"),
      cancelSure: de("Import abbrechen?").en("Cancel the import?"),
      cancelText: de("Was schon übernommen ist, bleibt; der Rest geschieht nicht.")
        .en("Changes already applied stay; the rest is skipped."),
      discard: de("Datei verwerfen").en("Discard the file"),
      discardSure: de("Datei verwerfen?").en("Discard the file?"),
      discardText: de("Der Import kann dann nicht mehr übernommen werden; sein Bericht bleibt.")
        .en("You can then no longer apply the import; its report stays."),
      apply: de("Jetzt übernehmen").en("Apply now"),
      applyForce: de("Trotzdem übernehmen").en("Apply anyway"),
      applyWithout: de("Ohne {count Produkt|Produkte} übernehmen")
        .en("Apply without {count product|products}"),
      forceWithout: de("Trotzdem ohne {count Produkt|Produkte} übernehmen")
        .en("Apply anyway without {count product|products}"),
      included: de("dabei").en("included"),
      include: de("{sku} übernehmen").en("Apply {sku}"),
      hold: {
        short: {
          price: de("{count} von {of} Preisen ändern sich um mehr als {move}")
            .en("{count} of {of} prices change by more than {move}"),
          cost: de("{count} von {of} Einkaufspreisen ändern sich um mehr als {move}")
            .en("{count} of {of} costs change by more than {move}"),
        },
        today: de("heute {time}").en("{time} today"),
        kept: de(
          "Übernehmen oder verwerfen bis {until}; sonst wird die Datei gelöscht und muss neu gesendet werden",
        ).en("Apply or discard by {until}; otherwise the file is deleted and has to be sent again"),
        look: de("Import prüfen").en("Review import"),
        waits: de("{file} ist angehalten.").en("{file} is held."),
        others: de(
          "{count weiterer Datensatz hat|weitere Datensätze haben} keinen Preis zum Vergleichen",
        ).en("{count} other {count|record has|records have} no price to compare"),
        refused: de(", davon {count} abgelehnt").en(", {count} of them refused"),
        review: de("Bis {until} entscheiden").en("Decide by {until}"),
        isHeld: de("Angehalten: Es wurde nichts übernommen.").en("Held: nothing was applied."),
        wouldBe: de("Probelauf: So würde dieser Import angehalten.")
          .en("Dry run: this import would be held."),
        toDo: de(
          "Ist das so gewollt, übernehmen Sie den Import trotzdem; die Datei bleibt 24 Stunden liegen. Sonst berichtigen Sie den Export und senden ihn noch einmal.",
        ).en(
          "If this is intended, apply the import anyway; the file is kept for 24 hours. Otherwise correct the export and send it again.",
        ),
        toDoLater: de(
          "Ist das so gewollt, übernehmen Sie die Datei trotzdem. Sonst berichtigen Sie den Export.",
        ).en("If this is intended, apply the file anyway. Otherwise correct the export."),
        causes: {
          price: de("Preis").en("Price"),
          cost: de("Einkaufspreis").en("Cost"),
          currency: de("Währung").en("Currency"),
        },
        samples: de("Was auffällt").en("What stands out"),
        samplesNote: de("Die größten Änderungen").en("Largest changes"),
      },
      undo: {
        badge: de("Rücknahme").en("undone"),
        title: de("Rücknahme {file}").en("Undo {file}"),
        until: de("Zurücknehmen bis {day}").en("Undo until {day}"),
        now: de("Jetzt zurücknehmen").en("Undo now"),
        reasonHint: de(
          "Mit Grund gehen auch Preise zurück, die außerhalb ihrer Grenzen, gesperrt oder gehalten sind.",
        ).en("With a reason, prices that are outside their limits, locked or held are undone too."),
        goesOn: de("Die Quelle läuft weiter").en("The source resumes"),
        comesAgain: de(
          "Diese Datei kam von einem Programm: Die nächste brächte wohl dasselbe wieder. Deshalb wird die Quelle pausiert, wenn Sie nichts anderes wählen.",
        ).en(
          "This file was sent by a program, and the next one would probably contain the same again. The source is therefore paused unless you choose otherwise.",
        ),
        ofImport: de("Zum Import").en("View the import"),
        undone: de("Dieser Import wurde zurückgenommen.").en("This import was undone."),
        toUndo: de("Zur Rücknahme").en("View the undo"),
        wouldBe: de(
          "Probe der Rücknahme: Es wurde nichts geändert. Was seit dem Import geändert wurde, bleibt.",
        ).en("Preview of the undo: nothing was changed. Changes made since the import stay."),
        progress: de("{done} von {total Produkt|Produkten}")
          .en("{done} of {total product|products}"),
        stats: {
          setBack: de("Wie zuvor").en("As before"),
          prices: de("Preise zurück").en("Prices back"),
          deleted: de("Neue gelöscht").en("New products deleted"),
          restored: de("Gelöschte zurück").en("Deleted products restored"),
          links: de("Verknüpfungen").en("Links"),
          kept: de("Bleibt").en("Stays"),
        },
        kept: de("Bleibt, wie es ist").en("Stays as it is"),
        nothingKept: de("Seit dem Import wurde nichts davon geändert: Alles geht zurück.")
          .en("Nothing has been changed since the import, so everything is undone."),
      },
      applyText: de("Übernehmen übergeht die Schutzgrenze für diesen einen Lauf.")
        .en("Applying overrides the guard for this run only."),
      willApply: de("Übernommen werden {inserted} neue und {updated} geänderte Produkte.")
        .en("{inserted} new and {updated} changed products will be applied."),
      willRemove: de(
        "{count Produkt fehlt in der Datei und wird|Produkte fehlen in der Datei und werden} gelöscht.",
      ).en("{count product is|products are} missing from the file and will be deleted."),
      leftOut: de("{count fehlerhafter Datensatz bleibt|fehlerhafte Datensätze bleiben} draußen.")
        .en("{count} faulty {count|record is|records are} left out."),
      excluded: de("{count Produkt blieb|Produkte blieben} auf Wunsch draußen.")
        .en("{count product was|products were} left out on purpose."),
      because: de("Grund: „{reason}“").en("Reason: “{reason}”"),
      effects: {
        title: de("Was das auslöst").en("What this triggers"),
        note: de(
          "Produkte, die seit Beginn des Imports geändert wurden, auch von Hand oder durch Regeln",
        ).en("Products changed since the import began, by people and rules too"),
        changed: de("Seither geändert").en("Changed since"),
        proposals: de("Mit offenem Vorschlag").en("With an open proposal"),
        overtaken: de("Überholte Vorschläge").en("Superseded proposals"),
        cheapest: de("Jetzt am günstigsten").en("Now cheapest in the market"),
        thin: de("Marge unter {pct}").en("Margin below {pct}"),
        unlinked: de("Noch ohne Verknüpfung").en("Not linked yet"),
      },
      report: de("Im Einzelnen").en("In detail"),
      views: {
        held: de("auffällig").en("suspicious"),
        prices: de("Preis neu").en("new price"),
        changes: de("geändert").en("changed"),
        additions: de("neue Produkte").en("new products"),
        removals: de("fehlt in der Datei").en("missing from the file"),
      },
      wouldBe: de(
        "Probelauf: Es wurde nichts geändert. Die Datei bleibt 24 Stunden zum Übernehmen liegen.",
      ).en("Dry run: nothing was changed. You can apply the file within 24 hours."),
      stats: {
        removed: de("Gelöscht").en("Deleted"),
        reverted: de("Ihre Preise überschrieben").en("Your prices overwritten"),
      },
      impactStats: {
        priceChanges: de("Preise geändert").en("Prices changed"),
        ways: de("{up} teurer, {down} günstiger").en("{up} up, {down} down"),
        over20pct: de("Um mehr als 20\u00a0%").en("By more than 20%"),
        belowCost: de("Unter Einkauf").en("Below cost"),
      },
      largest: de("Größte Preisänderungen").en("Largest price changes"),
      changes: de("Änderungen").en("Changes"),
      findings: { message: de("Was ist").en("What is wrong") },
      noFindings: de("Keine Fehler und keine Hinweise").en("No errors and no warnings"),
      download: de("Fehler und Hinweise").en("Errors and notes"),
      file: {
        bytes: de("Größe").en("Size"),
        encoding: de("Kodierung").en("Encoding"),
        profile: de("Aufbau").en("Structure"),
      },
      written: de(" (in der Datei: {text})").en(" (in the file: {text})"),
    },
  },
};
