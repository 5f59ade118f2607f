/**
 * Texts of the first hour in a new workspace, and of secure access: second factors, proofs of
 * identity and sessions.
 */
import { plural, say } from "./label.ts";

export const startWords = {
  start: {
    stepsLeft: say(
      (count: number) =>
        `Noch ${count} ${plural(count, "Schritt", "Schritte")} bis zum ersten Vorschlag`,
      (count: number) => `${count} more ${plural(count, "step", "steps")} to the first proposal`,
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
    count: say("{count} {count|Produkt|Produkte}", "{count} {count|product|products}"),
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
    isLinked: say("verknüpft", "linked"),
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
    days: say("in 30 Tagen", "in 30 days"),
    calculating: say("rechnet …", "calculating …"),
    enable: say("Einschalten und ansehen", "Switch on and see"),
    note: say("Vormerken", "Set aside"),
    change: say("anpassen", "adjust"),
    enabled: say(
      (name: string, count: number) =>
        `„${name}“ ist an: ${count} ${plural(count, "Vorschlag", "Vorschläge")}`,
      (name: string, count: number) =>
        `“${name}” is on: ${count} ${plural(count, "proposal", "proposals")}`,
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

export const securityWords = {
  proof: {
    title: say("Sind Sie es?", "Confirm it is you"),
    text: say(
      "Dieser Schritt ist geschützt. Bestätigen Sie, dass Sie es sind; danach geht es sofort weiter.",
      "This step is protected. Confirm that it is you; it then goes on at once.",
    ),
    secondStep: say(
      "Das Passwort stimmt. Bestätigen Sie jetzt mit Ihrem zweiten Faktor.",
      "The password is right. Now confirm with your second factor.",
    ),
    passkey: say("Mit Passkey bestätigen", "Confirm with a passkey"),
    provider: say("Bei {label} erneut anmelden", "Sign in again at {label}"),
    providerText: say(
      "Danach kommen Sie auf diese Seite zurück und wiederholen den Schritt. Ungespeicherte Eingaben gehen verloren.",
      "You then come back to this page and repeat the step. Unsaved input is lost.",
    ),
    submit: say("Bestätigen", "Confirm"),
    fields: {
      code: say("Code aus der Authenticator-App", "Code from the authenticator app"),
      password: say("Passwort", "Password"),
      recoveryCode: say("Wiederherstellungscode", "Recovery code"),
    },
    instead: {
      code: say("Stattdessen einen Code eingeben", "Enter a code instead"),
      password: say("Stattdessen das Passwort eingeben", "Enter the password instead"),
      recoveryCode: say(
        "Stattdessen einen Wiederherstellungscode eingeben",
        "Enter a recovery code instead",
      ),
    },
  },
  factors: {
    required: say("Zweiten Faktor einrichten", "Set up a second factor"),
    requiredText: say(
      "Ihre Rolle braucht zum Anmelden neben dem Passwort einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen Passkey ein.",
      "Besides the password, your role needs a second factor to sign in. Set up an authenticator app or a passkey.",
    ),
    app: say("Authenticator-App", "Authenticator app"),
    appNote: say(
      "Eine App auf dem Telefon zeigt alle 30 Sekunden einen neuen Code",
      "An app on your phone shows a new code every 30 seconds",
    ),
    since: say("Eingerichtet am {date}", "Set up on {date}"),
    isOn: say("Eingerichtet", "Set up"),
    isOff: say("Nicht eingerichtet", "Not set up"),
    addApp: say("App einrichten", "Set up the app"),
    replaceApp: say("Andere App einrichten", "Set up another app"),
    removeApp: say("Authenticator-App entfernen?", "Remove the authenticator app?"),
    removeAppText: say(
      "Ihre Codes gelten dann nicht mehr.",
      "Its codes will no longer be accepted.",
    ),
    scan: say(
      "Lesen Sie den QR-Code mit der App ein, oder tippen Sie den Schlüssel ab.",
      "Scan the QR code with the app, or type the key.",
    ),
    qrCode: say("QR-Code für die Authenticator-App", "QR code for the authenticator app"),
    typed: say("Schlüssel", "Key"),
    codeHint: say(
      "Die sechs Ziffern, die die App jetzt zeigt",
      "The six digits that the app shows",
    ),
    passkeys: "Passkeys",
    passkeysNote: say(
      "Anmelden mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel, auch ohne Passwort",
      "Sign in by fingerprint, face, PIN or security key, even without a password",
    ),
    noPasskeys: say(
      "Passkeys gehen hier nicht: Sie brauchen einen neueren Browser und eine https-Adresse des Dienstes.",
      "Passkeys do not work here: they need a recent browser and an https address of the service.",
    ),
    addPasskey: say("Passkey anlegen", "Add a passkey"),
    nameHint: say("Zum Beispiel das Gerät", "For example the device"),
    created: say("Angelegt", "Added"),
    removePasskey: say("Passkey entfernen?", "Remove the passkey?"),
    removePasskeyText: say(
      "Mit „{name}“ können Sie sich dann nicht mehr anmelden.",
      "You can then no longer sign in with “{name}”.",
    ),
    codes: say("Wiederherstellungscodes", "Recovery codes"),
    codesNote: say(
      "Für den Fall, dass Sie Telefon oder Passkey verlieren",
      "In case you lose your phone or passkey",
    ),
    codesLeft: say("Unbenutzt: {count}", "Unused: {count}"),
    newCodes: say("Neue Codes anlegen", "Create new codes"),
    codesText: say(
      "Jeder Code gilt einmal. Bewahren Sie die Codes sicher auf: Sie werden nur jetzt gezeigt. Frühere Codes gelten nicht mehr.",
      "Each code works once. Keep the codes in a safe place: they are shown only once. Earlier codes no longer work.",
    ),
    codesKept: say("Codes sind aufbewahrt", "I have kept the codes"),
  },
  sessions: {
    title: say("Angemeldete Geräte", "Signed-in devices"),
    note: say(
      "Kennen Sie ein Gerät nicht, beenden Sie die Sitzung und ändern Sie Ihr Passwort",
      "If you do not know a device, end its session and change your password",
    ),
    device: say("Gerät", "Device"),
    deviceOf: say("{browser} auf {system}", "{browser} on {system}"),
    browsers: {
      edge: "Edge",
      opera: "Opera",
      firefox: "Firefox",
      chrome: "Chrome",
      safari: "Safari",
    },
    systems: {
      android: "Android",
      ios: "iOS",
      windows: "Windows",
      macos: "macOS",
      linux: "Linux",
    },
    unknownBrowser: say("Ein Programm", "A program"),
    unknownSystem: say("einem unbekannten System", "an unknown system"),
    current: say("Dieses Gerät", "This device"),
    address: say("Adresse", "Address"),
    since: say("Angemeldet", "Signed in"),
    lastUsed: say("Zuletzt benutzt", "Last used"),
    end: say("Beenden", "End"),
    endOthers: say("Alle anderen beenden", "End all others"),
  },
} as const;
