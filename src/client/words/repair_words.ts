import type { RecipeStatus } from "../../shops/recipes/recipe_store.ts";
import type { RepairCause } from "../../shops/offers/offer.ts";
import type { RecipeSource } from "../../engine/extraction/recipe/recipe.ts";
import type { TrialVerdict } from "../../scraping/teaching/change_recipe.ts";
import type { SuspicionCode } from "../../shops/quarantine/suspicion.ts";
import { codes, type Labels, say } from "./label.ts";

const suspicions: Labels<SuspicionCode> = codes.suspicions;

const causes: Labels<RepairCause> = {
  nothing_found: say("Preis nicht gefunden", "Price not found"),
  two_prices: say("Mehrere Preise, keiner eindeutig", "Several prices, none for sure"),
  layout_changed: say(
    "Seite umgebaut, Preis nicht mehr gefunden",
    "Page rebuilt, price not found any more",
  ),
  gone: say("Seite gibt es nicht mehr", "Page is gone"),
  listing: say("Liste statt Artikel", "A list, not an article"),
  other_product: say("Anderer Artikel", "Another article"),
  variant_open: say("Variante nicht gewählt", "Variant not chosen"),
  blocked: say("Shop weist Abrufe ab", "Shop turns fetches away"),
  net_only: say("Nur Nettopreis", "Net price only"),
  third_party: say("Nur von anderen Verkäufern", "From other sellers only"),
  currency: say("Andere Währung", "Another currency"),
  no_answer: say("Shop antwortet nicht", "Shop is not responding"),
  unreadable: say("Seite nicht lesbar", "Page cannot be read"),
  robots: say("Verboten durch robots.txt", "Forbidden by robots.txt"),
};

const verdicts: Labels<TrialVerdict> = {
  same: say("stimmt", "right"),
  plausible: say("plausibel", "plausible"),
  differs: say("weicht ab", "differs"),
  nothing: say("nichts gefunden", "nothing found"),
};

export const repairWords = {
  quarantine: {
    title: say("Auffällige Preise", "Suspicious prices"),
    about: say(
      "Diese Preise sehen falsch aus und zählen noch nicht. Freigegeben zählt ein Preis sofort. Von selbst zählt er, wenn ein Abruf ihn frühestens {hours} Stunden später noch zeigt. Verworfen zählt er nicht; zeigt ihn ein späterer Abruf wieder, steht er wieder hier.",
      "These prices look wrong and do not count yet. A released price counts at once. It counts without you if a fetch at least {hours} hours later still shows it. A discarded price does not count; if a later fetch shows it again, it is listed here again.",
    ),
    count: say(
      "{count} {count|auffälliger Preis|auffällige Preise}",
      "{count} suspicious {count|price|prices}",
    ),
    columns: {
      accepted: say("Bisheriger Preis", "Previous price"),
      seen: say("Gesehener Preis", "Price seen"),
      why: say("Warum auffällig", "Why suspicious"),
      would: say("Würde auslösen", "Would trigger"),
    },
    codes: suspicions,
    against: say("gegen {price}", "against {price}"),
    nothing: say("nichts", "nothing"),
    release: say("Freigeben", "Release"),
    drop: say("Verwerfen", "Discard"),
    markFirst: say("erst Zeilen auswählen", "select rows first"),
    decidedBy: say("der Abruf dieser Seite {at} entscheidet", "this page's fetch at {at} decides"),
    decidedAfter: say(
      "der nächste Abruf ab {at} entscheidet",
      "the first fetch after {at} decides",
    ),
    untilDecided: say("zählt nicht ohne Entscheidung", "does not count without a decision"),
    shop: say("{name}: {count} Preise warten gemeinsam", "{name}: {count} prices wait together"),
    shopAbout: say(
      "Bis jemand sie freigibt; was sie auslösen würden, steht in der Liste.",
      "Until someone releases them; the list shows the outcome.",
    ),
    patterns: {
      down: say(
        "{count} von {seen} Preisen sind um mehr als 30 % gefallen",
        "{count} of {seen} prices fell by more than 30%",
      ),
      up: say(
        "{count} von {seen} Preisen sind um mehr als 30 % gestiegen",
        "{count} of {seen} prices rose by more than 30%",
      ),
      same: say("{count} kosten jetzt {price}", "{count} are now {price}"),
    },
    releaseAll: say("Alle freigeben", "Release all"),
    dropAll: say("Alle verwerfen", "Discard all"),
    released: say("Freigegeben: {count}", "Released: {count}"),
    dropped: say("Verworfen: {count}", "Discarded: {count}"),
    emptyTitle: say("Kein Preis sieht falsch aus", "No price looks wrong"),
    emptyText: say(
      "Ein Preis wartet hier, wenn er sich halbiert oder verdoppelt. Ebenso, wenn er weniger als die Hälfte oder mehr als das Dreifache vom Median der anderen Shops beträgt.",
      "A price waits here when it halves or doubles. It also waits when it is below half or above three times the median of the other shops.",
    ),
  },
  repairs: {
    title: say("Seiten ohne Preis", "Pages without a price"),
    open: say("Seiten ansehen", "View pages"),
    down: say("{shop} fällt seit {since} aus", "{shop} has been down since {since}"),
    count: say(
      "{count} {count|Seite|Seiten} zuletzt ohne Preis",
      "{count} {count|page|pages} without a price at the last fetch",
    ),
    inShops: say("in {count} {count|Shop|Shops}", "in {count} {count|shop|shops}"),
    columns: {
      cause: say("Ursache und Ausweg", "Cause and remedy"),
      since: say("Seit", "Since"),
    },
    causes,
    emptyTitle: say("Alle Seiten haben einen Preis", "Every page returned a price"),
    emptyText: say(
      "Sobald eine Seite keinen Preis mehr hat, steht sie hier mit ihrer Ursache.",
      "As soon as a page no longer returns a price, it is listed here with the cause.",
    ),
    toShops: say("Alle Shops", "All shops"),
    fallbackNote: say(
      "Der Selektor findet auf dieser Seite nichts. Der Preis kommt von anderswo: {method}.",
      "The selector finds nothing on this page. The price comes from elsewhere: {method}.",
    ),
    shop: {
      on: say("wird abgerufen", "Fetching on"),
      off: say("wird nicht abgerufen", "Fetching off"),
      fetched: say("{shop} abrufen", "Fetch {shop}"),
      switchedOn: say("{shop} wird wieder abgerufen", "{shop} is fetched again"),
      switchedOff: say(
        "{shop} wird nicht mehr abgerufen und zählt nicht mit",
        "{shop} is no longer fetched and does not count",
      ),
      pages: say("Verknüpfte Produkte", "Linked products"),
      ofCatalogue: say("{share} des Sortiments", "{share} of the catalogue"),
      tries: say("{count} {count|Abruf|Abrufe}", "{count} {count|fetch|fetches}"),
      readOf: say("{ok} von {all}", "{ok} of {all}"),
      mean: say("Mittel 30 Tage: {share}", "30-day average: {share}"),
      noFetch: say("in 30 Tagen kein Abruf", "nothing fetched in 30 days"),
      index: say("Unser Preisindex hier", "Our price index here"),
      indexNote: say("100 = so teuer wie dieser Shop", "100 = same prices as this shop"),
      undercuts: say("Unterbietet uns bei", "Undercuts us on"),
      ofCompared: say("von {compared} verglichenen Produkten", "of {compared} compared products"),
      notCompared: say("zurzeit nichts zu vergleichen", "nothing to compare now"),
      marketUnknown: say("zurzeit nicht bekannt", "not known now"),
      causes: say("Ursachen", "Causes"),
      noCauses: say("Jede Seite hat einen Preis.", "Every page returned a price."),
      affected: say("Betroffene Seiten", "Affected pages"),
      affectedNote: say("am längsten ohne Preis zuerst", "longest without a price first"),
      last: say("Letzter Preis", "Last price"),
      noPrice: say("Als preislos markieren", "Mark as unpriced"),
      noPriceFull: say("Als preislos markieren: {sku}", "Mark as unpriced: {sku}"),
      noPriceToast: say(
        "{sku}: Die Seite zeigt keinen Preis und gilt nicht als Fehler",
        "{sku}: the page shows no price and is no failure",
      ),
      noPriceMany: say(
        "Auf {count} {count|Seite|Seiten} kein Preis",
        "No price on {count} {count|page|pages}",
      ),
      noPriceAllText: say(
        "Auch Seiten, die hier noch nicht zu sehen sind, gelten dann nicht mehr als Fehler. Das lässt sich zurücknehmen.",
        "Pages that are not shown yet stop failing too. You can undo this.",
      ),
      noPriceManyToast: say(
        "{count} {count|Seite zeigt|Seiten zeigen} keinen Preis und {count|gilt|gelten} nicht als Fehler",
        "{count} {count|page shows no price and is|pages show no price and are} no {count|failure|failures}",
      ),
      mark: say("{sku} markieren", "Mark {sku}"),
      markAll: say("alle {count} markieren", "mark all {count}"),
      toMarket: say("im Markt ansehen", "View in Market"),
      more: say("Weitere Seiten", "More pages"),
    },
    days: {
      title: say("Abrufe, 30 Tage", "Fetches, 30 days"),
      note: say("Anteil gelesener Seiten je Tag", "share of pages read a day"),
      ok: say("gelesen", "read"),
      failed: say("fehlgeschlagen", "failed"),
      none: say("In 30 Tagen wurde hier nichts abgerufen.", "Nothing was fetched here in 30 days."),
      noFetch: say("kein Abruf", "no fetch"),
      share: say("{share} gelesen", "{share} read"),
      few: say(
        "{ok} von {all} {all|Abruf|Abrufen} gelungen",
        "{ok} of {all} {all|fetch|fetches} succeeded",
      ),
      label: say(
        "Anteil gelesener Seiten je Tag: im Mittel {mean}, heute {today}",
        "Share of pages read a day: {mean} on average, today {today}",
      ),
      shareTitle: say("Anteil", "Share"),
      today: say("heute", "today"),
    },
    repair: {
      title: say("Was zu tun ist", "What to do"),
      text: say(
        "{count} {count|Seite hat|Seiten haben} keinen Preis. Zeigen Sie auf einer Seite, wo der Preis steht: Das gilt dann für den ganzen Shop.",
        "{count} {count|page|pages} returned no price. Show on one page where the price is: it then holds for the whole shop.",
      ),
      textForViewer: say(
        "{count} {count|Seite hat|Seiten haben} keinen Preis. Wer Preise verwaltet, kann auf einer Seite zeigen, wo der Preis steht.",
        "{count} {count|page|pages} returned no price. Anyone who manages prices can show on one page where the price is.",
      ),
      none: say("Nichts zu reparieren.", "Nothing to repair."),
      teach: say("Preis zeigen …", "Show the price …"),
      again: say("Noch einmal abrufen", "Fetch again"),
      retry: say(
        "{count} {count|Seite|Seiten} noch einmal abrufen",
        "Fetch {count} {count|page|pages} again",
      ),
      note: say(
        "Nichts davon ändert von selbst einen Preis: Regeln rechnen nur mit Preisen, die gelesen wurden.",
        "None of this changes a price by itself: rules use only prices that have been read.",
      ),
      running: say(
        "{done} von {pages} {pages|Seite|Seiten} gelesen",
        "{done} of {pages} {pages|page|pages} read",
      ),
      ended: say(
        "{fixed} von {pages} {pages|Seite|Seiten} {fixed|hat|haben} wieder einen Preis",
        "{fixed} of {pages} {pages|page|pages} {fixed|has|have} a price again",
      ),
    },
    unlink: {
      one: say("Verknüpfung lösen", "Remove link"),
      many: say("{count} Verknüpfungen lösen", "Remove {count} links"),
      text: say(
        "Kurant achtet robots.txt und liest hier nichts. Erlaubt der Shop den Abruf, verknüpfen Sie die Seite neu.",
        "Kurant respects robots.txt and reads nothing here. Once the shop allows it, link the page again.",
      ),
      told: say(
        "{count} {count|Verknüpfung|Verknüpfungen} gelöst",
        "{count} {count|link|links} removed",
      ),
    },
    recipe: {
      none: say(
        "Für diesen Shop ist keine feste Stelle gespeichert. Kurant sucht den Preis auf jeder Seite selbst.",
        "No fixed location is saved for this shop. Kurant finds the price on each page itself.",
      ),
      learning: say(
        "Kurant lernt sie aus {needed} gelesenen Seiten; bisher: {pages}.",
        "Kurant learns it from {needed} pages that were read; so far: {pages}.",
      ),
      sources: {
        learned: say("gelernt", "learned"),
        taught: say("gezeigt", "taught"),
        shipped: say("mitgeliefert", "shipped"),
      } satisfies Labels<RecipeSource>,
      statuses: {
        active: say("gilt", "in use"),
        drifting: say("Shop hat sich geändert", "the shop has changed"),
        stale: say("lange nicht bestätigt", "not confirmed for long"),
        off: say("aus", "off"),
      } satisfies Labels<RecipeStatus>,
      agreed: say("{agreements} von {hits} bestätigt", "{agreements} of {hits} confirmed"),
      relearn: say("Neu lernen", "Learn again"),
      relearned: say(
        "Die Preisstelle wird neu gelernt",
        "The price location is being learned again",
      ),
      forget: say("Vergessen", "Forget"),
      forgetTitle: say("Preisstelle vergessen?", "Forget the price location?"),
      forgetText: say(
        "Der Preis wird dann auf jeder Seite des Shops wieder gesucht.",
        "The price is then looked for on every page of the shop again.",
      ),
    },
    teach: {
      title: say("Preis zeigen: {shop}", "Show the price: {shop}"),
      hint: say(
        "Wählen Sie den Preis, den ein Käufer zahlt.",
        "Choose the price that a buyer pays.",
      ),
      pageOf: say("Seite {page} von {pages}", "Page {page} of {pages}"),
      before: say("Vorige Seite", "Previous page"),
      after: say("Nächste Seite", "Next page"),
      reading: say("Die Seite wird gelesen", "The page is being read"),
      found: say("Preise auf der Seite", "Prices on the page"),
      noneFound: say(
        "Auf dieser Seite steht nichts, was wie ein Preis aussieht.",
        "Nothing on this page looks like a price.",
      ),
      foundBy: say("aus {method}", "from {method}"),
      whyNot: {
        taken: say("als Preis gelesen", "read as the price"),
        equal: say("so gut belegt wie ein anderer Preis", "as well founded as another price"),
        weak: say("zu wenig spricht dafür", "too little speaks for it"),
        disagrees: say(
          "andere Angaben der Seite widersprechen",
          "other parts of the page disagree",
        ),
      },
      keys: say(
        "{count|Die Taste 1 wählt den|Die Tasten 1 bis # wählen einen} Preis, ← und → blättern.",
        "{count|Key 1 chooses the|Keys 1 to # choose a} price, ← and → turn pages.",
      ),
      none: say("Keiner davon: kein Preis auf dieser Seite", "None of them: no price on this page"),
      typed: say("Preis eintippen", "Type the price"),
      typedHint: say("So, wie er auf der Seite steht", "As the page shows it"),
      tryIt: say("Probieren", "Try"),
      chosen: say("Gewählt", "Chosen"),
      choose: say(
        "Wählen Sie links einen Preis. Er wird dann an weiteren Seiten des Shops geprüft.",
        "Choose a price on the left. It is then tried on further pages of the shop.",
      ),
      trying: say(
        "Die Preisstelle wird an weiteren Seiten geprüft",
        "The location is being tried on more pages",
      ),
      tests: say("Probe an {count} {count|Seite|Seiten}", "Tried on {count} {count|page|pages}"),
      columns: {
        was: say("zuletzt", "last"),
        now: say("jetzt gelesen", "read now"),
      },
      text: (text: string) => `Text: ${text}`,
      fallback: say(
        "Die Preisstelle ist leer; {method} sagt {price}",
        "The location is empty; {method} says {price}",
      ),
      other: say("{method} sagt {price}", "{method} says {price}"),
      verdicts,
      good: say("Die Preisstelle stimmt. Das reicht.", "The location works. That is enough."),
      bad: say(
        "Die Probe spricht dagegen. Trotzdem gespeichert zählt die Preisstelle weniger (höchstens 0,7).",
        "The trial speaks against it. Saved all the same, the location counts for less (0.7 at most).",
      ),
      save: say(
        "Speichern und {count} {count|Seite|Seiten} lesen",
        "Save and read {count} {count|page|pages}",
      ),
      force: say(
        "Trotzdem speichern und {count} {count|Seite|Seiten} lesen",
        "Save all the same and read {count} {count|page|pages}",
      ),
      saved: say(
        "Die Preisstelle gilt ab jetzt für den ganzen Shop",
        "The price location holds for the whole shop from now on",
      ),
      nearest: say("Am nächsten: {prices}", "Nearest: {prices}"),
    },
  },
};
