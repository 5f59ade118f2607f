import type { KeyScope } from "../../accounts/roles.ts";
import { de, type Labels } from "./label.ts";

export const workspaceWords = {
  login: {
    title: de("Anmelden").en("Sign in"),
    password: de("Passwort").en("Password"),
    passkey: de("Passkey verwenden").en("Use a passkey"),
    again: de("Bitte neu anmelden").en("Please sign in again"),
    againText: de(
      "Ihre Sitzung ist abgelaufen. Nach der Anmeldung geht es genau hier weiter; nichts ist verloren.",
    ).en("Your session has ended. Sign in to carry on right here; nothing is lost."),
    forgotten: de(
      "Passwort vergessen? Ein Inhaber dieses Arbeitsbereichs kann Ihnen unter Einstellungen → Personen einen Link zum Zurücksetzen geben.",
    ).en(
      "Forgotten your password? An owner of this workspace can give you a reset link under Settings → People.",
    ),
    forgot: de("Passwort vergessen?").en("Forgotten your password?"),
    forgotText: de(
      "Sie bekommen einen Link, mit dem Sie ein neues Passwort wählen. Er gilt einmal und eine Stunde lang.",
    ).en("You get a link to choose a new password. It works once and expires after an hour."),
    sendLink: de("Link schicken").en("Send the link"),
    linkSent: de(
      "Wenn sich {email} hier anmelden kann, ist eine Mail mit dem Link unterwegs. Sehen Sie auch im Spam-Ordner nach.",
    ).en(
      "If {email} can sign in here, a mail with the link is on its way. Look into the spam folder, too.",
    ),
    byProvider: de("Mit {provider} anmelden").en("Sign in with {provider}"),
    finishing: de("Die Anmeldung wird abgeschlossen …").en("Finishing the sign-in …"),
    back: de("Zur Anmeldung").en("Back to sign-in"),
    notSetUp: de("Hier ist noch niemand angelegt").en("Nobody can sign in here yet"),
    notSetUpText: de(
      "Der Server hat beim Start einen Link zur Einrichtung ausgegeben (…/setup#token=…). Öffnen Sie ihn; er gilt 30 Minuten. Ein Neustart gibt einen neuen aus.",
    ).en(
      "The server printed a set-up link when it started (…/setup#token=…). Open it; it is valid for 30 minutes. A restart prints a new one.",
    ),
  },
  setUp: {
    title: de("Kurant einrichten").en("Set up Kurant"),
    noToken: de(
      "In dieser Adresse fehlt der Schlüssel der Einrichtung. Öffnen Sie den Link, den der Server beim Start ausgibt.",
    ).en(
      "The set-up token is missing from this address. Open the link that the server prints when it starts.",
    ),
    done: de("Dieser Dienst ist schon eingerichtet.").en("This service is set up already."),
    workspace: de("Name des Unternehmens").en("Company name"),
    locales: {
      "de-DE": de("Deutschland: 1.234,56\u00a0€").en("Germany: 1.234,56\u00a0€"),
      "de-AT": de("Österreich: € 1 234,56").en("Austria: € 1 234,56"),
      "de-CH": de("Schweiz: CHF 1’234.56").en("Switzerland: CHF 1’234.56"),
      "en-GB": de("Englisch: €1,234.56").en("English: €1,234.56"),
    },
    vat: de("Unsere Preise enthalten die Umsatzsteuer").en("Our prices include VAT"),
    vatHint: de("Für die Marge zieht Kurant sie vom Preis ab: Einkaufspreise sind immer netto.")
      .en("For margins, Kurant deducts it from the price: cost prices are always net."),
    vatRate: de("Umsatzsteuersatz in Prozent").en("VAT rate in percent"),
    holdHint: de(
      "Bewegen zu viele Produkte auf einmal Preis oder Einkaufspreis zu stark, oder wechseln sie die Währung, wird nichts übernommen, bis jemand zustimmt.",
    ).en(
      "If the price or cost of too many products changes too much at once, or their currency changes, nothing is applied until someone agrees.",
    ),
    holdMove: de("Auffällig ist ein Produkt über … % Änderung")
      .en("A product is suspicious above a change of … %"),
    holdShare: de("Anhalten, wenn mehr als … % der Produkte auffällig sind")
      .en("Hold when more than … % of the products are suspicious"),
    holdOff: de(
      "Ausgeschaltet: Auch ein Export mit verrutschtem Komma wird sofort übernommen. Preise und Einkaufspreise, die sich um mehr als 50\u00a0% ändern, werden nur gemeldet.",
    ).en(
      "Switched off: even an export with a misplaced decimal point is applied at once. Prices and costs that change by more than 50% are only reported.",
    ),
    password: de("Passwort (mindestens 10 Zeichen)").en("Password (at least 10 characters)"),
    passwordHint: de("Mehrere Wörter sind leicht zu merken und schwer zu raten.")
      .en("Several words are easy to remember and hard to guess."),
    finish: de("Einrichten und loslegen").en("Set up and start"),
  },
  invitation: {
    title: de("Zugang einrichten").en("Set up your access"),
    text: de(
      "Mit dem Passwort melden Sie sich künftig an. Der Link gilt einmal und 72 Stunden lang.",
    ).en("You will sign in with this password. The link works once, for 72 hours."),
    nameHint: de("So stehen Sie bei Ihren Entscheidungen im Protokoll")
      .en("How the audit log names you"),
    noToken: de(
      "In dieser Adresse fehlt der Schlüssel der Einladung. Öffnen Sie den Link so, wie Sie ihn bekommen haben.",
    ).en("The invitation token is missing from this address. Open the link exactly as you got it."),
    submit: de("Passwort setzen und anmelden").en("Set the password and sign in"),
  },
  settings: {
    title: de("Einstellungen").en("Settings"),
    ownersOnly: de("Das können nur Inhaber ändern.").en("Only owners can change this."),
    parts: {
      workspace: de("Arbeitsbereich").en("Workspace"),
      people: de("Personen").en("People"),
      keys: de("API-Schlüssel").en("API keys"),
      webhooks: "Webhooks",
      profiles: de("Importprofile").en("Import profiles"),
      account: de("Mein Konto").en("My account"),
      security: de("Sicherheit").en("Security"),
    },
    workspace: {
      general: de("Allgemein").en("General"),
      localeHint: de(
        "Für Dateien und Mails. Am Bildschirm gilt die Sprache, in der Sie Kurant benutzen.",
      ).en("For files and emails. On screen, your display language applies."),
      prices: de("Preise").en("Prices"),
      quarantine: de("Auffällige Preise von Wettbewerbern prüfen")
        .en("Check suspicious prices of competitors"),
      quarantineHint: de(
        "Was falsch aussieht, zählt erst nach Freigabe oder wenn der Shop es sechs Stunden später noch zeigt",
      ).en(
        "Suspicious prices count once released, or if the shop still shows them six hours later",
      ),
      budget: de("Automatische Preisänderungen pro Tag, höchstens")
        .en("Maximum automatic price changes per day"),
      budgetHint: de("Was darüber ist, wird nur vorgeschlagen.")
        .en("Anything beyond that is only proposed."),
      noBudget: de("unbegrenzt").en("no limit"),
      autoApply: de("Regeln dürfen Preise automatisch ändern")
        .en("Rules may change prices automatically"),
      autoApplyHint: de(
        "Nur Regeln, die das verlangen, und nur in sicheren Fällen. Alles andere bleibt ein Vorschlag.",
      ).en("Only rules that ask for it, and only in safe cases. Everything else stays a proposal."),
      approvalPct: de("Über … % Änderung müssen mehrere Personen zustimmen")
        .en("Changes above … % need approval by several people"),
      approvalPeople: de("Wie viele Personen (2 bis 5)").en("How many people (2 to 5)"),
      approvalHint: de(
        "Leer: Eine Person genügt immer. Regeln setzen solche Preise auch nicht selbst.",
      ).en(
        "Empty: one person is always enough. Rules do not set such prices automatically either.",
      ),
      expected: de("Warnen nach … Stunden ohne Import").en("Warn after … hours without an import"),
      expectedHint: de("Leer: nie").en("Empty: never"),
      ownShipping: de("Unsere Versandkosten je Sendung ({currency})")
        .en("Our shipping cost per parcel ({currency})"),
      ownShippingHint: de("Für Vergleiche mit Versand").en("For comparisons with shipping"),
      compareDelivered: de("Preise mit Versand vergleichen").en("Compare prices with shipping"),
      compareDeliveredHint: de(
        "Im Markt und in Regeln, die nichts anderes sagen. Angebote ohne bekannten Versand " +
          "zählen mit ihrem Preis und sind gekennzeichnet.",
      ).en(
        "In the market and in rules that do not say otherwise. Offers with unknown shipping " +
          "count with their price and are marked.",
      ),
      ownSellers: de("Wir verkaufen auf Marktplätzen als").en("We sell on marketplaces as"),
      ownSellersHint: de(
        "Händlernamen, durch Semikolon getrennt; ihre Angebote gelten als unsere und zählen nicht",
      ).en(
        "Seller names separated by semicolons; their offers are treated as ours and never count",
      ),
    },
    people: {
      invite: de("Person einladen").en("Invite a person"),
      roles: {
        owner: de("Inhaber").en("Owner"),
        manager: de("Preismanager").en("Manager"),
        viewer: de("Leser").en("Viewer"),
      },
      roleHints: {
        owner: de("darf alles").en("can do everything"),
        manager: de("darf alles außer Personen, Schlüsseln und Einstellungen")
          .en("can do everything except people, keys and settings"),
        viewer: de("darf lesen").en("can read"),
      },
      states: { invited: de("eingeladen").en("invited"), active: de("aktiv").en("active") },
      link: de("Link zum Weitergeben").en("Link to share"),
      linkText: de("Gilt einmal und bis {until}. Er wird nur jetzt gezeigt.")
        .en("Works once, until {until}. It is shown only once."),
      reset: de("Passwort zurücksetzen").en("Reset password"),
      factor: de("Zweiter Faktor").en("Second factor"),
      hasFactor: de("eingerichtet").en("set up"),
      resetFactor: de("Zweiten Faktor zurücksetzen").en("Reset second factor"),
      resetFactorText: de(
        "{email} meldet sich dann wieder nur mit dem Passwort an; alle Sitzungen enden jetzt. Prüfen Sie, dass die Bitte wirklich von dieser Person kommt.",
      ).en(
        "{email} will then sign in with the password only; all sessions end now. Check that the request really comes from this person.",
      ),
      endSessions: de("Überall abmelden").en("Sign out everywhere"),
      endSessionsText: de(
        "{email} wird auf allen Geräten abgemeldet und kann sich danach neu anmelden.",
      ).en("{email} is signed out on all devices, and can then sign in again."),
      requiredFor: de("Zweiter Faktor ist Pflicht für").en("A second factor is required for"),
      requiredText: de("Wer keinen hat, kann nach der Anmeldung nur noch einen einrichten.")
        .en("Anyone without one has to set one up first after signing in."),
      remove: de("Person entfernen?").en("Remove the person?"),
      removeText: de("{email} wird sofort abgemeldet und kann sich nicht mehr anmelden.")
        .en("{email} is signed out at once and can no longer sign in."),
      you: de("Sie").en("you"),
    },
    keys: {
      create: de("Schlüssel anlegen").en("Create key"),
      nameHint: de("Wofür der Schlüssel ist, zum Beispiel „ERP nachts“")
        .en("What the key is for, such as “Nightly ERP import”"),
      scopes: de("Was er darf").en("What it may do"),
      onlyReads: de("liest nur").en("read only"),
      readOnly: de("Lesen darf jeder Schlüssel: Produkte, Beobachtungen, Wettbewerber.")
        .en("Every key can read products, observations and competitors."),
      scopeTexts: {
        "products:write": de("Produkte schreiben und importieren").en("Write products and import"),
        "observations:write": de("Wettbewerberpreise melden").en("Report competitors’ prices"),
        "rules:read": de("Regeln lesen").en("Read rules"),
        "proposals:read": de("Vorschläge und Preisänderungen lesen")
          .en("Read proposals and price changes"),
        "proposals:write": de("Vorschläge annehmen und ablehnen").en("Accept and reject proposals"),
        "audit:read": de("Protokoll lesen").en("Read the audit log"),
        "matches:write": de("Produkte mit Seiten von Wettbewerbern verknüpfen")
          .en("Link products to pages of competitors"),
        "webhooks:write": de("Webhooks sehen, anlegen und ändern")
          .en("See, create and change webhooks"),
        "rules:write": de("Regeln anlegen, ändern, simulieren und anwenden")
          .en("Create, change, simulate and apply rules"),
        "competitors:write": de("Wettbewerber anlegen und ändern")
          .en("Create and change competitors"),
        "alerts:read": de("Meldungen lesen").en("Read alerts"),
        "events:read": de("Ereignisse nachlesen").en("Read past events"),
      } satisfies Labels<KeyScope>,
      expires: de("Läuft ab").en("Expires"),
      never: de("nie").en("never"),
      emptyTitle: de("Noch kein Schlüssel").en("No key yet"),
      emptyText: de("Mit einem Schlüssel liest und schreibt Ihr ERP über die Schnittstelle.")
        .en("With a key, your ERP reads and writes through the API."),
      made: de("Ihr neuer Schlüssel").en("Your new key"),
      madeText: de("Er wird nur jetzt gezeigt. Legen Sie ihn gleich dort ab, wo er gebraucht wird.")
        .en("It is shown only once. Copy it now."),
      key: de("Schlüssel").en("Key"),
      tryIt: de("Zum Ausprobieren im Terminal").en("To try it in a terminal"),
      addresses: de("Nur von diesen Adressen").en("Only from these addresses"),
      addressesHint: de("Zum Beispiel 203.0.113.0/24; leer heißt von überall")
        .en("Such as 203.0.113.0/24; empty: from anywhere"),
      everywhere: de("von überall").en("from anywhere"),
      rotate: de("Austauschen").en("Rotate"),
      rotateSure: de("Schlüssel austauschen?").en("Rotate the key?"),
      rotateText: de(
        "Sie bekommen einen neuen Schlüssel mit denselben Rechten. Der alte gilt noch 24 Stunden.",
      ).en("You get a new key with the same rights. The old one stays valid for 24 hours."),
      revoke: de("Widerrufen").en("Revoke"),
      revokeSure: de("Schlüssel widerrufen?").en("Revoke the key?"),
      revokeText: de("„{name}“ wird sofort abgewiesen. Das lässt sich nicht zurücknehmen.")
        .en("“{name}” stops working at once. This cannot be undone."),
      readDocs: de("Was die Schnittstelle kann").en("What the API can do"),
    },
    account: {
      name: de("Ihr Name").en("Your name"),
      nameHint: de("Steht im Protokoll und überall, wo Sie genannt werden. Leer: Ihre Adresse.")
        .en("Shown in the audit log and wherever you are named. Empty: your address."),
      nameSaved: de("Name gespeichert").en("Name saved"),
      appearance: de("Darstellung").en("Appearance"),
      password: de("Passwort ändern").en("Change password"),
      current: de("Aktuelles Passwort").en("Current password"),
      new: de("Neues Passwort (mindestens 10 Zeichen)").en("New password (at least 10 characters)"),
      changed: de("Passwort geändert. Alle anderen Sitzungen sind beendet.")
        .en("Password changed. All other sessions have ended."),
    },
  },
};

export const securityWords = {
  proof: {
    title: de("Sind Sie es?").en("Confirm it is you"),
    text: de(
      "Dieser Schritt ist geschützt. Bestätigen Sie, dass Sie es sind; danach geht es sofort weiter.",
    ).en("This step is protected. Confirm that it is you; it then goes on at once."),
    secondStep: de("Das Passwort stimmt. Bestätigen Sie jetzt mit Ihrem zweiten Faktor.")
      .en("The password is right. Now confirm with your second factor."),
    passkey: de("Mit Passkey bestätigen").en("Confirm with a passkey"),
    provider: de("Bei {label} erneut anmelden").en("Sign in again at {label}"),
    providerText: de(
      "Danach kommen Sie auf diese Seite zurück und wiederholen den Schritt. Ungespeicherte Eingaben gehen verloren.",
    ).en("You then come back to this page and repeat the step. Unsaved input is lost."),
    submit: de("Bestätigen").en("Confirm"),
    fields: {
      code: de("Code aus der Authenticator-App").en("Code from the authenticator app"),
      password: de("Passwort").en("Password"),
      recoveryCode: de("Wiederherstellungscode").en("Recovery code"),
    },
    instead: {
      code: de("Stattdessen einen Code eingeben").en("Enter a code instead"),
      password: de("Stattdessen das Passwort eingeben").en("Enter the password instead"),
      recoveryCode: de("Stattdessen einen Wiederherstellungscode eingeben")
        .en("Enter a recovery code instead"),
    },
  },
  factors: {
    required: de("Zweiten Faktor einrichten").en("Set up a second factor"),
    requiredText: de(
      "Ihre Rolle braucht zum Anmelden neben dem Passwort einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen Passkey ein.",
    ).en(
      "Besides the password, your role needs a second factor to sign in. Set up an authenticator app or a passkey.",
    ),
    app: de("Authenticator-App").en("Authenticator app"),
    appNote: de("Eine App auf dem Telefon zeigt alle 30 Sekunden einen neuen Code")
      .en("An app on your phone shows a new code every 30 seconds"),
    since: de("Eingerichtet am {date}").en("Set up on {date}"),
    isOn: de("Eingerichtet").en("Set up"),
    isOff: de("Nicht eingerichtet").en("Not set up"),
    addApp: de("App einrichten").en("Set up the app"),
    replaceApp: de("Andere App einrichten").en("Set up another app"),
    removeApp: de("Authenticator-App entfernen?").en("Remove the authenticator app?"),
    removeAppText: de("Ihre Codes gelten dann nicht mehr.")
      .en("Its codes will no longer be accepted."),
    scan: de("Lesen Sie den QR-Code mit der App ein, oder tippen Sie den Schlüssel ab.")
      .en("Scan the QR code with the app, or type the key."),
    qrCode: de("QR-Code für die Authenticator-App").en("QR code for the authenticator app"),
    codeHint: de("Die sechs Ziffern, die die App jetzt zeigt")
      .en("The six digits that the app shows"),
    passkeys: "Passkeys",
    passkeysNote: de(
      "Anmelden mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel, auch ohne Passwort",
    ).en("Sign in by fingerprint, face, PIN or security key, even without a password"),
    noPasskeys: de(
      "Passkeys gehen hier nicht: Sie brauchen einen neueren Browser und eine https-Adresse des Dienstes.",
    ).en(
      "Passkeys do not work here: they need a recent browser and an https address of the service.",
    ),
    addPasskey: de("Passkey anlegen").en("Add a passkey"),
    nameHint: de("Zum Beispiel das Gerät").en("For example the device"),
    created: de("Angelegt").en("Added"),
    removePasskey: de("Passkey entfernen?").en("Remove the passkey?"),
    removePasskeyText: de("Mit „{name}“ können Sie sich dann nicht mehr anmelden.")
      .en("You can then no longer sign in with “{name}”."),
    codes: de("Wiederherstellungscodes").en("Recovery codes"),
    codesNote: de("Für den Fall, dass Sie Telefon oder Passkey verlieren")
      .en("In case you lose your phone or passkey"),
    codesLeft: de("Unbenutzt: {count}").en("Unused: {count}"),
    newCodes: de("Neue Codes anlegen").en("Create new codes"),
    codesText: de(
      "Jeder Code gilt einmal. Bewahren Sie die Codes sicher auf: Sie werden nur jetzt gezeigt. Frühere Codes gelten nicht mehr.",
    ).en(
      "Each code works once. Keep the codes in a safe place: they are shown only once. Earlier codes no longer work.",
    ),
    codesKept: de("Codes sind aufbewahrt").en("I have kept the codes"),
  },
  sessions: {
    title: de("Angemeldete Geräte").en("Signed-in devices"),
    note: de("Kennen Sie ein Gerät nicht, beenden Sie die Sitzung und ändern Sie Ihr Passwort")
      .en("If you do not know a device, end its session and change your password"),
    device: de("Gerät").en("Device"),
    deviceOf: de("{browser} auf {system}").en("{browser} on {system}"),
    browsers: {
      edge: "Edge",
      opera: "Opera",
      firefox: "Firefox",
      chrome: "Chrome",
      safari: "Safari",
    },
    systems: { android: "Android", ios: "iOS", windows: "Windows", macos: "macOS", linux: "Linux" },
    unknownBrowser: de("Ein Programm").en("A program"),
    unknownSystem: de("einem unbekannten System").en("an unknown system"),
    current: de("Dieses Gerät").en("This device"),
    address: de("Adresse").en("Address"),
    since: de("Angemeldet").en("Signed in"),
    lastUsed: de("Zuletzt benutzt").en("Last used"),
    end: de("Beenden").en("End"),
    endOthers: de("Alle anderen beenden").en("End all others"),
  },
} as const;
