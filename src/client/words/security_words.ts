import { de } from "./label.ts";

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
