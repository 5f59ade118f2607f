import { say } from "./label.ts";

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
