import { say } from "./label.ts";

export const firstHourWords = {
  start: {
    stepsLeft: say(
      "Noch {count} {count|Schritt|Schritte} bis zum ersten Vorschlag",
      "{count} more {count|step|steps} to the first proposal",
    ),
    ready: say(
      "Alles ist bereit: Der erste Vorschlag kommt, sobald eine Regel auslöst.",
      "All set: the first proposal comes as soon as a rule triggers.",
    ),
    waiting: say(
      "Alles ist bereit: Entscheiden Sie über Ihren ersten Vorschlag.",
      "All set: decide on your first proposal.",
    ),
    decide: say(
      "{count} {count|Vorschlag|Vorschläge} ansehen",
      "See {count} {count|proposal|proposals}",
    ),
    invite: say("Kollegen einladen", "Invite colleagues"),
    step: say((number: number) => `Schritt ${number}`, (number: number) => `Step ${number}`),
    done: say("erledigt", "done"),
    products: say("Ihre Produkte", "Your products"),
    productsText: say(
      "Wenigstens Artikelnummer, Titel und Preis; mit GTIN findet Kurant fast alles von selbst.",
      "At least SKU, title and price; with GTINs Kurant finds almost everything by itself.",
    ),
    from: say("aus {file}, übernommen {time}", "from {file}, applied {time}"),
    byHand: say("von Hand oder über die Schnittstelle angelegt", "made by hand or by the API"),
    findings: say("{count} {count|Hinweis|Hinweise}", "{count} {count|note|notes}"),
    otherFile: say("weitere Datei", "another file"),
    typed: {
      title: say("Keine Datei zur Hand?", "No file at hand?"),
      byHand: say("Ein paar Produkte eintragen", "Type in a few products"),
      examples: say("Mit Beispieldaten ansehen", "Try sample data"),
      label: say("Eine Zeile je Produkt", "One line per product"),
      hint: say(
        "Artikelnummer; Titel; Preis; GTIN",
        "SKU; title; price; GTIN",
      ),
      header: say("SKU;Titel;Unser Preis;GTIN", "SKU;Title;Our price;GTIN"),
      take: say("Vorschau ansehen", "See the preview"),
      fileName: say("von-hand.csv", "typed.csv"),
      exampleName: say("beispiel.csv", "sample.csv"),
      example: say(
        "B-1;Wasserkocher Aroma 1,7 l;65,90;4006381333931\nB-2;Toaster Retro Set;49,00;4012345678901\nB-3;Kaffeemühle Barista;129,00;4001234567891\nB-4;Soundbar Mini;529,00;4003994155486\nB-5;Stabmixer Compact;39,90;4009900455855",
        "B-1;Kettle Aroma 1.7 l;65.90;4006381333931\nB-2;Toaster Retro;49.00;4012345678901\nB-3;Coffee grinder Barista;129.00;4001234567891\nB-4;Soundbar Mini;529.00;4003994155486\nB-5;Hand blender Compact;39.90;4009900455855",
      ),
    },
    shops: say("Shops, mit denen Sie sich vergleichen", "Shops you compare with"),
    shopsNone: say(
      "Kurant sucht Ihre Produkte dort; was robots.txt verbietet, bleibt ungelesen.",
      "Kurant looks for your products there; what robots.txt forbids stays unread.",
    ),
    shopsEarly: say(
      "Geht auch schon jetzt: Kurant prüft die Adresse und wartet auf Ihre Datei.",
      "You can do this now: Kurant checks the address and waits for your file.",
    ),
    shopsText: say(
      "Kurant sucht Ihre Produkte. Sie können die Seite verlassen.",
      "Kurant is looking for your products. You may leave this page.",
    ),
    linked: say("verknüpft", "linked"),
    sure: say("sicher, noch nicht verknüpft", "sure, not linked yet"),
    toLook: say("bitte ansehen", "please look"),
    linkSure: say("{count} sichere verknüpfen", "Link {count} sure {count|one|ones}"),
    linkSureText: say(
      "Sonst verknüpft Kurant sie von selbst, sobald der Shop ganz durchgesehen ist.",
      "Otherwise Kurant links them once it has seen the whole shop.",
    ),
    visited: say("{done} von {all} Seiten gelesen", "{done} of {all} pages read"),
    minutes: say("noch etwa {count} Min.", "about {count} min left"),
    hours: say("noch etwa {count} Std.", "about {count} h left"),
    readsMap: say("liest das Seitenverzeichnis …", "reading the list of pages …"),
    stuck: {
      nextShop: say("Fügen Sie unten den nächsten Shop ein.", "Paste the next shop below."),
      noPages: say(
        "Der Shop nennt keine Seiten.",
        "The shop lists no pages.",
      ),
      noMatch: say(
        "Keine Seite passt sicher zu Ihren Produkten; meist fehlt die GTIN.",
        "No page is a sure match for your products; usually the GTIN is missing.",
      ),
      paste: say("Liste aus SKU und Adresse einfügen", "Paste a list of SKUs and addresses"),
    },
    found: say("Zuletzt gefunden", "Found last"),
    noneFound: say(
      "Treffer stehen hier, sobald Kurant sie findet.",
      "Matches appear here as Kurant finds them.",
    ),
    foundMatch: say("Gefunden: {title} bei {shop}", "Found: {title} at {shop}"),
    isSure: say("sicher", "sure"),
    look: say("ansehen", "look"),
    price: say("Der erste Vergleich", "The first comparison"),
    priceText: say(
      "erscheint hier, sobald der Preis einer verknüpften Seite gelesen ist.",
      "appears here as soon as the price of a linked page is read.",
    ),
    cheaper: say("Sie sind günstiger: {price}.", "You are cheaper: {price}."),
    dearer: say("Sie sind teurer: {price}.", "You are more expensive: {price}."),
    equal: say("Sie sind gleichauf: {price}.", "You ask the same: {price}."),
    asks: say("{shop} verlangt {price}.", "{shop} charges {price}."),
    headroom: say("Da ist Spielraum.", "There is headroom."),
    toCompared: say(
      "{count} {count|Vergleich|Vergleiche} ansehen",
      "See {count} {count|comparison|comparisons}",
    ),
    rule: say("Ihre erste Regel", "Your first rule"),
    ruleText: say(
      "Sie schlägt nur vor. Kein Preis ändert sich, bevor Sie zustimmen.",
      "It only proposes. No price changes before you agree.",
    ),
    ruleEarly: say(
      "Sie schlägt nur vor. Gerechnet wird mit Ihren Zahlen, sobald Preise da sind.",
      "It only proposes. It is calculated with your figures as soon as there are prices.",
    ),
    rules: {
      room: {
        name: say("Spielraum nutzen", "Use headroom"),
        text: say(
          "Wo Sie günstigster sind: bis 1\u00a0% unter den nächsten anheben.",
          "Where you are cheapest: raise to 1% below the next.",
        ),
      },
      lowest: {
        name: say("Günstigster sein", "Be the cheapest"),
        text: say(
          "Dem günstigsten Wettbewerber folgen, nie unter 8\u00a0% Marge.",
          "Follow the cheapest rival, never below 8% margin.",
        ),
      },
      middle: {
        name: say("Im Mittelfeld bleiben", "Stay in the middle"),
        text: say(
          "Höchstens 3\u00a0% über der Mitte des Markts, nie unter Einkauf.",
          "At most 3% above the middle of the market, never below cost.",
        ),
      },
    },
    best: say("passt zu Ihnen", "fits you"),
    today: say(
      "heute {count} {count|Vorschlag|Vorschläge}",
      "{count} {count|proposal|proposals} today",
    ),
    calculating: say("rechnet …", "calculating …"),
    enable: say("Einschalten und ansehen", "Switch on and see"),
    note: say("Vormerken", "Set aside"),
    change: say("anpassen", "adjust"),
    enabled: say(
      "„{name}“ ist an: {count} {count|Vorschlag|Vorschläge}",
      "“{name}” is on: {count} {count|proposal|proposals}",
    ),
    noted: say(
      "„{name}“ schlägt vor, sobald Preise da sind",
      "“{name}” proposes as soon as there are prices",
    ),
    rulesOn: say("Eine Regel ist eingeschaltet.", "A rule is on."),
    toRules: say("Regeln ansehen", "See the rules"),
    byItself: say("Von selbst:", "By itself:"),
    byItselfText: say(
      "Kurant liest verknüpfte Seiten regelmäßig; ab dem ersten Vorschlag steht hier Ihr Morgen mit Preisindex und Verlauf.",
      "Kurant reads linked pages regularly; after your first proposal, your morning overview appears here, with index and trend.",
    ),
    imported: say("Ihre Produkte sind da.", "Your products are here."),
    next: say("Weiter: Shops einfügen", "Next: add shops"),
  },
};
