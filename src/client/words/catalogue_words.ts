import { de } from "./label.ts";

export const catalogueWords = {
  products: {
    title: de("Markt").en("Market"),
    create: de("Produkt anlegen").en("Create product"),
    search: de("SKU, Titel oder EAN").en("SKU, title or EAN"),
    updatedSince: de("Geändert seit").en("Changed since"),
    withDeleted: de("Auch gelöschte").en("Include deleted"),
    clearFilter: de("Filter leeren").en("Clear filter"),
    emptyTitle: de("Noch keine Produkte").en("No products yet"),
    emptyText: de("Am schnellsten geht es mit der Datei, die Ihr ERP jede Nacht schreibt.")
      .en("The file your ERP exports every night is the fastest way."),
    noneText: de("Nehmen Sie einen Teil des Filters weg, oder leeren Sie ihn ganz.")
      .en("Remove part of the filter, or clear it."),
    cards: {
      key: de("Schnittstelle anbinden").en("Connect by API"),
    },
    columns: { lastScrapedAt: de("Abgerufen").en("Fetched") },
    deleted: de("gelöscht").en("deleted"),
    locked: de("gesperrt").en("locked"),
    scrapeOff: de("aus").en("off"),
    hours: de((hours: number) => `${hours} Std.`).en((hours) => `${hours} h`),
    bulk: {
      done: de("{changed} geändert").en("{changed} changed"),
      sure: de("Für alle Produkte des Filters?").en("For all products of the filter?"),
      sureText: de(
        "Die Änderung gilt für jedes Produkt, das der Filter findet, auch für die nicht geladenen.",
      ).en("The change applies to every product that the filter finds, loaded or not."),
    },
    form: {
      newTitle: de("Neues Produkt").en("New product"),
      editTitle: de("Produkt bearbeiten").en("Edit product"),
      vatRateHint: de("Leer: wie im Arbeitsbereich").en("Empty: as in the workspace"),
      url: de("Eigene Produktseite").en("Our product page"),
      priceLockedHint: de("Keine Regel darf diesen Preis ändern.")
        .en("No rule may change this price."),
      scrapeEnabled: de("Preise der Wettbewerber abrufen").en("Fetch competitors’ prices"),
      created: de("{sku} angelegt").en("{sku} created"),
      openPage: de("Produktseite öffnen").en("Open the product page"),
      large: de("Der Preis soll das Hundertfache werden?").en("Really 100 times the old price?"),
      largeText: de("Das sieht nach einer Verwechslung von Euro und Cent aus. Trotzdem übernehmen?")
        .en("This looks like euros and cents mixed up. Save it anyway?"),
      largeYes: de("Ja, übernehmen").en("Yes, save it"),
      restore: de("Die gelöschte SKU wiederherstellen").en("Restore the deleted SKU"),
    },
  },
  product: {
    notKnown: de("nicht bekannt").en("not known"),
    notStated: de("vom Shop nicht genannt").en("not stated by the shop"),
    identity: {
      sides: de("Unser Produkt und die Seite").en("Our product and the page"),
      field: de("Angabe").en("What"),
      ours: de("Unser Produkt").en("Our product"),
      theirs: de("Auf der Seite").en("On the page"),
      kept: de("Was die Seite zeigt").en("What the page shows"),
      checked: de("Beim Abruf am {at}:").en("When it was fetched on {at}:"),
      inTitle: de("{text} im Titel").en("{text} in the title"),
      asSku: de("{sku} als SKU").en("{sku} as the SKU"),
      isSame: de("Dasselbe").en("The same"),
      isWrong: de("Falsch").en("Not the same"),
      isSameOf: de("Dasselbe Produkt: {of}").en("The same product: {of}"),
      isWrongOf: de("Falsch verknüpft: {of}").en("Not the same product: {of}"),
      confirmed: de("{shop}: als dasselbe Produkt bestätigt")
        .en("{shop}: confirmed as the same product"),
      rejected: de("{shop}: Verknüpfung ist falsch und abgeschaltet")
        .en("{shop}: the link is wrong and switched off"),
      confirmedBy: de(
        "Als dasselbe Produkt bestätigt von {who} am {at}. Das gilt, bis die Seite etwas anderes sagt.",
      ).en(
        "Confirmed as the same product by {who} on {at}. That holds until the page says something else.",
      ),
      rejectedBy: de(
        "Als falsch verworfen von {who} am {at}. Ein Import schaltet die Verknüpfung nicht wieder ein.",
      ).en("Rejected as wrong by {who} on {at}. No import switches the link on again."),
      check: de("Produkt prüfen").en("check the product"),
      isConfirmed: de("bestätigt").en("confirmed"),
      isRejected: de("als falsch verworfen").en("rejected as wrong"),
    },
    prices: de("Preisverlauf").en("Prices over time"),
    noPrices: de("Noch kein Preisverlauf").en("No prices yet"),
    noPricesText: de("Er beginnt mit dem ersten Preis, der hier eingetragen oder importiert wird.")
      .en("They start with the first price that is entered or imported."),
    chart: de("Eigener Preis und Preise der Wettbewerber für {title}")
      .en("Our price and competitors’ prices for {title}"),
    lowest: de("Niedrigster Preis der letzten 30 Tage").en("Lowest price of the last 30 days"),
    lowestBeforeCut: de("Niedrigster Preis in den 30 Tagen vor der letzten Senkung")
      .en("Lowest price in the 30 days before the last reduction"),
    lowestIncomplete: de("Der Verlauf ist kürzer als 30 Tage.")
      .en("The history is shorter than 30 days."),
    lowestNote: de("Hilfe zu § 11 PAngV, keine Rechtsberatung.")
      .en("An aid for § 11 PAngV, not legal advice."),
    evidence: {
      link: de("Nachweis").en("Evidence"),
      title: de("Preisnachweis").en("Price evidence"),
      print: de("Drucken").en("Print"),
      csv: "CSV",
      window: de("Zeitraum (30 Tage)").en("Period (30 days)"),
      lowestGross: de("niedrigster Preis, brutto").en("lowest price, gross"),
      lowest: de("niedrigster Preis").en("lowest price"),
      since: de("galt ab {at}").en("in force from {at}"),
      rows: de("Alle Preise, die im Zeitraum galten").en("Every price in force in the period"),
      at: de("Gültig ab").en("In force from"),
      vat: de("USt.").en("VAT"),
      exported: de("ans ERP gegeben").en("sent to the ERP"),
      marked: de("als Fehler markiert von {who}, {at}").en("marked as an error by {who}, {at}"),
      neverShown: de("nie gezeigt").en("never shown"),
      none: de("In diesem Zeitraum ist kein Preis bekannt.")
        .en("No price is known in this period."),
      netPrices: de("Preise dieses Arbeitsbereichs sind netto; brutto nach der USt. des Tages.")
        .en("Prices of this workspace are net; gross by the VAT of the day."),
      grossPrices: de("Preise dieses Arbeitsbereichs sind brutto.")
        .en("Prices of this workspace are gross."),
      hash: de("SHA-256 des Nachweises").en("SHA-256 of the evidence"),
      hashNote: de(
        "Prüfsumme der JSON-Antwort ohne dieses Feld: gleiche Vergangenheit, gleiche Summe.",
      ).en("Checksum of the JSON response without this field: same past, same checksum."),
    },
    lowestNone: de("Kein Preis bekannt").en("No price known"),
    lowestWithout: de("Nicht gezählt, weil nie gezeigt: {price} vom {at}, markiert von {who}")
      .en("Not counted, as never shown: {price} of {at}, marked by {who}"),
    gross: de("brutto").en("gross"),
    noOffers: de("Keine Verknüpfung").en("No link"),
    noOffersText: de(
      "Verknüpfen Sie die Seite eines Wettbewerbers, auf der dieses Produkt angeboten wird.",
    ).en("Link a competitor’s page on which this product is offered."),
    yes: de("ja").en("yes"),
    no: de("nein").en("no"),
    addMatch: de("Seite verknüpfen").en("Link a page"),
    offerColumns: { stock: de("Verfügbar").en("In stock") },
    unknown: de("unbekannt").en("unknown"),
    perPack: de("{factor} Stück für {price}").en("{factor} pieces for {price}"),
    data: de("Stammdaten").en("Master data"),
    tierColumns: {
      none: de("ohne Gruppe").en("no tier"),
      minQty: de("ab Menge").en("from quantity"),
      validFrom: de("gültig ab").en("valid from"),
    },
    delete: de("Produkt löschen").en("Delete product"),
    deleteSure: de("Produkt löschen?").en("Delete the product?"),
    deleteText: de(
      "Es verschwindet aus Listen und wird nicht mehr abgerufen. Verlauf und SKU bleiben, und es lässt sich wiederherstellen.",
    ).en(
      "It disappears from lists and is no longer fetched. Its history and SKU are kept, and it can be restored.",
    ),
    deleted: de("Dieses Produkt ist gelöscht.").en("This product is deleted."),
    restore: de("Wiederherstellen").en("Restore"),
    match: {
      editTitle: de("Verknüpfung bearbeiten").en("Edit link"),
      url: de("Adresse der Produktseite").en("Address of the product page"),
      urlHint: de("Ein unbekannter Wettbewerber wird dabei angelegt.")
        .en("A competitor that is not known yet is created along with it."),
      packFactorHint: de("Der Wettbewerber verkauft so viele Stück von unserem für den Preis.")
        .en("The competitor sells this many of our units for the price."),
      enabled: de("Wird abgerufen und verglichen").en("Is fetched and compared"),
      remove: de("Verknüpfung löschen?").en("Delete the link?"),
      removeText: de("Beobachtete Preise bleiben erhalten.").en("Observed prices are kept."),
      linkAnyway: de("Trotzdem verknüpfen").en("Link it anyway"),
      linkAnywayHint: de("Die Seite zeigt ein anderes Produkt.")
        .en("The page shows another product."),
    },
  },
  competitors: {
    groupsHint: de("Mit Semikolon getrennt; Regeln wählen danach aus")
      .en("Separated by semicolons; rules can choose by them"),
    marketplaceHint: de("Dort verkaufen auch andere Händler").en("Other sellers offer there too"),
    sellersHint: de("Händlernamen mit Semikolon; leer: verkauft nichts selbst")
      .en("Seller names separated by semicolons; empty: sells nothing itself"),
    ownSellers: de("Wir verkaufen dort als").en("We sell there as"),
    ownSellersHint: de("Zusätzlich zu den Namen in den Einstellungen; mit Semikolon getrennt")
      .en("In addition to the names in the settings; separated by semicolons"),
    gross: de("mit USt.").en("with VAT"),
    net: de("ohne USt.").en("without VAT"),
    asWorkspace: de("wie wir").en("as ours"),
    editTitle: de("Shop bearbeiten").en("Edit the shop"),
    domainHint: de("Zum Beispiel mediamarkt.de").en("Such as mediamarkt.de"),
    nameHint: de("Leer: die Domain").en("Empty: the domain"),
    countryHint: de("Zwei Buchstaben, zum Beispiel DE").en("Two letters, such as DE"),
    enabledHint: de("Ausgeschaltet zählt keine seiner Verknüpfungen.")
      .en("While off, none of its links count."),
    vat: de("Seine Preise").en("Its prices"),
    remove: de("Shop löschen?").en("Delete the shop?"),
    removeText: de(
      "Seine Verknüpfungen werden mit gelöscht ({count} Produkte). Beobachtete Preise bleiben.",
    ).en("Its links are deleted too ({count} products). Observed prices are kept."),
  },
};
