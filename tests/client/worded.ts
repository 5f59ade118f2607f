import type { Language } from "../../src/base/language.ts";
import { wordsOf } from "../../src/client/words/words.ts";
import { createShow } from "../../src/engine/wording/show.ts";

/** Words and formats of a person in Berlin, for tests of texts without a page. */
export function worded(language: Language, nowMs = 0) {
  const locale = language === "de" ? "de-DE" : "en-GB";
  const settings = { locale, timeZone: "Europe/Berlin", currency: "EUR" };
  return { words: wordsOf(language), show: createShow(settings, () => nowMs) };
}
