/** What alerts and their mails say, in each language; amounts, numbers and times come as texts. */
import type { Language } from "./language.ts";

const de = {
  importFailed: (file: string) => `Import „${file}“ ist gescheitert`,
  importHeld: (file: string) => `Import „${file}“ ist angehalten`,
  seeImport: "Die Seite des Imports sagt, woran es lag.",
  holdSwitchedOn: "Auffällige Importe werden jetzt angehalten",
  holdMeans: (move: string, share: string) =>
    `Die neue Version hält einen Import an, wenn sich bei mehr als ${share} seiner Produkte Preis ` +
    `oder Einkaufspreis um mehr als ${move} ändern oder die Währung wechselt; übernommen wird dann ` +
    "nichts. Ein " +
    "Nachtlauf kann dadurch erstmals stehen bleiben: Er endet mit „price_guard“, und seine Datei " +
    "lässt sich 24 Stunden lang unter Importe freigeben. Grenzen ändern oder abschalten: " +
    "Einstellungen → Arbeitsbereich.",
  importOverdue: (hours: string) => `Seit ${hours} Stunden kein Import`,
  lastImport: (at: string) => `Der letzte gelungene Import war am ${at}.`,
  domainFailing: (domain: string) => `${domain} lässt sich nicht lesen`,
  domainSince: (at: string) =>
    `Seit ${at} wurde dort keine Seite gelesen. Die bekannten Preise bleiben.`,
  webhookDisabled: (host: string) => `Webhook an ${host} ist abgeschaltet`,
  webhookSince: (at: string) =>
    `Seit ${at} kam dort nichts an. Einschalten unter Einstellungen → Webhooks versucht es neu.`,
  proposed: (price: string) => `Vorschlag: ${price}.`,
  applied: (price: string) => `Übernommen: ${price}.`,
  noPrice: (guard: string) => `Kein Preis: ${guard}.`,
  margin: (pct: string) => `Unsere Marge ist ${pct}.`,
  because: (trigger: string) => `Die Regel hat angeschlagen, weil ${trigger}.`,
  severity: (severity: string) => `Dringlichkeit: ${severity}`,
  many: (count: string) => `${count} Meldungen`,
  rest: (count: string) => `Und ${count} weitere:`,
  all: (address: string) => `Alle Meldungen: ${address}`,
  testSubject: "Kurant: Testmail",
  test: "Diese Mail zeigt, dass Kurant Mails verschicken kann. Niemand muss antworten.",
};

export type AlertWords = typeof de;

const en: AlertWords = {
  importFailed: (file) => `Import “${file}” failed`,
  importHeld: (file) => `Import “${file}” is held`,
  seeImport: "The page of the import says why.",
  holdSwitchedOn: "Suspicious imports are held now",
  holdMeans: (move, share) =>
    `The new version holds an import when more than ${share} of its products move their price or ` +
    `cost by more than ${move}, or change their currency; nothing is applied then. A night job may ` +
    "stop there for the first time: it ends with “price_guard”, and its file can be let through for " +
    "24 hours under Imports. Change the bounds or switch it off: Settings → Workspace.",
  importOverdue: (hours) => `No import for ${hours} hours`,
  lastImport: (at) => `The last successful import was at ${at}.`,
  domainFailing: (domain) => `${domain} cannot be read`,
  domainSince: (at) => `No page was read there since ${at}. The known prices stay.`,
  webhookDisabled: (host) => `The webhook to ${host} is disabled`,
  webhookSince: (at) =>
    `Nothing arrived there since ${at}. Switching it on under Settings → Webhooks tries again.`,
  proposed: (price) => `Proposal: ${price}.`,
  applied: (price) => `Applied: ${price}.`,
  noPrice: (guard) => `No price: ${guard}.`,
  margin: (pct) => `Our margin is ${pct}.`,
  because: (trigger) => `The rule fired because ${trigger}.`,
  severity: (severity) => `Severity: ${severity}`,
  many: (count) => `${count} alerts`,
  rest: (count) => `And ${count} more:`,
  all: (address) => `All alerts: ${address}`,
  testSubject: "Kurant: test mail",
  test: "This mail says that Kurant can send mails. Nobody needs to answer it.",
};

const WORDS: Readonly<Record<Language, AlertWords>> = { de, en };

export function alertWordsOf(language: Language): AlertWords {
  return WORDS[language];
}
