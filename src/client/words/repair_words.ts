import type { RecipeStatus } from "../../shops/pages/recipe_store.ts";
import type { RepairCause } from "../../shops/offers/offer.ts";
import type { RecipeSource } from "../../engine/extraction/recipe/recipe.ts";
import type { TrialVerdict } from "../../scraping/teaching/change_recipe.ts";
import { de, type Labels } from "./label.ts";

const causes: Labels<RepairCause> = {
  nothing_found: de("Preis nicht gefunden").en("Price not found"),
  two_prices: de("Mehrere Preise, keiner eindeutig").en("Several prices, none for sure"),
  layout_changed: de("Seite umgebaut, Preis nicht mehr gefunden")
    .en("Page rebuilt, price not found any more"),
  gone: de("Seite gibt es nicht mehr").en("Page is gone"),
  listing: de("Liste statt Artikel").en("A list, not an article"),
  other_product: de("Anderer Artikel").en("Another article"),
  variant_open: de("Variante nicht gewählt").en("Variant not chosen"),
  blocked: de("Shop weist Abrufe ab").en("Shop turns fetches away"),
  net_only: de("Nur Nettopreis").en("Net price only"),
  third_party: de("Nur von anderen Verkäufern").en("From other sellers only"),
  currency: de("Andere Währung").en("Another currency"),
  no_answer: de("Shop antwortet nicht").en("Shop is not responding"),
  unreadable: de("Seite nicht lesbar").en("Page cannot be read"),
  robots: de("Verboten durch robots.txt").en("Forbidden by robots.txt"),
};

const verdicts: Labels<TrialVerdict> = {
  same: de("stimmt").en("right"),
  plausible: de("plausibel").en("plausible"),
  differs: de("weicht ab").en("differs"),
  nothing: de("nichts gefunden").en("nothing found"),
};

export const repairWords = {
  quarantine: {
    title: de("Auffällige Preise").en("Suspicious prices"),
    about: de(
      "Diese Preise sehen falsch aus und zählen noch nicht. Freigegeben zählt ein Preis sofort. Von selbst zählt er, wenn ein Abruf ihn frühestens {hours} Stunden später noch zeigt. Verworfen zählt er nicht; zeigt ihn ein späterer Abruf wieder, steht er wieder hier.",
    ).en(
      "These prices look wrong and do not count yet. A released price counts at once. It counts without you if a fetch at least {hours} hours later still shows it. A discarded price does not count; if a later fetch shows it again, it is listed here again.",
    ),
    count: de("{count auffälliger Preis|auffällige Preise}")
      .en("{count} suspicious {count|price|prices}"),
    columns: {
      accepted: de("Bisheriger Preis").en("Previous price"),
      seen: de("Gesehener Preis").en("Price seen"),
      why: de("Warum auffällig").en("Why suspicious"),
      would: de("Würde auslösen").en("Would trigger"),
    },
    against: de("gegen {price}").en("against {price}"),
    nothing: de("nichts").en("nothing"),
    release: de("Freigeben").en("Release"),
    drop: de("Verwerfen").en("Discard"),
    markFirst: de("erst Zeilen auswählen").en("select rows first"),
    decidedBy: de("der Abruf dieser Seite {at} entscheidet")
      .en("this page's fetch at {at} decides"),
    decidedAfter: de("der nächste Abruf ab {at} entscheidet")
      .en("the first fetch after {at} decides"),
    untilDecided: de("zählt nicht ohne Entscheidung").en("does not count without a decision"),
    shop: de("{name}: {count} Preise warten gemeinsam").en("{name}: {count} prices wait together"),
    shopAbout: de("Bis jemand sie freigibt; was sie auslösen würden, steht in der Liste.")
      .en("Until someone releases them; the list shows the outcome."),
    patterns: {
      down: de("{count} von {seen} Preisen sind um mehr als 30 % gefallen")
        .en("{count} of {seen} prices fell by more than 30%"),
      up: de("{count} von {seen} Preisen sind um mehr als 30 % gestiegen")
        .en("{count} of {seen} prices rose by more than 30%"),
      same: de("{count} kosten jetzt {price}").en("{count} are now {price}"),
    },
    releaseAll: de("Alle freigeben").en("Release all"),
    dropAll: de("Alle verwerfen").en("Discard all"),
    released: de("Freigegeben: {count}").en("Released: {count}"),
    dropped: de("Verworfen: {count}").en("Discarded: {count}"),
    emptyTitle: de("Kein Preis sieht falsch aus").en("No price looks wrong"),
    emptyText: de(
      "Ein Preis wartet hier, wenn er sich halbiert oder verdoppelt. Ebenso, wenn er weniger als die Hälfte oder mehr als das Dreifache vom Median der anderen Shops beträgt.",
    ).en(
      "A price waits here when it halves or doubles. It also waits when it is below half or above three times the median of the other shops.",
    ),
  },
  repairs: {
    open: de("Seiten ansehen").en("View pages"),
    down: de("{shop} fällt seit {since} aus").en("{shop} has been down since {since}"),
    count: de("{count Seite|Seiten} zuletzt ohne Preis")
      .en("{count page|pages} without a price at the last fetch"),
    inShops: de("in {count Shop|Shops}").en("in {count shop|shops}"),
    columns: {
      since: de("Seit").en("Since"),
    },
    causes,
    shop: {
      on: de("wird abgerufen").en("Fetching on"),
      off: de("wird nicht abgerufen").en("Fetching off"),
      fetched: de("{shop} abrufen").en("Fetch {shop}"),
      switchedOn: de("{shop} wird wieder abgerufen").en("{shop} is fetched again"),
      switchedOff: de("{shop} wird nicht mehr abgerufen und zählt nicht mit")
        .en("{shop} is no longer fetched and does not count"),
      pages: de("Verknüpfte Produkte").en("Linked products"),
      ofCatalogue: de("{share} des Sortiments").en("{share} of the catalogue"),
      mean: de("Mittel 30 Tage: {share}").en("30-day average: {share}"),
      noFetch: de("in 30 Tagen kein Abruf").en("nothing fetched in 30 days"),
      index: de("Unser Preisindex hier").en("Our price index here"),
      indexNote: de("100 = so teuer wie dieser Shop").en("100 = same prices as this shop"),
      undercuts: de("Unterbietet uns bei").en("Undercuts us on"),
      ofCompared: de("von {compared} verglichenen Produkten").en("of {compared} compared products"),
      notCompared: de("zurzeit nichts zu vergleichen").en("nothing to compare now"),
      marketUnknown: de("zurzeit nicht bekannt").en("not known now"),
      causes: de("Ursachen").en("Causes"),
      noCauses: de("Jede Seite hat einen Preis.").en("Every page returned a price."),
      affected: de("Betroffene Seiten").en("Affected pages"),
      affectedNote: de("am längsten ohne Preis zuerst").en("longest without a price first"),
      last: de("Letzter Preis").en("Last price"),
      noPrice: de("Als preislos markieren").en("Mark as unpriced"),
      noPriceFull: de("Als preislos markieren: {sku}").en("Mark as unpriced: {sku}"),
      noPriceToast: de("{sku}: Die Seite zeigt keinen Preis und gilt nicht als Fehler")
        .en("{sku}: the page shows no price and is no failure"),
      noPriceMany: de("Auf {count Seite|Seiten} kein Preis").en("No price on {count page|pages}"),
      noPriceAllText: de(
        "Auch Seiten, die hier noch nicht zu sehen sind, gelten dann nicht mehr als Fehler. Das lässt sich zurücknehmen.",
      ).en("Pages that are not shown yet stop failing too. You can undo this."),
      noPriceManyToast: de(
        "{count Seite zeigt|Seiten zeigen} keinen Preis und {count|gilt|gelten} nicht als Fehler",
      ).en(
        "{count page shows no price and is|pages show no price and are} no {count|failure|failures}",
      ),
      toMarket: de("im Markt ansehen").en("View in Market"),
      more: de("Weitere Seiten").en("More pages"),
    },
    days: {
      title: de("Abrufe, 30 Tage").en("Fetches, 30 days"),
      note: de("Anteil gelesener Seiten je Tag").en("share of pages read a day"),
      ok: de("gelesen").en("read"),
      failed: de("fehlgeschlagen").en("failed"),
      none: de("In 30 Tagen wurde hier nichts abgerufen.")
        .en("Nothing was fetched here in 30 days."),
      noFetch: de("kein Abruf").en("no fetch"),
      share: de("{share} gelesen").en("{share} read"),
      label: de("Anteil gelesener Seiten je Tag: im Mittel {mean}, heute {today}")
        .en("Share of pages read a day: {mean} on average, today {today}"),
      shareTitle: de("Anteil").en("Share"),
      today: de("heute").en("today"),
    },
    repair: {
      title: de("Was zu tun ist").en("What to do"),
      text: de(
        "{count Seite hat|Seiten haben} keinen Preis. Zeigen Sie auf einer Seite, wo der Preis steht: Das gilt dann für den ganzen Shop.",
      ).en(
        "{count page|pages} returned no price. Show on one page where the price is: it then holds for the whole shop.",
      ),
      textForViewer: de(
        "{count Seite hat|Seiten haben} keinen Preis. Wer Preise verwaltet, kann auf einer Seite zeigen, wo der Preis steht.",
      ).en(
        "{count page|pages} returned no price. Anyone who manages prices can show on one page where the price is.",
      ),
      none: de("Nichts zu reparieren.").en("Nothing to repair."),
      teach: de("Preis zeigen …").en("Show the price …"),
      again: de("Noch einmal abrufen").en("Fetch again"),
      retry: de("{count Seite|Seiten} noch einmal abrufen").en("Fetch {count page|pages} again"),
      note: de(
        "Nichts davon ändert von selbst einen Preis: Regeln rechnen nur mit Preisen, die gelesen wurden.",
      ).en("None of this changes a price by itself: rules use only prices that have been read."),
      running: de("{done} von {pages Seite|Seiten} gelesen")
        .en("{done} of {pages page|pages} read"),
      ended: de("{fixed} von {pages Seite|Seiten} {fixed|hat|haben} wieder einen Preis")
        .en("{fixed} of {pages page|pages} {fixed|has|have} a price again"),
    },
    unlink: {
      one: de("Verknüpfung lösen").en("Remove link"),
      many: de("{count} Verknüpfungen lösen").en("Remove {count} links"),
      text: de(
        "Kurant achtet robots.txt und liest hier nichts. Erlaubt der Shop den Abruf, verknüpfen Sie die Seite neu.",
      ).en(
        "Kurant respects robots.txt and reads nothing here. Once the shop allows it, link the page again.",
      ),
      told: de("{count Verknüpfung|Verknüpfungen} gelöst").en("{count link|links} removed"),
    },
    recipe: {
      none: de(
        "Für diesen Shop ist keine feste Stelle gespeichert. Kurant sucht den Preis auf jeder Seite selbst.",
      ).en("No fixed location is saved for this shop. Kurant finds the price on each page itself."),
      learning: de("Kurant lernt sie aus {needed} gelesenen Seiten; bisher: {pages}.")
        .en("Kurant learns it from {needed} pages that were read; so far: {pages}."),
      sources: {
        learned: de("gelernt").en("learned"),
        taught: de("gezeigt").en("taught"),
        shipped: de("mitgeliefert").en("shipped"),
      } satisfies Labels<RecipeSource>,
      statuses: {
        active: de("gilt").en("in use"),
        drifting: de("Shop hat sich geändert").en("the shop has changed"),
        stale: de("lange nicht bestätigt").en("not confirmed for long"),
        off: de("aus").en("off"),
      } satisfies Labels<RecipeStatus>,
      agreed: de("{agreements} von {hits} bestätigt").en("{agreements} of {hits} confirmed"),
      relearn: de("Neu lernen").en("Learn again"),
      relearned: de("Die Preisstelle wird neu gelernt")
        .en("The price location is being learned again"),
      forget: de("Vergessen").en("Forget"),
      forgetTitle: de("Preisstelle vergessen?").en("Forget the price location?"),
      forgetText: de("Der Preis wird dann auf jeder Seite des Shops wieder gesucht.")
        .en("The price is then looked for on every page of the shop again."),
    },
    teach: {
      title: de("Preis zeigen: {shop}").en("Show the price: {shop}"),
      hint: de("Wählen Sie den Preis, den ein Käufer zahlt.")
        .en("Choose the price that a buyer pays."),
      pageOf: de("Seite {page} von {pages}").en("Page {page} of {pages}"),
      before: de("Vorige Seite").en("Previous page"),
      after: de("Nächste Seite").en("Next page"),
      reading: de("Die Seite wird gelesen").en("The page is being read"),
      found: de("Preise auf der Seite").en("Prices on the page"),
      noneFound: de("Auf dieser Seite steht nichts, was wie ein Preis aussieht.")
        .en("Nothing on this page looks like a price."),
      foundBy: de("aus {method}").en("from {method}"),
      whyNot: {
        taken: de("als Preis gelesen").en("read as the price"),
        equal: de("so gut belegt wie ein anderer Preis").en("as well founded as another price"),
        weak: de("zu wenig spricht dafür").en("too little speaks for it"),
        disagrees: de("andere Angaben der Seite widersprechen")
          .en("other parts of the page disagree"),
      },
      keys: de(
        "{count|Die Taste 1 wählt den|Die Tasten 1 bis # wählen einen} Preis, ← und → blättern.",
      ).en("{count|Key 1 chooses the|Keys 1 to # choose a} price, ← and → turn pages."),
      none: de("Keiner davon: kein Preis auf dieser Seite")
        .en("None of them: no price on this page"),
      chosen: de("Gewählt").en("Chosen"),
      choose: de("Wählen Sie links einen Preis. Er wird dann an weiteren Seiten des Shops geprüft.")
        .en("Choose a price on the left. It is then tried on further pages of the shop."),
      trying: de("Die Preisstelle wird an weiteren Seiten geprüft")
        .en("The location is being tried on more pages"),
      tests: de("Probe an {count Seite|Seiten}").en("Tried on {count page|pages}"),
      columns: { was: de("zuletzt").en("last"), now: de("jetzt gelesen").en("read now") },
      text: (text: string) => `Text: ${text}`,
      fallback: de("Die Preisstelle ist leer; {method} sagt {price}")
        .en("The location is empty; {method} says {price}"),
      other: de("{method} sagt {price}").en("{method} says {price}"),
      verdicts,
      good: de("Die Preisstelle stimmt. Das reicht.").en("The location works. That is enough."),
      bad: de(
        "Die Probe spricht dagegen. Trotzdem gespeichert zählt die Preisstelle weniger (höchstens 0,7).",
      ).en(
        "The trial speaks against it. Saved all the same, the location counts for less (0.7 at most).",
      ),
      save: de("Speichern und {count Seite|Seiten} lesen").en("Save and read {count page|pages}"),
      force: de("Trotzdem speichern und {count Seite|Seiten} lesen")
        .en("Save all the same and read {count page|pages}"),
      saved: de("Die Preisstelle gilt ab jetzt für den ganzen Shop")
        .en("The price location holds for the whole shop from now on"),
    },
  },
};
