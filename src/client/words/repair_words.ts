/** Pages that bring no price, and how a person shows where a shop has its prices. */
import { codeWords } from "../../engine/wording/code_words.ts";
import { columnWords } from "../../engine/wording/column_words.ts";
import type { RecipeStatus } from "../../shops/recipes/shop_lessons.ts";
import type { RepairCause } from "../../shops/offers/repair_cause.ts";
import type { RecipeSource } from "../../engine/extraction/recipe/recipe.ts";
import type { TrialVerdict } from "../../scraping/teaching/recipe_wire.ts";
import type { SuspicionCode } from "../../shops/quarantine/hold_sight.ts";
import { type Labels, plural } from "./label.ts";

const columnsDe = columnWords("de");
const columnsEn = columnWords("en");
const codesDe = codeWords("de");
const codesEn = codeWords("en");

const causesDe: Labels<RepairCause> = {
  nothing_found: "Preis nicht gefunden",
  two_prices: "mehrere Preise, keiner eindeutig",
  layout_changed: "Seite umgebaut, Preis nicht mehr gefunden",
  gone: "Seite gibt es nicht mehr",
  listing: "Liste statt Artikel",
  other_product: "anderer Artikel",
  variant_open: "Variante nicht gewählt",
  blocked: "Shop weist Abrufe ab",
  net_only: "nur Nettopreis",
  third_party: "nur von anderen Verkäufern",
  currency: "andere Währung",
  no_answer: "Shop antwortet nicht",
  unreadable: "Seite nicht lesbar",
  robots: "verboten durch robots.txt",
};

const suspicionsDe: Labels<SuspicionCode> = codesDe.suspicions;

const suspicionsEn: typeof suspicionsDe = codesEn.suspicions;

const verdictsDe: Labels<TrialVerdict> = {
  same: "stimmt",
  plausible: "plausibel",
  differs: "weicht ab",
  nothing: "nichts gefunden",
};

export const repairDe = {
  quarantine: {
    title: "Auffällige Preise",
    about:
      "Diese Preise sehen falsch aus und zählen erst, wenn sie jemand freigibt oder wenn sie sechs Stunden stehen.",
    columns: {
      product: "Produkt",
      shop: columnsDe.competitor,
      accepted: columnsDe.accepted,
      seen: columnsDe.seen,
      why: "warum",
      would: "hätte ausgelöst",
      since: "seit",
    },
    codes: suspicionsDe,
    would: (rule: string, price: string) => `${price} · ${rule}`,
    nothing: "nichts",
    release: "Freigeben",
    drop: "Verwerfen",
    shop: (name: string, count: string) => `${name}: ${count} warten gemeinsam`,
    shopAbout: "Bis jemand sie freigibt; was sie auslösen würden, steht in der Liste.",
    patterns: {
      down: (count: string, seen: string) => `${count} von ${seen} um mehr als 30 % gefallen`,
      up: (count: string, seen: string) => `${count} von ${seen} um mehr als 30 % gestiegen`,
      same: (count: string, price: string) => `${count} kosten jetzt ${price}`,
    },
    releaseAll: "Alle freigeben",
    dropAll: "Alle verwerfen",
    released: (count: string) => `Freigegeben: ${count}`,
    dropped: (count: string) => `Verworfen: ${count}`,
    emptyTitle: "Kein Preis sieht falsch aus",
    emptyText:
      "Was um die Hälfte fällt, sich verdoppelt oder weit neben den anderen liegt, wartet hier.",
  },
  repairs: {
    title: "Reparatur",
    open: "Reparieren",
    count: (count: number, text: string) =>
      `${text} ${plural(count, "Seite", "Seiten")} ohne Preis`,
    inShops: (count: number, text: string) => `in ${text} ${plural(count, "Shop", "Shops")}`,
    columns: { shop: "Shop und Ursache", pages: "Seiten", since: "seit" },
    causes: causesDe,
    emptyTitle: "Alle Seiten bringen einen Preis",
    emptyText: "Sobald eine Seite keinen Preis mehr bringt, steht sie hier mit ihrer Ursache.",
    toShops: "Alle Shops",
    fallbackTold: (method: string) =>
      `Der Selektor findet auf dieser Seite nichts. Der Preis kommt von anderswo: ${method}.`,
    shop: {
      settings: "Einstellungen",
      failing: (since: string) => `fällt aus seit ${since}`,
      partly: (since: string) => `teils ohne Preis seit ${since}`,
      well: "wird gelesen",
      on: "wird abgerufen",
      off: "wird nicht abgerufen",
      fetched: (shop: string) => `${shop} abrufen`,
      switchedOn: (shop: string) => `${shop} wird wieder abgerufen`,
      switchedOff: (shop: string) => `${shop} wird nicht mehr abgerufen und zählt nicht mit`,
      pages: "verknüpfte Produkte",
      ofCatalogue: (share: string) => `${share} vom Sortiment`,
      read: "gelesen in 24 Stunden",
      mean: (share: string) => `Mittel 30 Tage: ${share}`,
      noFetch: "in 30 Tagen kein Abruf",
      index: "Unser Preisindex hier",
      indexNote: "100 = so teuer wie dieser Shop",
      indexOf: (at: string) => `Stand ${at}, ruht seither`,
      undercuts: "unterbietet uns bei",
      ofCompared: (compared: string) => `von ${compared} verglichenen Produkten`,
      notCompared: "zurzeit nichts zu vergleichen",
      marketUnknown: "zurzeit nicht bekannt",
      load: "Abrufe am Tag",
      loadNote: (most: string) => `Platz für ${most}, robots.txt gilt`,
      causes: "Ursachen",
      noCauses: "Jede Seite bringt einen Preis.",
      affected: "Betroffene Seiten",
      affectedNote: "am längsten ohne Preis zuerst",
      product: "Produkt",
      page: "Seite",
      last: "letzter Preis",
      since: "seit",
      action: "Aktion",
      noPrice: "Kein Preis hier",
      noPriceFull: (sku: string) => `Kein Preis hier: ${sku}`,
      noPriceTold: (sku: string) =>
        `${sku}: Die Seite zeigt keinen Preis und gilt nicht als Fehler`,
      noPriceMany: (count: number, text: string) =>
        `Auf ${text} ${plural(count, "Seite", "Seiten")} kein Preis`,
      noPriceAllText:
        "Auch Seiten, die hier noch nicht zu sehen sind, gelten dann nicht mehr als Fehler. Das lässt sich zurücknehmen.",
      noPriceManyTold: (count: number, text: string) =>
        `${text} ${plural(count, "Seite zeigt", "Seiten zeigen")} keinen Preis und ${
          plural(count, "gilt", "gelten")
        } nicht als Fehler`,
      mark: (sku: string) => `${sku} markieren`,
      markAll: (count: string) => `alle ${count} markieren`,
      toMarket: "im Markt ansehen",
      more: "Weitere Seiten",
    },
    days: {
      title: "Gesundheit, 30 Tage",
      note: "Anteil gelesener Seiten je Tag",
      ok: "gelesen",
      failed: "fehlgeschlagen",
      none: "In 30 Tagen wurde hier nichts abgerufen.",
      noFetch: "kein Abruf",
      share: (share: string) => `${share} gelesen`,
      label: (mean: string, today: string) =>
        `Anteil gelesener Seiten je Tag: im Mittel ${mean}, heute ${today}`,
      day: "Tag",
      shareTitle: "Anteil",
      today: "heute",
    },
    repair: {
      title: "Reparatur",
      text: (pages: number, text: string) =>
        `${text} ${
          plural(pages, "Seite bringt", "Seiten bringen")
        } keinen Preis. Zeigen Sie auf einer Seite, wo der Preis steht: Das gilt dann für den ganzen Shop.`,
      textForViewer: (pages: number, text: string) =>
        `${text} ${
          plural(pages, "Seite bringt", "Seiten bringen")
        } keinen Preis. Wer Preise verwaltet, kann auf einer Seite zeigen, wo der Preis steht.`,
      waiting: "Die Ursache liegt beim Shop. Später noch einmal lesen hilft oft.",
      none: "Nichts zu reparieren.",
      teach: "Preis zeigen …",
      again: "noch einmal lesen",
      retry: (pages: number, text: string) =>
        `${text} ${plural(pages, "Seite", "Seiten")} noch einmal lesen`,
      note: "Nichts davon ändert Preise: Regeln sehen erst, was gelesen wurde.",
      running: (done: string, pages: string) => `${done} von ${pages} Seiten gelesen`,
      ended: (fixed: string, pages: string) =>
        `${fixed} von ${pages} Seiten bringen wieder einen Preis`,
      cancel: "Anhalten",
    },
    recipe: {
      title: "Preisrezept",
      none: "Noch keins: Der Preis wird auf jeder Seite gesucht.",
      learning: (pages: string, needed: string) =>
        `${pages} Seiten zum Lernen, ${needed} sind nötig.`,
      sources: {
        learned: "gelernt",
        taught: "gezeigt",
        shipped: "mitgeliefert",
      } satisfies Labels<RecipeSource>,
      statuses: {
        active: "gilt",
        drifting: "Shop hat sich geändert",
        stale: "lange nicht bestätigt",
        off: "aus",
      } satisfies Labels<RecipeStatus>,
      agreed: (agreements: string, hits: string) => `${agreements} von ${hits} bestätigt`,
      relearn: "Neu lernen",
      relearned: "Das Rezept wird neu gelernt",
      forget: "Vergessen",
      forgetTitle: "Preisrezept vergessen?",
      forgetText: "Der Preis wird dann auf jeder Seite des Shops wieder gesucht.",
    },
    teach: {
      title: (shop: string) => `Preis zeigen: ${shop}`,
      hint: "Wählen Sie den Preis, den ein Käufer zahlt.",
      pageOf: (page: string, pages: string) => `Seite ${page} von ${pages}`,
      before: "Vorige Seite",
      after: "Nächste Seite",
      reading: "Die Seite wird gelesen",
      found: "Preise auf der Seite",
      noneFound: "Auf dieser Seite steht nichts, was wie ein Preis aussieht.",
      foundBy: (method: string) => `aus ${method}`,
      keys: (count: number) =>
        count === 1
          ? "Die Taste 1 wählt den Preis, ← und → blättern."
          : `Die Tasten 1 bis ${Math.min(9, count)} wählen einen Preis, ← und → blättern.`,
      none: "Keiner davon: kein Preis auf dieser Seite",
      typed: "Preis eintippen",
      typedHint: "So, wie er auf der Seite steht",
      tryIt: "Probieren",
      chosen: "Gewählt",
      choose: "Wählen Sie links einen Preis. Er wird dann an weiteren Seiten des Shops geprüft.",
      trying: "Der Fundort wird an weiteren Seiten geprüft",
      tests: (count: number, text: string) =>
        `Probe an ${text} ${plural(count, "Seite", "Seiten")}`,
      columns: { page: "Seite", was: "zuletzt", now: "jetzt gelesen", verdict: "Ergebnis" },
      text: (text: string) => `Text: ${text}`,
      fallback: (method: string, price: string) => `Der Fundort ist leer; ${method} sagt ${price}`,
      other: (method: string, price: string) => `${method} sagt ${price}`,
      verdicts: verdictsDe,
      good: "Der Fundort trägt. Das reicht.",
      bad:
        "Die Probe spricht dagegen. Trotzdem gespeichert zählt das Rezept weniger (höchstens 0,7).",
      save: (pages: number, text: string) =>
        `Speichern und ${text} ${plural(pages, "Seite", "Seiten")} lesen`,
      force: (pages: number, text: string) =>
        `Trotzdem speichern und ${text} ${plural(pages, "Seite", "Seiten")} lesen`,
      saved: "Das Preisrezept gilt ab jetzt für den ganzen Shop",
      nearest: (prices: string) => `Am nächsten: ${prices}`,
    },
  },
};

const causesEn: Labels<RepairCause> = {
  nothing_found: "price not found",
  two_prices: "several prices, none for sure",
  layout_changed: "page rebuilt, price not found any more",
  gone: "page is gone",
  listing: "a list, not an article",
  other_product: "another article",
  variant_open: "variant not chosen",
  blocked: "shop turns fetches away",
  net_only: "net price only",
  third_party: "from other sellers only",
  currency: "another currency",
  no_answer: "shop does not answer",
  unreadable: "page cannot be read",
  robots: "forbidden by robots.txt",
};

const verdictsEn: Labels<TrialVerdict> = {
  same: "right",
  plausible: "plausible",
  differs: "differs",
  nothing: "nothing found",
};

export const repairEn: typeof repairDe = {
  quarantine: {
    title: "Suspicious prices",
    about:
      "These prices look wrong and count once somebody releases them or they have stood for six hours.",
    columns: {
      product: "Product",
      shop: columnsEn.competitor,
      accepted: columnsEn.accepted,
      seen: columnsEn.seen,
      why: "why",
      would: "would have done",
      since: "since",
    },
    codes: suspicionsEn,
    would: (rule, price) => `${price} · ${rule}`,
    nothing: "nothing",
    release: "Release",
    drop: "Drop",
    shop: (name, count) => `${name}: ${count} wait together`,
    shopAbout: "Until somebody releases them; what comes of it stands in the list.",
    patterns: {
      down: (count, seen) => `${count} of ${seen} fell by more than 30 %`,
      up: (count, seen) => `${count} of ${seen} rose by more than 30 %`,
      same: (count, price) => `${count} became ${price}`,
    },
    releaseAll: "Release all",
    dropAll: "Drop all",
    released: (count) => `Released: ${count}`,
    dropped: (count) => `Dropped: ${count}`,
    emptyTitle: "No price looks wrong",
    emptyText: "What falls by half, doubles or is far from all others waits here.",
  },
  repairs: {
    title: "Repair",
    open: "Repair",
    count: (count, text) => `${text} ${plural(count, "page", "pages")} without a price`,
    inShops: (count, text) => `in ${text} ${plural(count, "shop", "shops")}`,
    columns: { shop: "Shop and cause", pages: "Pages", since: "since" },
    causes: causesEn,
    emptyTitle: "Every page brings a price",
    emptyText: "As soon as a page brings none any more, it stands here with its cause.",
    toShops: "All shops",
    fallbackTold: (method) =>
      `The selector finds nothing on this page. The price comes from elsewhere: ${method}.`,
    shop: {
      settings: "Settings",
      failing: (since) => `failing since ${since}`,
      partly: (since) => `partly without a price since ${since}`,
      well: "is read",
      on: "is fetched",
      off: "is not fetched",
      fetched: (shop) => `Fetch ${shop}`,
      switchedOn: (shop) => `${shop} is fetched again`,
      switchedOff: (shop) => `${shop} is fetched no more and does not count`,
      pages: "linked products",
      ofCatalogue: (share) => `${share} of the catalogue`,
      read: "read in 24 hours",
      mean: (share) => `mean of 30 days: ${share}`,
      noFetch: "nothing fetched in 30 days",
      index: "our price index here",
      indexNote: "100 = as dear as this shop",
      indexOf: (at) => `as of ${at}, at rest since`,
      undercuts: "undercuts us on",
      ofCompared: (compared) => `of ${compared} compared products`,
      notCompared: "nothing to compare now",
      marketUnknown: "not known now",
      load: "fetches a day",
      loadNote: (most) => `room for ${most}, robots.txt holds`,
      causes: "Causes",
      noCauses: "Every page brings a price.",
      affected: "Affected pages",
      affectedNote: "longest without a price first",
      product: "Product",
      page: "Page",
      last: "last price",
      since: "since",
      action: "Action",
      noPrice: "No price here",
      noPriceFull: (sku) => `No price here: ${sku}`,
      noPriceTold: (sku) => `${sku}: the page shows no price and is no failure`,
      noPriceMany: (count, text) => `No price on ${text} ${plural(count, "page", "pages")}`,
      noPriceAllText:
        "Pages that are not to be seen here yet are no failures any more, too. It can be taken back.",
      noPriceManyTold: (count, text) =>
        `${text} ${plural(count, "page shows no price and is", "pages show no price and are")} no ${
          plural(count, "failure", "failures")
        }`,
      mark: (sku) => `Mark ${sku}`,
      markAll: (count) => `mark all ${count}`,
      toMarket: "look at them in the market",
      more: "More pages",
    },
    days: {
      title: "Health, 30 days",
      note: "share of pages read a day",
      ok: "read",
      failed: "failed",
      none: "Nothing was fetched here in 30 days.",
      noFetch: "no fetch",
      share: (share) => `${share} read`,
      label: (mean, today) => `Share of pages read a day: ${mean} on average, today ${today}`,
      day: "Day",
      shareTitle: "Share",
      today: "today",
    },
    repair: {
      title: "Repair",
      textForViewer: (pages, text) =>
        `${text} ${
          plural(pages, "page brings", "pages bring")
        } no price. Who manages prices can show on one page where the price stands.`,
      text: (pages, text) =>
        `${text} ${
          plural(pages, "page brings", "pages bring")
        } no price. Show on one page where the price stands: it then holds for the whole shop.`,
      waiting: "The shop is the cause. Reading once more later often helps.",
      none: "Nothing to repair.",
      teach: "Show the price …",
      again: "read once more",
      retry: (pages, text) => `Read ${text} ${plural(pages, "page", "pages")} once more`,
      note: "None of this changes prices: rules see only what has been read.",
      running: (done, pages) => `${done} of ${pages} pages read`,
      ended: (fixed, pages) => `${fixed} of ${pages} pages bring a price again`,
      cancel: "Stop",
    },
    recipe: {
      title: "Recipe",
      none: "None yet: the price is looked for on every page.",
      learning: (pages, needed) => `${pages} pages to learn from, ${needed} are needed.`,
      sources: { learned: "learned", taught: "taught", shipped: "shipped" },
      statuses: {
        active: "in use",
        drifting: "the shop has changed",
        stale: "not confirmed for long",
        off: "off",
      },
      agreed: (agreements, hits) => `${agreements} of ${hits} confirmed`,
      relearn: "Learn anew",
      relearned: "The recipe is learned anew",
      forget: "Forget",
      forgetTitle: "Forget the recipe?",
      forgetText: "The price is then looked for on every page of the shop again.",
    },
    teach: {
      title: (shop) => `Teach the price: ${shop}`,
      hint: "Choose the price that a buyer pays.",
      pageOf: (page, pages) => `Page ${page} of ${pages}`,
      before: "Previous page",
      after: "Next page",
      reading: "The page is being read",
      found: "Prices on the page",
      noneFound: "Nothing on this page looks like a price.",
      foundBy: (method) => `from ${method}`,
      keys: (count) =>
        count === 1
          ? "Key 1 chooses the price, ← and → turn pages."
          : `Keys 1 to ${Math.min(9, count)} choose a price, ← and → turn pages.`,
      none: "None of them: no price on this page",
      typed: "Type the price",
      typedHint: "As the page shows it",
      tryIt: "Try",
      chosen: "Chosen",
      choose: "Choose a price on the left. It is then tried on further pages of the shop.",
      trying: "The place is being tried on further pages",
      tests: (count, text) => `Tried on ${text} ${plural(count, "page", "pages")}`,
      columns: { page: "Page", was: "last", now: "read now", verdict: "Outcome" },
      text: (text) => `Text: ${text}`,
      fallback: (method, price) => `The place is empty; ${method} says ${price}`,
      other: (method, price) => `${method} says ${price}`,
      verdicts: verdictsEn,
      good: "The place holds. That is enough.",
      bad:
        "The trial speaks against it. Saved all the same, the recipe counts for less (0.7 at most).",
      save: (pages, text) => `Save and read ${text} ${plural(pages, "page", "pages")}`,
      force: (pages, text) =>
        `Save all the same and read ${text} ${plural(pages, "page", "pages")}`,
      saved: "The recipe holds for the whole shop from now on",
      nearest: (prices) => `Nearest: ${prices}`,
    },
  },
};
