/** Products, shops, the pages where both meet, and imports. */
import { PRICE_SOURCE_WORDS } from "../../engine/wording/code_words.ts";
import type { ImportMode } from "../../imports/state/import_job.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";
import type { Match } from "../../shops/matches/match.ts";
import { CONDITION_WORDS } from "../../engine/wording/identity_words.ts";
import { codes, columns, type Labels, plural, say } from "./label.ts";

export const catalogueWords = {
  products: {
    title: say("Markt", "Market"),
    create: say("Produkt anlegen", "Create product"),
    search: say("Suche in SKU, Titel, EAN", "Search SKU, title, EAN"),
    sku: "SKU",
    updatedSince: say("Geändert seit", "Changed since"),
    withDeleted: say("Auch gelöschte", "Deleted ones too"),
    clearFilter: say("Filter leeren", "Clear filter"),
    emptyTitle: say("Noch keine Produkte", "No products yet"),
    emptyText: say(
      "Am schnellsten geht es mit der Datei, die Ihr ERP jede Nacht schreibt.",
      "The file that your ERP writes every night is the fastest way.",
    ),
    noneText: say(
      "Nehmen Sie einen Teil des Filters weg, oder leeren Sie ihn ganz.",
      "Take away a part of the filter, or clear it.",
    ),
    cards: {
      import: say("ERP-Datei einlesen", "Read an ERP file"),
      importText: say(
        "XML oder ZIP hineinziehen, erst prüfen, dann übernehmen.",
        "Drop XML or ZIP, check first, then apply.",
      ),
      key: say("Schnittstelle anbinden", "Connect by API"),
      keyText: say(
        "Einen API-Schlüssel anlegen und den fertigen curl-Befehl kopieren.",
        "Create an API key and copy the ready curl command.",
      ),
      byHand: say("Von Hand anlegen", "Create by hand"),
      byHandText: say(
        "Ein erstes Produkt mit SKU, Titel und Preis.",
        "A first product with SKU, title and price.",
      ),
    },
    columns: {
      title: say("Titel", "Title"),
      ourPrice: say("Unser Preis", "Our price"),
      margin: say("Marge", "Margin"),
      updatedAt: say("Geändert", "Changed"),
      lastScrapedAt: say("Abgerufen", "Fetched"),
      scrape: say("Abruf", "Fetching"),
    },
    deleted: say("gelöscht", "deleted"),
    locked: say("gesperrt", "locked"),
    scrapeOff: say("aus", "off"),
    hours: say((hours: number) => `${hours} Std.`, (hours) => `${hours} h`),
    bulk: {
      done: say("{changed} geändert", "{changed} changed"),
      sure: say("Für alle Produkte des Filters?", "For all products of the filter?"),
      sureText: say(
        "Die Änderung gilt für jedes Produkt, das der Filter findet, auch für die nicht geladenen.",
        "The change goes to every product that the filter finds, loaded or not.",
      ),
    },
    form: {
      newTitle: say("Neues Produkt", "New product"),
      editTitle: say("Produkt bearbeiten", "Edit product"),
      currency: say("Währung", "Currency"),
      vatRate: say("Umsatzsteuer in %", "VAT in %"),
      vatRateHint: say("Leer: wie im Arbeitsbereich", "Empty: as in the workspace"),
      url: say("Eigene Produktseite", "Own product page"),
      priceLocked: say("Preis gesperrt", "Price locked"),
      priceLockedHint: say(
        "Keine Regel darf diesen Preis ändern.",
        "No rule may change this price.",
      ),
      scrapeEnabled: say("Preise der Wettbewerber abrufen", "Fetch competitors’ prices"),
      interval: say("Abruf alle … Stunden", "Fetch every … hours"),
      created: say("{sku} angelegt", "{sku} created"),
      openPage: say("Produktseite öffnen", "Open the product page"),
      large: say(
        "Der Preis soll das Hundertfache werden?",
        "Shall the price become 100 times what it was?",
      ),
      largeText: say(
        "Das sieht nach einer Verwechslung von Euro und Cent aus. Trotzdem übernehmen?",
        "This looks like euros and cents mixed up. Save it anyway?",
      ),
      largeYes: say("Ja, übernehmen", "Yes, save it"),
      restore: say("Die gelöschte SKU wiederherstellen", "Restore the deleted SKU"),
    },
  },
  product: {
    notKnown: say("nicht bekannt", "not known"),
    sold30d: say("Verkauft in 30 Tagen", "Sold in 30 days"),
    conditions: say(CONDITION_WORDS.de, CONDITION_WORDS.en),
    identity: {
      sides: say("Unser Produkt und die Seite", "Our product and the page"),
      field: say("Angabe", "What"),
      ours: say("Unser Produkt", "Our product"),
      theirs: say("Auf der Seite", "On the page"),
      kept: say("Was die Seite zeigt", "What the page shows"),
      checked: say("Beim Abruf am {at}:", "When it was fetched on {at}:"),
      isSame: say("Dasselbe", "The same"),
      isWrong: say("Falsch", "Wrong"),
      isSameOf: say("Dasselbe Produkt: {of}", "The same product: {of}"),
      isWrongOf: say("Falsch verknüpft: {of}", "Wrong link: {of}"),
      confirmed: say(
        "{shop}: als dasselbe Produkt bestätigt",
        "{shop}: confirmed as the same product",
      ),
      rejected: say(
        "{shop}: Verknüpfung ist falsch und abgeschaltet",
        "{shop}: the link is wrong and switched off",
      ),
      confirmedBy: say(
        "Als dasselbe Produkt bestätigt von {who} am {at}. Das gilt, bis die Seite etwas anderes sagt.",
        "Confirmed as the same product by {who} on {at}. That holds until the page says something else.",
      ),
      rejectedBy: say(
        "Als falsch verworfen von {who} am {at}. Ein Import schaltet die Verknüpfung nicht wieder ein.",
        "Rejected as wrong by {who} on {at}. No import switches the link on again.",
      ),
      check: say("Produkt prüfen", "check the product"),
      isConfirmed: say("bestätigt", "confirmed"),
      isRejected: say("als falsch verworfen", "rejected as wrong"),
    },
    prices: say("Preisverlauf", "Prices over time"),
    noPrices: say("Noch kein Preisverlauf", "No prices yet"),
    noPricesText: say(
      "Er beginnt mit dem ersten Preis, der hier eingetragen oder importiert wird.",
      "They begin with the first price that is entered or imported here.",
    ),
    chart: say(
      "Eigener Preis und Preise der Wettbewerber für {title}",
      "Own price and competitors’ prices of {title}",
    ),
    historyColumns: {
      change: say("Änderung", "Change"),
      source: say("Woher", "Source"),
    },
    sources: say(PRICE_SOURCE_WORDS.de, PRICE_SOURCE_WORDS.en),
    lowest: say("Niedrigster Preis der letzten 30 Tage", "Lowest price of the last 30 days"),
    lowestBefore: say("Stand {at}", "as of {at}"),
    lowestIncomplete: say(
      "Der Verlauf ist kürzer als 30 Tage.",
      "The history is shorter than 30 days.",
    ),
    lowestNote: say(
      "Hilfe zu § 11 PAngV, keine Rechtsberatung.",
      "An aid for § 11 PAngV, no legal advice.",
    ),
    evidence: {
      link: say("Nachweis", "Evidence"),
      title: say("Preisnachweis", "Price evidence"),
      print: say("Drucken", "Print"),
      csv: "CSV",
      window: say("Zeitraum (30 Tage)", "Period (30 days)"),
      lowestGross: say("niedrigster Preis, brutto", "lowest price, gross"),
      lowest: say("niedrigster Preis", "lowest price"),
      since: say("galt ab {at}", "in force from {at}"),
      rows: say("Alle Preise, die im Zeitraum galten", "Every price in force in the period"),
      at: say("Gültig ab", "In force from"),
      price: say("Preis", "Price"),
      gross: say("brutto", "gross"),
      vat: say("MwSt.", "VAT"),
      counts: say("Zählt", "Counts"),
      yes: say("ja", "yes"),
      no: say("nein", "no"),
      exported: say("ans ERP gegeben", "told to the ERP"),
      marked: say("als Fehler markiert von {who}, {at}", "marked as an error by {who}, {at}"),
      neverShown: say("nie gezeigt", "never shown"),
      none: say("In diesem Zeitraum ist kein Preis bekannt.", "No price is known in this period."),
      netPrices: say(
        "Preise dieses Arbeitsbereichs sind netto; brutto nach der MwSt. des Tages.",
        "Prices of this workspace are net; gross by the VAT of the day.",
      ),
      grossPrices: say(
        "Preise dieses Arbeitsbereichs sind brutto.",
        "Prices of this workspace are gross.",
      ),
      hash: say("SHA-256 des Nachweises", "SHA-256 of the evidence"),
      hashNote: say(
        "Prüfsumme der JSON-Antwort ohne dieses Feld: gleiche Vergangenheit, gleiche Summe.",
        "Sum of the JSON answer without this field: the same past, the same sum.",
      ),
    },
    lowestNone: say("Kein Preis bekannt", "No price known"),
    lowestWithout: say(
      "Nicht gezählt, weil nie gezeigt: {price} vom {at}, markiert von {who}",
      "Not counted, as never shown: {price} of {at}, marked by {who}",
    ),
    gross: say("brutto", "gross"),
    noOffers: say("Keine Verknüpfung", "No match"),
    noOffersText: say(
      "Verknüpfen Sie die Seite eines Wettbewerbers, auf der dieses Produkt angeboten wird.",
      "Link a competitor’s page on which this product is offered.",
    ),
    addMatch: say("Seite verknüpfen", "Link a page"),
    offerColumns: {
      stock: say("Verfügbar", "In stock"),
    },
    inStock: say("ja", "yes"),
    outOfStock: say("nein", "no"),
    unknown: say("unbekannt", "unknown"),
    perPack: say("{factor} Stück für {price}", "{factor} pieces for {price}"),
    data: say("Stammdaten", "Master data"),
    tiers: say("Preisgruppen", "Price tiers"),
    tierColumns: {
      tier: say("Preisgruppe", "Price tier"),
      minQty: say("ab Menge", "from quantity"),
      validFrom: say("gültig ab", "valid from"),
    },
    delete: say("Produkt löschen", "Delete product"),
    deleteSure: say("Produkt löschen?", "Delete the product?"),
    deleteText: say(
      "Es verschwindet aus Listen und wird nicht mehr abgerufen. Verlauf und SKU bleiben, und es lässt sich wiederherstellen.",
      "It disappears from lists and is no longer fetched. Its history and SKU stay, and it can be restored.",
    ),
    deleted: say("Dieses Produkt ist gelöscht.", "This product is deleted."),
    restore: say("Wiederherstellen", "Restore"),
    match: {
      newTitle: say("Seite verknüpfen", "Link a page"),
      editTitle: say("Verknüpfung bearbeiten", "Edit match"),
      url: say("Adresse der Produktseite", "Address of the product page"),
      urlHint: say(
        "Ein unbekannter Wettbewerber wird dabei angelegt.",
        "An unknown competitor is created with it.",
      ),
      packFactor: say("Packungsgröße", "Pack size"),
      packFactorHint: say(
        "Der Wettbewerber verkauft so viele Stück von unserem für den Preis.",
        "The competitor sells this many of ours for the price.",
      ),
      matchType: say("Art", "Kind"),
      matchTypes: codes.matchTypes satisfies Labels<Match["matchType"]>,
      enabled: say("Wird abgerufen und verglichen", "Is fetched and compared"),
      extractor: say(
        "Preis auf der Seite finden (für Sonderfälle)",
        "Find the price on the page (special cases)",
      ),
      priceSelector: say("CSS-Selektor des Preises", "CSS selector of the price"),
      stockSelector: say("CSS-Selektor der Verfügbarkeit", "CSS selector of the availability"),
      jsonPath: say("JSON-Pfad des Preises", "JSON path of the price"),
      remove: say("Verknüpfung löschen?", "Delete the match?"),
      removeText: say("Beobachtete Preise bleiben erhalten.", "Observed prices are kept."),
      linkAnyway: say("Trotzdem verknüpfen", "Link it all the same"),
      linkAnywayHint: say(
        "Die Seite zeigt ein anderes Produkt.",
        "The page shows another product.",
      ),
    },
  },
  competitors: {
    title: say("Wettbewerber", "Competitors"),
    create: say("Wettbewerber anlegen", "Create competitor"),
    emptyTitle: say("Noch keine Wettbewerber", "No competitors yet"),
    emptyText: say(
      "Sie entstehen von selbst, wenn ein Import oder eine verknüpfte Seite sie nennt. Sie können sie auch hier anlegen.",
      "They appear by themselves when an import or a linked page names them. You can create them here as well.",
    ),
    columns: {
      name: columns.displayName,
      domain: columns.domain,
      country: columns.country,
      tracked: columns.trackedProducts,
      enabled: say("Aktiv", "Active"),
      vat: say("Preise", "Prices"),
      groups: say("Gruppen", "Groups"),
    },
    groups: say("Gruppen", "Groups"),
    groupsHint: say(
      "Mit Strichpunkt getrennt; Regeln wählen danach aus",
      "With semicolons between them; rules choose by them",
    ),
    marketplace: say("Marktplatz", "Marketplace"),
    marketplaceHint: say("Dort verkaufen auch andere Händler", "Other sellers offer there, too"),
    sellers: say("Verkauft selbst als", "Sells itself as"),
    sellersHint: say(
      "Händlernamen mit Strichpunkt; leer: verkauft nichts selbst",
      "Sellers' names with semicolons; empty: sells nothing itself",
    ),
    on: say("aktiv", "active"),
    off: say("aus", "off"),
    gross: say("mit USt.", "with VAT"),
    net: say("ohne USt.", "without VAT"),
    asWorkspace: say("wie wir", "as ours"),
    newTitle: say("Neuer Wettbewerber", "New competitor"),
    editTitle: say("Wettbewerber bearbeiten", "Edit competitor"),
    domainHint: say("Zum Beispiel mediamarkt.de", "Such as mediamarkt.de"),
    nameHint: say("Leer: die Domain", "Empty: the domain"),
    countryHint: say("Zwei Buchstaben, zum Beispiel DE", "Two letters, such as DE"),
    enabled: say("Wird abgerufen und verglichen", "Is fetched and compared"),
    enabledHint: say(
      "Ausgeschaltet zählt keine seiner Verknüpfungen.",
      "Switched off, none of its matches counts.",
    ),
    vat: say("Seine Preise", "Its prices"),
    remove: say("Wettbewerber löschen?", "Delete the competitor?"),
    removeText: say(
      "Seine Verknüpfungen werden mit gelöscht ({count} Produkte). Beobachtete Preise bleiben.",
      "Its matches are deleted too ({count} products). Observed prices stay.",
    ),
    created: say("{name} angelegt", "{name} created"),
  },
  imports: {
    title: say("Importe", "Imports"),
    create: say("Datei importieren", "Import a file"),
    noneTitle: say("Kein Import passt zu diesem Filter", "No import fits this filter"),
    noneText: say(
      "Die Quelle hat noch nichts gebracht, oder es wurde schon aufgeräumt.",
      "The source has brought nothing yet, or it has been swept.",
    ),
    emptyTitle: say("Noch kein Import", "No import yet"),
    emptyText: say(
      "Ziehen Sie die Preisdatei Ihres ERP hinein. Ein Probelauf zeigt vorher, was sich ändern würde.",
      "Drop the price file of your ERP. A dry run shows beforehand what would change.",
    ),
    columns: {
      created: say("Beginn", "Started"),
      file: say("Datei", "File"),
      records: columns.records,
      inserted: columns.inserted,
      updated: columns.updated,
      errors: columns.errors,
      by: say("Wer", "Who"),
      undo: say("Rücknahme", "Taking back"),
    },
    states: codes.jobStates satisfies Labels<JobStatus>,
    withoutPrices: {
      label: say("Ohne diese Preise einlesen", "Import it without these prices"),
      hint: say(
        "Alles andere der Datei wird übernommen; unsere Preise bleiben, wie sie sind.",
        "All else of the file is applied; our prices stay as they are.",
      ),
    },
    held: codes.importHolds.held,
    withErrors: say("mit Fehlern", "with errors"),
    dryRun: say("Probelauf", "Dry run"),
    modes: {
      upsert: say("Neue anlegen, vorhandene ändern", "Create new, change existing"),
      insert: say("Nur neue anlegen", "Create new only"),
      update: say("Nur vorhandene ändern", "Change existing only"),
      replace: say("Vollbestand: fehlende löschen", "Full load: delete missing"),
    },
    modeNames: codes.importModes satisfies Labels<ImportMode>,
    new: {
      title: say("Datei importieren", "Import a file"),
      drop: say("Datei irgendwo auf diese Seite ziehen", "Drop a file anywhere on this page"),
      or: say(
        "oder Zellen aus Excel einfügen (Strg + V) oder",
        "or paste cells from Excel (Ctrl + V) or",
      ),
      pasted: say("Aus der Zwischenablage.txt", "From the clipboard.txt"),
      first: say(
        "Angesehen wird die erste Datei; der Probelauf liest alle.",
        "The first file is looked at; the dry run reads all of them.",
      ),
      steps: say(["Datei", "Spalten", "Probelauf", "Übernommen"], [
        "File",
        "Columns",
        "Dry run",
        "Applied",
      ]),
      stepsLabel: say("Schritte", "Steps"),
      choose: say("Datei auswählen", "Choose a file"),
      kinds: say(
        "XML, CSV, Excel oder JSON, auch mehrere und gepackt; Kodierung und Aufbau werden erkannt.",
        "XML, CSV, Excel or JSON, several and packed ones too; encoding and structure are recognised.",
      ),
      mode: say("Was geschieht", "What happens"),
      profile: say("Aufbau der Datei", "Structure of the file"),
      profileAuto: say("wird erkannt", "is recognised"),
      tier: say("Preisgruppe für „Unser Preis“", "Price tier for “our price”"),
      tierHint: say("Leer: die des Datensatzes", "Empty: the one of the record"),
      dryRun: say("Probelauf starten", "Start the dry run"),
      dryRunNote: say(
        "Der Probelauf prüft alles und ändert nichts.",
        "The dry run checks everything and changes nothing.",
      ),
      remember: say("Zuordnung als Profil merken", "Keep the mapping as a profile"),
      rememberHint: say(
        "Dateien mit diesen Spalten werden dann so gelesen.",
        "Files with these columns are read so from then on.",
      ),
      changes: say(
        "Ihre Zuordnung wird im Profil „{name}“ gesichert.",
        "Your mapping is saved in the profile “{name}”.",
      ),
      profileName: say("Name des Profils", "Name of the profile"),
      apply: say("Ohne Probelauf übernehmen", "Apply without a dry run"),
      uploading: say("Wird übertragen: {share}", "Uploading: {share}"),
      taken: say("Import angenommen", "Import taken on"),
      remove: say("{name} entfernen", "Remove {name}"),
      files: say("Ausgewählte Dateien", "Chosen files"),
    },
    job: {
      title: (file: string) => `Import ${file}`,
      phases: {
        check: say("Datei wird geprüft", "The file is checked"),
        plan: say("Änderungen werden berechnet", "Changes are computed"),
        apply: say("Änderungen werden übernommen", "Changes are applied"),
        undo: say("Änderungen werden zurückgenommen", "Changes are taken back"),
      },
      progress: say("{done} von {total} Datensätzen", "{done} of {total} records"),
      progressOpen: say("{done} Datensätze", "{done} records"),
      cancel: say("Abbrechen", "Cancel"),
      cancelSure: say("Import abbrechen?", "Cancel the import?"),
      cancelText: say(
        "Was schon übernommen ist, bleibt; der Rest geschieht nicht.",
        "What is applied already stays; the rest is not done.",
      ),
      discard: say("Datei verwerfen", "Discard the file"),
      discardSure: say("Datei verwerfen?", "Discard the file?"),
      discardText: say(
        "Der Import kann dann nicht mehr übernommen werden; sein Bericht bleibt.",
        "The import cannot be applied any more then; its report stays.",
      ),
      apply: say("Jetzt übernehmen", "Apply now"),
      applyForce: say("Trotzdem übernehmen", "Apply anyway"),
      applyWithout: say(
        (count: string, products: number) =>
          `Ohne ${count} ${plural(products, "Produkt", "Produkte")} übernehmen`,
        (count, products) => `Apply without ${count} ${plural(products, "product", "products")}`,
      ),
      forceWithout: say(
        (count: string, products: number) =>
          `Trotzdem ohne ${count} ${plural(products, "Produkt", "Produkte")} übernehmen`,
        (count, products) =>
          `Apply anyway without ${count} ${plural(products, "product", "products")}`,
      ),
      included: say("dabei", "included"),
      include: say("{sku} übernehmen", "Apply {sku}"),
      hold: {
        isHeld: say("Angehalten: Es wurde nichts übernommen.", "Held: nothing was applied."),
        wouldBe: say(
          "Probelauf: So würde dieser Import angehalten.",
          "Dry run: this import would be held.",
        ),
        why: say(
          (moved: string, products: string, move: string, share: string) =>
            `${moved} von ${products} vorhandenen Produkten der Datei ändern Preis oder Einkaufspreis ` +
            `um mehr als ${move}, verlieren ihn oder wechseln die Währung; ohne Rückfrage gehen bis ` +
            `${share} durch.`,
          (moved, products, move, share) =>
            `${moved} of ${products} existing products in the file change their price or cost by more ` +
            `than ${move}, lose it, or change their currency; up to ${share} pass without a question.`,
        ),
        toDo: say(
          "Ist das so gewollt, übernehmen Sie den Import trotzdem; die Datei bleibt 24 Stunden liegen. Sonst berichtigen Sie den Export und senden ihn noch einmal.",
          "If that is meant, apply the import anyway; the file is kept for 24 hours. Else correct the export and send it again.",
        ),
        toDoLater: say(
          "Ist das so gewollt, übernehmen Sie die Datei trotzdem. Sonst berichtigen Sie den Export.",
          "If that is meant, apply the file anyway. Else correct the export.",
        ),
        reasons: say("Gründe: {counts}.", "Reasons: {counts}."),
        causes: {
          price: say("Preis", "Price"),
          cost: say("Einkaufspreis", "Cost"),
          currency: say("Währung", "Currency"),
        },
        samples: say("Was auffällt", "What stands out"),
        samplesNote: say("Die größten Änderungen", "The greatest changes"),
      },
      undo: {
        badge: say("Rücknahme", "taking back"),
        title: say("Rücknahme {file}", "Taking back {file}"),
        until: say("Zurücknehmen bis {day}", "Take back until {day}"),
        untilDay: say("bis {day}", "until {day}"),
        now: say("Jetzt zurücknehmen", "Take back now"),
        reasonHint: say(
          "Mit Grund gehen auch Preise zurück, die außerhalb ihrer Grenzen, gesperrt oder gehalten sind.",
          "With a reason, prices beyond their bounds, locked or held go back, too.",
        ),
        goesOn: say("Die Quelle läuft weiter", "The source goes on"),
        comesAgain: say(
          "Diese Datei kam von einem Programm: Die nächste brächte wohl dasselbe wieder. Deshalb wird die Quelle pausiert, wenn Sie nichts anderes wählen.",
          "This file came from a program: the next one would probably bring the same again. So the source is paused unless you choose otherwise.",
        ),
        ofImport: say("Zum Import", "To the import"),
        undone: say("Dieser Import wurde zurückgenommen.", "This import was taken back."),
        toUndo: say("Zur Rücknahme", "To the job"),
        wouldBe: say(
          "Probe der Rücknahme: Es wurde nichts geändert. Was seit dem Import geändert wurde, bleibt.",
          "Rehearsal of taking back: nothing was changed. What was changed since the import stays.",
        ),
        progress: say("{done} von {total} Produkten", "{done} of {total} products"),
        stats: {
          setBack: say("Wie zuvor", "As before"),
          prices: say("Preise zurück", "Prices back"),
          deleted: say("Neue gelöscht", "New ones deleted"),
          restored: say("Gelöschte zurück", "Deleted ones back"),
          links: say("Verknüpfungen", "Links"),
          soldDays: say("Verkaufstage", "Days of sales"),
          kept: say("Bleibt", "Stays"),
        },
        kept: say("Bleibt, wie es ist", "Stays as it is"),
        nothingKept: say(
          "Seit dem Import wurde nichts davon geändert: Alles geht zurück.",
          "Nothing of it was changed since the import: all of it goes back.",
        ),
      },
      applyText: say(
        "Übernehmen übergeht die Schutzgrenze für diesen einen Lauf.",
        "Applying passes the guard for this one run.",
      ),
      willApply: say(
        "Übernommen werden {inserted} neue und {updated} geänderte Produkte.",
        "{inserted} new and {updated} changed products will be applied.",
      ),
      willRemove: say(
        (count: string, products: number) =>
          `${count} ${
            plural(
              products,
              "Produkt fehlt in der Datei und wird",
              "Produkte fehlen in der Datei und werden",
            )
          } gelöscht.`,
        (count, products) =>
          `${count} ${
            plural(products, "product is", "products are")
          } missing in the file and will be deleted.`,
      ),
      leftOut: say(
        (count: string, records: number) =>
          `${count} ${
            plural(records, "fehlerhafter Datensatz bleibt", "fehlerhafte Datensätze bleiben")
          } draußen.`,
        (count, records) =>
          `${count} faulty ${plural(records, "record stays", "records stay")} out.`,
      ),
      excluded: say(
        (count: string, products: number) =>
          `${count} ${plural(products, "Produkt blieb", "Produkte blieben")} auf Wunsch draußen.`,
        (count, products) =>
          `${count} ${plural(products, "product was", "products were")} left out on purpose.`,
      ),
      because: say("Grund: „{reason}“", "Reason: “{reason}”"),
      effects: {
        title: say("Was das auslöst", "What this sets off"),
        note: say(
          "Produkte, die seit Beginn dieses Imports geändert wurden, und Vorschläge, die seither überholt sind",
          "Products that were changed since this import began, and proposals that were overtaken since",
        ),
        changed: say("geändert", "changed"),
        proposals: say("mit offenem Vorschlag", "with an open proposal"),
        overtaken: say("überholte Vorschläge", "proposals overtaken"),
        cheapest: say("jetzt günstigster im Markt", "now cheapest in the market"),
        thin: say("Marge unter {pct}", "margin below {pct}"),
        unlinked: say("noch ohne Verknüpfung", "not linked yet"),
      },
      report: say("Im Einzelnen", "In detail"),
      product: say("Produkt", "Product"),
      views: {
        held: say("auffällig", "conspicuous"),
        prices: say("Preis neu", "new price"),
        changes: say("geändert", "changed"),
        additions: say("neue Produkte", "new products"),
        removals: say("fehlt in der Datei", "missing in the file"),
      },
      firstOnes: say("Die ersten {count}", "The first {count}"),
      wouldBe: say(
        "Probelauf: Es wurde nichts geändert. Die Datei bleibt 24 Stunden zum Übernehmen liegen.",
        "Dry run: nothing was changed. The file stays ready to be applied for 24 hours.",
      ),
      stats: {
        inserted: say("Neu", "New"),
        updated: say("Geändert", "Changed"),
        skipped: say("Unverändert", "Unchanged"),
        errors: say("Fehler", "Errors"),
        competitorsLinked: say("Verknüpft", "Linked"),
        removed: say("Gelöscht", "Deleted"),
        reverted: say("Zurückgesetzt", "Set back"),
        soldDays: say("Verkaufstage", "Days of sales"),
      },
      impactStats: {
        priceChanges: say("Preisänderungen", "price changes"),
        up: say("teurer", "up"),
        down: say("günstiger", "down"),
        over20pct: say("über 20\u00a0%", "over 20\u00a0%"),
        belowCost: say("unter Einkauf", "below cost"),
        raised: say("zusammen {amount} je Stück", "{amount} a piece together"),
        lowered: say("zusammen {amount} je Stück", "{amount} a piece together"),
      },
      largest: say("Größte Preisänderungen", "Largest price changes"),
      changes: say("Änderungen", "Changes"),
      errors: say("Fehler", "Errors"),
      warnings: say("Hinweise", "Warnings"),
      findings: {
        line: say("Zeile", "Line"),
        sku: "SKU",
        field: say("Feld", "Field"),
        value: say("Wert", "Value"),
        message: say("Was ist", "What is wrong"),
      },
      noFindings: say("Keine Fehler und keine Hinweise", "No errors and no warnings"),
      download: say("Fehler und Hinweise", "Errors and notes"),
      downloadRows: say("Abgelehnte Zeilen", "Refused rows"),
      files: say("Dateien", "Files"),
      file: {
        name: "Name",
        bytes: say("Größe", "Size"),
        encoding: say("Kodierung", "Encoding"),
        profile: say("Aufbau", "Structure"),
        items: say("Datensätze", "Records"),
      },
      field: say("Feld", "Field"),
      before: say("Vorher", "Before"),
      after: say("Nachher", "After"),
      written: say(" (in der Datei: {text})", " (in the file: {text})"),
      marginAfter: say("Marge danach", "Margin afterwards"),
    },
  },
};
