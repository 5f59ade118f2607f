import type { KeyScope } from "../../accounts/roles.ts";
import { type Labels, say } from "./label.ts";

export const workspaceWords = {
  login: {
    title: say("Anmelden", "Sign in"),
    password: say("Passwort", "Password"),
    passkey: say("Passkey verwenden", "Use a passkey"),
    again: say("Bitte neu anmelden", "Please sign in again"),
    againText: say(
      "Ihre Sitzung ist abgelaufen. Nach der Anmeldung geht es genau hier weiter; nichts ist verloren.",
      "Your session has ended. Sign in to carry on right here; nothing is lost.",
    ),
    forgotten: say(
      "Passwort vergessen? Ein Inhaber dieses Arbeitsbereichs kann Ihnen unter Einstellungen → Personen einen Link zum Zurücksetzen geben.",
      "Forgotten your password? An owner of this workspace can give you a reset link under Settings → People.",
    ),
    forgot: say("Passwort vergessen?", "Forgotten your password?"),
    forgotText: say(
      "Sie bekommen einen Link, mit dem Sie ein neues Passwort wählen. Er gilt einmal und eine Stunde lang.",
      "You get a link to choose a new password. It works once and expires after an hour.",
    ),
    sendLink: say("Link schicken", "Send the link"),
    linkSent: say(
      "Wenn sich {email} hier anmelden kann, ist eine Mail mit dem Link unterwegs. Sehen Sie auch im Spam-Ordner nach.",
      "If {email} can sign in here, a mail with the link is on its way. Look into the spam folder, too.",
    ),
    byProvider: say("Mit {provider} anmelden", "Sign in with {provider}"),
    finishing: say("Die Anmeldung wird abgeschlossen …", "Finishing the sign-in …"),
    back: say("Zur Anmeldung", "Back to sign-in"),
    notSetUp: say("Hier ist noch niemand angelegt", "Nobody can sign in here yet"),
    notSetUpText: say(
      "Der Server hat beim Start einen Link zur Einrichtung ausgegeben (…/setup#token=…). Öffnen Sie ihn; er gilt 30 Minuten. Ein Neustart gibt einen neuen aus.",
      "The server printed a set-up link when it started (…/setup#token=…). Open it; it is valid for 30 minutes. A restart prints a new one.",
    ),
  },
  setUp: {
    title: say("Kurant einrichten", "Set up Kurant"),
    noToken: say(
      "In dieser Adresse fehlt der Schlüssel der Einrichtung. Öffnen Sie den Link, den der Server beim Start ausgibt.",
      "The set-up token is missing from this address. Open the link that the server prints when it starts.",
    ),
    done: say("Dieser Dienst ist schon eingerichtet.", "This service is set up already."),
    steps: say(["Unternehmen", "Preise", "Ihr Zugang"], ["Company", "Prices", "Your account"]),
    step: say("Schritt {at} von {of}", "Step {at} of {of}"),
    workspace: say("Name des Unternehmens", "Company name"),
    locales: {
      "de-DE": say("Deutschland: 1.234,56\u00a0€", "Germany: 1.234,56\u00a0€"),
      "de-AT": say("Österreich: € 1 234,56", "Austria: € 1 234,56"),
      "de-CH": say("Schweiz: CHF 1’234.56", "Switzerland: CHF 1’234.56"),
      "en-GB": say("Englisch: €1,234.56", "English: €1,234.56"),
    },
    vat: say("Unsere Preise enthalten die Umsatzsteuer", "Our prices include VAT"),
    vatHint: say(
      "Für die Marge zieht Kurant sie vom Preis ab: Einkaufspreise sind immer netto.",
      "For margins, Kurant deducts it from the price: cost prices are always net.",
    ),
    vatRate: say("Umsatzsteuersatz in Prozent", "VAT rate in percent"),
    holdHint: say(
      "Bewegen zu viele Produkte auf einmal Preis oder Einkaufspreis zu stark, oder wechseln sie die Währung, wird nichts übernommen, bis jemand zustimmt.",
      "If the price or cost of too many products changes too much at once, or their currency changes, nothing is applied until someone agrees.",
    ),
    holdMove: say(
      "Auffällig ist ein Produkt über … % Änderung",
      "A product is suspicious above a change of … %",
    ),
    holdShare: say(
      "Anhalten, wenn mehr als … % der Produkte auffällig sind",
      "Hold when more than … % of the products are suspicious",
    ),
    holdOff: say(
      "Ausgeschaltet: Auch ein Export mit verrutschtem Komma wird sofort übernommen. Preise und Einkaufspreise, die sich um mehr als 50\u00a0% ändern, werden nur gemeldet.",
      "Switched off: even an export with a misplaced decimal point is applied at once. Prices and costs that change by more than 50% are only reported.",
    ),
    password: say("Passwort (mindestens 10 Zeichen)", "Password (at least 10 characters)"),
    passwordHint: say(
      "Mehrere Wörter sind leicht zu merken und schwer zu raten.",
      "Several words are easy to remember and hard to guess.",
    ),
    finish: say("Einrichten und loslegen", "Set up and start"),
  },
  invitation: {
    title: say("Zugang einrichten", "Set up your access"),
    text: say(
      "Mit dem Passwort melden Sie sich künftig an. Der Link gilt einmal und 72 Stunden lang.",
      "You will sign in with this password. The link works once, for 72 hours.",
    ),
    nameHint: say(
      "So stehen Sie bei Ihren Entscheidungen im Protokoll",
      "How the audit log names you",
    ),
    noToken: say(
      "In dieser Adresse fehlt der Schlüssel der Einladung. Öffnen Sie den Link so, wie Sie ihn bekommen haben.",
      "The invitation token is missing from this address. Open the link exactly as you got it.",
    ),
    submit: say("Passwort setzen und anmelden", "Set the password and sign in"),
  },
  settings: {
    title: say("Einstellungen", "Settings"),
    ownersOnly: say("Das können nur Inhaber ändern.", "Only owners can change this."),
    parts: {
      workspace: say("Arbeitsbereich", "Workspace"),
      people: say("Personen", "People"),
      keys: say("API-Schlüssel", "API keys"),
      webhooks: "Webhooks",
      profiles: say("Importprofile", "Import profiles"),
      account: say("Mein Konto", "My account"),
      security: say("Sicherheit", "Security"),
    },
    workspace: {
      general: say("Allgemein", "General"),
      localeHint: say(
        "Für Dateien und Mails. Am Bildschirm gilt die Sprache, in der Sie Kurant benutzen.",
        "For files and emails. On screen, your display language applies.",
      ),
      prices: say("Preise", "Prices"),
      quarantine: say(
        "Auffällige Preise von Wettbewerbern prüfen",
        "Check suspicious prices of competitors",
      ),
      quarantineHint: say(
        "Was falsch aussieht, zählt erst nach Freigabe oder wenn der Shop es sechs Stunden später noch zeigt",
        "Suspicious prices count once released, or if the shop still shows them six hours later",
      ),
      budget: say(
        "Automatische Preisänderungen pro Tag, höchstens",
        "Maximum automatic price changes per day",
      ),
      budgetHint: say(
        "Was darüber ist, wird nur vorgeschlagen.",
        "Anything beyond that is only proposed.",
      ),
      noBudget: say("unbegrenzt", "no limit"),
      autoApply: say(
        "Regeln dürfen Preise automatisch ändern",
        "Rules may change prices automatically",
      ),
      autoApplyHint: say(
        "Nur Regeln, die das verlangen, und nur in sicheren Fällen. Alles andere bleibt ein Vorschlag.",
        "Only rules that ask for it, and only in safe cases. Everything else stays a proposal.",
      ),
      approvalPct: say(
        "Über … % Änderung müssen mehrere Personen zustimmen",
        "Changes above … % need approval by several people",
      ),
      approvalPeople: say("Wie viele Personen (2 bis 5)", "How many people (2 to 5)"),
      approvalHint: say(
        "Leer: Eine Person genügt immer. Regeln setzen solche Preise auch nicht selbst.",
        "Empty: one person is always enough. Rules do not set such prices automatically either.",
      ),
      expected: say(
        "Warnen nach … Stunden ohne Import",
        "Warn after … hours without an import",
      ),
      expectedHint: say("Leer: nie", "Empty: never"),
      ownShipping: say(
        "Unsere Versandkosten je Sendung ({currency})",
        "Our shipping cost per parcel ({currency})",
      ),
      ownShippingHint: say(
        "Für Vergleiche mit Versand",
        "For comparisons with shipping",
      ),
      compareDelivered: say("Preise mit Versand vergleichen", "Compare prices with shipping"),
      compareDeliveredHint: say(
        "Im Markt und in Regeln, die nichts anderes sagen. Angebote ohne bekannten Versand " +
          "zählen mit ihrem Preis und sind gekennzeichnet.",
        "In the market and in rules that do not say otherwise. Offers with unknown shipping " +
          "count with their price and are marked.",
      ),
      ownSellers: say("Wir verkaufen auf Marktplätzen als", "We sell on marketplaces as"),
      ownSellersHint: say(
        "Händlernamen, durch Semikolon getrennt; ihre Angebote gelten als unsere und zählen nicht",
        "Seller names separated by semicolons; their offers are treated as ours and never count",
      ),
    },
    people: {
      invite: say("Person einladen", "Invite a person"),
      roles: {
        owner: say("Inhaber", "Owner"),
        manager: say("Preismanager", "Manager"),
        viewer: say("Leser", "Viewer"),
      },
      roleHints: {
        owner: say("darf alles", "can do everything"),
        manager: say(
          "darf alles außer Personen, Schlüsseln und Einstellungen",
          "can do everything except people, keys and settings",
        ),
        viewer: say("darf lesen", "can read"),
      },
      states: {
        invited: say("eingeladen", "invited"),
        active: say("aktiv", "active"),
      },
      link: say("Link zum Weitergeben", "Link to share"),
      linkText: say(
        "Gilt einmal und bis {until}. Er wird nur jetzt gezeigt.",
        "Works once, until {until}. It is shown only once.",
      ),
      reset: say("Passwort zurücksetzen", "Reset password"),
      factor: say("Zweiter Faktor", "Second factor"),
      hasFactor: say("eingerichtet", "set up"),
      resetFactor: say("Zweiten Faktor zurücksetzen", "Reset second factor"),
      resetFactorText: say(
        "{email} meldet sich dann wieder nur mit dem Passwort an; alle Sitzungen enden jetzt. Prüfen Sie, dass die Bitte wirklich von dieser Person kommt.",
        "{email} will then sign in with the password only; all sessions end now. Check that the request really comes from this person.",
      ),
      endSessions: say("Überall abmelden", "Sign out everywhere"),
      endSessionsText: say(
        "{email} wird auf allen Geräten abgemeldet und kann sich danach neu anmelden.",
        "{email} is signed out on all devices, and can then sign in again.",
      ),
      requiredFor: say("Zweiter Faktor ist Pflicht für", "A second factor is required for"),
      requiredText: say(
        "Wer keinen hat, kann nach der Anmeldung nur noch einen einrichten.",
        "Anyone without one has to set one up first after signing in.",
      ),
      remove: say("Person entfernen?", "Remove the person?"),
      removeText: say(
        "{email} wird sofort abgemeldet und kann sich nicht mehr anmelden.",
        "{email} is signed out at once and can no longer sign in.",
      ),
      you: say("Sie", "you"),
    },
    keys: {
      create: say("Schlüssel anlegen", "Create key"),
      nameHint: say(
        "Wofür der Schlüssel ist, zum Beispiel „ERP nachts“",
        "What the key is for, such as “Nightly ERP import”",
      ),
      scopes: say("Was er darf", "What it may do"),
      onlyReads: say("liest nur", "read only"),
      readOnly: say(
        "Lesen darf jeder Schlüssel: Produkte, Beobachtungen, Wettbewerber.",
        "Every key can read products, observations and competitors.",
      ),
      scopeTexts: {
        "products:write": say("Produkte schreiben und importieren", "Write products and import"),
        "observations:write": say("Wettbewerberpreise melden", "Report competitors’ prices"),
        "rules:read": say("Regeln lesen", "Read rules"),
        "proposals:read": say(
          "Vorschläge und Preisänderungen lesen",
          "Read proposals and price changes",
        ),
        "proposals:write": say("Vorschläge annehmen und ablehnen", "Accept and reject proposals"),
        "audit:read": say("Protokoll lesen", "Read the audit log"),
        "matches:write": say(
          "Produkte mit Seiten von Wettbewerbern verknüpfen",
          "Link products to pages of competitors",
        ),
        "webhooks:write": say(
          "Webhooks sehen, anlegen und ändern",
          "See, create and change webhooks",
        ),
        "rules:write": say(
          "Regeln anlegen, ändern, simulieren und anwenden",
          "Create, change, simulate and apply rules",
        ),
        "competitors:write": say(
          "Wettbewerber anlegen und ändern",
          "Create and change competitors",
        ),
        "alerts:read": say("Meldungen lesen", "Read alerts"),
        "events:read": say("Ereignisse nachlesen", "Read past events"),
      } satisfies Labels<KeyScope>,
      expires: say("Läuft ab", "Expires"),
      never: say("nie", "never"),
      prefix: say("Beginnt mit", "Starts with"),
      emptyTitle: say("Noch kein Schlüssel", "No key yet"),
      emptyText: say(
        "Mit einem Schlüssel liest und schreibt Ihr ERP über die Schnittstelle.",
        "With a key, your ERP reads and writes through the API.",
      ),
      made: say("Ihr neuer Schlüssel", "Your new key"),
      madeText: say(
        "Er wird nur jetzt gezeigt. Legen Sie ihn gleich dort ab, wo er gebraucht wird.",
        "It is shown only once. Copy it now.",
      ),
      key: say("Schlüssel", "Key"),
      tryIt: say("Zum Ausprobieren im Terminal", "To try it in a terminal"),
      addresses: say("Nur von diesen Adressen", "Only from these addresses"),
      addressesHint: say(
        "Zum Beispiel 203.0.113.0/24; leer heißt von überall",
        "Such as 203.0.113.0/24; empty: from anywhere",
      ),
      everywhere: say("von überall", "from anywhere"),
      rotate: say("Austauschen", "Rotate"),
      rotateSure: say("Schlüssel austauschen?", "Rotate the key?"),
      rotateText: say(
        "Sie bekommen einen neuen Schlüssel mit denselben Rechten. Der alte gilt noch 24 Stunden.",
        "You get a new key with the same rights. The old one stays valid for 24 hours.",
      ),
      revoke: say("Widerrufen", "Revoke"),
      revokeSure: say("Schlüssel widerrufen?", "Revoke the key?"),
      revokeText: say(
        "„{name}“ wird sofort abgewiesen. Das lässt sich nicht zurücknehmen.",
        "“{name}” stops working at once. This cannot be undone.",
      ),
      readDocs: say("Was die Schnittstelle kann", "What the API can do"),
    },
    account: {
      name: say("Ihr Name", "Your name"),
      nameHint: say(
        "Steht im Protokoll und überall, wo Sie genannt werden. Leer: Ihre Adresse.",
        "Shown in the audit log and wherever you are named. Empty: your address.",
      ),
      nameSaved: say("Name gespeichert", "Name saved"),
      appearance: say("Darstellung", "Appearance"),
      theme: say("Farben", "Colours"),
      themes: {
        system: say("wie das System", "same as system"),
        light: say("hell", "light"),
        dark: say("dunkel", "dark"),
      },
      password: say("Passwort ändern", "Change password"),
      current: say("Aktuelles Passwort", "Current password"),
      new: say("Neues Passwort (mindestens 10 Zeichen)", "New password (at least 10 characters)"),
      changed: say(
        "Passwort geändert. Alle anderen Sitzungen sind beendet.",
        "Password changed. All other sessions have ended.",
      ),
    },
  },
};
