/** Texts of mails about a person's account, in both languages. */
import type { Language } from "../../base/language.ts";

interface MailWords {
  readonly subject: string;
  text(link: string): string;
}

const RESET: Readonly<Record<Language, MailWords>> = {
  de: {
    subject: "Kurant: neues Passwort",
    text: (link) =>
      `Für diese Adresse wurde ein neues Passwort angefragt. Setzen Sie es hier:

${link}

Der Link gilt einmal und eine Stunde lang. Danach sind Sie überall abgemeldet, wo Sie noch angemeldet
waren. Haben Sie nichts angefragt, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.
`,
  },
  en: {
    subject: "Kurant: a new password",
    text: (link) =>
      `Somebody asked for a new password for this address. Choose it here:

${link}

The link works once, for an hour. Afterwards you are signed out wherever you were signed in. If it was
not you, there is nothing to do: your password stays as it is.
`,
  },
};

/** The mail with a link for choosing a new password. */
export function resetMail(language: Language, link: string) {
  const { subject, text } = RESET[language];
  return { subject, text: text(link) };
}
