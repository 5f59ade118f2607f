/** What state an article is in, in words. */
import type { Condition } from "../../base/condition.ts";
import type { Language } from "./language.ts";

export const CONDITION_WORDS: Readonly<Record<Language, Readonly<Record<Condition, string>>>> = {
  de: { new: "neu", refurbished: "generalüberholt", used: "gebraucht", damaged: "beschädigt" },
  en: { new: "new", refurbished: "refurbished", used: "used", damaged: "damaged" },
};
