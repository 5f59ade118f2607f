import type { Language } from "./language.ts";

const de = {
  api: "Eingabe oder API",
  import: "Import",
  rule: "Regel",
  proposal: "Vorschlag",
  rollback: "Zurückgenommen",
};

/** Who or what set an own price, as files and screens call it. */
export const PRICE_SOURCE_WORDS: Readonly<Record<Language, Readonly<typeof de>>> = {
  de,
  en: {
    api: "Entered or API",
    import: "Import",
    rule: "Rule",
    proposal: "Proposal",
    rollback: "Rolled back",
  },
};
