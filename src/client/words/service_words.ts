import type { RefusedKind } from "../../base/failure.ts";
import { termsDe, termsEn } from "../../engine/wording/terms.ts";
import type { FindingCode } from "../../imports/files/source_file.ts";
import { de, type Labels, sayAll, type Translated } from "./label.ts";

const findings: Labels<string> = sayAll(termsDe.findings, {
  ...termsEn.findings,
  price_reverted: "The price in the file replaces one that was changed since the last import.",
}) satisfies Labels<FindingCode>;

/** Texts by kind of refusal. `bound` is the violated limit as a formatted number. */
const refusals: Readonly<Record<RefusedKind, Translated<(bound: string) => string>>> = {
  missing: de(() => "Fehlt").en(() => "Is missing"),
  unknown: de(() => "Dieses Feld gibt es nicht").en(() => "There is no such field"),
  wrong_type: de(() => "Hier passt diese Angabe nicht").en(() => "This does not fit here"),
  not_an_option: de(() => "Bitte eine der Möglichkeiten wählen")
    .en(() => "Please choose one of the options"),
  too_small: de("Zu klein: mindestens {bound}").en("Too small: at least {bound}"),
  too_large: de("Zu groß: höchstens {bound}").en("Too large: at most {bound}"),
  too_short: de("{bound|Darf nicht leer sein|Mindestens # Zeichen}")
    .en("{bound|Must not be empty|At least # characters}"),
  too_long: de("Höchstens {bound} Zeichen").en("At most {bound} characters"),
  too_few: de("{bound|Mindestens eine Angabe|Mindestens # Angaben}").en("At least {bound}"),
  too_many: de("Höchstens {bound} Angaben").en("At most {bound}"),
};

/** Texts for refusals without a kind, by the last part of the refused field's path. */
const fieldRefusals: Labels<string> = sayAll({
  sku: "Die SKU hat 1 bis 128 Zeichen und keine Steuerzeichen",
  title: "Der Titel darf nicht leer sein",
  name: "Der Name darf nicht leer sein",
  currency: "Ein Währungskürzel nach ISO 4217, zum Beispiel EUR",
  ean: "Eine GTIN mit 8, 12, 13 oder 14 Ziffern und richtiger Prüfziffer",
  url: "Eine vollständige Adresse, die mit http:// oder https:// beginnt",
  email: "Eine E-Mail-Adresse",
  to: "E-Mail-Adressen, mit Komma getrennt",
  domain: "Eine Domain, zum Beispiel mediamarkt.de",
  country: "Ein Länderkürzel aus zwei Buchstaben, zum Beispiel DE",
  timeZone: "Eine Zeitzone, zum Beispiel Europe/Berlin",
  ourPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  costPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  targetPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  minPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  maxPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  shippingPrice: "Ein Preis wie 299,99, mit höchstens so vielen Nachkommastellen wie die Währung",
  stock: "Eine Zahl mit höchstens drei Nachkommastellen",
  priceSelector: "Das ist kein CSS-Selektor",
  stockSelector: "Das ist kein CSS-Selektor",
  jsonPath: "Das ist kein JSON-Pfad nach RFC 9535",
  indexAbove: "Eine der beiden Grenzen wird gebraucht",
  belowCents: "Bis zu welchem Preis? Jeder Bereich endet über dem davor",
  endings: "Letzte Ziffern, mit Komma getrennt, zum Beispiel 99",
  competitorId: "Bitte einen Shop wählen",
  pct: "Eine Prozentzahl mit höchstens vier Nachkommastellen",
  cents: "Ein Betrag wie 0,05",
  minCents: "Ein Betrag wie 299,99",
  maxCents: "Ein Betrag wie 299,99, nicht unter dem niedrigsten Preis",
  bounds: "Schranken brauchen einen Preis aus einem Bezugspreis",
  brake: "Eine Bremse braucht einen Preis aus einem Bezugspreis",
  restDays: "Nicht kürzer als die Tage, in denen gezählt wird",
  marginFloor: "Für diese Aktion wird eine Mindestmarge gebraucht",
  formula: "Für diese Aktion wird ein Preis gebraucht",
  events: "Mindestens ein Ereignis",
  expiresAt: "Ein Zeitpunkt in der Zukunft",
  currentPassword: "Das ist nicht Ihr aktuelles Passwort",
  password: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
  newPassword: "Mindestens 10 Zeichen, und kein Passwort, das viele benutzen",
}, {});

export const serviceWords = { findings, refusals, fieldRefusals };
