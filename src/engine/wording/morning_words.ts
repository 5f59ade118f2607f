/** Texts of the morning mail and of account mails. */

import type { Language } from "../../base/codes.ts";

const de = {
  subject: (day: string, what: string) => `Morgen ${day}: ${what}`,
  proposals: (count: number, text: string) =>
    count === 1 ? "1 Vorschlag offen" : `${text} Vorschläge offen`,
  expiring: (count: number, text: string) =>
    count === 1 ? "1 davon läuft heute ab" : `${text} davon laufen heute ab`,
  moved: (count: number, text: string) => count === 1 ? "1 Bewegung" : `${text} Bewegungen`,
  positionTitle: "Wo stehen wir?",
  positionText: (compared: string, cheapest: string, middle: string, dearest: string) =>
    `${compared} Produkte mit Vergleich: günstigster ${cheapest}, im Mittelfeld ${middle}, ` +
    `teuerster ${dearest}.`,
  index: (index: string) => `Preisindex ${index} (100 = Markt).`,
  movesTitle: "Größte Bewegungen seit gestern",
  proposalsTitle: "Vorschläge, die am meisten bewegen",
  dataTitle: "Was fehlt",
  late: (hours: string) => `Die Datei des ERP fehlt seit mehr als ${hours} Stunden.`,
  failing: (shop: string) => `${shop} antwortet nicht: Keiner seiner Preise zählt noch.`,
  group: {
    down: (shop: string, count: string, pct: string) => `${shop}: ${count} Preise gesenkt (${pct})`,
    up: (shop: string, count: string, pct: string) => `${shop}: ${count} Preise erhöht (${pct})`,
    back_in_stock: (shop: string, count: string) => `${shop}: ${count} wieder lieferbar`,
    sold_out: (shop: string, count: string) => `${shop}: ${count} nicht mehr lieferbar`,
    new_offer: (shop: string, count: string) => `${shop}: ${count} neue Angebote`,
  },
  within: (text: string, category: string) => `${text} in ${category}`,
  open: (address: string) => `Alles auf einen Blick: ${address}`,
  unsubscribe:
    "Sie bekommen diese Mail, weil Sie sie unter Einstellungen → Konto bestellt haben; " +
    "dort bestellen Sie sie auch ab. An ruhigen Tagen wird keine verschickt.",
  quiet: "Heute wäre keine Mail gekommen: Nichts wartet, nichts fehlt, nichts hat sich bewegt.",
  quietSubject: "ein ruhiger Tag",
};

type MorningWords = typeof de;

const en: MorningWords = {
  subject: (day, what) => `Morning ${day}: ${what}`,
  proposals: (count, text) => count === 1 ? "1 open proposal" : `${text} open proposals`,
  expiring: (count, text) =>
    count === 1 ? "1 of them expires today" : `${text} of them expire today`,
  moved: (count, text) => count === 1 ? "1 move" : `${text} moves`,
  positionTitle: "Where do we stand?",
  positionText: (compared, cheapest, middle, dearest) =>
    `${compared} products compared: cheapest ${cheapest}, in the middle ${middle}, ` +
    `most expensive ${dearest}.`,
  index: (index) => `Price index ${index} (100 = market).`,
  movesTitle: "Biggest moves since yesterday",
  proposalsTitle: "Proposals that move the most",
  dataTitle: "What is missing",
  late: (hours) => `The ERP's file has been missing for more than ${hours} hours.`,
  failing: (shop) => `${shop} is not responding: none of its prices counts any more.`,
  group: {
    down: (shop, count, pct) => `${shop}: ${count} prices lowered (${pct})`,
    up: (shop, count, pct) => `${shop}: ${count} prices raised (${pct})`,
    back_in_stock: (shop, count) => `${shop}: ${count} back in stock`,
    sold_out: (shop, count) => `${shop}: ${count} sold out`,
    new_offer: (shop, count) => `${shop}: ${count} new offers`,
  },
  within: (text, category) => `${text} in ${category}`,
  open: (address) => `Everything at a glance: ${address}`,
  unsubscribe: "You get this mail because you asked for it under Settings → Account, where you " +
    "also stop it. No mail is sent on quiet days.",
  quiet: "No mail would have been sent today: nothing is waiting, missing or moving.",
  quietSubject: "a quiet day",
};

export const MORNING_WORDS: Readonly<Record<Language, MorningWords>> = { de, en };

export function resetMail(language: Language, link: string) {
  return {
    de: {
      subject: "Kurant: neues Passwort",
      text: `Für diese Adresse wurde ein neues Passwort angefragt. Setzen Sie es hier:

${link}

Der Link gilt einmal und eine Stunde lang. Danach sind Sie überall abgemeldet, wo Sie noch angemeldet
waren. Haben Sie nichts angefragt, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.
`,
    },
    en: {
      subject: "Kurant: a new password",
      text: `Somebody asked for a new password for this address. Choose it here:

${link}

The link works once, for an hour. Afterwards you are signed out wherever you were signed in. If it was
not you, there is nothing to do: your password stays as it is.
`,
    },
  }[language];
}
